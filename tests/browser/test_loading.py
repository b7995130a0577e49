"""The start page while games are made ready (issue: the search is compiled in the background with its stages shown)."""

from playwright.sync_api import Page, Route, expect

from tests.site import Server

BAR = """<div id="loading" class="panel%s" data-url="/progress" data-ready="%s" data-over="%s" role="status">
  <p><label for="loading-bar">%s</label></p>
  <progress id="loading-bar" max="12" value="%s"></progress>
</div>"""


def test_the_start_page_shows_searches_and_tables_can_be_made(page: Page, server: Server) -> None:
    """From the first page until everything is ready; the searches' bar moves nothing and is in nobody's way."""
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
