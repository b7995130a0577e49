"""What a seat is given must depend on what it may know alone: checked for OpenSpiel games and PettingZoo environments.

    python -m atoll.testing.information kuhn_poker leduc_poker "atoll_goofspiel(players=3)"

Two laws. **Not told apart**: in worlds that a seat cannot tell apart, every byte that it gets is the same. The worlds
are those that the game's own resampling draws, those that a caller makes, and, in games small enough to enumerate, all
histories that the seat calls by the same information state. **Fair draws**: from whatever true state, resampling draws
each state of the information set as often as chance deals it. That is a test of goodness of fit: Pearson's statistic,
summed over every true state of every information set, against its distribution under the law, by simulation; an honest
game fails it with a probability of at most FALSE_ALARM.

A resampling that returns the true state breaks the second law, and an observation that shows a hidden card the first.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.envs import require
from atoll.text.errors import AtollError

FALSE_ALARM = 0.001
"""How often fair draws fail, at most."""
SIMULATIONS = 9_999
MOST_STATES = 20_000
"""A game with more states in its tree is not enumerated."""
MOST_SETS = 200
"""Information sets, drawn from all, whose draws are counted."""
DRAWS = 60
"""From each true state."""

Channels = Mapping[str, bytes]
"""What a seat gets, by what it is called."""
Resample = Callable[[Any, int, int], Any]
"""Of a true state, a seat and a seed: another state that the seat cannot tell from it."""


@dataclass
class InformationReport:
    """What was found of a game: `told_apart` counts, for each seat and thing given, the worlds that it told apart."""

    name: str
    worlds: int = 0
    told_apart: Counter[tuple[int, str]] = field(default_factory=Counter)
    resampling: str = "not offered"
    enumerated: str = "not tried"
    fair: float | None = None
    """the p-value of the draws, or None if they were not counted"""
    strangers: int = 0
    """draws that are not in the information set"""

    @property
    def faults(self) -> list[str]:
        """What breaks a law, each in a sentence; none if both hold as far as they were tested."""
        faults = [
            f"seat {seat} tells worlds apart by its {what}: {count} of {self.worlds}"
            for (seat, what), count in sorted(self.told_apart.items())
        ]
        if self.strangers:
            faults.append(f"{self.strangers} draws are not in the seat's information set")
        if self.fair is not None and self.fair <= FALSE_ALARM:
            faults.append(f"draws are not those of chance, or depend on the true state: p = {self.fair:.4f}")
        return faults

    def compare(self, seat: int, true: Channels, other: Channels) -> None:
        """Note in what the seat's two worlds differ."""
        self.worlds += 1
        self.told_apart.update((seat, what) for what in true if true[what] != other.get(what))

    def lines(self) -> Iterator[str]:
        """The report in lines of text."""
        verdict = (
            "a law is broken" if self.faults else "no fault found" if self.worlds else "nothing to compare"
        )
        yield f"{self.name}: {verdict}"
        draws = "not counted" if self.fair is None else f"p = {self.fair:.4f}"
        yield f"  worlds compared: {self.worlds}; resampling: {self.resampling}"
        yield f"  tree: {self.enumerated}; draws: {draws}"
        for fault in self.faults:
            yield f"  {fault}"


def goodness_of_fit(counts: list[NDArray[np.int64]], shares: list[NDArray[np.float64]], seed: int) -> float:
    """The p-value of draws, one array of counts for each true state, against the shares in which they should come.

    It is (1 + simulations at least as far off) / (1 + simulations), so that under the law it is at most any level with
    at most that probability (A. Dwass, "Modified Randomization Tests for Nonparametric Hypotheses", 1957).
    """
    chance = np.random.default_rng(seed)
    statistic, simulated = 0.0, np.zeros(SIMULATIONS)
    for count, share in zip(counts, shares, strict=True):
        expected = share * count.sum()
        statistic += float(((count - expected) ** 2 / expected).sum())
        others = chance.multinomial(int(count.sum()), share, SIMULATIONS)
        simulated += ((others - expected) ** 2 / expected).sum(axis=1)
    return float((1 + (simulated >= statistic * (1 - 1e-9)).sum()) / (1 + SIMULATIONS))


# OpenSpiel


