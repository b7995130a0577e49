"""The components file of Cast Away: a language that is refused with reasons, and variants that are played."""

import random
import tomllib
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from atoll.core import records
from atoll.core.attested import Origins, value_at
from atoll.core.game import Position, View
from atoll.core.listings import listings
from atoll.core.seen import Seen
from atoll.core.types import Json
from atoll.games.cast_away.table import table
from atoll.testing.playing import abridged
from atoll.text.errors import ComponentError, RecordError
from atoll.text.translation import LANGUAGES, Translator
from atoll.web.pages.components_page import components_page

from .positions import GAME, RED, changed, choices, has, own, play, player, position, tile, variant

Change = Callable[[Json], object]


def put(*path: Any, value: Any) -> Change:
    """A change of one value."""

    def change(data: Json) -> None:
        inner: Any = data
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value

    return change


def without(*path: Any) -> Change:
    """A change that leaves one value out."""

    def change(data: Json) -> None:
        inner: Any = data
        for key in path[:-1]:
            inner = inner[key]
        del inner[path[-1]]

    return change


def handicap(what: str = "prestige", **given: list[int]) -> Change:
    """Prestige or happiness at the start, by the number of players, first that of who takes boosts first."""
    return put(f"start_{what}", value={"source": "reconstructed", **given})


def test_the_shipped_file_holds_what_the_box_holds() -> None:
    """CA-7, CA-8, CA-18, CA-20: 33 constructions, 6 miracles, 15 events, 7 fishing cards."""
    data = GAME.components().data
    sizes = [len(data[name]) for name in ("constructions", "miracles", "events", "fishing")]
    assert sizes == [33, 6, 15, 7]
    aqueduct = data["constructions"][10]
    assert aqueduct["cost"] == {"bamboo": 4, "liana": 2, "palm": 0}
    assert (aqueduct["level"], aqueduct["activate"]) == (2, {"water": 3})


def test_every_fact_is_attested_or_reconstructed() -> None:
    data = GAME.components().data
    for name in ("constructions", "miracles", "events", "fishing"):
        assert all(entry["source"] in ("attested", "reconstructed") for entry in data[name])
    sections = [section for section in data.values() if isinstance(section, dict)]
    assert all(section["source"] in ("attested", "reconstructed") for section in sections)
    absent = {"constructions.11.activate_own", "start_prestige", "start_happiness"}
    for path in {*data["reconstructed"], *data["attested"]} - absent:
        assert value_at(data, path) is not None, path


