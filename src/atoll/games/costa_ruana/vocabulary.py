"""The game's things by their names: cards, backgrounds, condition cards, islands, places at the table.

A card is in the words of records: "place 3/night".
"""

from collections.abc import Sequence
from functools import lru_cache

from atoll.core.game import View
from atoll.games.costa_ruana import state as cr
from atoll.text.translation import Translator, capital, plurals, texts

SYMBOLS = dict(zip(texts("high tide", "low tide", "day", "night"), "≋~☼☾", strict=True))
"""The backgrounds where there is room for one character only."""

KINDS = {
    "move treasure": texts("Move a treasure")[0],
    "move native": texts("Move a native")[0],
    "place": texts("Place %(count)s")[0],
    "return": texts("Return %(count)s")[0],
}
"""The kinds of cards, without their numbers, by name."""

EFFECTS = {
    "move treasure": texts("Whoever has it in front of them moves a treasure from one island to another."),
    "move native": texts(
        "Whoever has it in front of them moves a native, their own or somebody else’s, "
        "from one island to another with room."
    ),
    "place": plurals(
        "Whoever has it in front of them places a native from their supply on an island with room.",
        "Whoever has it in front of them places %(num)s natives from their supply on islands with room.",
    ),
    "return": plurals(
        "Whoever has it in front of them takes one of their natives home from an island.",
        "Whoever has it in front of them takes %(num)s of their natives home from islands.",
    ),
}
"""What the cards make one player do, by kind without its number."""

CONDITIONS = {"tide": texts("the tide card")[0], "time": texts("the day and night card")[0]}
"""The condition cards inside a sentence."""


def hand_of(view: View) -> list[str]:
    """The cards of one's own hand by kind, as a page shows them; none for a spectator."""
    return [] if view.viewer is None else sorted(cr.CARDS[card] for card in view.known("hand", view.viewer))


@lru_cache(len(cr.CARDS))
def split_card(card: str) -> tuple[str, int, str]:
    """A card as kind without its number, number of pieces and background."""
    kind, _, background = card.partition("/")
    verb, _, rest = kind.partition(" ")
    return (verb, int(rest), background) if rest.isdigit() else (kind, 1, background)


def kind_name(translator: Translator, card: str) -> str:
    """What kind of card it is: "Place 3"."""
    kind, count, _ = split_card(card)
    return translator(KINDS[kind], count=count)


def background(translator: Translator, name: str) -> str:
    """A background by itself, as on a condition card: "Low tide"."""
    return capital(translator(name))


def card_name(translator: Translator, card: str) -> str:
    """A card by kind and background: "Place 3 (night)"."""
    return translator(
        "%(kind)s (%(background)s)",
        kind=kind_name(translator, card),
        background=translator(split_card(card)[2]),
    )


def card_effect(translator: Translator, card: str) -> str:
    """What the card makes a player do, in a sentence."""
    kind, count, _ = split_card(card)
    one, *many = EFFECTS[kind]
    return translator.plural(one, many[0], count) if many else translator(one)


def card_help(translator: Translator, card: str) -> str:
    """What the card does, when it is live, and what natives on it do."""
    live = translator("Live when this shows: %(background)s.", background=translator(split_card(card)[2]))
    copy = translator("Each native on it then does the same for its owner.")
    return f"{card_effect(translator, card)} {live} {copy}"


def conditions_name(translator: Translator, faces: Sequence[int]) -> str:
    """The two visible faces: "low tide and night"."""
    return translator.both([translator(cr.BACKGROUNDS[face]) for face in faces])


def in_front(translator: Translator, names: Sequence[str], seat: int, *, you: int | None = None) -> str:
    """Where a card lies: "in front of Blue"; `you` is the seat that is spoken to."""
    if seat == you:
        return translator("in front of you")
    return translator("in front of %(name)s", name=names[seat])


def natives_name(
    translator: Translator, names: Sequence[str], owners: Sequence[int], *, you: int | None = None
) -> str:
    """Whose natives stand on a card: "Red’s native", "natives of Red and Blue"."""
    people = [translator("you") if owner == you else names[owner] for owner in owners]
    if len(people) > 1:
        return translator("natives of %(names)s", names=translator.both(people))
    if owners[0] == you:
        return translator("your native")
    return translator("%(name)s’s native", name=people[0])