def channels_of_open_spiel(state: Any, seat: int) -> dict[str, bytes]:
    """All that OpenSpiel gives a seat of a state, as far as its game provides it."""
    kind = state.get_game().get_type()
    parts: dict[str, Any] = {
        "legal actions": [] if state.is_chance_node() else state.legal_actions(seat),
        "turn": state.current_player(),
        "rewards": state.player_reward(seat),
    }
    for what in ("information_state_string", "observation_string"):
        if getattr(kind, f"provides_{what}"):
            parts[what] = getattr(state, what)(seat)
    for what in ("information_state_tensor", "observation_tensor"):
        if getattr(kind, f"provides_{what}"):
            parts[what] = np.asarray(getattr(state, what)(seat), dtype=np.float32).tobytes()
    return {
        what: value if isinstance(value, bytes) else repr(value).encode() for what, value in parts.items()
    }


def resampled(state: Any, seat: int, seed: int) -> Any:
    """The game's own resampling."""
    import pyspiel

    return state.resample_from_infostate(seat, pyspiel.UniformProbabilitySampler(seed, 0.0, 1.0))


def check_open_spiel(
    game: Any, *, plays: int = 10, worlds: int = 3, seed: int = 1, resample: Resample = resampled
) -> InformationReport:
    """Check a game: `worlds` drawn for each seat that decides, in `plays` random plays; and all of a small tree."""
    import pyspiel

    report = InformationReport(str(game))
    chance = np.random.default_rng(seed)
    try:
        for number in range(plays):
            for state in _random_play(game, chance):
                for seat in _deciding(state):
                    true = channels_of_open_spiel(state, seat)
                    for _ in range(worlds):
                        other = resample(state, seat, int(chance.integers(1 << 31)))
                        report.resampling = f"its own, in {number + 1} random plays"
                        report.compare(seat, true, channels_of_open_spiel(other, seat))
    except (pyspiel.SpielError, NotImplementedError, RuntimeError) as error:
        report.resampling = f"not offered ({str(error).splitlines()[0][:80]})"
    sets = _information_sets(game)
    if sets is None:
        report.enumerated = f"more than {MOST_STATES:,} states"
        return report
    report.enumerated = f"{len(sets):,} information sets"
    for (seat, _), histories in sets.items():
        first, *others = (channels_of_open_spiel(state, seat) for _, state in histories[:8])
        for other in others:
            report.compare(seat, first, other)
    if report.resampling.startswith("its own"):
        _count_draws(report, sets, resample, chance)
    return report


