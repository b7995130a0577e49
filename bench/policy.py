"""Which policy does a game's trained player teach its search?

`python -m bench.policy costa-ruana`.

For a game with a module `policy` (`core/policies.py`) that sums rows of a table and says which rows describe a move
(ROWS, MOST, `look_around` and `describe`). Trained players play each other, their moves drawn by their worth, in three
games of ten every fourth by chance; each move's worth by the rows is fitted to what they would do (softmax regression).
It writes the table beside the module and prints the digest by which the module must name it. Half a minute of a core.
"""

import argparse
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from atoll.bots.network import Activations, looking
from atoll.bots.sampling import draw_softmax
from atoll.bots.weights import shipped_weights
from atoll.core.catalogue import find_game
from atoll.core.extensions import POLICY
from atoll.core.game import Game
from atoll.core.policies import FILE, digest
from atoll.engine.chance import draw_below, generator
from atoll.engine.derived import derive
from atoll.engine.native import native
from atoll.engine.records import no_events

SHARES = ((2, 0.7), (3, 0.1), (4, 0.1), (5, 0.05), (6, 0.05))
"""Of the decisions, by number of players."""
BATCH = 20_000
EPOCHS = 12
SCALE = 64
"""A worth of 1, by which a move is e times as likely, in the table."""


def module_of(game: Game) -> Any:
    """The game's module `policy`."""
    return POLICY.own(game)


# What a game brings, by `collector`.
start: Any = None
legal_actions: Any = None
play: Any = None
view: Any = None
look: Any = None
look_around: Any = None
describe: Any = None


def collect(
    mind,
    room,
    states,
    parts,
    players,
    chance,
    moves,
    most_decisions,
    buffers,
    rows,
    times,
    ends,
    likely,
    firsts,
):
    """Play, and write down decisions: (moves, rows) that were written."""
    events = no_events()
    state, seen = states[0], states[1]
    found_rows, found_times = buffers
    decisions = listed = filled = 0
    while decisions < most_decisions:
        start(state, parts[0], players, chance)
        astray = draw_below(chance, 100) < 30
        while state.to_act != 0:
            seat = 0
            while not int(state.to_act) >> seat & 1:
                seat += 1
            count = legal_actions(state, parts[0], seat, moves)
            action = moves[0]
            if count > 1:
                view(state, parts[0], seat, seen)
                look(mind, room, seen, parts[0], moves, count)
                if decisions < most_decisions:
                    decisions += 1
                    total = 0.0
                    highest = room.worths[:count].max()
                    for i in range(count):
                        total += np.exp(room.worths[i] - highest)
                    context = look_around(seen)
                    for i in range(count):
                        likely[listed] = np.exp(room.worths[i] - highest) / total
                        number = describe(seen, parts[0], int(moves[i]), context, found_rows, found_times)
                        for k in range(number):
                            rows[filled + k] = found_rows[k]
                            times[filled + k] = found_times[k]
                        filled += number
                        listed += 1
                        ends[listed] = filled
                    firsts[decisions] = listed
                if astray and draw_below(chance, 4) == 0:
                    action = moves[draw_below(chance, count)]
                else:
                    action = moves[draw_softmax(room.worths, count, chance)]
            play(state, parts[0], seat, int(action), events)
    return listed, filled


def collector(game: Game) -> Any:
    """`collect`, compiled for a game."""
    rules, policy = game.rules, module_of(game)
    return native(
        derive(
            collect,
            f"{game.package}.rules",
            start=rules.start,
            legal_actions=rules.legal_actions,
            play=rules.play,
            view=rules.view,
            look=looking(game),
            look_around=policy.look_around,
            describe=policy.describe,
        )
    )


Decided = tuple[
    NDArray[np.int32], NDArray[np.int8], NDArray[np.int64], NDArray[np.float32], NDArray[np.int64]
]
"""Rows and how often each counts; where each move's end; how likely it is; where each decision's moves end."""


