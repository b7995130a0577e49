"""The network of `bots/network.py` as PyTorch learns it."""

# mypy: disable-error-code="no-untyped-def"

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from atoll.bots.network import EXPECTED, MOST_SEATS, OUTPUTS
from atoll.bots.network_inputs import inputs_of
from atoll.bots.relations import relations_of
from atoll.bots.weights import Weights, WeightsHeader
from atoll.core.game import Game
from atoll.engine.compiling import compiled
from atoll.engine.native import native

NEVER = -1e9
LEAN = (3.0, 1.5)
"""A new network takes what the advice rates best, mostly: its worth falls by the first of these to the worst move, and
the best has the second more.
"""
CONSIDERED_LEAN = 4.0
"""The same of the first number that a game considers: how far the worth falls by the scale of it."""


class Rows(NamedTuple):
    """Lists of rows with weights: of list i those from `starts[i]` to before `ends[i]`."""

    rows: NDArray[np.int32]
    weights: NDArray[np.float32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


class Batch(NamedTuple):
    """Decisions: what was observed, `seen`, a list each; and their moves, in order: turned code, the advice, the
    move features, what each refers to, `related`, which decision it belongs to, its place there, and how often a
    search tried it. `group` is each decision's index into `settings`, what is the same throughout a game, and
    `printed`; `most` is the most moves that one has.
    """

    observations: Rows
    related: Rows
    settings: Rows
    printed: list[Tensor]
    group: Tensor
    moves: Tensor
    relative: Tensor
    move_features: Tensor
    which: Tensor
    place: Tensor
    visits: Tensor
    most: int

    def __len__(self) -> int:
        return len(self.observations.starts)


@compiled
def sum_each(rows, weights, starts, ends, inputs, out):
    """The weighted sums of rows of `inputs` for each list, added to `out`."""
    width = np.uint64(out.shape[1])
    for d in range(out.shape[0]):
        target = out[d]
        for i in range(starts[d], ends[d]):
            row = inputs[rows[i]]
            weight = weights[i]
            for k in range(width):
                target[k] += weight * row[k]


@compiled
def spread_each(rows, weights, starts, ends, gradient, out):
    """The gradients of the sums, added to those of the rows."""
    width = np.uint64(out.shape[1])
    for d in range(gradient.shape[0]):
        source = gradient[d]
        for i in range(starts[d], ends[d]):
            row = out[rows[i]]
            weight = weights[i]
            for k in range(width):
                row[k] += weight * source[k]


class _Sums(torch.autograd.Function):  # type: ignore[misc]
    """What `nn.EmbeddingBag` does, several times as fast on a processor."""

    @staticmethod
    def forward(context: Any, table: Tensor, rows: Rows) -> Tensor:
        """From (rows, width) to (lists, width)."""
        context.rows, context.shape = rows, table.shape
        out = np.zeros((len(rows.starts), table.shape[1]), dtype=np.float32)
        native(sum_each)(*rows, table.detach().numpy(), out)
        return torch.from_numpy(out)

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        """The gradient of the rows."""
        gradient_of_rows = np.zeros(context.shape, dtype=np.float32)
        rows, weights, starts, ends = context.rows
        native(spread_each)(rows, weights, starts, ends, gradients[0].contiguous().numpy(), gradient_of_rows)
        return torch.from_numpy(gradient_of_rows), None


def sums(table: Tensor, rows: Rows) -> Tensor:
    """The weighted sums of rows of a table, one of each list."""
    device = table.device
    if device.type == "cpu":
        return _Sums.apply(table, rows)
    counts = rows.ends - rows.starts
    offsets = np.cumsum(counts) - counts
    index = np.repeat(rows.starts - offsets, counts) + np.arange(counts.sum())
    return nn.functional.embedding_bag(
        torch.from_numpy(rows.rows[index].astype(np.int64)).to(device),
        table,
        torch.from_numpy(offsets).to(device),
        mode="sum",
        per_sample_weights=torch.from_numpy(rows.weights[index]).to(device),
    )


class Network(nn.Module):  # type: ignore[misc]
    """What an observation makes a player do, and how it expects to fare; `width` and `depth` as in `network.py`.

    A move is the sum of what its kind and its parts have learnt, which moves with the same part share, and of what it
    has learnt alone.
    """

    def __init__(self, game: Game, width: int, depth: int, advice_unit: float) -> None:
        super().__init__()
        self.game = game
        self.register_buffer("advice_unit", torch.tensor([advice_unit]))
        pieces, count = _pieces(game)
        self.register_buffer("pieces", torch.from_numpy(pieces), persistent=False)
        actions = game.rules.ACTIONS
        # Rows begin at 0, so that those that nothing was learnt for say nothing and take no room in a file.
        self.inputs = nn.Parameter(torch.zeros(inputs_of(game).count, width))
        self.bias = nn.Parameter(torch.randn(width))
        self.second = nn.Parameter(torch.randn(width, depth) * (2 / width) ** 0.5)
        self.second_bias = nn.Parameter(torch.zeros(depth))
        self.outputs = nn.Parameter(torch.randn(depth, OUTPUTS) * 0.01)
        self.outputs_bias = nn.Parameter(torch.zeros(OUTPUTS))
        self.shared = nn.Parameter(torch.randn(count, depth) * 0.3)
        self.own = nn.Parameter(torch.zeros(actions, depth))
        self.alone = nn.Parameter(torch.zeros(actions))
        relations = relations_of(game)
        self.related = nn.Parameter(torch.zeros(relations.count, depth))
        self.printed = nn.Parameter(torch.zeros(relations.printed, depth))
        self.advice = nn.Parameter(torch.randn(2, depth) * 0.1)
        move_features = len(game.move_features)
        leans = game.has_advice and not move_features
        self.lean = nn.Parameter(torch.tensor(LEAN if leans else (0.0, 0.0)))
        self.move_features = nn.Parameter(torch.zeros(move_features, depth))
        # In units of CONSIDERED_LEAN, so that leaning on others is learnt in few steps.
        self.leaning = nn.Parameter((torch.arange(move_features) == 0).float())
        self.worth = nn.Parameter(torch.randn(depth) * 0.02)

    def begin_as(self, weights: Weights) -> None:
        """Become a network of this width and depth."""
        arrays = {name: torch.from_numpy(array) for name, array in weights.arrays.items()}
        with torch.no_grad():
            self.own += arrays.pop("actions") - self.actions()
            if "move_features_lean" in arrays:
                self.leaning.copy_(arrays.pop("move_features_lean") / CONSIDERED_LEAN)
            for name, array in arrays.items():
                getattr(self, name).copy_(array)

    def actions(self) -> Tensor:
        """What each action code has learnt: (actions, depth)."""
        return nn.functional.embedding(self.pieces, self.shared).sum(1) + self.own

    def move_features_lean(self) -> Tensor:
        """How far the worth of a move falls by the scale of each move feature: (move features,)."""
        return CONSIDERED_LEAN * self.leaning

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Of n decisions: the worths of their moves, (n, most moves), and the outputs, (n, OUTPUTS), the shares as
        logits.
        """
        base = self.bias + sums(self.inputs, batch.settings)[batch.group]
        hidden = torch.relu(sums(self.inputs, batch.observations) + base) @ self.second + self.second_bias
        outputs = torch.relu(hidden) @ self.outputs + self.outputs_bias
        outputs = torch.cat([outputs[:, :EXPECTED], torch.tanh(outputs[:, EXPECTED:])], dim=1)
        relative = batch.relative[:, None]
        best = (relative == 0).float()
        actions = torch.cat([self.actions() + printed @ self.printed for printed in batch.printed])
        codes = batch.group[batch.which] * len(self.alone) + batch.moves
        moved = (
            hidden[batch.which] + nn.functional.embedding(codes, actions) + sums(self.related, batch.related)
        )
        moved = moved + batch.move_features @ self.move_features
        moved = torch.relu(moved + relative * self.advice[0] + best * self.advice[1])
        worths = moved @ self.worth + self.alone[batch.moves]
        worths = worths + batch.move_features @ self.move_features_lean()
        worths = worths + batch.relative * self.lean[0] + best[:, 0] * self.lean[1]
        table = torch.full((len(batch), batch.most), NEVER, device=worths.device)
        return table.index_put((batch.which, batch.place), worths), outputs

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """The network as files of weights hold it."""
        names = [
            "advice_unit",
            "inputs",
            "bias",
            "second",
            "second_bias",
            "outputs",
            "outputs_bias",
            "alone",
            "related",
            "printed",
            "advice",
            "lean",
            "worth",
        ]
        tensors = {name: getattr(self, name) for name in names} | {"actions": self.actions()}
        if self.game.move_features:
            tensors |= {"move_features": self.move_features, "move_features_lean": self.move_features_lean()}
        return {name: tensor.detach().cpu().numpy().copy() for name, tensor in tensors.items()}

    def weights(self, about: WeightsHeader) -> Weights:
        """The network as games are played with it."""
        return Weights(self.game, about, self.arrays())


def _pieces(game: Game) -> tuple[NDArray[np.int64], int]:
    """Of each action the rows of what it consists of: its kind, its parts both by themselves and with the kind, and
    what a part lists; shape (actions, most pieces), row 0 for none. Also how many rows there are.
    """
    row_of: dict[object, int] = {}
    pieces: list[list[int]] = []
    for kind in game.moves.kinds:
        counts = [len(part.words) for part in kind.parts]
        for number in range(kind.count):
            places: Sequence[Any] = np.unravel_index(number, counts) if counts else ()
            keys: list[object] = [(kind.word,)]
            rows_by_name: dict[str, int] = {}
            for index, (part, place) in enumerate(zip(kind.parts, places, strict=True)):
                which = rows_by_name[part.of] = rows_by_name.get(part.of, -1) + 1
                word = part.words[place]
                keys += [(part.of, which, str(word)), (kind.word, index, int(place))]
                keys += [(part.of, which, *one) for one in enumerate(word)] if isinstance(word, list) else []
            pieces.append([row_of.setdefault(key, len(row_of) + 1) for key in keys])
    most = max(map(len, pieces))
    rows = np.array([own + [0] * (most - len(own)) for own in pieces], dtype=np.int64)
    return rows, len(row_of) + 1


assert EXPECTED == MOST_SEATS