@pytest.mark.parametrize(
    ("change", "entry", "told"),
    [
        (put("constructions", 4, "once", value={"fishes": 1}), "constructions[4].once", ["“fishes”", "any_cube"]),
        (put("constructions", 4, "always", value={"fishy": 1}), "constructions[4].always", ["“fishy”", "keep_fish"]),
        (put("constructions", 4, "active", value={}), "constructions[4]", ["“active”", "activate_own"]),
        (
            put("constructions", 4, "once", value={"action": "dance"}),
            "constructions[4].once.action",
            ["“dance”", "exploration", "prayer"],
        ),
        (
            put("constructions", 4, "at_end", value=[{"prestige": 1, "per": "shells"}]),
            "constructions[4].at_end[0].per",
            ["“shells”", "mystery", "candle"],
        ),
        (put("constructions", 0, "cost", "palm", value=-1), "constructions[0].cost.palm", ["0"]),
        (put("constructions", 0, "level", value=5), "constructions[0].level", ["4"]),
        (put("constructions", 0, "id", value=65), "constructions[0].id", ["64"]),
        (put("constructions", 0, "id", value=2), "constructions[1].id", ["another", "2"]),
        (without("constructions", 7, "name", "en"), "constructions[7].name", ["en"]),
        (put("constructions", 7, "name", "en", value=""), "constructions[7].name.en", ["1"]),
        (without("constructions", 7), "constructions", ["declares 33", "32"]),
        (put("counts", "fishing", value=8), "fishing", ["declares 8", "7"]),
        (put("events", 14, "id", value="15"), "events", ["ship"]),
        (put("events", 3, "id", value="32"), "events[3].id", ["1 to 31", "not “32”"]),
        (put("event_pile", "boxed", value=5), "event_pile", ["boxed"]),
        (put("miracles", 0, "id", value="plenty"), "miracles[0].id", ["“plenty”", "abundance"]),
        (put("miracles", 0, "count", value="gold"), "miracles[0].count", ["“gold”", "resources"]),
        (put("fishing", 2, "fish", value=[1, 2]), "fishing[2].fish", ["5 numbers", "2"]),
        (put("fishing", 2, "extra", value={"action": "rest"}), "fishing[2].extra", ["“action”"]),
        (put("health", "start", value=8), "health.start", ["7"]),
        (put("health", "levels", 4, "meeples", value=2), "health.levels[4].meeples", ["fewer"]),
        (put("happiness", "thresholds", 1, "points", value=1), "happiness.thresholds", ["rise"]),
        (put("stock", "fruit", value="many"), "stock.fruit", ["whole number", "not “many”"]),
        (put("events", 3, "id", value="7\n"), "events[3].id", []),
        (put("health", "start", value=10**30), "health.start", ["1 to 10", "18 digits"]),
        (
            put("favours", "steps", 2, value={"action": "prayer"}),
            "favours.steps[2]",
            ["without end", "favours.steps[2] → favours.steps[2]"],
        ),
        (
            lambda data: [tile.update(always={"reduction": {"any": 20}}) for tile in data["constructions"]],
            "always.reduction.any",
            ["8 tiles", "160", "100"],
        ),
        (put("boosts", "luck", value={}), "boosts", ["“luck”", "first player"]),
        (handicap(five=[1, 0, 0, 0, 0]), "start_prestige", ["“five”", "two, three, four"]),
        (handicap(three=[1, 0]), "start_prestige.three", ["3 entries"]),
        (handicap(two=[1, 0, 0]), "start_prestige.two", ["2 entries"]),
        (handicap(three=[0, -1, 0]), "start_prestige.three[1]", ["0"]),
        (handicap(four=[0, 0, 0, 21]), "start_prestige.four[3]", ["20"]),
        (put("start_prestige", value={"two": [0, 1]}), "start_prestige", ["source"]),
        (handicap("happiness", three=[1, 0, 2]), "start_happiness.three[2]", ["first threshold", "2"]),
        (
            put("constructions", 22, "activate_own", value={"water": 1}),
            "constructions[22]",
            ["activate or activate_own"],
        ),
        (
            put("constructions", 22, "once", value=dict.fromkeys(("bamboo", "liana", "palm", "fruit"), 1)
                | dict.fromkeys(("water", "fish", "prestige", "happiness"), 1)),
            "constructions[22]",
            ["9 effects", "8"],
        ),
    ],
)  # fmt: skip
def test_a_broken_file_is_refused_naming_file_entry_and_key(
    change: Change, entry: str, told: list[str]
) -> None:
    with pytest.raises(ComponentError) as refused:
        GAME.components_from("my-file.toml", changed(change))
    sentence = str(refused.value)
    file, found, problem = sentence.split(": ", 2)
    assert (file, found.partition(" (")[0]) == ("my-file.toml", entry)
    assert all(word in problem for word in told), problem
    assert "\n" not in sentence


# Variants


NEW_TILE = """
[[constructions]]
id = 64
name = { en = "Tide pool", fr = "Mare" }
source = "reconstructed"
level = 1
cost = { liana = 1 }
prestige = 2
once = { any_level = 1, any_building = 1 }
always = { income = { fish = 1 } }
activate = { fish = 2, pay = { fruit = 1 } }
at_end = [{ prestige = 1, per = "miracles" }]
"""


def with_new_tile() -> Any:
    """The shipped components with a tile more."""
    return variant(
        lambda data: data["constructions"].append(tomllib.loads(NEW_TILE)["constructions"][0]),
        lambda data: data["counts"].update(constructions=34),
    )


def new_tile_position(**said: Any) -> Position:
    """A position with the new tile among those to be built."""
    components = with_new_tile()
    from .positions import words

    state = words(**said)
    state["constructions"].append(64)
    return abridged(GAME, state, components)


def test_a_new_tile_is_built_used_and_counted() -> None:
    """Without touching code: its own cost, level, prestige, effects and count."""
    game = new_tile_position(
        experience={RED: {"construction": 1}},
        resources={RED: {"liana": 1, "fruit": 1}},
        left={1: (0, 0, False)},
    )
    own(game, "build", tile=64)
    play(game, "take cube", choice="palm")
    play(game, "learn", choice="fire")
    own(game, "activate", tile=64, of=RED)
    assert has(game, RED) == {"liana": 1, "palm": 1, "fish": 2}
    assert player(game, RED)["experience"]["fire"] == 1
    assert game.breakdown()[RED]["constructions"] == 2


def test_an_activation_written_as_fish_gives_fish() -> None:
    """`activate = { fish = 2 }`."""
    components = variant(tile(30, activate={"fish": 2}))
    game = position(components=components, slots={RED: ["construction 30"]})
    own(game, "activate", tile=30, of=RED)
    assert has(game, RED) == {"fish": 2}


