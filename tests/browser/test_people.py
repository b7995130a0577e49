"""People come together in a browser: invited, waiting, started, called by their names, talking; and at one screen."""

from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.access import objections
from tests.browser.conftest import PHONE, Open
from tests.browser.table import fill_in_form


def call_oneself(page: Page, name: str) -> None:
    """Say one's name on the start page."""
    page.goto("/")
    page.get_by_label("Your name", exact=True).or_(page.get_by_label("Votre nom", exact=True)).fill(name)
    page.locator("#your-name button").click()
    expect(page.locator(".called")).to_contain_text(name)


LOOSE = """([name, names]) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const places = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const isFree = node.data.replaceAll(`\\u2068${name}\\u2069`, "").includes(name);
        if (isFree && !node.parentElement.closest("bdi, script")) places.push(node.parentElement.outerHTML);
    }
    if (document.title.replaceAll(`\\u2068${name}\\u2069`, "").includes(name)) places.push(document.title);
    return places;
}"""
"""Where a name stands on a page that could turn what is around it."""

GAINED = """(name) => {
    const entry = `<li class="log-entry"><span><bdi>${name}</bdi> &lt;b&gt;</span></li>`;
    document.querySelector("#log .log-rounds").innerHTML = `<div class="log-round" id="log-round-9">${entry}</div>`;
    modules.announcements.announce();
}"""
"""A line more in the log, at once."""


def test_what_scripts_write_keeps_names_in_elements_of_their_own(open_browser: Open) -> None:
    """A name that is written from right to left: in announcements, a message that came just now, the title."""
    name = "\u05d3\u05d5\u05d3 7"
    host, guest = open_browser().new_page(), open_browser().new_page()
    call_oneself(host, "Anna")
    call_oneself(guest, name)
    address = fill_in_form(host, players=2, game="karuba", seat1="friend")
    guest.goto(address)
    guest.locator("#room-take-1").click()
    expect(host.locator("#waiting-room")).to_contain_text(name)
    host.locator("#start").click()
    expect(host.locator("#waiting-room")).to_have_count(0)
    guest.locator("#open-talk").click()
    guest.locator("#say").fill("Shalom")
    guest.locator(".say button").click()
    expect(host.locator("#talk-toast bdi")).to_have_text(name)
    assert host.evaluate(LOOSE, [name]) == []
    for page in (host, guest):
        page.wait_for_function("() => modules.announcements")
        page.evaluate(GAINED, name)
        expect(page.locator("#news bdi").last).to_have_text(name)
        assert page.evaluate(LOOSE, [name]) == []


