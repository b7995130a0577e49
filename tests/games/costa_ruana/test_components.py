"""The components file: what is shipped, what is refused, and variants played to the end (CR-3 to CR-5)."""

import random
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from atoll.core.game import Position
from atoll.core.types import Components
from atoll.games.costa_ruana.state import CARDS
from atoll.testing.playing import abridged
from atoll.text.errors import ComponentError

from .positions import BACKGROUNDS, GAME, ISLAND_TREASURES, card, deck, legal, offered, play, position, words
from .variants import Change, changed, figures, islands, variant

PLAYERS = (2, 3, 4, 5, 6)


def shipped_deck(players: int) -> "Counter[str]":
    parts = GAME.components().parts[0]
    return Counter(CARDS[number] for number in parts.deck[players, : parts.deck_count[players]])


@pytest.mark.parametrize(("players", "cards"), [(2, 24), (3, 36), (4, 48), (5, 60), (6, 72)])
def test_the_deck_grows_by_the_notches(players: int, cards: int) -> None:
    """CR-3."""
    assert shipped_deck(players).total() == cards
    assert shipped_deck(players) == deck(players)


@pytest.mark.parametrize("background", BACKGROUNDS)
def test_every_background_has_eighteen_cards(background: str) -> None:
    """CR-3: 6 at two notches and 3 more at each of three to six."""
    counts = [
        sum(count for name, count in shipped_deck(players).items() if name.endswith(f"/{background}"))
        for players in PLAYERS
    ]
    assert counts == [6, 9, 12, 15, 18]


def test_how_many_there_are_of_each_kind() -> None:
    """CR-4: as reconstructed."""
    kinds: Counter[str] = Counter()
    for name, count in shipped_deck(6).items():
        kinds[name.split("/")[0]] += count
    assert kinds == {
        "move treasure": 8,
        "move native": 12,
        "place 1": 12,
        "place 2": 16,
        "place 3": 8,
        "return 1": 8,
        "return 2": 4,
        "return 3": 4,
    }


def test_the_three_player_example_can_be_dealt() -> None:
    """components/costa-ruana.md: two Place 3, two Return 1, a Place 2 and a Move a native, at most 3 notches."""
    kinds: Counter[str] = Counter()
    for name, count in shipped_deck(3).items():
        kinds[name.split("/")[0]] += count
    needed = Counter({"place 3": 2, "return 1": 2, "place 2": 1, "move native": 1})
    assert needed <= kinds


def test_the_shipped_figures_are_those_of_the_rulebook() -> None:
    """CR-5 to CR-8, CR-20, CR-22."""
    game = GAME.components().data["game"]
    assert game == {
        "source": "attested",
        "rounds": 5,
        "hand": 5,
        "draws": [2, 2, 2, 1],
        "natives": 10,
        "first_natives": 3,
        "island_capacity": 7,
        "treasure_points": 2,
        "native_points": 1,
    }


def test_every_entry_says_what_it_is_founded_on() -> None:
    """design.md: each fact is marked attested or reconstructed; the cards' counts are reconstructed."""
    data = GAME.components().data
    assert data["treasures"]["source"] == "attested"
    assert [block["source"] for block in data["cards"]] == ["reconstructed"] * 5


def test_the_digest_follows_the_content_and_not_the_layout(tmp_path: Path) -> None:
    text = (GAME.folder / "components.toml").read_text()
    shipped = GAME.components()
    copy, other = tmp_path / "copy.toml", tmp_path / "other.toml"
    copy.write_text("# a comment\n" + text.replace("\n\n", "\n\n\n"))
    other.write_text(text.replace("treasure_points = 2", "treasure_points = 3"))
    assert GAME.read_components(copy).sha256 == shipped.sha256
    assert GAME.read_components(other).sha256 != shipped.sha256


def test_the_shipped_set_is_called_reconstruction() -> None:
    """records.md."""
    assert GAME.components().name == "reconstruction"
    assert GAME.components().shipped


# Broken files