@pytest.mark.parametrize(("fire", "after"), [(0, (1, 0)), (1, (1, 2))])
def test_the_torch_stand_gives_fire_or_prestige(fire: int, after: tuple[int, int]) -> None:
    """Tile 9: `otherwise` comes instead of a level that one has."""
    game = position(
        experience={RED: {"construction": 1, "fire": fire}},
        resources={RED: dict.fromkeys(("bamboo", "palm"), 1)},
    )
    own(game, "build", tile=9)
    assert (player(game, RED)["experience"]["fire"], player(game, RED)["prestige"]) == after


def test_other_favours_slots_and_fishing_cards_are_data() -> None:
    components = variant(
        put("favours", "steps", 0, value={"action": "gathering", "any_level": 1}),
        put("slots", "bonuses", 0, value={"any_cube": 1}),
        put("fishing", 0, "extra", value={"any_level": 1}),
    )
    game = position(
        components=components,
        experience={RED: {"faith": 1, "construction": 1}},
        resources={RED: {"liana": 3}},
        fishing=[1, 7],
        left={1: (0, 0, False)},
    )
    own(game, "pray")
    play(game, "choose favour", choice="A")
    play(game, "learn", choice="nature")
    assert has(game, RED) == {"liana": 3, "fruit": 2}
    own(game, "fish")
    assert choices(game) == ["fire", "fishing", "nature", "construction", "faith"]
    play(game, "learn", choice="fishing")
    own(game, "build", tile=8)
    play(game, "take cube", choice="palm")
    assert has(game, RED)["palm"] == 1


NOTHING: Json = {
    "once": {"prestige": 0, "otherwise": {"fish": 0}},
    "always": {"gathering": 0, "no_gift": 0, "income": {"water": 0}, "reduction": {"any": 0}},
}


def without_zeros(data: Json) -> None:
    """Leave out whatever a price need not say."""
    for hut in data["constructions"]:
        hut["cost"] = {name: count for name, count in hut["cost"].items() if count}


def with_zeros(data: Json) -> None:
    """Write out zeros where nothing is said."""
    for hut in data["constructions"]:
        hut.update({when: hut.get(when, effect) for when, effect in NOTHING.items()})
        if "activate_own" not in hut:
            hut.setdefault("activate", {"fish": 0, "pay": {"fruit": 0}})
    for card in data["events"]:
        card.update({when: card.get(when, effect) for when, effect in NOTHING.items()})
        card.setdefault("until_used", {"double_fishing": 0})
    for card in data["fishing"]:
        card.setdefault("extra", {"prestige": 0})


@pytest.mark.parametrize("change", [without_zeros, with_zeros])
def test_a_zero_may_be_written_or_left_out(change: Change) -> None:
    """The rules, the list in the terminal, the page of components and the table say the same of both."""
    shipped, other = GAME.components(), variant(change)
    assert all(np.array_equal(*parts) for parts in zip(shipped.parts, other.parts, strict=True))
    for language in LANGUAGES:
        listed = [list(listings(GAME, file, Translator(language))) for file in (shipped, other)]
        assert listed[0] == listed[1]
        assert components_page(GAME, other, language)
    view = position(
        experience={RED: {"construction": 4}},
        resources={RED: {"bamboo": 2, "liana": 2, "palm": 1}},
        slots={RED: [f"construction {number}" for number in (1, 11, 22)]},
    ).view(RED)
    scenes = [
        table(Seen(View(GAME, file, view.options, view.states), []))["scene"] for file in (shipped, other)
    ]
    assert scenes[0].tiles == scenes[1].tiles
    assert scenes[0].buildable == scenes[1].buildable != []
    assert scenes[0].fishing == scenes[1].fishing
    assert [slot.get("use") for slot in scenes[1].boards[RED][:3]] == [None, "any", "own"]


LASTING = {
    "income": {"bamboo": 2, "fish": 1},
    "reduction": {"bamboo": 1, "any": 2},
    "singles": 3,
    "event_prestige": 2,
    "prayer": 3,
}

