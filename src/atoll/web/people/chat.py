"""Chat at a table: which messages are possible, how many, and who sees them."""

import threading
import time
import unicodedata
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence

from atoll.text.printable import UNPRINTABLE
from atoll.text.translation import Translator
from atoll.web.refusal import Refusal
from atoll.web.store.chat_messages import ChatMessage
from atoll.web.table.seats import Viewer

LONGEST = 300
"""Characters of a message."""
MOST, OF_ONE_ADDRESS, WITHIN = 5, 20, 10.0
"""So many messages of one person, and of all at one address, within so many seconds."""
KNOWN = 10_000
"""People whose latest messages are remembered."""

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
    line = " ".join(UNPRINTABLE.sub(" ", unicodedata.normalize("NFC", text[: 10 * LONGEST])).split())
    if not line:
        raise Refusal(400, "Write something first.")
    if len(line) > LONGEST:
        raise Refusal(400, "A message has at most %(most)s characters: shorten it.", most=LONGEST)
    return line


def visible_to(viewer: Viewer, messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """The messages that the viewer sees: spectators see all, players those of players."""
    watches = viewer.seat is None and not viewer.here
    return [message for message in messages if watches or message.seat is not None]


class ChatLimit:
    """Rate limit of chat messages, by browser and by address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._said: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def note(self, browser: str, address: str) -> None:
        """Somebody at that address says something; raises Refusal if that is too much."""
        with self._lock:
            now = self._clock()
            limits = {f"browser {browser}": MOST, f"address {address}": OF_ONE_ADDRESS}
            times = {who: self._said.setdefault(who, deque(maxlen=most)) for who, most in limits.items()}
            if any(len(sent) == sent.maxlen and now - sent[0] < WITHIN for sent in times.values()):
                raise Refusal(429, "Not so fast: wait a few seconds before you write again.")
            for who, sent in times.items():
                sent.append(now)
                self._said.move_to_end(who)
            while len(self._said) > KNOWN:
                self._said.popitem(last=False)
