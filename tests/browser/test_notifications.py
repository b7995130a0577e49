"""Being told in a browser: the icon, a sound and a notification while the page is out of sight; what the site's service
worker shows, pushed or while the server is away; and the tables that wait elsewhere."""

import random

from playwright.sync_api import Page, expect

from tests.browser.access import objections
from tests.browser.conftest import PHONE, Open
from tests.browser.table import click, make_table, press_anything, wait_for_turn

OUT_OF_SIGHT = """
window.away = false;
window.notes = [];
window.sounds = 0;
Object.defineProperty(document, "hidden", { get: () => window.away });
Object.defineProperty(Notification, "permission", { get: () => "granted" });
Notification.requestPermission = async () => "granted";
const workers = window.ServiceWorkerRegistration?.prototype ?? {};
workers.showNotification = async (title) => window.notes.push(title);
const Context = window.AudioContext;
window.AudioContext = class extends Context {
    constructor() { super(); window.sounds += 1; }
};
window.look = (away) => {
    window.away = away;
    document.dispatchEvent(new Event("visibilitychange"));
};
"""
"""Lets a page be out of sight, and keeps what it does then."""

ICON = "link[rel=icon]"


def told_by_sound_and_note(page: Page) -> None:
    """Choose both; the start page, by which one comes, makes the service worker ready."""
    page.goto("/")
    page.goto("/telling")
    page.locator("input[name=sound]").check()
    page.locator("#note").check()
    with page.expect_navigation():
        page.locator("#tabs button").click()
    expect(page.locator("#note")).to_be_checked()


def test_a_page_out_of_sight_tells_that_it_is_ones_turn_once(open_browser: Open) -> None:
    context = open_browser()
    context.add_init_script(OUT_OF_SIGHT)
    page, guest = context.new_page(), open_browser().new_page()
    told_by_sound_and_note(page)
    assert not objections(page)
    guest.goto(make_table(page, game="karuba", players=2, seat1="friend"))
    guest.locator("#confirm").click()
    choose(page)
    page.evaluate(
        "navigator.serviceWorker.ready.then(() => true)"
    )  # by which phones and pages in the background tell
    page.evaluate("""async () => {
        look(true);
        const main = document.querySelector("script[type=module]").src;
        await import(main.replace("main.js", "later/notifications.js"));
    }""")
    assert page.evaluate("[notes.length, sounds]") == [0, 0]
    choose(guest)
    expect(guest.locator("#log")).to_contain_text("All is shown")
    while not page.evaluate("notes.length"):
        if guest.locator("#table .bar.mine").count():  # the lowest sum, which discards first, was the guest's
            press_anything(guest, random.Random(1), click)
    assert page.evaluate("notes.length") == 1
    assert page.evaluate("notes[0]").startswith("Your turn – Karuba")
    assert page.evaluate("sounds") == 1
    assert "icon-turn" in (page.locator(ICON).get_attribute("href") or "")
    page.evaluate("look(false)")
    expect(page.locator(ICON)).to_have_attribute("href", "/static/icon.svg")


def choose(page: Page) -> None:
    """Choose two cards in Karuba, and say so."""
    wait_for_turn(page)
    for count in (1, 2):
        page.locator(".hand-part .slot button.press").nth(count - 1).click()
        expect(page.locator(".hand-part .slot.chosen")).to_have_count(count)
    page.locator("#confirm").click()


def test_the_next_table_that_waits_is_a_press_away(open_browser: Open) -> None:
    page = open_browser(PHONE, has_touch=True).new_page()
    first = make_table(page, players=2, seat1="friend")
    make_table(page, players=2, game="karuba")
    page.goto("/language?to=fr&back=/")
    expect(page.locator("#digest")).to_contain_text("À vous de jouer dans")
    page.goto(first)
    line = page.locator("#next-table a")
    expect(line).to_contain_text("1 autre table vous attend")
    assert not objections(page)
    line.tap()
    expect(page.locator("#table.karuba")).to_be_visible()


def test_the_installed_site_shows_what_is_pushed_and_that_the_server_is_away(open_browser: Open) -> None:
    context = open_browser(forgive="Failed to load resource")
    page = context.new_page()
    page.goto("/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    worker = next(iter(context.service_workers), None) or context.wait_for_event("serviceworker")
    shown = worker.evaluate(
        """async (said) => {
            let shown;
            registration.showNotification = async (...given) => (shown = given);
            const event = new PushEvent("push", { data: JSON.stringify(said) });
            const done = new Promise((resolve) => (event.waitUntil = resolve));
            dispatchEvent(event);
            await (await done);
            return shown;
        }""",
        {"title": "Your turn at Karuba", "body": "With Anna", "url": "/tables/x", "topic": "x"},
    )
    assert shown[0] == "Your turn at Karuba"
    assert (shown[1]["body"], shown[1]["tag"], shown[1]["data"]) == ("With Anna", "x", "/tables/x")
    context.set_offline(True)
    page.goto("/history")
    expect(page.locator("h1")).to_have_text("The server is not answering")
    assert page.evaluate("getComputedStyle(document.body).display") == "grid"
    assert not objections(page)
    context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.locator("h1")).to_have_text("My games")


def test_who_comes_to_a_table_by_a_link_has_the_service_worker_too(open_browser: Open) -> None:
    """By which phones tell; without having seen the start page."""
    page, visitor = open_browser().new_page(), open_browser().new_page()
    visitor.goto(make_table(page, players=2))
    assert not visitor.context.service_workers
    with visitor.context.expect_event("serviceworker"):
        visitor.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
