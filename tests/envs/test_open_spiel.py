"""OpenSpiel's own suites and algorithms, unmodified, and what they do not look at: hidden information and the rules."""

import pickle
from collections import deque
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from goofspiel import game as goofspiel
from kuhn_poker import game as kuhn_poker
from open_spiel.python import policy as policies
from open_spiel.python.algorithms import exploitability as theirs
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts, outcome_sampling_mccfr

from atoll.core.catalogue import games
from atoll.core.game import Position
from atoll.core.observation import observation_of
from atoll.core.scripted_chance import NeedsDraw, ScriptedRules
from atoll.envs.open_spiel import PREFIX, AtollGame, AtollState, register
from atoll.lab.solve import Tree, exploitability, grow
from atoll.testing.playing import state_bytes
from atoll.text.errors import AtollError, IllegalMove
from tests.envs.playing import GAMES

every_game = pytest.mark.parametrize("name", [*GAMES, goofspiel.name, kuhn_poker.name])
# What is generic is shown by one game of the catalogue, the one with the fewest decisions, and two small ones.
some_games = pytest.mark.parametrize("name", [GAMES[-1], goofspiel.name, kuhn_poker.name])
PLAYTHROUGHS = Path(__file__).with_name("playthroughs")


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of other packages, as if they were installed."""
    for game in (goofspiel, kuhn_poker):
        monkeypatch.setitem(games(), game.name, game)
    register()


def load(name: str, **parameters: Any) -> Any:
    text = ",".join(f"{key}={value}" for key, value in parameters.items())
    return pyspiel.load_game(f"{PREFIX}{name.replace('-', '_')}({text})")


def chance_of(state: Any, chance: np.random.Generator) -> None:
    """Let chance choose until it has nothing to choose."""
    while state.is_chance_node():
        state.apply_action(int(chance.choice([outcome for outcome, _ in state.chance_outcomes()])))


def step(state: Any, chance: np.random.Generator) -> None:
    """A random decision, and what chance decides then."""
    if state.is_simultaneous_node():
        legal = [state.legal_actions(seat) for seat in range(state.num_players())]
        state.apply_actions([int(chance.choice(one)) if one else 0 for one in legal])
    else:
        state.apply_action(int(chance.choice(state.legal_actions())))
    chance_of(state, chance)


def dealt(game: Any, seed: int, steps: int = 0) -> Any:
    state, chance = game.new_initial_state(), np.random.default_rng(seed)
    chance_of(state, chance)
    for _ in range(steps):
        if not state.is_terminal():
            step(state, chance)
    return state


def late(name: str, decisions: int) -> Any:
    """A state of a random game, so many decisions before its end."""
    state, chance = dealt(load(name), 1), np.random.default_rng(1)
    before: deque[Any] = deque(maxlen=decisions)
    while not state.is_terminal():
        before.append(state.clone())
        step(state, chance)
    return before[0]


# Their suites and algorithms


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        (kuhn_poker.name, {}),
        (goofspiel.name, {"simultaneous": True}),
        (kuhn_poker.name, {"reward": "points"}),
        (kuhn_poker.name, {"chance": "seed"}),
    ],
    ids=["usual", "simultaneous", "points", "seed"],
)
def test_random_sim_test(name: str, parameters: dict[str, Any]) -> None:
    pyspiel.random_sim_test(load(name, **parameters), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_random_sim_test_of_the_end_of_a_game(name: str) -> None:
    """From its last decisions on, so that it does not take long."""
    state = late(name, 3)
    pyspiel.random_sim_test(
        state.get_game(), num_sims=1, serialize=True, verbose=False, specific_initial_state=state
    )


@pytest.mark.parametrize("file", sorted(PLAYTHROUGHS.glob("*.txt")), ids=lambda file: file.stem)
def test_a_playthrough_is_what_it_was(file: Path) -> None:
    """Kept as OpenSpiel writes them; `replay` plays the same actions again."""
    if not flags.FLAGS.is_parsed():
        flags.FLAGS.mark_as_parsed()
    kept, found = generate_playthrough.replay(str(file))
    assert kept == found


@some_games
def test_their_search_of_information_sets_plays(name: str) -> None:
    """Their ISMCTS in Python resamples our states; it asserts that the seat sees the same in what it draws."""
    state = late(name, 8)
    chance = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game=state.get_game(),
        evaluator=mcts.RandomRolloutEvaluator(1, chance),
        uct_c=2.0,
        max_simulations=3,
        random_state=chance,
        allow_inconsistent_action_sets=True,
    )
    assert bot.step(state) in state.legal_actions()


def test_their_outcome_sampling_learns_kuhn_poker() -> None:
    game = load(kuhn_poker.name)
    np.random.seed(1)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(120):
        solver.iteration()
    learnt = theirs.exploitability(game, solver.average_policy())
    assert learnt < theirs.exploitability(game, policies.UniformRandomPolicy(game)) * 0.7


@pytest.mark.parametrize("name", GAMES[-1:])
def test_their_outcome_sampling_runs(name: str) -> None:
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(load(name))
    solver.iteration()
    assert len(solver._infostates) > 10


def kuhn_tree(gain: Any) -> Tree:
    """Our solver's tree: every deal that chance can make, as often as it makes it."""
    rules, components = ScriptedRules(kuhn_poker), kuhn_poker.components()
    starts = []
    for script in product(range(3), range(2)):
        states = rules.start(components, 2, script)
        starts.append((1 / 6, Position(kuhn_poker, components, {}, states)))
    return grow(starts, gain)