def test_friends_meet_in_the_waiting_room_and_talk(open_browser: Open) -> None:
    host = open_browser(forgive="400 (Bad Request)").new_page()  # of a message without a word
    context = open_browser(PHONE, has_touch=True, locale="fr-FR")
    context.add_init_script(  # as in a browser that denies pages their storage
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('', 'SecurityError') }})"
    )
    guest = context.new_page()
    call_oneself(host, "Anna")
    address = fill_in_form(host, players=3, game="karuba", seat1="friend", seat2="friend")
    expect(host.locator("#waiting-room")).to_be_visible()
    assert not objections(host)
    guest.goto(address)
    expect(guest.locator("#waiting-room")).to_contain_text("Anna")
    guest.locator("#room-take-1").tap()
    guest.locator("#name").fill("Benoît")
    guest.locator("#your-name button").tap()
    expect(host.locator("#waiting-room")).to_contain_text("Benoît")
    assert not objections(guest)
    host.locator("#fill").click()
    for page in (host, guest):
        expect(page.locator("#waiting-room")).to_have_count(0)
        expect(page.locator(".hand-part")).to_be_visible()
    expect(host.locator("#main")).to_contain_text("Benoît")

    guest.locator("#open-talk").tap()
    guest.locator("#say").fill("Bonjour !")
    guest.locator(".say button").tap()
    expect(host.locator("#talk-toast")).to_contain_text("Bonjour !")
    guest.keyboard.press("Escape")
    host.locator("#open-talk").click()
    host.locator("#say").fill("Shall we play a little faster tonight, what do you say?")
    host.locator(".say button").click()
    expect(guest.locator("#talk-toast b")).to_have_text("Anna")
    toast, bar = guest.evaluate(
        """() => ["talk-toast", "bar"].map((id) => document.getElementById(id).getBoundingClientRect().toJSON())"""
    )
    assert toast["height"], "it goes after some seconds"
    assert toast["bottom"] < bar["top"], "what is to be done stays in view"
    assert toast["height"] < 80, "and the message has the width of the phone"
    host.keyboard.press("Escape")
    guest.locator("#open-talk").tap()
    host.locator("#open-talk").click()
    expect(host.locator(".messages")).to_contain_text("Benoît")
    assert not objections(host)
    assert not objections(guest)
    expect(guest.locator("#say-help")).to_be_visible()  # whole: who reads it is to be known before one writes
    expect(guest.locator("#say-help")).to_have_text("Tout le monde à la table vous lit")
    host.keyboard.press("Escape")
    host.locator("#open-talk").focus()
    host.keyboard.press("Enter")
    expect(host.locator("#say")).to_be_focused()
    host.keyboard.press("Tab")
    host.keyboard.press("Space")
    expect(host.locator(".talk-notice")).to_have_text("Write something first.")
    expect(host.locator(".say button")).to_be_focused()  # where it was, though what is wrong is said above
    host.get_by_role("button", name="Well played!").click()
    expect(guest.locator(".messages")).to_contain_text("Bien joué")

    host.goto(address)
    host.locator("button[popovertarget=menu]").first.click()
    host.locator("#menu-settings summary").click()
    host.locator("[data-look=theme][data-to=dark]").click()
    host.get_by_role("link", name="Move to another device").click()
    host.locator("#make-link").click()
    link = host.locator("#device-address").input_value()
    host.get_by_role("button", name="Copy").click()
    expect(host.locator("#invite-said")).to_have_text("Copied")
    assert not objections(host)
    phone = open_browser(PHONE).new_page()
    phone.goto(link)
    assert "#" not in phone.url, "the code is not in the history"
    assert not objections(phone)
    phone.clock.install()
    phone.locator("#use-here").click()
    expect(phone.locator("html[data-theme=dark]")).to_have_count(1)
    made = host.request.post("/tables", form={"game": "karuba", "players": "2", "seat1": "friend"}).url
    phone.clock.run_for(1900)  # ms, within which the other device shows what is made on this one
    expect(phone.locator(f"#tables a[href='{urlsplit(made).path}']")).to_have_count(1)
    phone.goto(address)
    expect(phone.locator(".hand-part .slot button.press").first).to_be_visible()
    host.goto(address)
    expect(host.locator(".hand-part .slot button.press").first).to_be_visible()
    host.goto("/devices")
    host.locator("#take-back-devices").click()
    expect(phone.locator(".hand-part .slot button.press")).to_have_count(0)
    phone.reload()
    expect(phone.locator("html[data-theme=dark]")).to_have_count(0)


def test_two_share_a_screen_behind_a_curtain(open_browser: Open) -> None:
    page = open_browser(PHONE, has_touch=True).new_page()
    page.goto("/")
    form = page.locator("#new-karuba")
    form.locator("details.options > summary").tap()
    form.locator("select[name=players]").select_option("2")
    form.locator("select[name=seat1]").select_option("here")
    form.locator("input[name=name1]").fill("Ben")
    form.get_by_role("button", name="Make this table").tap()
    curtain = page.locator("#curtain")
    expect(curtain).to_contain_text("Ben")
    expect(page.locator("[id^=press-card-]")).to_have_count(0)
    assert not objections(page)
    page.get_by_role("button", name="I am Ben").tap()
    expect(curtain).to_have_count(0)
    for count in (1, 2):
        page.locator(".hand-part .slot button.press").nth(count - 1).tap()
        expect(page.locator(".hand-part .slot.chosen")).to_have_count(count)
    page.locator("#confirm").tap()
    expect(curtain).to_contain_text("Red’s turn")
    expect(page.locator("[id^=press-card-]")).to_have_count(0)