def without(*path: str) -> Change:
    """Leaves out an entry."""

    def change(data: dict[str, object]) -> None:
        for name in path[:-1]:
            data = data[name]  # type: ignore[assignment]
        del data[path[-1]]

    return change


def block(number: int, **values: object) -> Change:
    """Other values in a block of cards."""
    return lambda data: data["cards"][number].update(values)


def counts(number: int, **values: object) -> Change:
    """Other counts in a block of cards, `_` for a space."""
    return lambda data: data["cards"][number]["counts"].update(
        {name.replace("_", " "): value for name, value in values.items()}
    )


def top(**values: object) -> Change:
    """Other values at the top of the file."""
    return lambda data: data.update(values)


ALLOWED_KINDS = "move treasure, return 1, return 2, return 3, place 1, place 2, place 3, move native"


@pytest.mark.parametrize(
    ("change", "entry", "told"),
    [
        (without("game"), "the file", ["game"]),
        (without("treasures", "players_4"), "treasures", ["players_4"]),
        (without("game", "draws"), "game", ["draws"]),
        (top(format=2), "format", ["must be 1, not 2"]),
        (top(name=""), "name", ["1"]),
        (top(cards={}), "cards", ["a list", "a section of keys"]),
        (top(game=[]), "game", ["a section of keys", "a list of 0 entries"]),
        (top(island=3), "the file", ["“island”", "game, treasures, cards, format, name"]),
        (figures(rounds="5"), "game.rounds", ["whole number"]),
        (figures(rounds=True), "game.rounds", ["whole number", "not true"]),
        (figures(rounds=0), "game.rounds", ["1"]),
        (figures(rounds=10, draws=[1] * 9), "game.rounds", ["9"]),
        (figures(natives=16), "game.natives", ["15"]),
        (figures(natives=2.5), "game.natives", ["whole number", "not 2.5"]),
        (figures(hand=1), "game.hand", ["2"]),
        (figures(hand=11), "game.hand", ["10"]),
        (figures(treasure_points=-1), "game.treasure_points", ["0"]),
        (figures(treasure_points=101), "game.treasure_points", ["100"]),
        (figures(island_capacity=0), "game.island_capacity", ["1"]),
        (figures(island_capacity=16), "game.island_capacity", ["15"]),
        (figures(capacity=7), "game", ["“capacity”", "island_capacity"]),
        (figures(source="guessed"), "game.source", ["“guessed”", "attested, reconstructed"]),
        (figures(draws=[2, 2, 2]), "game.draws", ["5 rounds", "4 numbers", "not 3"]),
        (figures(draws=[2, 2, 2, "1"]), "game.draws[3]", ["whole number"]),
        (figures(draws=[2, 2, 2, -1]), "game.draws[3]", ["0"]),
        (figures(draws=[8, 2, 2, 1]), "game.draws", ["11 cards", "round 2", "10"]),
        (figures(draws=[0, 0, 2, 1]), "game.draws", ["1 cards", "round 3", "2"]),
        (figures(first_natives=11), "game.first_natives", ["10"]),
        (figures(island_capacity=1), "treasures.players_2", ["4 islands of 1", "6 natives"]),
        (islands(3), "treasures.players_3", ["1"]),
        (islands(3, *[1] * 13), "treasures.players_3", ["12"]),
        (islands(3, 5, -1), "treasures.players_3[1]", ["0"]),
        (islands(3, 60, 41), "treasures.players_3", ["100"]),
        (islands(7, 4, 4), "treasures", ["“players_7”", "players_2, players_3"]),
        (block(1, notches=1), "cards[1].notches", ["2"]),
        (block(1, notches=7), "cards[1].notches", ["6"]),
        (block(1, notch=3), "cards[1]", ["“notch”", "source, notches, counts"]),
        (block(1, counts=7), "cards[1].counts", ["a section of keys", "not 7"]),
        (block(2, source="mine"), "cards[2].source", ["“mine”", "attested, reconstructed"]),
        (counts(3, place_4=1), "cards[3].counts", ["“place 4”", ALLOWED_KINDS]),
        (counts(3, place_1=-1), "cards[3].counts.place 1", ["0"]),
        (counts(3, place_1="1"), "cards[3].counts.place 1", ["whole number"]),
        (lambda data: data["cards"].pop(), "cards", ["6 players use 72 cards", "make 60"]),
        (lambda data: data["cards"].pop(0), "cards", ["2 players use 24 cards", "make 0"]),
        (counts(4, place_1=60), "cards", ["120"]),
    ],
)
def test_a_broken_file_is_refused_naming_file_entry_and_key(
    change: Change, entry: str, told: list[str]
) -> None:
    with pytest.raises(ComponentError) as refused:
        GAME.components_from("my-file.toml", changed(change))
    sentence = str(refused.value)
    file, found, problem = sentence.split(": ", 2)
    assert (file, found) == ("my-file.toml", entry)
    assert all(word in problem for word in told), problem
    assert "\n" not in sentence
    assert "`$" not in sentence


