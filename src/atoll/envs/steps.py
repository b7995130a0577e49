"""Stepping many games at once: one compiled loop over some of them, while other threads run it over others.

The functions here are compiled for each game with that game's functions as their globals.
"""

# mypy: disable-error-code="no-untyped-def"

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import GREEDY
from atoll.core.events import NO_EVENTS
from atoll.core.game import Game
from atoll.engine.chance import draw_below, fork_generator
from atoll.engine.compiling import inlined
from atoll.engine.constants import GENERATOR_WORDS
from atoll.engine.derived import derive
from atoll.engine.native import native
from atoll.engine.observing import observe
from atoll.envs.chances import BOT_CHANCE, GAME_CHANCE, SAMPLE_CHANCE

NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""What becomes of a game that is over: the next step begins another, it is begun in the same step, or reset does."""
STEP, BEGIN, SHOW = range(3)
"""What the loop does with games: play the caller's actions, begin new ones, or only show them."""
RUNNING, OVER, LOST, ENDLESS = range(4)
"""How a game stands: lost is over by an illegal action, endless went on past its declared maximum."""
SEAT, COUNT, STATUS, LENGTH, LEARNER, SAMPLED = range(6)
"""Columns of `Games.notes`: who decides, how many legal actions there are, how it stands, decisions so far, the
learner's seat, -1 where the caller decides for all, and which of the legal actions was sampled."""
NOTES = 6
LONGEST, AUTORESET, POINTS, MOVES_ON, OBSERVES, MASKS, ADVISES, SAMPLES = range(8)
"""Columns of `Games.settings`: the most decisions of a game, what follows its end, and whether the reward is points,
the learner's seat moves on from game to game, observations, masks, what greedy would do and any legal action are
written."""
RANDOM = 0
"""The bot that plays any move; 1 is greedy."""


class Games(NamedTuple):
    """All arrays of n games; what callers see stands in the last ones and is written in place."""

    states: NDArray[Any]  # (n,)
    parts: NDArray[Any]  # (1,)
    chances: NDArray[np.uint64]  # (n, CHANCES, GENERATOR_WORDS)
    notes: NDArray[np.int32]  # (n, NOTES)
    settings: NDArray[np.int64]
    bots: NDArray[np.int8]  # (players,): who sits so many seats after the learner; -1 for the caller
    codes: NDArray[np.int32]  # (players, ACTIONS)
    turned: NDArray[np.int32]
    program: NDArray[np.int32]
    factors: NDArray[np.float32]
    observations: NDArray[Any]  # (n, size), float32 or int8 by the form
    final: NDArray[Any]  # (n, size): what was observed last, of games that ended in this step
    final_seats: NDArray[np.int32]  # (n,): whose `final` is
    masks: NDArray[np.int8]  # (n, ACTIONS)
    legal: NDArray[np.int32]  # (n, MAX_LEGAL): the first COUNT are turned codes
    advised: NDArray[np.int32]  # (n,): the turned code of greedy's choice
    sampled: NDArray[np.int64]  # (n,): one of the legal ones, each equally likely
    move_features: NDArray[np.float32]  # (n, MAX_LEGAL, numbers): of the first COUNT, in the order of `legal`
    rewards: NDArray[np.float64]  # (n,)
    returns: NDArray[np.float64]  # (n, players), of the game that ended last
    terminations: NDArray[np.bool_]  # (n,)
    illegal: NDArray[np.bool_]  # (n,)


class Scratch(NamedTuple):
    """What one thread needs for itself."""

    seat_view: NDArray[Any]  # (1,)
    moves: NDArray[np.int32]  # (MAX_LEGAL,)
    events: NDArray[np.int16]
    points: NDArray[np.int32]  # (players,)
    chance: NDArray[np.uint64]  # (GENERATOR_WORDS,)

    @classmethod
    def of(cls, game: Game, players: int) -> "Scratch":
        """For a game."""
        return cls(
            np.zeros(1, dtype=game.rules.STATE),
            np.zeros(game.rules.MAX_LEGAL, dtype=np.int32),
            NO_EVENTS,
            np.zeros(players, dtype=np.int32),
            np.zeros(GENERATOR_WORDS, dtype=np.uint64),
        )


