"""The chat of a table, as a panel beside it and as a page of its own, with the number of spectators."""

from collections.abc import Sequence
from typing import Any

from atoll.text.translation import Translator, seat_names
from atoll.web.pages.drawings import COLOURS, MARKS
from atoll.web.pages.isolation import isolated
from atoll.web.pages.players import names_of
from atoll.web.pages.templating import draw
from atoll.web.people.chat import LONGEST, PHRASES, phrase_text, visible_to
from atoll.web.store.chat_messages import ChatMessage
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.translation import translator_for


def draw_chat(
    table: Table,
    viewer: Viewer,
    messages: Sequence[ChatMessage],
    watching: int,
    language: str,
    *,
    whole: bool = False,
    notice: str | None = None,
) -> str:
    """The messages that the viewer may read, the field for a new one and, for the table's maker, the chat's settings.

    The caller holds the table's lock.
    """
    translator, here = translator_for(language), f"/tables/{table.row.id}"
    names = names_of(translator, table.seating)
    colours = seat_names(translator)

    def entry(message: ChatMessage) -> dict[str, Any]:
        seat = message.seat
        return {
            "number": message.number,
            "seat": None if seat is None else {"colour": COLOURS[seat], "mark": MARKS[seat]},
            "name": author(message, names, translator),
            "colour": None if seat is None or names[seat] == colours[seat] else colours[seat],
            "text": message.text if message.phrase is None else phrase_text(translator, message.phrase),
            "mine": seat is not None and seat == viewer.seat,
        }

    return draw(
        "chat_page.html.jinja" if whole else "chat.html.jinja",
        language,
        here=f"{here}/chat",
        table=here,
        game={"title": table.game.title},
        messages=[entry(message) for message in visible_to(viewer, messages)],
        number=max((message.number for message in visible_to(viewer, messages)), default=0),
        phrases=[(phrase, phrase_text(translator, phrase)) for phrase in PHRASES],
        longest=LONGEST,
        chat=table.row.chat,
        watches=viewer.seat is None and not viewer.here,
        watching=watching,
        watchable=table.row.watchable,
        maker=viewer.maker,
        notice=notice,
    )


def author(message: ChatMessage, names: Sequence[str], translator: Translator) -> str:
    """Who has written a message."""
    if message.seat is not None:
        return names[message.seat]
    return isolated(message.name) if message.name else translator("A spectator")