def _random_play(game: Any, chance: np.random.Generator) -> Iterator[Any]:
    """The states of a play in which everybody chooses at random, where somebody decides."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(chance.choice(outcomes, p=np.array(shares) / sum(shares))))
            continue
        yield state
        legal = [state.legal_actions(seat) for seat in range(game.num_players())]
        if state.is_simultaneous_node():
            state.apply_actions([int(chance.choice(actions)) if actions else 0 for actions in legal])
        else:
            state.apply_action(int(chance.choice(legal[state.current_player()])))


def _deciding(state: Any) -> list[int]:
    if state.is_simultaneous_node():
        return list(range(state.num_players()))
    return [state.current_player()]


Sets = dict[tuple[int, str], list[tuple[float, Any]]]


def _information_sets(game: Any) -> Sets | None:
    """By seat and information state: the states that somebody decides in, with the probability that chance deals them;
    None if there are too many, or seats decide at once.
    """
    kind = game.get_type()
    if kind.dynamics != kind.Dynamics.SEQUENTIAL or not kind.provides_information_state_string:
        return None
    sets: Sets = defaultdict(list)
    waiting = [(1.0, game.new_initial_state())]
    visited = 0
    while waiting:
        share, state = waiting.pop()
        visited += 1
        if visited + len(waiting) > MOST_STATES:
            return None
        if state.is_terminal():
            continue
        if state.is_chance_node():
            waiting += [(share * chance, state.child(action)) for action, chance in state.chance_outcomes()]
            continue
        seat = state.current_player()
        sets[seat, state.information_state_string(seat)].append((share, state))
        waiting += [(share, state.child(action)) for action in state.legal_actions()]
    return sets


def _count_draws(
    report: InformationReport, sets: Sets, resample: Resample, chance: np.random.Generator
) -> None:
    counts, shares = [], []
    several = [key for key, histories in sets.items() if len({str(state) for _, state in histories}) > 1]
    for place in chance.permutation(len(several))[:MOST_SETS].tolist():
        key = several[place]
        weights: Counter[str] = Counter()
        for share, state in sets[key]:
            weights[str(state)] += share  # type: ignore[assignment]
        names = list(weights)
        share_of = np.array([weights[name] for name in names]) / sum(weights.values())
        for _, state in sets[key]:
            frequencies = Counter(
                str(resample(state, key[0], int(chance.integers(1 << 31)))) for _ in range(DRAWS)
            )
            report.strangers += sum(count for name, count in frequencies.items() if name not in weights)
            counts.append(np.array([frequencies[name] for name in names], dtype=np.int64))
            shares.append(share_of)
    places = [place for place, count in enumerate(counts) if count.sum()]
    if places:
        report.fair = goodness_of_fit(
            [counts[place] for place in places], [shares[place] for place in places], seed=1
        )


# PettingZoo


def channels_of_pettingzoo(table: Any, agent: str) -> dict[str, bytes]:
    """All that an AEC environment gives an agent."""
    channels = {
        "rewards": repr(table.rewards.get(agent)),
        "turn": repr(table.agent_selection),
        "terminations": repr((table.terminations, table.truncations)),
        "infos": repr(table.infos.get(agent)),
    }
    observation = table.observe(agent)
    parts = observation if isinstance(observation, Mapping) else {"observation": observation}
    return {what: value.encode() for what, value in channels.items()} | {
        what: np.asarray(value).tobytes() for what, value in parts.items()
    }


def check_pettingzoo(
    table: Any,
    resample: Callable[[Any, str, int], Any] | None = None,
    *,
    plays: int = 5,
    worlds: int = 3,
    seed: int = 1,
    every: int = 1,
) -> InformationReport:
    """Check an AEC environment in random plays, at every so many-th step and for each agent.

    `resample(environment, agent, seed)` returns another environment that the agent cannot tell from this one, which it
    leaves as it is; without it the environment's own method `resample(agent, seed)` is taken. Raises AtollError if
    there is neither.
    """
    report = InformationReport(str(table))
    inner = table.unwrapped
    if resample is None:
        if not hasattr(inner, "resample"):
            raise AtollError(
                f"{report.name} has no method resample(agent, seed): pass a function that does this"
            )
        resample = lambda environment, agent, number: environment.resample(agent, number)  # noqa: E731
    report.resampling = f"in {plays} random plays"
    chance = np.random.default_rng(seed)
    for number in range(plays):
        inner.reset(seed=seed + number)
        step = 0
        while inner.agents and not any(inner.terminations.values()) and not any(inner.truncations.values()):
            if step % every == 0:
                for seat, agent in enumerate(inner.possible_agents):
                    true = channels_of_pettingzoo(inner, agent)
                    for _ in range(worlds):
                        other = resample(inner, agent, int(chance.integers(1 << 31)))
                        report.compare(seat, true, channels_of_pettingzoo(other, agent))
            step += 1
            inner.step(_any_action(inner, chance))
    return report


def _any_action(table: Any, chance: np.random.Generator) -> int:
    agent = table.agent_selection
    observation = table.observe(agent)
    mask = (
        observation.get("action_mask")
        if isinstance(observation, Mapping)
        else table.infos[agent].get("action_mask")
    )
    legal = np.flatnonzero(mask) if mask is not None else np.arange(table.action_space(agent).n)
    return int(chance.choice(legal))


def main() -> None:
    """Check OpenSpiel games by their names."""
    parser = argparse.ArgumentParser(prog="python -m atoll.testing.information", description=__doc__)
    parser.add_argument("games", nargs="+", metavar="GAME", help="an OpenSpiel game, with its parameters")
    parser.add_argument("--plays", type=int, default=10, help="random plays of each")
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    try:
        require("pyspiel")
    except AtollError as error:
        parser.error(str(error))
    import pyspiel

    from atoll.envs.open_spiel import register

    register()
    broken = False
    for name in settings.games:
        try:
            game = pyspiel.load_game(name)
        except (pyspiel.SpielError, AtollError) as error:
            parser.error(str(error).splitlines()[0])
        report = check_open_spiel(game, plays=settings.plays, seed=settings.seed)
        broken |= bool(report.faults)
        for line in report.lines():
            print(line, flush=True)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
