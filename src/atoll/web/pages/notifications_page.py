"""The page on which people choose how they are told that it is their turn, and the tables that wait for them."""

from collections.abc import Collection, Mapping
from typing import Any

from starlette.requests import HTTPConnection

from atoll.web.pages.start_page import that_wait
from atoll.web.pages.templating import draw
from atoll.web.people.outbound import LONGEST
from atoll.web.people.push import COMMAND
from atoll.web.store.notifications import MOST_FAILURES, NotificationChannels
from atoll.web.store.store import Store
from atoll.web.translation import translator_for

COOKIE = "atoll_told"
IN_TABS = ("sound", "note")
"""What a page does that is open and out of sight, as its cookie names it, with dots between."""


def chosen(request: HTTPConnection) -> frozenset[str]:
    """What the browser's pages do, of IN_TABS."""
    said = request.cookies.get(COOKIE, "").split(".")
    return frozenset(way for way in IN_TABS if way in said)


def draw_telling(
    ways: NotificationChannels | None,
    in_tabs: Collection[str],
    key: str | None,
    language: str,
    *,
    back: str,
    table: dict[str, Any] | None = None,
    notice: str | None = None,
    said: str | None = None,
    typed: Mapping[str, str],
) -> str:
    """The page; `key` is the site's for Web Push, None where that is not installed, and `table` the one whose webhook
    the browser may choose, with its `id`, `title` and `ways`. `notice` is why something was refused, `said` what was
    done, `typed` what was refused, by its form."""
    return draw(
        "notifications.html.jinja",
        language,
        here=f"/telling?table={table['id']}" if table else f"/telling?back={back}",
        back=back,
        ways=ways,
        in_tabs=in_tabs,
        key=key,
        command=COMMAND,
        table=table,
        longest=LONGEST,
        most_failures=MOST_FAILURES,
        notice=notice,
        said=said,
        typed=typed,
    )


def waiting_tables(store: Store, browser: str, language: str, besides: str = "") -> list[dict[str, Any]]:
    """The tables that wait for a browser's person, but for one, the most urgent first."""
    translator = translator_for(language)
    mine = that_wait(store, browser, translator)
    return [table for table in mine if table["url"] != f"/tables/{besides}"]


def elsewhere(store: Store, browser: str, language: str, besides: str) -> dict[str, Any]:
    """What the page of a table is given of the others: those that wait, if the browser plays at any other now."""
    running = [
        found
        for found in store.tables_of(browser)
        if found.row.id != besides and found.row.to_act and found.row.ended is None and not found.archived
    ]
    return {"waiting_tables": waiting_tables(store, browser, language, besides)} if running else {}


def draw_next(store: Store, browser: str, language: str, besides: str) -> str:
    """The line at a table that leads to the next one, empty where none waits."""
    return draw("next_table.html.jinja", language, waiting=waiting_tables(store, browser, language, besides))