VARIANTS: dict[str, Callable[[], Any]] = {
    "no tiles": partial(variant, put("constructions", value=[]), put("counts", "constructions", value=0)),
    "no miracles": partial(variant, put("miracles", value=[]), put("counts", "miracles", value=0)),
    "the ship alone": partial(
        variant,
        lambda data: data.update(events=[event for event in data["events"] if event["id"] == "ship"]),
        put("counts", "events", value=1),
        put("event_pile", "set_aside", value=0),
        put("event_pile", "boxed", value=0),
    ),
    "no arrow": partial(variant, without("fishing", 6, "arrow")),
    "one fishing card": partial(
        variant,
        lambda data: data.update(fishing=data["fishing"][:1]), put("counts", "fishing", value=1)
    ),
    "a tile more": with_new_tile,
    "generous tiles": partial(
        variant,
        *(put("constructions", i, "level", value=0) for i in range(33)),
        *(put("constructions", i, "cost", value={}) for i in range(33)),
        *(put("constructions", i, "always", value=LASTING) for i in range(0, 33, 3)),
        *(put("constructions", i, "once", value={"action": "construction", "miracle": 1}) for i in range(1, 33, 3)),
        *(put("constructions", i, "activate", value={"action": "fishing", "any_level": 2}) for i in range(2, 11, 3)),
    ),
    "long chains": partial(
        variant,
        *(put("favours", "steps", i, value={"action": "fishing", "any_cube": 4, "miracle": 1}) for i in range(8)),
        *(put("fishing", i, "extra", value={"any_level": 2, "any_cube": 3}) for i in range(7)),
        *(put("constructions", i, "level", value=0) for i in range(33)),
        *(put("constructions", i, "cost", value={}) for i in range(33)),
        *(put("constructions", i, "activate_own", value={}) for i in range(33)),
        *(put("constructions", i, "activate", value={"action": "prayer", "any_cube": 5}) for i in range(33)),
        *(put("events", i, "always", value={"singles": 4}) for i in range(15)),
        put("experience", "faith", value=[0, 0, 0, 0]), put("boosts", "faith", "faith", value=4),
    ),
    "no places": partial(
        variant,
        lambda data: data["actions"].update({name: 0 for name in data["actions"] if name.endswith("_places")})
    ),
    "no tribe": partial(variant, put("tribe", "meeples", value=0)),
    "hungry": partial(variant, *(put("health", "levels", i, "food", value=15) for i in range(9))),
    "a handicap": partial(
        variant,
        handicap(two=[0, 20], three=[1, 0, 2], four=[20, 1, 0, 3]),
        handicap("happiness", two=[1, 0], three=[0, 1, 1], four=[0, 0, 0, 1]),
    ),
    "one slot": partial(variant, put("slots", "bonuses", value=[{"prestige": 1}])),
}  # fmt: skip


@pytest.mark.parametrize(
    ("what", "given"),
    [
        ("prestige", [20, 0]),
        ("prestige", [0, 3, 1]),
        ("prestige", [4, 3, 2, 1]),
        ("happiness", [0, 1]),
        ("happiness", [1, 0, 1, 1]),
    ],
)
def test_a_head_start_goes_to_who_takes_boosts_when(what: str, given: list[int]) -> None:
    """`start_prestige`, `start_happiness`: counted from who takes boosts first, who is drawn (CA-5), for that number of
    players alone.
    """
    word = {2: "two", 3: "three", 4: "four"}
    players = len(given)
    components = variant(handicap(what, **{word[players]: given}))
    first = set()
    for seed in range(20):
        game = GAME.start(players, seed, components)
        state = game.to_json()
        assert [state["players"][seat][what] for seat in state["order"]] == given
        assert game.to_act == (state["order"][0],)
        first.add(game.to_act)
        for other in set(word) - {players}:
            assert not GAME.start(other, seed, components).state[what].any()
    assert len(first) == players


@pytest.mark.parametrize("what", ["prestige", "happiness"])
def test_a_head_start_is_the_order_s_in_records_too(what: str) -> None:
    """A record whose first position gives it to another seat is refused; with the usual file, one that gives any."""
    for components in (variant(handicap(what, three=[1, 0, 1])), GAME.components()):
        head = records.header(GAME.start(3, 1, components), ["a", "b", "c"], 1)
        records.first_position(records.Record(head))
        order = head["start"]["order"]
        head["start"]["players"][order[0]][what], head["start"]["players"][order[1]][what] = 0, 1
        with pytest.raises(RecordError, match=f"the {what} of seat"):
            records.first_position(records.Record(head))


