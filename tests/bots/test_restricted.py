"""Bots that do without something: what they never do, the same games compiled and step by step, and clear refusals."""

import goofspiel
import numpy as np
import pytest

from atoll.bots import find_bot
from atoll.bots.external import named_bots, split_names
from atoll.bots.restricted import RestrictedBot, looks_ahead, moves_of
from atoll.core.catalogue import find_game
from atoll.core.game import Position
from atoll.core.state import MOST_SEATS
from atoll.lab.chunks import GameLog, collect, count_games, play_stepped
from atoll.lab.counts import ACTION, LEGAL_END
from atoll.lab.items import named_items
from atoll.lab.played import Setup
from atoll.lab.restrictions import restrictions, without_items
from atoll.lab.simulate import seat_bots, simulate_chunk, step_game
from atoll.text.errors import AtollError

GAME, COSTA_RUANA = find_game("karuba"), find_game("costa-ruana")


def played_by(*names: str) -> Setup:
    return Setup(GAME, GAME.components(), 2, [find_bot(name) for name in names], 3)


def choices(log: GameLog) -> list[tuple[int, set[int]]]:
    """The move taken, and all that were legal, at every decision."""
    ends = [0, *log.rows[:, LEGAL_END].tolist()]
    taken = log.rows[:, ACTION].tolist()
    return [(action, set(log.legal[ends[i] : ends[i + 1]].tolist())) for i, action in enumerate(taken)]


@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_a_restricted_bot_takes_what_it_never_does_only_where_there_is_nothing_else(bot: str):
    never = set(moves_of(GAME, "at/1+0"))
    free, own = (
        collect(played_by(name), 0, 30, keep_log=True).log for name in (bot, f"restrict:{bot},never=at/1+0")
    )
    assert free is not None
    assert own is not None
    assert any(action in never and legal - never for action, legal in choices(free))
    assert not any(action in never and legal - never for action, legal in choices(own))


def test_what_is_always_done_is_done_wherever_it_can_be():
    always = set(moves_of(GAME, "at/1+0"))
    log = collect(played_by("restrict:greedy,always=at/1+0"), 0, 20, keep_log=True).log
    assert log is not None
    assert all(action in always for action, legal in choices(log) if legal & always)


@pytest.mark.parametrize(
    ("game", "bots"),
    [
        ("karuba", "restrict:greedy,never=at/1+0,random"),
        ("karuba", "restrict:greedy,only=points,greedy"),
        ("karuba", "restrict:random,only=points,never=at/1+0,restrict:greedy,ahead=0,random"),
        ("costa-ruana", "restrict:random,without=bluff,random"),
        ("costa-ruana", "restrict:greedy,without=bluff,never=card/return 1/day,greedy"),
    ],
)
def test_restricted_games_are_the_same_compiled_and_step_by_step(game: str, bots: str):
    """Also of four bots at a table for two: who does not sit there needs no place."""
    found = find_game(game)
    played = Setup(found, found.components(), 2, [find_bot(name) for name in split_names(bots)], 3)
    compiled = collect(played, 0, 10, keep_log=True)
    stepped = count_games(played, 0, 10, 2000, play_stepped(played, 0, 10))
    assert stepped is not None
    assert stepped.log is not None
    assert compiled.log is not None
    assert np.array_equal(stepped.log.rows, compiled.log.rows)
    simulated = simulate_chunk(found, found.components(), 2, played.bots, 3, 0, 10)
    assert np.array_equal(simulated.from_beginner(simulated.points), compiled.played.points)


def test_a_restricted_search_keeps_to_its_moves():
    bot, never = find_bot("restrict:search:20,never=cards/4+6"), set(moves_of(GAME, "cards/4+6"))
    view = GAME.start(2, 1).view(0)
    legal = view.legal_moves().actions
    bot.prepare(GAME)
    assert set(legal.tolist()) & never
    assert not {bot.choose(view, seed) for seed in range(5)} & never


def test_without_looking_ahead_a_search_takes_what_the_advice_rates_highest():
    blind, greedy = find_bot("restrict:search:500,ahead=0"), find_bot("greedy")
    view = GAME.start(2, 1).view(0)
    assert [blind.choose(view, seed) for seed in range(5)] == [greedy.choose(view, seed) for seed in range(5)]


def test_only_points_takes_a_move_that_gives_the_most_points_at_once():
    """What a card adds to one's own island is certain (KA-6, KA-9): every other place is tried here with the rules."""
    bot = find_bot("restrict:greedy,only=points")
    more = 0
    for seed in range(4):
        position = GAME.start(2, seed)
        for _ in position.until_over():
            seat = position.to_act[0]
            view = position.view(seat)
            action = bot.choose(view, seed)
            if GAME.notation.move_of(action)["do"] == "lay":
                points = {
                    one: points_after(position, seat, one)
                    for one in position.legal_moves(seat).actions.tolist()
                }
                assert points[action] == max(points.values())
                more += min(points.values()) < points[action]
            position.play_action(seat, action)
    assert more > 5, "there were places worth less"


