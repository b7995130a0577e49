"""The game's things by their names: cards, backgrounds, condition cards, islands, places at the table."""

from collections.abc import Mapping, Sequence
from typing import Any

from atoll.core.words import Words

SYMBOLS = {"high tide": "≋", "low tide": "~", "day": "☼", "night": "☾"}
"""The backgrounds where there is room for one character only."""


def capital(text: str) -> str:
    """The text with its first letter as at the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def split_card(card: str) -> tuple[str, int, str]:
    """A card in the words of records as kind without its number, number of pieces and background."""
    kind, _, background = card.partition("/")
    verb, _, rest = kind.partition(" ")
    return (verb, int(rest), background) if rest.isdigit() else (kind, 1, background)


def kind_name(words: Words, card: str) -> str:
    """What kind of card it is: "Place 3"."""
    kind, count, _ = split_card(card)
    match kind:
        case "place":
            return words("Place %(count)s", count=count)
        case "return":
            return words("Return %(count)s", count=count)
        case "move treasure":
            return words("Move a treasure")
        case _:
            return words("Move a native")


def background_name(words: Words, background: str) -> str:
    """A background inside a sentence: "low tide"."""
    match background:
        case "high tide":
            return words("high tide")
        case "low tide":
            return words("low tide")
        case "day":
            return words("day")
        case _:
            return words("night")


def background(words: Words, name: str) -> str:
    """A background by itself, as on a condition card: "Low tide"."""
    return capital(background_name(words, name))


def card_name(words: Words, card: str) -> str:
    """A card by kind and background: "Place 3 (night)"."""
    return words(
        "%(kind)s (%(background)s)",
        kind=kind_name(words, card),
        background=background_name(words, split_card(card)[2]),
    )


def card_effect(words: Words, card: str) -> str:
    """What the card makes a player do, in a sentence."""
    kind, count, _ = split_card(card)
    match kind:
        case "place":
            return words.plural(
                "Whoever has it in front of them places a native from their hut on an island with room.",
                "Whoever has it in front of them places %(num)s natives from their hut on islands with room.",
                count,
            )
        case "return":
            return words.plural(
                "Whoever has it in front of them takes one of their natives home from an island.",
                "Whoever has it in front of them takes %(num)s of their natives home from islands.",
                count,
            )
        case "move treasure":
            return words("Whoever has it in front of them moves a treasure from one island to another.")
        case _:
            return words(
                "Whoever has it in front of them moves a native, their own or somebody else’s, "
                "from one island to another with room."
            )


def card_help(words: Words, card: str) -> str:
    """What the card does, when it is live, and what natives on it do."""
    return " ".join(
        (
            card_effect(words, card),
            words(
                "Live when this shows: %(background)s.",
                background=background_name(words, split_card(card)[2]),
            ),
            words("Each native on it then does the same for its owner."),
        )
    )


def conditions_name(words: Words, tide: str, time: str) -> str:
    """The two visible faces: "low tide and night"."""
    return words.both([background_name(words, tide), background_name(words, time)])


def condition_name(words: Words, condition: str) -> str:
    """A condition card inside a sentence."""
    if condition == "tide":
        return words("the tide card")
    return words("the day and night card")


def faces_after(view: Mapping[str, Any], condition: str) -> tuple[str, str]:
    """The backgrounds that show once the Shaman has turned over `condition`."""
    tide, time = view["tide"], view["time"]
    if condition == "tide":
        tide = "low" if tide == "high" else "high"
    else:
        time = "night" if time == "day" else "day"
    return f"{tide} tide", time


def islands_name(words: Words, islands: Sequence[int]) -> str:
    """Islands at the beginning of a line: "Island 4" or "Islands 1 and 4"."""
    numbers = [str(island + 1) for island in islands]
    if len(numbers) == 1:
        return words("Island %(number)s", number=numbers[0])
    return words("Islands %(numbers)s", numbers=words.both(numbers))


def in_front(words: Words, names: Sequence[str], seat: int, *, you: int | None = None) -> str:
    """Where a card lies: "in front of Blue"; `you` is the seat that is spoken to."""
    if seat == you:
        return words("in front of you")
    return words("in front of %(name)s", name=names[seat])


def natives_name(words: Words, names: Sequence[str], owners: Sequence[int], *, you: int | None = None) -> str:
    """Whose natives stand on a card: "Red’s native", "natives of Red and Blue"."""
    called = [words("you") if owner == you else names[owner] for owner in owners]
    if len(called) > 1:
        return words("natives of %(names)s", names=words.both(called))
    if owners[0] == you:
        return words("your native")
    return words("%(name)s’s native", name=called[0])