def bold(seat: int, view: Any) -> float:
    """How often a player bets or calls: a different number in each information set."""
    return float(1 + int(view.card[seat]) + seat * 3 + int(view.chips[1 - seat])) / 13


@pytest.mark.parametrize("mixed", [False, True], ids=["uniform", "mixed"])
def test_exploitability_by_their_count_is_ours(mixed: bool) -> None:
    """Of Kuhn poker; half of their NashConv in chips, and their exploitability of the win, in which we count halves."""

    def chosen(state: AtollState) -> dict[int, float]:
        seat = state.current_player()
        least, most = state.legal_actions()
        bet = bold(seat, state.position.view(seat).state) if mixed else 0.5
        return {least: 1 - bet, most: bet}

    def ours(tree: Tree) -> float:
        strategy = tree.uniform.copy()
        for number in range(len(tree.sizes)):
            seat = int(tree.seat[number])
            bet = bold(seat, tree.view(number).state) if mixed else 0.5
            strategy[tree.choices(np.array([number], dtype=np.int32))] = (1 - bet, bet)
        return exploitability(tree, strategy)

    chips = load(kuhn_poker.name, reward="points")
    by_them = theirs.nash_conv(chips, policies.tabular_policy_from_callable(chips, chosen))
    won = kuhn_tree(lambda points, winners: points[:, 0].astype(np.float64))
    assert by_them / 2 == pytest.approx(ours(won))
    wins = load(kuhn_poker.name)
    by_them = theirs.exploitability(wins, policies.tabular_policy_from_callable(wins, chosen))
    assert by_them / 2 == pytest.approx(ours(kuhn_tree(_share)))
    assert by_them > 0.1


def _share(points: Any, winners: Any) -> Any:
    return ((winners & 1) - (winners >> 1 & 1)) / 2


# The rules


@some_games
@pytest.mark.parametrize("kind", ["draws", "seed"])
def test_a_game_is_that_of_the_rules(name: str, kind: str) -> None:
    """The same actions on a position of the rules: the same seats, legal actions, observations and result."""
    game: AtollGame = load(name, chance=kind, reward="points")
    state, chance = dealt(game, 3), np.random.default_rng(3)
    position, codes = state.position, game.actions.codes
    observation = observation_of(game.game, game.players)
    for _ in range(12):
        if state.is_terminal():
            break
        seat = state.current_player()
        assert seat == position.to_act[0]
        assert sorted(codes[seat, state.legal_actions()]) == position.legal_moves(seat).actions.tolist()
        assert state.observation_tensor(seat) == observation.of(position, seat).tolist()
        action = int(chance.choice(state.legal_actions()))
        before = position.state.generator.copy()
        position.play(seat, int(codes[seat, action]))
        state.apply_action(action)
        if (position.state.generator != before).any() and kind == "draws":
            chance_of(state, chance)
            position = state.position
        assert state_bytes(state.position) == state_bytes(position)
    while not state.is_terminal():
        step(state, chance)
    outcome = state.position.outcome
    assert state.returns() == list(outcome.points)


def test_draws_deal_every_deal_as_often_as_the_rules_do() -> None:
    """Kuhn poker's six, each by one line of chance nodes of probability 1/6."""
    game = load(kuhn_poker.name)
    counts = {}

    def visit(state: Any, share: float) -> None:
        if not state.is_chance_node():
            counts[tuple(state.position.state.card)] = share
            return
        for outcome, probability in state.chance_outcomes():
            visit(state.child(outcome), share * probability)

    visit(game.new_initial_state(), 1.0)
    assert len(counts) == 6
    assert list(counts.values()) == pytest.approx([1 / 6] * 6)
    with pytest.raises(NeedsDraw):
        game.scripted.start(game.components, 2, [1])


@some_games
def test_those_who_decide_at_once_do_so_in_one_node(name: str) -> None:
    game: AtollGame = load(name, simultaneous=True, chance="seed")
    state, chance = dealt(game, 4), np.random.default_rng(1)
    position = state.position
    while not state.is_terminal():
        deciding = position.to_act
        assert state.is_simultaneous_node() == (len(deciding) > 1)
        actions = {seat: int(chance.choice(state.legal_actions(seat))) for seat in deciding}
        for seat, action in actions.items():
            position.play(seat, int(game.actions.codes[seat, action]))
        if state.is_simultaneous_node():
            state.apply_actions([actions.get(seat, 0) for seat in range(state.num_players())])
        else:
            state.apply_action(*actions.values())
        assert state_bytes(state.position) == state_bytes(position)


