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
    network: Network, optimizer: torch.optim.Optimizer, decisions: Decisions, device: str
) -> TrainingProgress:
    """Learn from decisions."""
    size = min(MOST, max(FEWEST, len(decisions) // BATCHES))
    choices = torch.from_numpy(decisions.choices).to(device)
    log_chances, expected = _as_played(network, decisions, device)
    worth = np.zeros(len(decisions), dtype=np.float32)
    trace_back(decisions.game, decisions.seat, expected, decisions.returns, DECAY, worth)
    target, shares = (torch.from_numpy(array).to(device) for array in (worth, decisions.shares))
    better = target - torch.from_numpy(expected).to(device)
    advantage = (better - better.mean()) / (better.std() + 1e-6)
    absent = _absent(decisions, device)
    losses: list[tuple[float, ...]] = []
    for which in torch.randperm(len(decisions)).split(size):
        worths, outputs = network(decisions.batch(which.numpy(), device))
        at = which.to(device)
        choice = Categorical(logits=worths, validate_args=False)
        ratio = (choice.log_prob(choices[at]) - log_chances[at]).exp()
        gain = torch.minimum(ratio * advantage[at], ratio.clamp(1 - CLIP, 1 + CLIP) * advantage[at]).mean()
        entropy = choice.entropy().mean()
        error = (outputs[:, EXPECTED] - target[at]).square().mean()
        share_error = _share_error(outputs, absent[at], shares[at])
        loss = VALUE_WEIGHT * error + SHARE_WEIGHT * share_error - gain - ENTROPY_WEIGHT * entropy
        _step(network, optimizer, loss)
        losses.append((-gain.item(), error.item(), share_error.item(), entropy.item()))
    return TrainingProgress(*np.mean(losses, axis=0).tolist())


def imitate(
    network: Network, optimizer: torch.optim.Optimizer, decisions: Decisions, device: str
) -> TrainingProgress:
    """Learn from decisions of the search: that it tries each move as often as the search did, and what came of it."""
    returns, shares = (
        torch.from_numpy(array).to(device)
        for array in (decisions.returns[decisions.game, decisions.seat], decisions.shares)
    )
    absent = _absent(decisions, device)
    passes = -(-SEARCHED_STEPS * SEARCHED_BATCH // len(decisions))
    losses: list[tuple[float, ...]] = []
    for which in torch.cat([torch.randperm(len(decisions)) for _ in range(passes)]).split(SEARCHED_BATCH):
        batch = decisions.batch(which.numpy(), device)
        worths, outputs = network(batch)
        at = which.to(device)
        visit_shares = torch.zeros_like(worths).index_put((batch.which, batch.place), batch.visits)
        visit_shares = visit_shares / visit_shares.sum(1, keepdim=True)
        log_chances = worths.log_softmax(1)
        policy = -(visit_shares * log_chances).sum(1).mean()
        error = (outputs[:, EXPECTED] - returns[at]).square().mean()
        share_error = _share_error(outputs, absent[at], shares[at])
        _step(network, optimizer, policy + SEARCHED_VALUE_WEIGHT * (error + share_error))
        entropy = -(log_chances.exp() * log_chances).sum(1).mean()
        losses.append((policy.item(), error.item(), share_error.item(), entropy.item()))
    return TrainingProgress(*np.mean(losses, axis=0).tolist())


def _absent(decisions: Decisions, device: str) -> Tensor:
    """Which shares of each decision are nobody's."""
    return (torch.arange(MOST_SEATS) >= torch.from_numpy(decisions.players)[:, None]).to(device)


def _share_error(outputs: Tensor, absent: Tensor, shares: Tensor) -> Tensor:
    """The cross entropy of the predicted shares of the win against the real ones."""
    logits = outputs[:, :EXPECTED].masked_fill(absent, NEVER)
    return -(logits.log_softmax(1) * shares).sum(1).mean()


def _step(network: Network, optimizer: torch.optim.Optimizer, loss: Tensor) -> None:
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), MOST_GRADIENT)
    optimizer.step()


@torch.no_grad()  # type: ignore[untyped-decorator]
def _as_played(network: Network, decisions: Decisions, device: str) -> tuple[Tensor, NDArray[np.float32]]:
    """The logarithms of the probabilities of what was chosen, and what was expected."""
    log_chances, expected = [], []
    for first in range(0, len(decisions), MOST):
        which = np.arange(first, min(first + MOST, len(decisions)))
        worths, outputs = network(decisions.batch(which, device))
        choices = torch.from_numpy(decisions.choices[which]).to(device)
        log_chances.append(Categorical(logits=worths, validate_args=False).log_prob(choices))
        expected.append(outputs[:, EXPECTED].cpu().numpy())
    return torch.cat(log_chances), np.concatenate(expected)
