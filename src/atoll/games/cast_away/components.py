"""The components file of Cast Away: its form, its limits, and the arrays that the rules read.

The words in which effects are written are explained at the head of `components.toml`.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, defstruct, field
from msgspec.structs import astuple

from atoll.core.components import File, FileContent, Source, keyed
from atoll.core.game_translator import components_of
from atoll.core.types import Listing
from atoll.games.cast_away import effect_forms as forms
from atoll.games.cast_away import state as ca
from atoll.games.cast_away import vocabulary
from atoll.games.cast_away.bounds import endless_effects, most_lasting
from atoll.games.cast_away.effect_words import LASTING
from atoll.games.cast_away.parts import CastAwayParts, EffectRow, event_index
from atoll.text.messages import Message
from atoll.text.translation import LANGUAGES, Translator, texts

Text = Annotated[str, Meta(min_length=1, max_length=60)]
(EVENT_ID,) = texts("a number from 1 to 31 in quotation marks, or ship")
MiracleId = Literal[ca.MIRACLES]  # type: ignore[valid-type]

ENGLISH, *OTHERS = LANGUAGES
Name = defstruct(
    "Name",
    [(ENGLISH, Text), *((language, Text | None, None) for language in OTHERS)],
    forbid_unknown_fields=True,
)
"""A name by language: the English one stands in for those that are not given."""

Cost = keyed("Cost", ca.RESOURCES[: ca.BUILDING], forms.Amount, 0, module=__name__)
"""The price of a construction."""


class Entry(Struct, forbid_unknown_fields=True):
    """What says where its figures are from."""

    source: Source


class Construction(Entry):
    id: Annotated[int, Meta(ge=1, le=ca.MAX_TILES)]
    name: Name  # type: ignore[valid-type]
    level: forms.Level
    cost: Cost  # type: ignore[valid-type]
    prestige: forms.Prestige
    once: forms.Effect = field(default_factory=forms.Effect)
    always: forms.Lasting = field(default_factory=forms.Lasting)  # type: ignore[valid-type]
    activate: forms.Activation = field(default_factory=forms.Activation)
    activate_own: forms.Activation = field(default_factory=forms.Activation)
    at_end: list[forms.AtEnd] = field(default_factory=list)


class MiracleTile(Entry):
    id: MiracleId
    name: Name  # type: ignore[valid-type]
    count: forms.CountWord


class EventCard(Entry):
    id: Annotated[str, Meta(pattern=r"^([1-9]|[12][0-9]|3[01]|ship)\Z", description=EVENT_ID)]
    name: Name  # type: ignore[valid-type]
    lots_source: Source
    lots: forms.Resources
    once: forms.Effect = field(default_factory=forms.Effect)
    always: forms.Lasting = field(default_factory=forms.Lasting)  # type: ignore[valid-type]
    until_used: forms.UntilUsed = field(default_factory=forms.UntilUsed)


class FishingCard(Entry):
    """A fishing card: fish by level in fishing, from 0."""

    id: Annotated[int, Meta(ge=1, le=ca.MAX_FISHING_CARDS - 1)]
    fish: list[forms.Amount]
    extra: forms.Gains = field(default_factory=forms.Gains)
    arrow: bool = False


class Counts(Entry):
    """How many tiles and cards the lists hold."""

    constructions: Annotated[int, Meta(ge=0, le=ca.MAX_TILES)]
    miracles: Annotated[int, Meta(ge=0, le=len(ca.MIRACLES))]
    events: Annotated[int, Meta(ge=1, le=ca.MAX_EVENT_CARDS)]
    fishing: Annotated[int, Meta(ge=1, le=ca.MAX_FISHING_CARDS - 1)]


class EventPile(Entry):
    """How the event pile is made."""

    set_aside: Annotated[int, Meta(ge=0, le=ca.MAX_EVENT_CARDS)]
    boxed: Annotated[int, Meta(ge=0, le=ca.MAX_EVENT_CARDS)]


Stock = keyed("Stock", ca.RESOURCES[: ca.STOCKED], forms.Amount, bases=(Entry,), module=__name__)
"""What the board offers at the start of a round."""


class ActionNumbers(Entry):
    """Places and yields of the actions."""

    exploration_places: forms.Amount
    exploration_first: forms.Some
    exploration_later: forms.Some
    exploration_extra: forms.Amount
    construction_places: forms.Amount
    construction_first_discount: forms.Amount
    gathering_fruit: forms.Some
    water: forms.Some
    fishing_places: forms.Amount
    event_places: forms.Amount
    prayer_places: forms.Amount
    leisure_places: forms.Amount
    leisure_happiness: forms.Amount
    rest_places: forms.Amount
    study_free_places: forms.Amount
    study_paid_places: forms.Amount
    study_price: forms.Amount
    mystery_places: Annotated[int, Meta(ge=0, le=1)]


class Tribe(Entry):
    meeples: Annotated[int, Meta(ge=0, le=ca.MAX_WHITE)]
    majority: forms.Amount


class Food(Entry):
    """What feeding goes by."""

    fish: Annotated[int, Meta(ge=1, le=ca.MAX_AMOUNT)]
    fish_kept: forms.Amount
    ransom: forms.Amount


class HealthLevel(Struct, forbid_unknown_fields=True):
    water: forms.Amount
    food: Annotated[int, Meta(ge=0, le=ca.MOST_FISH_EATEN)]
    meeples: Annotated[int, Meta(ge=1, le=ca.MAX_MEEPLES)]
    reached: forms.Amount = 0
    met: forms.Amount = 0


class Health(Entry):
    """The levels of health, from the lowest."""

    start: Annotated[int, Meta(ge=ca.LOWEST_HEALTH, le=ca.MOST_HEALTH)]
    levels: Annotated[list[HealthLevel], Meta(min_length=2, max_length=ca.MAX_HEALTH_LEVELS)]


class Threshold(Struct, forbid_unknown_fields=True):
    """Prestige for so many points of happiness."""

    points: Annotated[int, Meta(ge=1, le=ca.MAX_HAPPINESS)]
    prestige: forms.Amount


class Happiness(Entry):
    thresholds: Annotated[list[Threshold], Meta(min_length=1)]


Levels = Annotated[list[forms.Amount], Meta(min_length=1, max_length=ca.MAX_LEVEL)]


Experience = keyed("Experience", ca.DOMAINS, Levels, bases=(Entry,), module=__name__)
"""Prestige for each level of each domain."""


class Slots(Entry):
    """The slots of a player's board."""

    bonuses: Annotated[list[forms.Gains], Meta(min_length=1, max_length=ca.MAX_SLOTS)]


