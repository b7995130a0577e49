"""The page of notification settings, and the links to the tables that wait for a browser's person."""

from collections.abc import Collection, Mapping
from typing import Any

from starlette.requests import HTTPConnection

from atoll.web.pages.start_page import waiting_entries
from atoll.web.pages.templating import draw
from atoll.web.people.outbound import LONGEST
from atoll.web.people.push import COMMAND
from atoll.web.store.notifications import MOST_FAILURES, NotificationChannels
from atoll.web.store.store import Store
from atoll.web.translation import translator_for

COOKIE = "atoll_told"
IN_TABS = ("sound", "note")
"""What an open page does while it is hidden; the cookie has them separated by dots."""


def tab_notifications(request: HTTPConnection) -> frozenset[str]:
    """The browser's choices of IN_TABS."""
    choices = request.cookies.get(COOKIE, "").split(".")
    return frozenset(choice for choice in IN_TABS if choice in choices)


def draw_notifications(
    channels: NotificationChannels | None,
    in_tabs: Collection[str],
    key: str | None,
    language: str,
    *,
    back: str,
    table: dict[str, Any] | None = None,
    notice: str | None = None,
    confirmation: str | None = None,
    rejected: Mapping[str, str],
    asking: str | None = None,
) -> str:
    """The page.

    `key` is the site's public key for Web Push, None if that is not installed. `table` is the one whose webhook the
    browser may change: its `id`, `title` and `channels`. `notice` says why a form was refused, `confirmation` what was
    done; `rejected` are values that are not kept, by their forms, and `asking` is the form that asks for the code which
    its webhook was sent.
    """
    return draw(
        "notifications.html.jinja",
        language,
        here=f"/telling?table={table['id']}" if table else f"/telling?back={back}",
        back=back,
        channels=channels,
        in_tabs=in_tabs,
        key=key,
        command=COMMAND,
        table=table,
        longest=LONGEST,
        most_failures=MOST_FAILURES,
        notice=notice,
        confirmation=confirmation,
        rejected=rejected,
        asking=asking,
    )


def waiting_tables(store: Store, browser: str, language: str, besides: str = "") -> list[dict[str, Any]]:
    """The tables that wait for a browser's person, without the table `besides`, the most urgent first."""
    translator = translator_for(language)
    mine = waiting_entries(store, browser, translator)
    return [table for table in mine if table["url"] != f"/tables/{besides}"]


def waiting_context(store: Store, browser: str, language: str, besides: str) -> dict[str, Any]:
    """The context of a table's page about other tables: those that wait, if the browser plays at any other."""
    running = [
        listed
        for listed in store.tables_of(browser)
        if listed.row.id != besides and listed.row.to_act and listed.row.ended is None and not listed.archived
    ]
    return {"waiting_tables": waiting_tables(store, browser, language, besides)} if running else {}


def draw_next_table(store: Store, browser: str, language: str, besides: str) -> str:
    """The link at a table to the next one that waits; empty if none does."""
    return draw("next_table.html.jinja", language, waiting=waiting_tables(store, browser, language, besides))
