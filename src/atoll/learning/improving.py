"""Learning from games: from one's own by proximal policy optimization (J. Schulman et al., 2017), in one pass; from
those of the search by what it tried and what came of it.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.distributions import Categorical

from atoll.bots.network import EXPECTED, MOST_SEATS
from atoll.learning.games import Decisions, trace_back
from atoll.learning.model import NEVER, Network

CLIP = 0.2
DECAY = 0.8
"""How much of what is learnt about a decision comes from ever later ones."""
BATCHES, FEWEST, MOST = 16, 128, 4096
"""So many steps in each generation, of at least and at most so many decisions."""
VALUE_WEIGHT, SHARE_WEIGHT, ENTROPY_WEIGHT, MOST_GRADIENT = 0.5, 0.1, 0.004, 0.5
SEARCHED_BATCH, SEARCHED_STEPS = 256, 200
"""Decisions of a step that learns from the search, and the fewest steps of a generation."""
SEARCHED_VALUE_WEIGHT = 0.1


@dataclass(frozen=True)
class TrainingProgress:
    """Means over what was learnt from: the losses of the policy, of what is expected and of the shares of the win, and
    how far the policy is from certain (`entropy`, nats).
    """

    policy: float
    expected: float
    shares: float
    entropy: float


def improve(
    network: Network, optimizer: torch.optim.Optimizer, found: Decisions, device: str
) -> TrainingProgress:
    """Learn from decisions."""
    size = min(MOST, max(FEWEST, len(found) // BATCHES))
    chosen = torch.from_numpy(found.chosen).to(device)
    logged, expected = _as_played(network, found, device)
    worth = np.zeros(len(found), dtype=np.float32)
    trace_back(found.game, found.seat, expected, found.returns, DECAY, worth)
    target, shares = (torch.from_numpy(array).to(device) for array in (worth, found.shares))
    better = target - torch.from_numpy(expected).to(device)
    advantage = (better - better.mean()) / (better.std() + 1e-6)
    absent = _absent(found, device)
    told: list[tuple[float, ...]] = []
    for which in torch.randperm(len(found)).split(size):
        worths, outputs = network(found.batch(which.numpy(), device))
        at = which.to(device)
        choice = Categorical(logits=worths, validate_args=False)
        ratio = (choice.log_prob(chosen[at]) - logged[at]).exp()
        gain = torch.minimum(ratio * advantage[at], ratio.clamp(1 - CLIP, 1 + CLIP) * advantage[at]).mean()
        entropy = choice.entropy().mean()
        error = (outputs[:, EXPECTED] - target[at]).square().mean()
        missed = _missed(outputs, absent[at], shares[at])
        loss = VALUE_WEIGHT * error + SHARE_WEIGHT * missed - gain - ENTROPY_WEIGHT * entropy
        _step(network, optimizer, loss)
        told.append((-gain.item(), error.item(), missed.item(), entropy.item()))
    return TrainingProgress(*np.mean(told, axis=0).tolist())


def imitate(
    network: Network, optimizer: torch.optim.Optimizer, found: Decisions, device: str
) -> TrainingProgress:
    """Learn from decisions of the search: that it tries each move as often as the search did, and what came of it."""
    returns, shares = (
        torch.from_numpy(array).to(device) for array in (found.returns[found.game, found.seat], found.shares)
    )
    absent = _absent(found, device)
    passes = -(-SEARCHED_STEPS * SEARCHED_BATCH // len(found))
    told: list[tuple[float, ...]] = []
    for which in torch.cat([torch.randperm(len(found)) for _ in range(passes)]).split(SEARCHED_BATCH):
        batch = found.batch(which.numpy(), device)
        worths, outputs = network(batch)
        at = which.to(device)
        tried = torch.zeros_like(worths).index_put((batch.which, batch.place), batch.visits)
        tried = tried / tried.sum(1, keepdim=True)
        logged = worths.log_softmax(1)
        policy = -(tried * logged).sum(1).mean()
        error = (outputs[:, EXPECTED] - returns[at]).square().mean()
        missed = _missed(outputs, absent[at], shares[at])
        _step(network, optimizer, policy + SEARCHED_VALUE_WEIGHT * (error + missed))
        entropy = -(logged.exp() * logged).sum(1).mean()
        told.append((policy.item(), error.item(), missed.item(), entropy.item()))
    return TrainingProgress(*np.mean(told, axis=0).tolist())


def _absent(found: Decisions, device: str) -> Tensor:
    """Which shares of each decision are nobody's."""
    return (torch.arange(MOST_SEATS) >= torch.from_numpy(found.players)[:, None]).to(device)


def _missed(outputs: Tensor, absent: Tensor, shares: Tensor) -> Tensor:
    """How far what was foretold is from the shares of the win (cross entropy)."""
    logits = outputs[:, :EXPECTED].masked_fill(absent, NEVER)
    return -(logits.log_softmax(1) * shares).sum(1).mean()


def _step(network: Network, optimizer: torch.optim.Optimizer, loss: Tensor) -> None:
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), MOST_GRADIENT)
    optimizer.step()


@torch.no_grad()  # type: ignore[untyped-decorator]
def _as_played(network: Network, found: Decisions, device: str) -> tuple[Tensor, NDArray[np.float32]]:
    """The logarithms of the probabilities of what was chosen, and what was expected."""
    logged, expected = [], []
    for first in range(0, len(found), MOST):
        which = np.arange(first, min(first + MOST, len(found)))
        worths, outputs = network(found.batch(which, device))
        chosen = torch.from_numpy(found.chosen[which]).to(device)
        logged.append(Categorical(logits=worths, validate_args=False).log_prob(chosen))
        expected.append(outputs[:, EXPECTED].cpu().numpy())
    return torch.cat(logged), np.concatenate(expected)
