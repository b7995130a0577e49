"""The game's things by their names, and effects explained in words.

Names of tiles and cards are those of the components that the words know of. Effects are the rows that the rules read.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

from atoll.core.components import cached_by_components
from atoll.core.game_translator import components_of
from atoll.core.types import Components
from atoll.games.cast_away import effect_words as ew
from atoll.games.cast_away import parts as printed
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.effect_words import domain_name, gettext, plural
from atoll.games.cast_away.parts import EffectRow, event_index
from atoll.text.translation import Translator, capital

WORD = {(word.code, word.target): word for word in ew.WORDS}
RESOURCE_NAMES = {
    "bamboo": plural("bamboo", "bamboo"),
    "liana": plural("liana", "lianas"),
    "palm": plural("palm leaf", "palm leaves"),
    "fruit": plural("fruit", "fruits"),
    "water": gettext("water"),
    "fish": plural("fish", "fish"),
}
BOOST_NAMES = {
    "mystery": gettext("mystery"),
    "prestige": gettext("prestige"),
    "first player": gettext("first player"),
}
UNLIMITED = 100
"""The limit of an effect at the end is written only if it is less than this."""


Rows = Sequence[EffectRow]


# Resources, domains, meeples


def resource_name(translator: Translator, resource: str, count: int = 2) -> str:
    """A kind of resource inside a sentence, as that many of it are called."""
    return RESOURCE_NAMES[resource](translator, count)


def amount(translator: Translator, resource: str, count: int) -> str:
    """So many of a resource."""
    return ew.AMOUNTS[resource](translator, count)


def amounts(translator: Translator, counts: Sequence[int]) -> str:
    """How many of each resource, in their order, or that there are none."""
    phrases = [
        amount(translator, name, count) for name, count in zip(ca.RESOURCES, counts, strict=False) if count
    ]
    return translator.both(phrases) if phrases else translator("nothing")


def boost_name(translator: Translator, boost: str) -> str:
    """A start boost inside a sentence."""
    return BOOST_NAMES[boost](translator, 0) if boost in BOOST_NAMES else domain_name(translator, boost)


def domain_title(translator: Translator, domain: str) -> str:
    """A domain of experience as a heading."""
    return capital(domain_name(translator, domain))


# Tiles and cards


def entry_name(translator: Translator, kind: str, entry_id: Any) -> str:
    """The name of an entry of the components in the words' language: the file's, else the catalogue's; raises
    LookupError for one that is not in the file.
    """
    entries = getattr(components_of(translator).file, kind)
    name = {entry.id: entry.name for entry in entries}[entry_id]
    return str(getattr(name, translator.language, None) or translator(name.en))


def tile_name(translator: Translator, tile: int) -> str:
    """A construction by its number: "Woven mat"."""
    return entry_name(translator, "constructions", tile)


def event_name(translator: Translator, card: str) -> str:
    """An event card: "Crystal cave"."""
    return entry_name(translator, "events", card)


def miracle_name(translator: Translator, miracle: str) -> str:
    """A miracle tile: "Wisdom"."""
    return entry_name(translator, "miracles", miracle)


def slot_text(translator: Translator, tile: int) -> str:
    """What covers a slot, by its name."""
    if tile >= ca.MIRACLE_SLOT:
        name = miracle_name(translator, ca.MIRACLES[tile - ca.MIRACLE_SLOT])
        return translator("miracle of %(piece)s", piece=name)
    return tile_name(translator, tile + 1)


def design_name(translator: Translator, storey: int, design: int) -> str:
    """A design of the mystery; storeys from 1, designs from 0."""
    return translator("tile %(design)s of storey %(storey)s", design="ABC"[design], storey=storey)


def meeple_text(translator: Translator, meeple: str) -> str:
    """With which meeple something is done, as an addition."""
    return translator(" (white meeple)") if meeple == "white" else ""


# Effects


def tile_owner(tile: int) -> int:
    """Which owner of effects a construction is, by its number."""
    return ca.TILE_ROWS + tile - 1


def event_owner(card: str) -> int:
    """Which owner of effects an event card is."""
    return ca.EVENT_ROWS + event_index(card)


def rows_of(components: Components, owner: int) -> Rows:
    """The effects of a tile, a card, a boost, a favour or a slot."""
    return all_rows(components)[owner]


@cached_by_components
def all_rows(components: Components) -> Sequence[Rows]:
    """The effects of everything that has some, by owner."""
    parts = components.plain
    return [printed.rows_of(parts, owner) for owner in range(ca.ROW_OWNERS)]


@lru_cache(4096)
def gains(**counts: int) -> tuple[EffectRow, ...]:
    """What is gained, by the words of the components file, as rows."""
    return tuple(
        EffectRow(ca.AT_ONCE, word.code, word.target, counts[word.name])
        for word in ew.WORDS
        if counts.get(word.name)
    )


def phrase(translator: Translator, row: EffectRow) -> str:
    """What a row gives at once or by activation."""
    if row.word == ca.CARRY_OUT:
        return ew.ACTIONS[row.target].phrase(translator, 0)
    return WORD[row.word, row.target].phrase(translator, row.amount)


def effect_text(translator: Translator, rows: Rows) -> str:
    """An effect in a phrase: what is paid, what is gained, what comes instead."""
    gains = [row for row in rows if row.word != ca.PAY]
    text = translator.both([phrase(translator, row) for row in gains if row.when < ca.OTHERWISE])
    price = [amount(translator, ca.RESOURCES[row.target], row.amount) for row in rows if row.word == ca.PAY]
    if price:
        text = translator("%(gains)s for %(price)s", gains=text, price=translator.both(price))
    instead = [phrase(translator, row) for row in gains if row.when >= ca.OTHERWISE]
    if instead:
        text = translator(
            "%(gains)s, or %(instead)s if you have it", gains=text, instead=translator.both(instead)
        )
    return text


def effect(translator: Translator, rows: Rows) -> str:
    """What an effect gives, in a phrase that begins with a capital; empty for none."""
    return capital(effect_text(translator, rows))


def owner_text(translator: Translator, owner: int) -> str:
    """What a boost, a favour or a fishing card gives."""
    return effect_text(translator, rows_of(components_of(translator), owner))


def always(translator: Translator, rows: Rows) -> list[str]:
    """What holds always, in sentences."""
    effects = [(ew.LASTING[row.word], row.amount) for row in rows if row.when == ca.ALWAYS]
    sentences: list[str] = []
    for sentence, group in groupby(effects, key=lambda pair: pair[0].together):
        phrases = [
            translator("Once: %(what)s", what=word.phrase(translator, count))
            if word.until_used
            else word.phrase(translator, count)
            for word, count in group
        ]
        sentences += [translator(sentence, gains=translator.both(phrases))] if sentence else phrases
    return [f"{capital(text)}." for text in sentences]


def tile_help(translator: Translator, tile: int) -> list[str]:
    """What a construction does, in sentences; none for a tile without effect."""
    rows = rows_of(components_of(translator), tile_owner(tile))
    use = components_of(translator).plain.tile_use[tile - 1]
    with_meeple = effect_text(translator, [row for row in rows if row.when % ca.OTHERWISE == ca.ACTIVATED])
    sentences = [translator("When built: %(what)s.", what=text) for text in at_once(translator, rows)]
    sentences += always(translator, rows)
    if use == ca.ACTIVATED:
        sentences.append(translator("For a meeple: %(what)s.", what=with_meeple))
    elif use == ca.ACTIVATED_OWN:
        sentences.append(translator("For a meeple of your own colour: %(what)s.", what=with_meeple))
    return sentences + [end_text(translator, row) for row in rows if row.when == ca.AT_END]


def event_help(translator: Translator, card: str) -> list[str]:
    """What an event card does, in sentences."""
    rows = rows_of(components_of(translator), event_owner(card))
    return [capital(f"{text}.") for text in at_once(translator, rows)] + always(translator, rows)


def at_once(translator: Translator, rows: Rows) -> list[str]:
    """What happens when a tile is built or a card taken, if anything."""
    text = effect_text(translator, [row for row in rows if row.when % ca.OTHERWISE == ca.AT_ONCE])
    return [text] if text else []


def end_text(translator: Translator, row: EffectRow) -> str:
    """What an effect at the end scores."""
    values = {
        "prestige": ew.PRESTIGE(translator, row.amount),
        "counted": ew.COUNTS[row.word].phrase(translator, 0),
    }
    if row.target < UNLIMITED:
        return translator(
            "At the end: %(prestige)s for each of your %(counted)s, at most %(most)s.",
            most=row.target,
            **values,
        )
    return translator("At the end: %(prestige)s for each of your %(counted)s.", **values)


def miracle_help(translator: Translator, miracle: str) -> str:
    """What a miracle counts and scores."""
    parts = components_of(translator).plain
    values = {
        "first": ew.PRESTIGE(translator, parts.miracle_first),
        "second": ew.PRESTIGE(translator, parts.miracle_second),
        "counted": ew.COUNTS[parts.miracle_counts[ca.MIRACLES.index(miracle)]].phrase(translator, 0),
    }
    if parts.miracles_for_all:
        return translator(
            "At the end, for each player: %(first)s if first in %(counted)s, %(second)s if second.", **values
        )
    return translator(
        "At the end, for its owner: %(first)s if first in %(counted)s, %(second)s if second.", **values
    )
