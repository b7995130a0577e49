"""What chance decides before the first decision, declared source by source, and redrawing one source alone."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Source:
    """A source of chance in what is dealt, such as the order of a pile.

    `name` says in English what it decides, for the game's catalogue to translate. `fields` are those of the state that
    it decides. They are redrawn by taking them from another deal, if they hang on nothing else that is dealt; what
    does, such as a hand of cards of which the rest lie in a pile, `redraw` deals anew: a compiled function (state,
    parts, generator) that changes the fields in a first position.
    """

    key: str
    name: str
    fields: tuple[str, ...]
    redraw: Any = None


def redraw(source: Source, state: Any, other: Any, parts: Any, generator: Any) -> None:
    """Draw a source anew in the first position `state`; all else stays as it was dealt.

    `other` is the first position of another deal with the same parts and players; `generator` may be advanced.
    """
    if source.redraw is not None:
        source.redraw(state, parts, generator)
        return
    for name in source.fields:
        state[name] = other[name]