def test_a_file_that_is_not_toml_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text("[game\nrounds = 5")
    with pytest.raises(ComponentError, match=r"broken\.toml: is not a TOML file: .*line 1"):
        GAME.read_components(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ComponentError, match=r"broken\.toml: is not a TOML file"):
        GAME.read_components(path)


def test_a_file_that_is_not_there_is_refused_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(ComponentError, match=r"nowhere\.toml: cannot be read"):
        GAME.read_components(tmp_path / "nowhere.toml")
    with pytest.raises(ComponentError, match="cannot be read"):
        GAME.read_components(tmp_path)


def test_a_file_of_ones_own_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = (GAME.folder / "components.toml").read_text()
    path.write_text(
        text.replace('"reconstruction"', '"my box"')
        .replace("rounds = 5", "rounds = 3")
        .replace("[2, 2, 2, 1]", "[2, 2]")
    )
    components = GAME.read_components(path)
    assert (components.name, components.shipped) == ("my box", False)
    assert components.data == tomllib.loads(path.read_text())
    assert int(components.parts[0].rounds) == 3


# Variants


def play_to_the_end(game: Position, seed: int = 1) -> Position:
    """Random moves, every one followed by a check that nothing was lost."""
    chance = random.Random(seed)
    decisions = 0
    while not game.is_over:
        play(game, **chance.choice(legal(game)))
        decisions += 1
    assert decisions <= GAME.rules.max_decisions(game.components, game.players)
    return game


MORE_CARDS = counts(0, move_native=11)

WIDEST = variant(
    figures(rounds=5, hand=10, draws=[2, 2, 2, 2], natives=15, first_natives=15, island_capacity=15),
    figures(treasure_points=100, native_points=100),
    *(islands(players, 12, *[8] * 11) for players in PLAYERS),
    MORE_CARDS,
)
"""Every number as large as the engine allows, as far as one deck of at most 120 cards goes."""

VARIANTS = {
    "one round": variant(figures(rounds=1, draws=[])),
    "nine rounds": variant(figures(rounds=9, hand=2, draws=[2] * 8), MORE_CARDS),
    "empty hands": variant(figures(hand=2, draws=[2, 2, 2, 2])),
    "all cards at once": variant(figures(rounds=2, hand=2, draws=[10])),
    "larger hands": variant(figures(hand=8, draws=[1, 1, 1, 1])),
    "one island": variant(islands(2, 9), figures(first_natives=2)),
    "narrow islands": variant(figures(island_capacity=2), islands(2, 3, 3, 3), islands(3, *[2] * 6)),
    "no treasure": variant(islands(2, 0, 0, 0)),
    "few natives": variant(figures(natives=1, first_natives=1)),
    "the widest": WIDEST,
}


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("players", [2, 3, 6])
def test_variants_are_played_to_the_end(name: str, players: int) -> None:
    """CR-4 and design.md: another file is another game, without compiling anew."""
    components = VARIANTS[name]
    low, high = GAME.rules.points_range(components, players)
    for seed in range(3):
        game = play_to_the_end(GAME.start(players, seed, components), seed)
        assert game.outcome is not None
        assert all(low <= points <= high for points in game.outcome.points)