class Favours(Entry):
    steps: Annotated[list[forms.Effect], Meta(min_length=1, max_length=ca.MAX_STEPS)]


class Storey(Struct, forbid_unknown_fields=True):
    designs: Annotated[int, Meta(ge=1, le=ca.MAX_DESIGNS)]
    copies: Annotated[int, Meta(ge=0, le=ca.MAX_COPIES)]
    meeples: Annotated[int, Meta(ge=1, le=ca.MOST_SOLVERS)]
    complete: forms.Amount


class Mystery(Entry):
    tile_prestige: forms.Amount
    storeys: Annotated[list[Storey], Meta(min_length=ca.STOREYS, max_length=ca.STOREYS)]


Boosts = keyed("Boosts", ca.BOOSTS, forms.Gains, bases=(Entry,), module=__name__)
"""What each start boost gives."""


PLAYERS = {"two": 2, "three": 3, "four": 4}
"""The keys of a file for each number of players."""

HeadStart: Any = defstruct(
    "HeadStart",
    [
        (
            word,
            Annotated[list[forms.Amount], Meta(min_length=seats, max_length=seats)],
            field(default_factory=partial(list, (0,) * seats)),
        )
        for word, seats in PLAYERS.items()
    ],
    bases=(Entry,),
    forbid_unknown_fields=True,
)
"""What seats begin with, first who takes boosts first, then clockwise."""


class MiraclePrestige(Entry):
    first: forms.Prestige
    second: forms.Prestige


