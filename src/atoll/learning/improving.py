"""Learning from a generation's games by proximal policy optimization (J. Schulman et al., 2017), in one pass."""

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


@dataclass(frozen=True)
class Progress:
    """Means over what was learnt from: the losses of the policy, of what is expected and of the shares of the win, and
    how far the policy is from certain (`entropy`, nats).
    """

    policy: float
    expected: float
    shares: float
    entropy: float


def improve(network: Network, optimizer: torch.optim.Optimizer, found: Decisions, device: str) -> Progress:
    """Learn from decisions."""
    size = min(MOST, max(FEWEST, len(found) // BATCHES))
    chosen = torch.from_numpy(found.chosen).to(device)
    logged, expected = _as_played(network, found, device)
    worth = np.zeros(len(found), dtype=np.float32)
    trace_back(found.game, found.seat, expected, found.returns, DECAY, worth)
    target, shares = (torch.from_numpy(array).to(device) for array in (worth, found.shares))
    better = target - torch.from_numpy(expected).to(device)
    advantage = (better - better.mean()) / (better.std() + 1e-6)
    absent = (torch.arange(MOST_SEATS) >= torch.from_numpy(found.players)[:, None]).to(device)
    told: list[tuple[float, ...]] = []
    for which in torch.randperm(len(found)).split(size):
        worths, outputs = network(found.batch(which.numpy(), device))
        at = which.to(device)
        choice = Categorical(logits=worths, validate_args=False)
        ratio = (choice.log_prob(chosen[at]) - logged[at]).exp()
        gain = torch.minimum(ratio * advantage[at], ratio.clamp(1 - CLIP, 1 + CLIP) * advantage[at]).mean()
        entropy = choice.entropy().mean()
        error = (outputs[:, EXPECTED] - target[at]).square().mean()
        logits = outputs[:, :EXPECTED].masked_fill(absent[at], NEVER)
        missed = -(logits.log_softmax(1) * shares[at]).sum(1).mean()
        loss = VALUE_WEIGHT * error + SHARE_WEIGHT * missed - gain - ENTROPY_WEIGHT * entropy
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), MOST_GRADIENT)
        optimizer.step()
        told.append((-gain.item(), error.item(), missed.item(), entropy.item()))
    return Progress(*np.mean(told, axis=0).tolist())


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