def rounds_seen(components: Components, players: int = 2) -> list[list[int]]:
    """The hands' sizes at the start of each round."""
    game, seen = GAME.start(players, 3, components), []
    while not game.is_over:
        state = game.to_json()
        if state["phase"] == "face up" and state["to_act"] == [state["shaman"]]:
            seen.append([len(player["hand"]) for player in state["players"]])
        play(game, **legal(game)[0])
    return seen


def test_rounds_hands_and_draws_follow_the_file() -> None:
    assert rounds_seen(VARIANTS["one round"]) == [[5, 5]]
    assert rounds_seen(VARIANTS["empty hands"]) == [[2, 2]] * 5
    assert rounds_seen(VARIANTS["larger hands"]) == [[8, 8], [7, 7], [6, 6], [5, 5], [4, 4]]
    assert rounds_seen(variant(figures(rounds=3, draws=[0, 3]))) == [[5, 5], [3, 3], [4, 4]]


def test_islands_and_natives_follow_the_file() -> None:
    state = GAME.start(2, 1, variant(islands(2, 1, 2, 3), figures(natives=6))).to_json()
    assert [island["treasures"] for island in state["islands"]] == [1, 2, 3]
    assert [player["supply"] for player in state["players"]] == [6, 6]
    assert ISLAND_TREASURES[3] == [
        island["treasures"] for island in GAME.start(3, 1, variant(islands(2, 1))).to_json()["islands"]
    ]


def test_points_follow_the_file() -> None:
    components = variant(figures(treasure_points=5, native_points=3))
    game = position(2, components=components, round=5, natives={0: [1]}, treasures={0: 0, 3: 1}, huts=[1, 7])
    play(game, "turn condition", condition="time")
    assert game.outcome is not None
    assert game.outcome.points == (9 * 3 + 5, 10 * 3 + 7 * 5)


NARROW = variant(figures(island_capacity=3))


def narrow(kind: str, natives: dict[int, list[int]]) -> Position:
    """Two players, four islands of three natives."""
    game = position(2, components=NARROW, table=[card(f"{kind}/night", 0)], natives=natives)
    play(game, "turn condition", condition="time")
    return game


def test_place_stops_when_all_islands_are_full() -> None:
    """CR-16: as far as the rules allow."""
    game = narrow("place 3", {0: [2, 1], 1: [1, 2], 2: [2, 1], 3: [0, 2]})
    assert offered(game, "place native") == [3]
    play(game, "place native", island=3)
    assert game.to_json()["phase"] == "resign"


def test_place_does_nothing_when_all_islands_are_full() -> None:
    """CR-16."""
    game = narrow("place 3", {0: [2, 1], 1: [1, 2], 2: [2, 1], 3: [1, 2]})
    assert game.to_json()["phase"] == "resign"


def test_no_native_can_move_when_all_islands_are_full() -> None:
    """CR-16."""
    game = narrow("move native", {0: [2, 1], 1: [1, 2], 2: [2, 1], 3: [1, 2]})
    assert game.to_json()["phase"] == "resign"


def test_a_native_on_the_only_island_with_room_cannot_move() -> None:
    """CR-16: it may not go back to where it came from; those of the full islands can go there."""
    game = narrow("move native", {0: [2, 1], 1: [1, 2], 2: [2, 1], 3: [1, 1]})
    assert sorted(offered(game, "take native")) == [(i, owner) for i in range(3) for owner in range(2)]
    play(game, "take native", island=1, owner=1)
    assert offered(game, "drop native") == [3]


@pytest.mark.parametrize("kind", ["move treasure", "move native"])
def test_on_a_single_island_nothing_can_move(kind: str) -> None:
    """CR-16: a piece goes to another island."""
    state = words(2, table=[card(f"{kind}/night", 0)], natives={0: [1, 1]})
    state["islands"] = [{"treasures": 9, "natives": [1, 1]}]
    game = abridged(GAME, state, variant(islands(2, 9)))
    play(game, "turn condition", condition="time")
    assert game.to_json()["phase"] == "resign"
