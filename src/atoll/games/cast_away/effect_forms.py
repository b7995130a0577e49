"""The form of effects in the components file, as the table of words has them, and their rows in the rules' table."""

from collections.abc import Iterator
from operator import attrgetter
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, defstruct, field

from atoll.core.components import keyed
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.effect_words import ACTIONS, COUNTS, LASTING, WORDS
from atoll.games.cast_away.parts import EffectRow

Amount = Annotated[int, Meta(ge=0, le=ca.MAX_AMOUNT)]
Some = Annotated[int, Meta(ge=1, le=ca.MAX_AMOUNT)]
Once = Annotated[int, Meta(ge=0, le=1)]
Prestige = Annotated[int, Meta(ge=0, le=100)]
Level = Annotated[int, Meta(ge=0, le=ca.MAX_LEVEL)]
ACTION_NAMES = tuple(action.name for action in ACTIONS)
COUNT_NAMES = tuple(count.name for count in COUNTS)
ActionWord = Literal[ACTION_NAMES]  # type: ignore[valid-type]
CountWord = Literal[COUNT_NAMES]  # type: ignore[valid-type]

Resources = keyed("Resources", ca.RESOURCES, Amount, 0, module=__name__)
"""So many of each resource."""

Gains = keyed("Gains", [word.name for word in WORDS], Amount, 0, module=__name__)
"""What happens at once: gains alone."""


class Effect(Gains, forbid_unknown_fields=True):  # type: ignore[call-arg, misc, valid-type]
    """What happens at once: gains, an action, and what comes instead of a level that cannot be gained."""

    action: ActionWord | None = None
    otherwise: Gains = field(default_factory=Gains)  # type: ignore[valid-type]


class Activation(Effect, forbid_unknown_fields=True):  # type: ignore[call-arg]
    """What a meeple on a tile does, for a price."""

    pay: Resources = field(default_factory=Resources)  # type: ignore[valid-type]


Reduction = keyed("Reduction", (*ca.RESOURCES[: ca.BUILDING], "any"), Amount, 0, module=__name__)
"""How much less constructions cost."""

Lasting = defstruct(
    "Lasting",
    [
        ("income", Resources, field(default_factory=Resources)),
        ("reduction", Reduction, field(default_factory=Reduction)),
        *((word.name, Amount, 0) for word in LASTING if "." not in word.name and not word.until_used),
    ],
    forbid_unknown_fields=True,
)
"""What holds as long as one has the card."""

UntilUsed = keyed("UntilUsed", [word.name for word in LASTING if word.until_used], Once, 0, module=__name__)
"""What an event card is kept for until it is used."""


class AtEnd(Struct, forbid_unknown_fields=True):
    """Prestige for each of a count, at most `most` in all."""

    prestige: Some
    per: CountWord
    most: Annotated[int, Meta(ge=1, le=100)] = 100


# Effects as rows


def effect_rows(effect: Any, when: int) -> Iterator[EffectRow]:
    """The rows of gains: behind the price of an activation, before what comes instead of a level, and an action."""
    if isinstance(effect, Activation):
        for resource, name in enumerate(ca.RESOURCES):
            yield EffectRow(when, ca.PAY, resource, getattr(effect.pay, name))
    for word in WORDS:
        yield EffectRow(when, word.code, word.target, getattr(effect, word.name))
    if isinstance(effect, Effect):
        yield from effect_rows(effect.otherwise, when + ca.OTHERWISE)
        if effect.action is not None:
            yield EffectRow(when, ca.CARRY_OUT, ACTION_NAMES.index(effect.action), 1)


def card_rows(card: Any) -> Iterator[EffectRow]:
    """The rows of what an event card or a tile does at once, and of what holds always, or until it is used."""
    yield from effect_rows(card.once, ca.AT_ONCE)
    for code, word in enumerate(LASTING):
        if not word.until_used or hasattr(card, "until_used"):
            values = card.until_used if word.until_used else card.always
            yield EffectRow(ca.ALWAYS, code, 0, attrgetter(word.name)(values))


def tile_rows(tile: Any) -> Iterator[EffectRow]:
    """The rows of a construction."""
    yield from card_rows(tile)
    yield from effect_rows(tile.activate, ca.ACTIVATED)
    yield from effect_rows(tile.activate_own, ca.ACTIVATED)
    for end in tile.at_end:
        yield EffectRow(ca.AT_END, COUNT_NAMES.index(end.per), end.most, end.prestige)
