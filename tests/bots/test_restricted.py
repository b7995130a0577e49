"""Bots that do without something: what they never do, the same games compiled and step by step, and clear refusals."""

import numpy as np
import pytest

from atoll.bots import find_bot
from atoll.bots.external import named_bots, split_names
from atoll.bots.restricted import RestrictedBot, moves_of
from atoll.core.catalogue import find_game
from atoll.core.errors import AtollError
from atoll.lab import collecting
from atoll.lab.causes import restrictions
from atoll.lab.collecting import Log, Played, collect
from atoll.lab.counting import ACTION, LEGAL_END
from atoll.lab.measuring import named_things
from atoll.lab.simulate import simulate_chunk

GAME = find_game("karuba")


def played_by(*names: str) -> Played:
    return Played(GAME, GAME.components(), 2, [find_bot(name) for name in names], 3)


def choices(log: Log) -> list[tuple[int, set[int]]]:
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


def test_restricted_games_are_the_same_compiled_and_step_by_step():
    played = played_by("restrict:greedy,never=at/1+0", "random")
    compiled = collect(played, 0, 10, keep_log=True)
    stepped = collecting.play_stepped(played, collecting.Counter(played, 0, 10, 2000))
    assert stepped is not None
    assert stepped.log is not None
    assert compiled.log is not None
    assert np.array_equal(stepped.log.rows, compiled.log.rows)
    simulated = simulate_chunk(GAME, GAME.components(), 2, played.bots, 3, 0, 10)
    assert np.array_equal(simulated.points, compiled.points)


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


def test_the_report_names_restricted_players_as_bots_that_can_be_played():
    played = played_by("greedy")
    told = named_things(GAME, GAME.components())
    place = [thing.key for thing in told].index("move/lay/at/1+0")
    (found,) = restrictions(played, told, [place], 20)
    bot = find_bot(found.bot)
    assert isinstance(bot, RestrictedBot)
    assert (bot.ranks(GAME) == 0).nonzero()[0].tolist() == moves_of(GAME, "at/1+0")


def test_restrictions_stay_with_their_bot_in_a_list():
    text = "greedy,restrict:greedy,never=at/1+0,never=card/5,random"
    assert split_names(text) == ["greedy", "restrict:greedy,never=at/1+0,never=card/5", "random"]
    with named_bots(text) as bots:
        assert [type(bot).__name__ for bot in bots] == ["QuickBot", "RestrictedBot", "QuickBot"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("restrict:greedy", "it would be restrict:BOT"),
        ("restrict:greedy,without=card/5", "it would be restrict:BOT"),
        ("restrict:nobody,never=at/1+0", "no bot called 'nobody'"),
        ("restrict:restrict:greedy,never=at/1+0", "only the program's own bots"),
    ],
)
def test_a_restriction_that_is_not_understood_is_told(name: str, told: str):
    with pytest.raises(AtollError, match=told):
        find_bot(name)


def test_moves_that_the_game_does_not_have_are_told_with_those_that_it_has():
    with pytest.raises(
        AtollError, match="names moves 'build', which Karuba does not have; it would be a kind"
    ):
        find_bot("restrict:greedy,never=build").prepare(GAME)