class ComponentsFile(File, forbid_unknown_fields=True):
    counts: Counts
    event_pile: EventPile
    stock: Stock  # type: ignore[valid-type]
    actions: ActionNumbers
    tribe: Tribe
    food: Food
    health: Health
    happiness: Happiness
    experience: Experience  # type: ignore[valid-type]
    slots: Slots
    favours: Favours
    mystery: Mystery
    boosts: Boosts  # type: ignore[valid-type]
    miracle_prestige: MiraclePrestige
    miracles: list[MiracleTile]
    events: list[EventCard]
    fishing: list[FishingCard]
    constructions: list[Construction]
    start_prestige: HeadStart = field(default_factory=partial(HeadStart, "reconstructed"))
    start_happiness: HeadStart = field(default_factory=partial(HeadStart, "reconstructed"))


def check(content: FileContent, file: ComponentsFile) -> None:
    """Raise ComponentError where entries do not go together."""
    for entry, problem in _faults(file):
        raise content.fault(entry, problem.text, **problem.values)


def fill(content: FileContent, file: ComponentsFile, parts: CastAwayParts) -> None:
    """Write what follows from the entries; raises ComponentError for too many effects, or effects without end."""
    _fill_tracks(file, parts)
    _fill_places(file.actions, parts)
    _fill_pieces(file, parts)
    _fill_rows(content, file, parts)
    _check_effects(content, file, parts)


def settle(data: dict[str, Any]) -> None:
    """Bring the counts up to date with the lists, of which the workshop has changed one."""
    for name in ("constructions", "miracles", "events", "fishing"):
        data["counts"][name] = len(data[name])


# What the form alone does not say


def _faults(file: ComponentsFile) -> Iterator[tuple[str, Message]]:
    """Entries that cannot be as they are, each with the reason."""
    yield from _list_faults(file)
    levels = file.health.levels
    top = len(levels) - 1 + ca.LOWEST_HEALTH
    if file.health.start > top:
        limits = {"least": ca.LOWEST_HEALTH, "most": top, "start": file.health.start}
        yield "health.start", Message("must be %(least)s to %(most)s, not %(start)s", **limits)
    for index, (lower, higher) in enumerate(pairwise(levels), start=1):
        if higher.meeples < lower.meeples:
            yield f"health.levels[{index}].meeples", Message("a higher level has no fewer meeples")
    points = [threshold.points for threshold in file.happiness.thresholds]
    if points != sorted(set(points)):
        yield "happiness.thresholds", Message("their points must rise")
    requirement = Message("must be less than the first threshold of happiness, %(points)s", points=points[0])
    for word in PLAYERS:
        for seat, value in enumerate(getattr(file.start_happiness, word)):
            if value >= points[0]:
                yield f"start_happiness.{word}[{seat}]", requirement
    experience: Any = file.experience
    level_count = len(experience.fishing) + 1
    for index, card in enumerate(file.fishing):
        if len(card.fish) != level_count:
            requirement = Message(
                "%(needed)s numbers, one for each level, not %(count)s",
                needed=level_count,
                count=len(card.fish),
            )
            yield f"fishing[{index}].fish", requirement
    for index, tile in enumerate(file.constructions):
        if tile.activate != forms.Activation() and tile.activate_own != forms.Activation():
            yield f"constructions[{index}]", Message("has activate or activate_own, not both")


def _list_faults(file: ComponentsFile) -> Iterator[tuple[str, Message]]:
    for name in ("constructions", "miracles", "events", "fishing"):
        entries: Sequence[Any] = getattr(file, name)
        declaration = getattr(file.counts, name)
        if len(entries) != declaration:
            numbers = {"key": f"counts.{name}", "declared": declaration, "count": len(entries)}
            yield name, Message("%(key)s declares %(declared)s, but there are %(count)s", **numbers)
        ids = [entry.id for entry in entries]
        for index, entry_id in enumerate(ids):
            if entry_id in ids[:index]:
                yield f"{name}[{index}].id", Message("there is another one with the id %(id)s", id=entry_id)
    if "ship" not in [event.id for event in file.events]:
        yield "events", Message("one of them must have the id %(id)s", id="ship")
    pile, others = file.event_pile, len(file.events) - 1
    if not pile.boxed <= pile.set_aside <= others:
        values = {"others": others, "boxed": pile.boxed, "aside": pile.set_aside}
        requirement = Message(
            "boxed <= set_aside <= %(others)s (the events without the Ship) must hold, not %(boxed)s and %(aside)s",
            **values,
        )
        yield "event_pile", requirement


