"""Chat at a table: which messages are possible, and who sees them."""

from collections.abc import Sequence

from atoll.text.translation import Translator
from atoll.text.visible import visible_line
from atoll.web.refusal import Refusal
from atoll.web.store.chat_messages import ChatMessage
from atoll.web.table.seats import Viewer

LONGEST = 300
"""Characters of a message."""

PHRASES = ("hello", "played", "thanks", "oops", "wow", "moment")
"""Quick reactions, which everybody reads in their own language."""


def phrase_text(translator: Translator, phrase: str) -> str:
    """A quick reaction as it is read."""
    match phrase:
        case "hello":
            return translator("Hello!")
        case "played":
            return translator("Well played!")
        case "thanks":
            return translator("Thanks!")
        case "oops":
            return translator("Oops!")
        case "wow":
            return translator("Wow!")
        case _:
            return translator("One moment, please.")


def checked_text(text: str) -> str:
    """A message as it is kept: one line of plain text. Raises Refusal for one that is not possible."""
    line = visible_line(text[: 10 * LONGEST])
    if not line:
        raise Refusal(400, "Write something first.")
    if len(line) > LONGEST:
        raise Refusal(400, "A message has at most %(most)s characters: shorten it.", most=LONGEST)
    return line


def visible_to(viewer: Viewer, messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """The messages that the viewer sees: spectators see all, players those of players."""
    watches = viewer.seat is None and not viewer.here
    return [message for message in messages if watches or message.seat is not None]