start: Any = None
legal_actions: Any = None
play: Any = None
make_view: Any = None
write_features: Any = None
result: Any = None
greedy: Any = None


@inlined
def lowest(bits):
    """The lowest seat of a bit set, which is not empty."""
    seat = 0
    while not bits >> seat & 1:
        seat += 1
    return seat


@inlined
def begin_game(games, own, i):
    """Deal the next game of place i; with bots, until one in which the learner decides at all."""
    note = games.notes[i]
    players = games.bots.shape[0]
    state = games.states[i]
    state.to_act = 0
    while state.to_act == 0:
        fork_generator(games.chances[i, GAME_CHANCE], own.chance)
        start(state, games.parts[0], players, own.chance)
        note[STATUS] = RUNNING
        note[LENGTH] = 0
        if games.settings[MOVES_ON] != 0:
            note[LEARNER] = (note[LEARNER] + 1) % players
        let_bots_play(games, own, i)


@inlined
def let_bots_play(games, own, i):
    """What bots decide until the caller is asked or the game is over."""
    state, note = games.states[i], games.notes[i]
    players = games.bots.shape[0]
    start_learner = note[LEARNER] < 0
    while state.to_act != 0 and not start_learner and note[LENGTH] < games.settings[LONGEST]:
        seat = lowest(state.to_act)
        bot = games.bots[(seat - note[LEARNER] + players) % players]
        if bot < 0:
            start_learner = True
        else:
            count = legal_actions(state, games.parts[0], seat, own.moves)
            action = own.moves[0]
            if count > 1 and bot == RANDOM:
                action = own.moves[draw_below(games.chances[i, BOT_CHANCE], count)]
            elif count > 1:
                make_view(state, games.parts[0], seat, own.seat_view[0])
                chance = games.chances[i, BOT_CHANCE]
                action = greedy(own.seat_view[0], games.parts[0], own.moves, count, chance)
            play(state, games.parts[0], seat, action, own.events)
            note[LENGTH] += 1
    if state.to_act != 0 and note[LENGTH] >= games.settings[LONGEST]:
        note[STATUS] = ENDLESS


@inlined
def settle_game(games, own, i):
    """What a finished game is worth to each seat."""
    note = games.notes[i]
    players = games.bots.shape[0]
    returns = games.returns[i]
    if note[STATUS] == LOST:
        for seat in range(players):
            returns[seat] = -1.0 if seat == note[SEAT] else 1.0 / (players - 1)
    else:
        note[STATUS] = OVER
        winners = result(games.states[i], games.parts[0], own.points)
        share = 0.0
        for seat in range(players):
            share += winners >> seat & 1
        for seat in range(players):
            won = winners >> seat & 1
            returns[seat] = (players * won / share - 1.0) / (players - 1)
            if games.settings[POINTS] != 0:
                returns[seat] = own.points[seat]
    games.terminations[i] = True
    games.rewards[i] = returns[note[LEARNER] if note[LEARNER] >= 0 else note[SEAT]]


@inlined
def show_game(games, own, i, out):
    """Write what the seat that decides, or the learner of a finished game, is given; `out` takes what it observes."""
    state, note = games.states[i], games.notes[i]
    if note[STATUS] == RUNNING:
        note[SEAT] = lowest(state.to_act)
    seat = note[LEARNER] if note[LEARNER] >= 0 else note[SEAT]
    count = 0
    legal = games.legal[i]
    if games.settings[MASKS] != 0:  # only what the last step set: a mask is longer than a cache line or two
        for k in range(note[COUNT]):
            games.masks[i, legal[k]] = 0
    if note[STATUS] == RUNNING:
        count = legal_actions(state, games.parts[0], seat, own.moves)
        turned = games.turned[seat]
        for k in range(count):
            legal[k] = turned[own.moves[k]]
    note[COUNT] = count
    if games.settings[SAMPLES] != 0:
        note[SAMPLED] = draw_below(games.chances[i, SAMPLE_CHANCE], count) if count > 0 else 0
        games.sampled[i] = legal[note[SAMPLED]] if count > 0 else 0
    if games.settings[MASKS] != 0:
        for k in range(count):
            games.masks[i, legal[k]] = 1
    if games.settings[OBSERVES] != 0:
        make_view(state, games.parts[0], seat, own.seat_view[0])
        observe(own.seat_view[0], games.program, games.factors, out)
    if games.settings[ADVISES] != 0 and count > 0:
        if games.settings[OBSERVES] == 0:
            make_view(state, games.parts[0], seat, own.seat_view[0])
        for k in range(GENERATOR_WORDS):
            own.chance[k] = games.chances[
                i, BOT_CHANCE, k
            ]  # a copy: games are the same with and without advice
        action = greedy(own.seat_view[0], games.parts[0], own.moves, count, own.chance)
        games.advised[i] = games.turned[seat, action]