def _owners(file: ComponentsFile) -> Iterator[tuple[str, int, Iterator[EffectRow]]]:
    """Every entry that has effects, its number among those who have, and its rows."""
    for index, tile in enumerate(file.constructions):
        yield f"constructions[{index}]", ca.TILE_ROWS + tile.id - 1, forms.tile_rows(tile)
    for index, event in enumerate(file.events):
        yield f"events[{index}]", ca.EVENT_ROWS + event_index(event.id), forms.card_rows(event)
    for index, card in enumerate(file.fishing):
        yield f"fishing[{index}]", ca.FISHING_ROWS + card.id, forms.effect_rows(card.extra, ca.AT_ONCE)
    for index, boost in enumerate(ca.BOOSTS):
        gains = getattr(file.boosts, boost.replace(" ", "_"))
        yield f"boosts.{boost}", ca.BOOST_ROWS + index, forms.effect_rows(gains, ca.AT_ONCE)
    for index, favour in enumerate(file.favours.steps):
        yield f"favours.steps[{index}]", ca.STEP_ROWS + index, forms.effect_rows(favour, ca.AT_ONCE)
    for index, gains in enumerate(file.slots.bonuses):
        yield f"slots.bonuses[{index}]", ca.SLOT_ROWS + index, forms.effect_rows(gains, ca.AT_ONCE)


def _fill_rows(content: FileContent, file: ComponentsFile, record: Any) -> None:
    index = 0
    for entry, owner, rows in _owners(file):
        effects = [row for row in rows if row.amount]
        if len(effects) > ca.MAX_CARD_ROWS:
            raise content.fault(
                entry,
                "has %(count)s effects; at most %(most)s are possible",
                count=len(effects),
                most=ca.MAX_CARD_ROWS,
            )
        if index + len(effects) > ca.MAX_ROWS:
            raise content.fault(entry, "all effects together are more than %(most)s", most=ca.MAX_ROWS)
        record.row_first[owner] = index
        record.row_count[owner] = len(effects)
        for row in effects:
            record.rows[index] = row
            index += 1


def _check_effects(content: FileContent, file: ComponentsFile, record: Any) -> None:
    """Effects that cause each other come to an end, and what holds always stays within its limit."""
    entries = {owner: entry for entry, owner, _ in _owners(file)}
    endless = endless_effects(record)
    if endless is not None:
        raise content.fault(
            entries[endless[0]],
            "its action may cause effects without end: %(chain)s; it can be any action that does not lead back here",
            chain=" → ".join(entries[owner] for owner in [*endless, endless[0]]),
        )
    maxima = most_lasting(record)
    for code, word in enumerate(LASTING):
        most, slots = int(maxima[code]), len(file.slots.bonuses)
        if most > ca.MOST_BONUS:
            raise content.fault(
                f"always.{word.name}",
                "all event cards and %(slots)s tiles together can give %(count)s; at most %(most)s are possible",
                slots=slots,
                count=most,
                most=ca.MOST_BONUS,
            )


# The arrays


def _fill_tracks(file: ComponentsFile, parts: Any) -> None:
    parts.health_top = len(file.health.levels) - 1 + ca.LOWEST_HEALTH
    parts.happiness_top = file.happiness.thresholds[-1].points
    for domain, name in enumerate(ca.DOMAINS):
        prestige = getattr(file.experience, name)
        parts.domain_top[domain] = len(prestige)
        parts.level_prestige[domain, 1 : len(prestige) + 1] = prestige
    for step, favour in enumerate(file.favours.steps, start=1):
        parts.step_miracle[step] = favour.miracle > 0
    for word, seats in PLAYERS.items():
        parts.start_prestige[seats, :seats] = getattr(file.start_prestige, word)
        parts.start_happiness[seats, :seats] = getattr(file.start_happiness, word)


