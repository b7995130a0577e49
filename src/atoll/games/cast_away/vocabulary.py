"""The game's things by their names, and effects explained in words.

Names of tiles and cards are those of the components file that the words know of.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from atoll.core.game import Json
from atoll.core.words import Words
from atoll.games.cast_away.state import DOMAINS, RESOURCES


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
    match resource:
        case "bamboo":
            return words.plural("%(num)s bamboo", "%(num)s bamboo", count)
        case "liana":
            return words.plural("%(num)s liana", "%(num)s lianas", count)
        case "palm":
            return words.plural("%(num)s palm leaf", "%(num)s palm leaves", count)
        case "fruit":
            return words.plural("%(num)s fruit", "%(num)s fruits", count)
        case "water":
            return words.plural("%(num)s water", "%(num)s water", count)
        case _:
            return words.plural("%(num)s fish", "%(num)s fish", count)


def amounts(words: Words, counts: Mapping[str, int]) -> str:
    """Resources with their numbers, or that there are none."""
    said = [amount(words, name, counts[name]) for name in RESOURCES if counts.get(name)]
    return words.both(said) if said else words("nothing")


def domain_name(words: Words, domain: str) -> str:
    """A domain of experience inside a sentence."""
    match domain:
        case "fire":
            return words("fire")
        case "fishing":
            return words("fishing")
        case "nature":
            return words("knowledge of nature")
        case "construction":
            return words("construction")
        case _:
            return words("faith")


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
    said = [amount(words, name, gains[name]) for name in RESOURCES if gains.get(name)]
    for name in DOMAINS:
        if gains.get(name):
            said.append(
                words.plural(
                    "%(num)s level in %(domain)s",
                    "%(num)s levels in %(domain)s",
                    gains[name],
                    domain=domain_name(words, name),
                )
            )
    for name in OTHER_GAINS:
        if gains.get(name):
            said.append(other_gain(words, name, gains[name]))
    if gains.get("action"):
        said.append(action_phrase(words, gains["action"]))
    return said


OTHER_GAINS = (
    "any_cube",
    "any_building",
    "any_level",
    "prestige",
    "happiness",
    "look",
    "miracle",
    "mystery",
)


def other_gain(words: Words, name: str, count: int) -> str:
    """A gain that is no resource and no certain level."""
    match name:
        case "any_cube":
            return words.plural("%(num)s cube of your choice", "%(num)s cubes of your choice", count)
        case "any_building":
            return words.plural(
                "%(num)s building resource of your choice", "%(num)s building resources of your choice", count
            )
        case "any_level":
            return words.plural(
                "%(num)s level in a domain of your choice",
                "%(num)s levels in domains of your choice",
                count,
            )
        case "prestige":
            return prestige_text(words, count)
        case "happiness":
            return words.plural("%(num)s happiness", "%(num)s happiness", count)
        case "look":
            return words.plural(
                "a secret look at the next event", "a secret look at the next %(num)s events", count
            )
        case "miracle":
            return words.plural("a miracle of your choice", "%(num)s miracles of your choice", count)
        case _:
            return words.plural(
                "a tile of the mystery’s first storey", "%(num)s tiles of the mystery’s first storey", count
            )


def prestige_text(words: Words, count: int) -> str:
    """So much prestige."""
    return words.plural("%(num)s prestige", "%(num)s prestige", count)


def action_phrase(words: Words, action: str) -> str:
    """An action that is carried out without its place."""
    match action:
        case "exploration":
            return words("an Exploration as first to arrive")
        case "construction":
            return words("a Construction without a place")
        case "gathering":
            return words("a Gathering")
        case "water":
            return words("water as at the source")
        case "fishing":
            return words("a Fishing")
        case "prayer":
            return words("a Prayer")
        case "leisure":
            return words("a Leisure")
        case _:
            return words("a Rest: no Feeding in this round")


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
    said += [bonus_phrase(words, name, count) for name, count in lasting.items() if name in BONUS_WORDS]
    return said


BONUS_WORDS = (
    "gathering",
    "fishing",
    "exploration",
    "free_exploration",
    "prayer",
    "keep_fish",
    "no_gift",
    "event_prestige",
    "majority_prestige",
    "singles",
    "calumet",
    "double_fishing",
    "first_in_orientation",
)


def bonus_phrase(words: Words, name: str, count: int) -> str:
    """A bonus that holds always, or until it is used."""
    match name:
        case "gathering":
            return words("%(gains)s more whenever you gather", gains=amount(words, "fruit", count))
        case "fishing":
            return words("%(gains)s more whenever you fish", gains=amount(words, "fish", count))
        case "exploration":
            return words.plural(
                "a fruit brings %(num)s resource more when you explore",
                "a fruit brings %(num)s resources more when you explore",
                count,
            )
        case "free_exploration":
            return words("when you explore, what a fruit brings comes without a fruit")
        case "prayer":
            return words.plural(
                "%(num)s step more whenever you pray", "%(num)s steps more whenever you pray", count
            )
        case "keep_fish":
            return words("%(gains)s more may be kept", gains=amount(words, "fish", count))
        case "no_gift":
            return words("meeting the tribe costs no gift")
        case "event_prestige":
            return words("%(gains)s whenever you take an event", gains=prestige_text(words, count))
        case "majority_prestige":
            return words(
                "%(gains)s more for the majority above the candle", gains=prestige_text(words, count)
            )
        case "singles":
            return words.plural(
                "%(num)s single resource from the compass after the Orientation phase",
                "%(num)s single resources from the compass after the Orientation phase",
                count,
            )
        case "calumet":
            return words("you win ties above the candle")
        case "double_fishing":
            return words("doubles the fish of one card")
        case _:
            return words("first choice in an Orientation phase, and first player of the next round")


def count_phrase(words: Words, count: str) -> str:
    """What is counted, in the plural."""
    match count:
        case "resources":
            return words("resources")
        case "happiness":
            return words("points of happiness")
        case "health":
            return words("levels of health")
        case "levels":
            return words("levels of experience")
        case "constructions":
            return words("constructions")
        case "candle":
            return words("own meeples above the candle")
        case "mystery":
            return words("tiles of the mystery")
        case "events":
            return words("event cards held")
        case _:
            return words("miracles")


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
    values = {"prestige": prestige_text(words, end["prestige"]), "counted": count_phrase(words, end["per"])}
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
        counted=count_phrase(words, entry.get("count", "")),
    )