def kept(state: Any) -> Iterator[Any]:
    """The state in each way in which it can be kept."""
    yield state.clone()
    yield pickle.loads(pickle.dumps(state))
    yield pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))[1]


@some_games
def test_a_state_that_was_kept_goes_on_as_it_would_have(name: str) -> None:
    """From the middle of the deal, of the game, and of one that has gone on for long."""
    game = load(name)
    started, long = game.new_initial_state(), dealt(game, 5, 1)
    started.apply_action(1)
    for _ in range(1000):
        long.line.remember({})
    for state in (started, dealt(game, 5, 3), long):
        for twin in kept(state):
            same = state.clone()
            for one in (twin, same):
                chance = np.random.default_rng(6)
                chance_of(one, chance)
                for _ in range(3):
                    if not one.is_terminal():
                        step(one, chance)
            assert str(twin) == str(same)
            assert twin.information_state_string(0) == same.information_state_string(0)
            assert twin.history() == same.history()


def test_what_is_illegal_is_refused_and_changes_nothing() -> None:
    game = load(goofspiel.name)
    state = dealt(game, 1)
    before = str(state)
    with pytest.raises(IllegalMove, match="action 13 of seat 0 is not legal now; legal: "):
        state.apply_action(13)
    assert str(state) == before
    with pytest.raises(IllegalMove, match="chance chooses 0 to 12, not 99"):
        game.new_initial_state().apply_action(99)
    for parameters, said in (
        ({"players": 99}, "players, not 99"),
        ({"components": "gold"}, "no components called “gold”"),
        ({"options": "magic"}, "no options, so not “magic”"),
        ({"chance": "luck"}, "there is no kind of chance 'luck'; there are: auto, draws, seed"),
        ({"reward": "fun"}, "there is no reward 'fun'"),
        ({"form": "binary"}, "there is no form 'binary'"),
    ):
        with pytest.raises(AtollError, match=said):
            load(goofspiel.name, **parameters)


# What a seat may know


def given(state: Any, seat: int) -> bytes:
    """All that OpenSpiel gives a seat of a state."""
    parts = [state.information_state_string(seat), state.observation_string(seat)]
    parts += [repr(state.observation_tensor(seat)), repr(state.legal_actions(seat)), repr(state.returns())]
    if state.get_game().get_type().provides_information_state_tensor:
        parts.append(repr(np.flatnonzero(state.information_state_tensor(seat))))
    return "\n".join(parts).encode()


@every_game
def test_a_drawn_state_is_the_same_to_the_seat_and_says_nothing_of_the_truth(name: str) -> None:
    """Every byte that the seat gets is equal; and what is drawn from a state that was drawn is the same draw."""
    game = load(name)
    differ = 0
    for steps in (0, 4) if name not in GAMES else (2,):
        state = dealt(game, 7, steps)
        if state.is_terminal():
            continue
        for seat in range(game.num_players()):
            drawn = [
                state.resample_from_infostate(seat, pyspiel.UniformProbabilitySampler(n, 0.0, 1.0))
                for n in range(2)
            ]
            assert {given(other, seat) for other in drawn} == {given(state, seat)}
            again = drawn[0].resample_from_infostate(seat, pyspiel.UniformProbabilitySampler(1, 0.0, 1.0))
            assert str(again) == str(drawn[1])
            assert not drawn[0].history()
            differ += len({str(other) for other in drawn}) > 1
    assert differ


def test_a_seat_recalls_what_its_view_no_longer_shows() -> None:
    """Two lines of play that lead to the same view are two information states, and one observation."""
    game = load(goofspiel.name)
    strings = set()
    seen = set()
    for bids in ((0, 1, 1, 0), (1, 0, 0, 1)):
        state = game.new_initial_state()
        for _ in range(12):
            state.apply_action(0)
        for bid in bids:
            state.apply_action(bid)
        strings.add(state.information_state_string(0))
        record = state.position.view(0).state
        seen.add(tuple(record.hand.reshape(-1).tolist()))
    assert len(strings) == 2
    assert len(seen) == 1


@every_game
def test_information_states_are_as_the_docs_say(name: str) -> None:
    """A row for each step: the observation, and 1 + the own action that led to it."""
    game: AtollGame = load(name)
    state = dealt(game, 8)
    seat = state.current_player()
    action = state.legal_actions()[-1]
    state.apply_action(action)
    chance_of(state, np.random.default_rng(8))
    assert game.get_type().provides_information_state_tensor == game.recalls
    if game.recalls:
        steps = np.reshape(state.information_state_tensor(seat), game.recall_shape)
        assert steps[0, -1] == 0
        assert steps[1, -1] == action + 1
        assert steps[1, :-1].tolist() == state.observation_tensor(seat)
        assert not steps[2:].any()
    assert game.action_names[seat][action] in state.information_state_string(seat)
