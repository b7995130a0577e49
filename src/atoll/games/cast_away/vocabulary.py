"""The game's things by their names, and effects explained in words.

Names of tiles and cards are those of the components file that the words know of.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from atoll.core.game import Json
from atoll.core.words import Words
from atoll.games.cast_away.effect_words import ACTIONS, COUNTS, LASTING, WORDS, domain_name
from atoll.games.cast_away.state import RESOURCES

WORD = {word.name: word for word in WORDS}
LASTING_WORD = {word.name: word for word in LASTING}
ACTION = {action.name: action for action in ACTIONS}
COUNT = {count.name: count for count in COUNTS}


def capital(text: str) -> str:
    """The text with its first letter as at the beginning of a sentence."""
    return text[:1].upper() + text[1:]


# Resources, domains, meeples


def resource_name(words: Words, resource: str) -> str:
    """A kind of resource inside a sentence."""
    match resource:
        case "bamboo":
            return words("bamboo")
        case "liana":
            return words("lianas")
        case "palm":
            return words("palm leaves")
        case "fruit":
            return words("fruit")
        case "water":
            return words("water")
        case _:
            return words("fish")


def amount(words: Words, resource: str, count: int) -> str:
    """So many of a resource."""
    return WORD[resource].phrase(words, count)


def amounts(words: Words, counts: Mapping[str, int]) -> str:
    """Resources with their numbers, or that there are none."""
    said = [amount(words, name, counts[name]) for name in RESOURCES if counts.get(name)]
    return words.both(said) if said else words("nothing")


def prestige_text(words: Words, count: int) -> str:
    """So much prestige."""
    return WORD["prestige"].phrase(words, count)


def boost_name(words: Words, boost: str) -> str:
    """A start boost inside a sentence."""
    match boost:
        case "mystery":
            return words("mystery")
        case "prestige":
            return words("prestige")
        case "first player":
            return words("first player")
        case _:
            return domain_name(words, boost)


# Tiles and cards


def entry_of(words: Words, kind: str, wanted: Any) -> Json:
    """An entry of the components file by its id; empty if the words know of no such entry."""
    entries: Sequence[Json] = words.components.get(kind, ())
    return next((entry for entry in entries if entry["id"] == wanted), {})


def named(words: Words, kind: str, wanted: Any) -> str:
    """The name of an entry in the words' language."""
    name: str = entry_of(words, kind, wanted).get("name", {}).get(words.language, str(wanted))
    return name


def tile_name(words: Words, tile: int) -> str:
    """A construction: "Woven mat"."""
    return named(words, "constructions", tile)


def event_name(words: Words, card: str) -> str:
    """An event card: "Crystal cave"."""
    return named(words, "events", card)


def miracle_name(words: Words, miracle: str) -> str:
    """A miracle tile: "Wisdom"."""
    return named(words, "miracles", miracle)


def slot_text(words: Words, slot: str) -> str:
    """What covers a slot, by its name."""
    kind, _, which = slot.partition(" ")
    if kind == "miracle":
        return words("miracle of %(name)s", name=miracle_name(words, which))
    return tile_name(words, int(which))


def design_name(words: Words, storey: int, design: int) -> str:
    """A design of the mystery; storeys from 1, designs from 0."""
    return words("tile %(design)s of storey %(storey)s", design="ABC"[design], storey=storey)


def meeple_text(words: Words, meeple: str) -> str:
    """With which meeple something is done, as an addition."""
    return words(" (white meeple)") if meeple == "white" else ""


# Effects in words


def meant(effect: Mapping[str, Any]) -> Json:
    """An effect without its zeros, which say no more than words that are left out."""
    said = {name: meant(value) if isinstance(value, Mapping) else value for name, value in effect.items()}
    return {name: value for name, value in said.items() if value}