@inlined
def run_one(games, own, what, i, marks, actions):
    """STEP, BEGIN or SHOW game `i` if `chosen` marks it; returns whether it went on past its declared maximum."""
    note = games.notes[i]
    endless = False
    if marks[i] != 0 and what != SHOW:
        games.rewards[i] = 0
        games.terminations[i] = False
        games.illegal[i] = False
        if what == BEGIN or (note[STATUS] != RUNNING and games.settings[AUTORESET] == NEXT_STEP):
            begin_game(games, own, i)
        else:
            act_in(games, own, i, actions[i])
        endless = note[STATUS] == ENDLESS
    if marks[i] != 0:
        show_game(games, own, i, games.observations[i])
    return endless


def run_games(games, own, what, first, end, marks, actions):
    """`run_one` for games `first` to before `end`; returns how many went on past their declared maximum."""
    endless = 0
    for i in range(first, end):
        endless += run_one(games, own, what, i, marks, actions)
    return endless


@inlined
def act_in(games, own, i, action):
    """Play the caller's action, an illegal one loses, and go on until the caller is asked again or the game is over."""
    state, note = games.states[i], games.notes[i]
    legal = games.legal[i]
    k = note[SAMPLED]  # most likely, and then nothing is searched
    if k >= note[COUNT] or legal[k] != action:
        k = 0
        while k < note[COUNT] and legal[k] != action:
            k += 1
    if k < note[COUNT]:
        seat = note[SEAT]
        play(state, games.parts[0], seat, games.codes[seat, action], own.events)
        note[LENGTH] += 1
        let_bots_play(games, own, i)
    else:
        note[STATUS] = LOST
        games.illegal[i] = True
    if note[STATUS] == LOST or state.to_act == 0:
        settle_game(games, own, i)
        if games.settings[AUTORESET] == SAME_STEP:
            show_game(games, own, i, games.final[i])
            games.final_seats[i] = note[LEARNER] if note[LEARNER] >= 0 else note[SEAT]
            begin_game(games, own, i)


def consider_games(games, own, first, end, marks):
    """Write what is considered of each legal action of games `first` to before `end`, those that `chosen` marks."""
    for i in range(first, end):
        note = games.notes[i]
        if marks[i] != 0 and note[STATUS] == RUNNING:
            seat, count = note[SEAT], note[COUNT]
            for k in range(count):
                own.moves[k] = games.codes[seat, games.legal[i, k]]
            make_view(games.states[i], games.parts[0], seat, own.seat_view[0])
            write_features(own.seat_view[0], games.parts[0], own.moves, count, games.move_features[i])


@cache
def considerer(game: Game) -> Any:
    """`consider_games`, compiled for a game."""
    bindings = {"make_view": game.rules.view, "write_features": game.write_features}
    return native(derive(consider_games, f"{game.package}.rules", **bindings))


def stepping(game: Game, template: Any) -> Any:
    """`run_one`, or `run_games`, for a game."""
    rules = game.rules
    bindings = {name: getattr(rules, name) for name in ("start", "legal_actions", "play", "result")}
    bindings |= {"make_view": rules.view, "greedy": GREEDY.function(game)}
    return derive(template, f"{game.package}.rules", **bindings)


@cache
def loop(game: Game) -> Any:
    """`run_games`, compiled for a game."""
    return native(stepping(game, run_games))
