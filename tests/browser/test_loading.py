"""The start page, and a table, while games are made ready: searches compile in the background, their stages shown."""

import random

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Open
from tests.browser.table import click, make_table, press_anything, wait_for_turn
from tests.site import Server

BAR = """<div id="loading" class="panel%s" data-url="/progress" data-ready="%s" data-over="%s" role="status">
  <p><label for="loading-bar">%s</label></p>
  <progress id="loading-bar" max="12" value="%s"></progress>
</div>"""


def test_the_start_page_shows_searches_and_tables_can_be_made(open_browser: Open, server: Server) -> None:
    """From the first page until everything is ready; the searches' bar moves nothing and is in nobody's way.

    Without the service worker, whose requests a test cannot answer.
    """
    page = open_browser(forgive="Service Worker registration blocked", service_workers="block").new_page()
    told = [BAR % ("", "no", "no", "the rules", 0)]

    def start(route: Route) -> None:
        html = route.fetch().text()
        bar = "" if 'id="loading"' in html else told[0]
        route.fulfill(body=html.replace("</h1>", f"</h1>{bar}"), content_type="text/html")

    page.route(f"{server.address}/", start)
    page.route("**/progress", lambda route: route.fulfill(body=told[0], content_type="text/html"))
    page.goto("/")
    expect(page.locator("#loading")).to_contain_text("the rules")
    told[0] = BAR % (" aside", "yes", "no", "the bots that search", 9)
    expect(page.locator("#loading")).to_contain_text("the bots that search")
    expect(page.locator("#loading-bar")).to_have_attribute("value", "9")
    bar, heading = page.locator("#loading").bounding_box(), page.locator("h1").bounding_box()
    assert bar
    assert heading
    assert bar["y"] + bar["height"] <= heading["y"], "it does not strike the heading through"
    play = page.locator("#play-karuba")
    place = play.bounding_box()
    told[0] = BAR % ("", "yes", "yes", "", 12)
    expect(page.locator("#loading")).to_have_count(0)
    assert play.bounding_box() == place
    told[0] = BAR % (" aside", "yes", "no", "the bots that search", 9)
    page.reload()
    expect(page.locator("#loading")).to_be_visible()
    play.click()
    page.wait_for_url("**/tables/*")


def test_a_table_goes_on_while_searches_are_made_ready(page: Page) -> None:
    """The bar goes when they are; the page is not loaded anew, since its rules are there."""
    told = [BAR % (" aside", "yes", "no", "the bots that search", 9)]
    page.route("**/progress", lambda route: route.fulfill(body=told[0], content_type="text/html"))
    make_table(page, players=2)
    page.evaluate(
        """async (bar) => {
            modules.table.live().insertAdjacentHTML("beforebegin", bar);
            const main = document.querySelector("script[type=module]").src;
            const { followProgress } = await import(main.replace("main.js", "later/progress.js"));
            followProgress();
        }""",
        told[0],
    )
    told[0] = BAR % (" aside", "yes", "no", "the bots that search", 10)
    expect(page.locator("#loading-bar")).to_have_attribute("value", "10")
    for width, height in ((390, 844), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        text = page.locator("#loading p").bounding_box()
        table = page.locator("#table").bounding_box()
        assert text
        assert table
        assert text["width"] > width / 2, "it says for what one waits"
        assert page.locator("#loading-bar").bounding_box() is not None
        assert text["y"] + text["height"] <= table["y"]
        assert table["y"] + table["height"] == height
    loaded: list[str] = []
    page.on("load", lambda page: loaded.append(page.url))
    wait_for_turn(page)
    press_anything(page, random.Random(1), click)
    told[0] = BAR % ("", "yes", "yes", "", 12)
    expect(page.locator("#loading")).to_have_count(0)
    assert not loaded