def test_points_that_no_game_of_the_box_reaches_are_held() -> None:
    """Whatever a file gives in every round; event 9 gives 2 prestige (CA-23)."""
    game = position(prestige={RED: 32_767}, resources={RED: {"water": 32_767}}, left={1: (0, 0, False)})
    own(game, "draw water")
    own(game, "take event")
    assert has(game, RED)["water"] == 32_769
    assert player(game, RED)["prestige"] == 32_769


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("players", [2, 4])
def test_variants_are_played_to_the_end(name: str, players: int) -> None:
    """Another file is another game, without compiling anew; nothing is lost or made."""
    components = VARIANTS[name]()
    least, most = GAME.rules.points_range(components, players)
    game, chance, decisions = GAME.start(players, 0, components), random.Random(0), 0
    while not game.is_over:
        [seat] = game.to_act
        view = game.view(seat)
        assert view.resample(decisions).view(seat).state.tobytes() == view.state.tobytes()
        game.play_action(seat, chance.choice(game.legal_moves(seat).actions.tolist()))
        game.check()
        decisions += 1
    assert decisions <= GAME.rules.max_decisions(components, players)
    assert game.outcome is not None
    assert all(least <= points <= most for points in game.outcome.points)


@pytest.mark.parametrize("which", ["tuned", "fair"])
def test_other_sets_are_no_other_game_and_not_the_usual_one(which: str):
    """Numbers of actions, prices, prestige, boosts and what events give differ, and nothing else."""
    usual, other = (GAME.components(one).data for one in ("reconstruction", which))
    assert next(iter(GAME.component_files)) == GAME.components().name == "reconstruction"
    assert GAME.components(which).name == other["name"] == which
    differing = {key for key in usual if usual[key] != other.get(key)}
    assert differing - {"actions", "events"} == {
        *("name", "reconstructed", "attested", "tribe", "boosts", "constructions"),
    }
    for before, after in zip(usual["events"], other["events"], strict=True):
        assert {**before, "always": {}, "once": {}} == {**after, "always": {}, "once": {}}
    for before, after in zip(usual["constructions"], other["constructions"], strict=True):
        numbers = {"cost": 0, "prestige": 0}
        assert before | numbers == after | numbers


def test_no_figure_is_called_attested_that_is_another_than_the_rulebooks() -> None:
    """Against pp. 4, 8, 9 and 11: the majority, some boosts, Exploration, Gathering, four events, a head start."""
    boosts = {f"boosts.{name}" for name in ("fire.water", "construction.bamboo", "nature.fruit")}
    tuned = {"tribe.majority", *boosts, "boosts.mystery.water", "boosts.first player.fish"}
    fair = {"tribe.majority", *boosts, "actions.exploration_first", "actions.gathering_fruit"}
    fair |= {"start_prestige.two", "start_prestige.four"}
    fair |= {f"start_happiness.{players}" for players in ("two", "three", "four")}
    fair |= {"events.1.always.exploration", "events.1.always.free_exploration"}
    for card, name in (("2", "bamboo"), ("3", "liana"), ("4", "palm")):
        fair |= {f"events.{card}.once.{name}", f"events.{card}.always.reduction.{name}"}
    for which, otherwise in (("reconstruction", set()), ("tuned", tuned), ("fair", fair)):
        assert set(Origins(GAME, GAME.components(which).data).changed()) == otherwise


@pytest.mark.parametrize(
    ("path", "value", "origin"),
    [
        (("tribe", "majority"), 3, "changed"),  # p. 9
        (("health", "levels", 8, "food"), 4, "changed"),  # p. 7
        (("happiness", "thresholds", 4, "prestige"), 8, "changed"),  # p. 5: 1 + 2 + 3 + 5 + 7
        (("happiness", "thresholds", 4, "points"), 12, "reconstructed"),
        (("actions", "leisure_happiness"), 4, "reconstructed"),
        (("constructions", 10, "level"), 3, "changed"),  # p. 3
        (("constructions", 10, "prestige"), 5, "reconstructed"),
        (("constructions", 29, "prestige"), 12, "reconstructed"),
        (("fishing", 0, "fish"), [0, 0, 0, 0, 1], "reconstructed"),
    ],
    ids=str,
)
def test_an_edited_figure_is_no_more_attested_than_it_was(
    path: tuple[Any, ...], value: Any, origin: str
) -> None:
    """Nor does a mark in the file make it so; but whoever owns the box may say what is printed there."""
    ids = {"constructions": "constructions.{}", "fishing": "fishing.{}"}
    place = ids.get(path[0], path[0])
    rest = [f"[{key}]" if isinstance(key, int) else f".{key}" for key in path[1:]]
    if path[0] in ids:
        place, rest = place.format(path[1] + 1), rest[1:]
    place += "".join(rest)
    other = variant(put(*path, value=value)).data
    assert Origins(GAME, other).of(place) == origin
    said = Origins(GAME, other | {"attested": [*other["attested"], place], "reconstructed": []})
    assert said.of(place) == ("changed" if origin == "changed" else "attested")