def _fill_places(actions: ActionNumbers, parts: Any) -> None:
    """Places that say nothing, such as the source, have room for everybody."""
    for place, name in enumerate(ca.PLACES):
        limit = getattr(actions, f"{name.partition(' ')[0]}_places", None)
        if limit is not None:
            parts.places[place] = limit
    parts.places[ca.STUDY_PLACE] = actions.study_free_places + actions.study_paid_places


def _fill_pieces(file: ComponentsFile, parts: Any) -> None:
    parts.event_card[: len(file.events)] = sorted(event_index(event.id) for event in file.events)
    parts.ship_cards = file.event_pile.set_aside - file.event_pile.boxed + 1
    for event in file.events:
        stays = event.always != forms.Lasting() or event.until_used != forms.UntilUsed()
        parts.event_kept[event_index(event.id)] = stays
    parts.fishing_card[: len(file.fishing)] = sorted(card.id for card in file.fishing)
    parts.tiles = max((tile.id for tile in file.constructions), default=0)
    for tile in file.constructions:
        parts.tile_there[tile.id - 1] = 1
        if tile.activate != forms.Activation():
            parts.tile_use[tile.id - 1] = ca.ACTIVATED
        elif tile.activate_own != forms.Activation():
            parts.tile_use[tile.id - 1] = ca.ACTIVATED_OWN
    for miracle in file.miracles:
        parts.miracle_there[ca.MIRACLES.index(miracle.id)] = 1


# For people


def listings(translator: Translator) -> Iterator[Listing]:
    """Everything that the file lists, with its effects explained."""
    file, name, effect = components_of(translator).file, translator("Name"), translator("Effect")

    def fishing_text(card: FishingCard) -> str:
        extra = vocabulary.owner_text(translator, ca.FISHING_ROWS + card.id)
        shuffle = translator("all cards are shuffled") if card.arrow else ""
        return translator.both([text for text in (extra, shuffle) if text])

    for title, entries, columns in (
        (
            translator("Constructions"),
            file.constructions,
            {
                "": lambda tile: str(tile.id),
                name: lambda tile: vocabulary.tile_name(translator, tile.id),
                translator("Level"): lambda tile: str(tile.level),
                translator("Price"): lambda tile: vocabulary.amounts(translator, astuple(tile.cost)),
                translator("Prestige"): lambda tile: str(tile.prestige),
                effect: lambda tile: " ".join(vocabulary.tile_help(translator, tile.id)),
            },
        ),
        (
            translator("Miracles"),
            file.miracles,
            {
                name: lambda tile: vocabulary.miracle_name(translator, tile.id),
                effect: lambda tile: vocabulary.miracle_help(translator, tile.id),
            },
        ),
        (
            translator("Events"),
            file.events,
            {
                "": lambda card: card.id,
                name: lambda card: vocabulary.event_name(translator, card.id),
                effect: lambda card: " ".join(vocabulary.event_help(translator, card.id)),
                translator("On the compass"): lambda card: vocabulary.amounts(translator, astuple(card.lots)),
            },
        ),
        (
            translator("Fishing cards"),
            file.fishing,
            {
                "": lambda card: str(card.id),
                translator("Fish by level"): lambda card: " ".join(map(str, card.fish)),
                effect: fishing_text,
            },
        ),
        (
            translator("Favours"),
            range(len(file.favours.steps)),
            {
                translator("Step"): lambda step: ca.STEPS[step],
                effect: lambda step: vocabulary.owner_text(translator, ca.STEP_ROWS + step),
            },
        ),
        (
            translator("Boosts"),
            range(len(ca.BOOSTS)),
            {
                name: lambda boost: vocabulary.boost_name(translator, ca.BOOSTS[boost]),
                effect: lambda boost: vocabulary.owner_text(translator, ca.BOOST_ROWS + boost),
            },
        ),
    ):
        yield Listing(title, list(columns), [[say(entry) for say in columns.values()] for entry in entries])