def decide(game: Game, compiled: Any, players: int, most_decisions: int, seed: int) -> Decided:
    """What trained players would do in so many decisions of their games; `compiled` is of `collector`."""
    weights = shipped_weights(game)
    if weights is None:
        raise SystemExit(f"{game.title} brings no trained player")
    components = game.components()
    mind = weights.mind(players, components)
    most_rows = module_of(game).MOST
    moves = most_decisions * 16
    rows, times = np.zeros(moves * 4, np.int32), np.zeros(moves * 4, np.int8)
    buffers = np.zeros(most_rows, np.int64), np.zeros(most_rows, np.int64)
    ends, likely, firsts = (
        np.zeros(moves + 1, np.int64),
        np.zeros(moves, np.float32),
        np.zeros(most_decisions + 1, np.int64),
    )
    listed, filled = compiled(
        mind, Activations.of(game, mind), np.zeros(2, game.rules.STATE), components.parts, players,
        generator(seed + players), np.zeros(game.rules.MAX_LEGAL, np.int32), most_decisions, buffers,
        rows, times, ends, likely, firsts,
    )  # fmt: skip
    return rows[:filled], times[:filled], ends[: listed + 1], likely[:listed], firsts


def joined(parts: list[Decided]) -> Decided:
    """Decisions one after another."""
    ends, firsts = [np.zeros(1, np.int64)], [np.zeros(1, np.int64)]
    for _, _, part_ends, _, part_firsts in parts:
        ends.append(part_ends[1:] + ends[-1][-1])
        firsts.append(part_firsts[1:] + firsts[-1][-1])
    rows, times, likely = (np.concatenate([part[k] for part in parts]) for k in (0, 1, 3))
    return rows, times, np.concatenate(ends), likely, np.concatenate(firsts)


def fit(decided: Decided, size: int) -> NDArray[np.int16]:
    """The table by which moves are as likely as they should be."""
    torch.set_num_threads(1)
    rows, times, ends, likely, firsts = decided
    row, time = torch.from_numpy(rows.astype(np.int64)), torch.from_numpy(times.astype(np.float32))
    targets, count = torch.from_numpy(likely), len(firsts) - 1
    table = torch.nn.Parameter(torch.zeros(size))
    descent = torch.optim.Adam([table], lr=0.05)
    batches = [(first, min(first + BATCH, count)) for first in range(0, count, BATCH)]
    validation = batches[len(batches) // 3]
    chance = np.random.default_rng(0)

    def lost(first: int, last: int) -> Any:
        low, high = firsts[first], firsts[last]
        move = torch.repeat_interleave(
            torch.arange(high - low), torch.from_numpy(np.diff(ends[low : high + 1]))
        )
        place = slice(ends[low], ends[high])
        worth = torch.zeros(high - low).index_add(0, move, table[row[place]] * time[place])
        of = torch.repeat_interleave(
            torch.arange(last - first), torch.from_numpy(np.diff(firsts[first : last + 1]))
        )
        total = torch.zeros(last - first).index_add(0, of, torch.exp(worth.clamp(-20, 20)))
        return -(targets[low:high] * (worth - torch.log(total)[of])).sum() / (last - first)

    for epoch in range(EPOCHS):
        descent.param_groups[0]["lr"] = 0.05 * (1 - epoch / EPOCHS) + 0.001
        for k in chance.permutation(len(batches)):
            if batches[k] != validation:
                loss = lost(*batches[k]) + 1e-6 * (table**2).sum()
                descent.zero_grad()
                loss.backward()
                descent.step()
        with torch.no_grad():
            print(
                f"pass {epoch + 1}: cross entropy of decisions held back {lost(*validation):.4f}", flush=True
            )
    weights: NDArray[np.int16] = np.round(table.detach().numpy() * SCALE).astype(np.int16)
    return weights


def main() -> None:
    """Learn a table, write it and say its digest."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.policy",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    game = find_game(settings.game)
    compiled = collector(game)
    parts = [
        decide(game, compiled, players, int(settings.decisions * share), settings.seed)
        for players, share in SHARES
        if players in game.seats
    ]
    table = fit(joined(parts), module_of(game).ROWS)
    np.save(str(game.folder / FILE), table)
    print(digest(table))


if __name__ == "__main__":
    main()