def gain_phrases(words: Words, gains: Mapping[str, Any]) -> list[str]:
    """What an effect gives, thing by thing."""
    said = [word.phrase(words, gains[word.name]) for word in WORDS if gains.get(word.name)]
    if gains.get("action"):
        said.append(ACTION[gains["action"]].phrase(words, 1))
    return said


def effect_text(words: Words, effect: Mapping[str, Any]) -> str:
    """An effect in a phrase: what is paid, what is gained, what comes instead."""
    effect = meant(effect)
    text = words.both(gain_phrases(words, effect))
    if effect.get("pay"):
        text = words("%(gains)s for %(price)s", gains=text, price=amounts(words, effect["pay"]))
    if effect.get("otherwise"):
        text = words(
            "%(gains)s, or %(instead)s if you have it",
            gains=text,
            instead=words.both(gain_phrases(words, effect["otherwise"])),
        )
    return text


def lasting_phrases(words: Words, lasting: Mapping[str, Any]) -> list[str]:
    """What holds always, thing by thing."""
    said = []
    if lasting.get("income"):
        said.append(words("%(gains)s every round", gains=amounts(words, lasting["income"])))
    reduction = lasting.get("reduction", {})
    fixed = {name: count for name, count in reduction.items() if name != "any"}
    if any(fixed.values()):
        said.append(words("constructions cost %(price)s less", price=amounts(words, fixed)))
    if reduction.get("any"):
        said.append(
            words.plural(
                "constructions cost %(num)s resource of your choice less",
                "constructions cost %(num)s resources of your choice less",
                reduction["any"],
            )
        )
    said += [
        LASTING_WORD[name].phrase(words, count) for name, count in lasting.items() if name in LASTING_WORD
    ]
    return said


def tile_help(words: Words, tile: int) -> list[str]:
    """What a construction does, in sentences; none for a tile without effect."""
    return effects_help(words, entry_of(words, "constructions", tile), built=True)


def event_help(words: Words, card: str) -> list[str]:
    """What an event card does, in sentences."""
    return effects_help(words, entry_of(words, "events", card), built=False)


WHEN = ("once", "always", "until_used", "activate", "activate_own")
"""When the effects of an entry happen, those at the end aside."""


def effects_help(words: Words, entry: Json, *, built: bool) -> list[str]:
    """All effects of a tile or a card, in sentences."""
    said = []
    found = {when: meant(entry.get(when, {})) for when in WHEN}
    if found["once"]:
        what = effect_text(words, found["once"])
        said.append(words("When built: %(what)s.", what=what) if built else capital(f"{what}."))
    said += [f"{capital(phrase)}." for phrase in lasting_phrases(words, found["always"])]
    for phrase in lasting_phrases(words, found["until_used"]):
        said.append(words("Once: %(what)s.", what=phrase))
    if found["activate"]:
        said.append(words("With a meeple: %(what)s.", what=effect_text(words, found["activate"])))
    if found["activate_own"]:
        what = effect_text(words, found["activate_own"])
        said.append(words("With a meeple of your own colour: %(what)s.", what=what))
    said += [end_text(words, end) for end in entry.get("at_end", ())]
    return said


def end_text(words: Words, end: Json) -> str:
    """What an effect at the end scores."""
    values = {
        "prestige": prestige_text(words, end["prestige"]),
        "counted": COUNT[end["per"]].phrase(words, 0),
    }
    if "most" in end:
        return words(
            "At the end: %(prestige)s for each of your %(counted)s, at most %(most)s.",
            most=end["most"],
            **values,
        )
    return words("At the end: %(prestige)s for each of your %(counted)s.", **values)


def miracle_help(words: Words, miracle: str) -> str:
    """What a miracle counts and scores."""
    entry, prestige = entry_of(words, "miracles", miracle), words.components.get("miracle_prestige", {})
    return words(
        "At the end: %(first)s for most %(counted)s, %(second)s for second most.",
        first=prestige_text(words, prestige.get("first", 0)),
        second=prestige_text(words, prestige.get("second", 0)),
        counted=COUNT[entry["count"]].phrase(words, 0),
    )