def points_after(position: Position, seat: int, action: int) -> int:
    """The points of a seat if it does this."""
    tried = position.copy()
    tried.play_action(seat, action)
    points = np.zeros(MOST_SEATS, dtype=np.int32)
    tried.game.rules.result(tried.state, tried.components.parts[0], points)
    return int(points[seat])


@pytest.mark.parametrize("inner", ["random", "search:8"])
def test_who_does_not_bluff_lays_no_card_face_down_that_is_not_what_it_seems(inner: str):
    """Face down, what takes natives back lies in front of others and all else in front of oneself (CR-10); there is
    always such a choice, and a free player makes the other one, too.
    """
    bluffs = dict.fromkeys((inner, f"restrict:{inner},without=bluff"), 0)
    for name in bluffs:
        bot = find_bot(name)
        bot.prepare(COSTA_RUANA)
        for game in range(3):
            position = COSTA_RUANA.start(3, game)
            for step in step_game(position, seat_bots([bot], 3, 1, game)):
                move = COSTA_RUANA.notation.move_of(step.action)
                if step.view.to_json()["phase"] == "face down" and move["do"] == "play card":
                    returns = move["card"].startswith("return")
                    bluffs[name] += returns == (move["in_front_of"] == step.seat)
    assert bluffs[inner] > 0
    assert bluffs[f"restrict:{inner},without=bluff"] == 0


@pytest.mark.parametrize("game", ["cast-away", "costa-ruana", "karuba"])
def test_who_has_a_taste_keeps_to_it_wherever_there_is_a_move_of_it(game: str):
    """Four tastes a game, each of which some positions allow and some leave no room for; random players leave them."""
    found = find_game(game)
    tastes = [habit for habit in found.habits if habit.is_taste]
    assert sorted(habit.name for habit in tastes) == ["builder", "explorer", "hoarder", "spoiler"]
    for habit in tastes:
        left = {}
        for name in ("random", f"restrict:random,taste={habit.name}"):
            left[name] = 0
            position = found.start(2, 3)
            parts = position.components.parts[0]
            for step in step_game(position, seat_bots([find_bot(name)], 2, 1, 0)):
                of_taste = [bool(habit.includes(step.view.state, parts, action)) for action in step.legal]
                left[name] += any(of_taste) and not habit.includes(step.view.state, parts, step.action)
        assert left["random"] > 0
        assert left[f"restrict:random,taste={habit.name}"] == 0


def test_only_what_plays_moves_in_its_mind_looks_ahead():
    """Greedy goes by the advice of Karuba, and tries moves in a game that has none."""
    bots = (
        "random",
        "greedy",
        "trained",
        "search:5",
        "restrict:search:5,never=lay",
        "restrict:search:5,ahead=0",
    )
    told = {game: [looks_ahead(find_bot(name), game) for name in bots] for game in (GAME, goofspiel.game)}
    assert told[GAME] == [False, False, False, True, True, False]
    assert told[goofspiel.game] == [False, True, True, True, True, False]


def test_the_report_names_restricted_players_as_bots_that_can_be_played():
    played = played_by("greedy")
    told = named_items(GAME, GAME.components())
    place = [thing.key for thing in told].index("move/lay/at/1+0")
    (found,) = restrictions(played, without_items(played, [told[place]]), 20)
    bot = find_bot(found.bot)
    assert isinstance(bot, RestrictedBot)
    assert (bot.ranks(GAME) == 0).nonzero()[0].tolist() == moves_of(GAME, "at/1+0")


def test_restrictions_stay_with_their_bot_in_a_list():
    text = "greedy,restrict:greedy,never=at/1+0,never=card/5,only=points,without=bluff,random"
    restricted = "restrict:greedy,never=at/1+0,never=card/5,only=points,without=bluff"
    assert split_names(text) == ["greedy", restricted, "random"]
    with named_bots(text) as bots:
        assert [type(bot).__name__ for bot in bots] == ["GreedyBot", "RestrictedBot", "RandomBot"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("restrict:greedy", "it would be restrict:BOT"),
        ("restrict:greedy,except=card/5", "it would be restrict:BOT"),
        ("restrict:greedy,only=prestige", "it would be restrict:BOT"),
        ("restrict:nobody,never=at/1+0", "no bot called “nobody”"),
        ("restrict:restrict:greedy,never=at/1+0", "only the program's own bots"),
    ],
)
def test_a_restriction_that_is_not_understood_is_told(name: str, told: str):
    with pytest.raises(AtollError, match=told):
        find_bot(name)


def test_moves_that_the_game_does_not_have_are_told_with_those_that_it_has():
    with pytest.raises(
        AtollError, match="names moves “build”, which Karuba does not have; it would be a kind"
    ):
        find_bot("restrict:greedy,never=build").prepare(GAME)


def test_a_habit_that_the_game_does_not_have_is_told_with_those_that_it_has():
    with pytest.raises(AtollError, match="“smiling”, which is no habit of Costa Ruana; there are: bluff, "):
        find_bot("restrict:greedy,without=smiling").prepare(find_game("costa-ruana"))
