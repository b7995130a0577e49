"""Proximal policy optimization in one file, from observations alone: the baseline of the benchmark (docs/benchmark.md).

    make train                                                                    installs what this needs
    .venv/bin/python examples/ppo.py --game karuba --players 2 --decisions 1000000 --seed 1 --out runs/karuba-2.pt
    .venv/bin/python examples/ppo.py --game karuba --players 2 --critic full ...  a critic that sees hidden cards too
    .venv/bin/torchrun --nproc-per-node 2 examples/ppo.py --game karuba ...           on two cores, a process each
    .venv/bin/python examples/ppo.py --game karuba --device cuda --games 65536 --batch 65536 ...         on a GPU
    atoll benchmark run examples/ppo.py:Player:runs/karuba-2.pt --task karuba-2 --learnt 1000000 --out ppo.json

One network plays every seat, among copies of itself or against bots, since observations and actions count seats from
the viewer. It is given no advice, no move features and nobody's moves to imitate. It learns from points ahead or from
who wins. With `--critic full` the value of a decision is learnt from the whole state, hidden cards included: that is
asked for in training alone, and `Player` has no way to see it. The curve against random and greedy is in OUT with
the ending .jsonl, a line each tenth of the decisions.

Games, what was played, network and learning are on one device: on a GPU PyTorch reads and writes the memory in which
the games are stepped. Only the whole states of `--critic full` come from the processor.

Schulman et al., 2017 and 2016; a critic that sees everything: Lowe et al., 2017.
"""

import argparse
import json
import os
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

try:
    import torch
    from gymnasium.vector import AutoresetMode
    from torch import Tensor, distributed, nn
    from torch.distributions import Categorical
except ModuleNotFoundError as missing:
    raise SystemExit(f"this needs {missing.name}: make train installs it") from None

from atoll.core.action_encoding import Actions
from atoll.core.catalogue import find_game, games
from atoll.core.observation import observation_of
from atoll.engine.chance import derive
from atoll.envs.vector import GamesEnv
from atoll.text.errors import AtollError

CLIP, TRACE = 0.2, 0.95
VALUE_WEIGHT, ENTROPY_WEIGHT, MOST_GRADIENT = 0.5, 0.01, 0.5
NEVER = -1e9
FORM = "normalized"
RANK, PROCESSES = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
"""Which one of how many processes this is, as torchrun tells them."""


def tensor(array: Any) -> Tensor:
    """The same memory as a tensor, of an array of NumPy or on the GPU; the games' next step overwrites it."""
    return (
        torch.from_dlpack(array) if isinstance(array, np.ndarray) else torch.as_tensor(array, device="cuda")
    )


def mean_of_processes(numbers: Tensor) -> Tensor:
    """The mean of what each process has."""
    if PROCESSES > 1:
        distributed.all_reduce(numbers)
    return numbers / PROCESSES


def body(inputs: int, width: int) -> nn.Sequential:
    """Two layers."""
    return nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())


class Network(nn.Module):
    """What an observation makes it do. An action is what its features have in common, and what it has alone."""

    def __init__(self, game: str, players: int, width: int) -> None:
        super().__init__()
        features = torch.from_numpy(Actions(find_game(game), players).table)
        self.size = observation_of(find_game(game), players, FORM).size
        self.register_buffer("features", features, persistent=False)
        self.body = body(self.size, width)
        self.alike = nn.Linear(features.shape[1], width)
        self.alone = nn.Parameter(torch.zeros(len(features), width))
        self.value = nn.Linear(width, 1)

    def forward(self, seen: Tensor, legal: Tensor, count: Tensor) -> tuple[Tensor, Tensor]:
        """Of n decisions, of whose `legal` actions the first `count` are: their logits, (n, most of them), and the
        returns it expects, (n,).
        """
        legal = legal[:, : int(count.max())]
        known = self.body(seen)
        there = torch.arange(legal.shape[1], device=legal.device) < count[:, None]
        which, place = there.nonzero(as_tuple=True)
        actions = nn.functional.embedding(legal[which, place], self.alike(self.features) + self.alone)
        fits = (known[which] * actions).sum(1) * known.shape[1] ** -0.5
        logits = fits.new_full(there.shape, NEVER).index_put((which, place), fits)
        return logits, torch.tanh(self.value(known)[:, 0])


class Critic(nn.Module):
    """What a seat may expect, by the whole state."""

    def __init__(self, size: int, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(body(size, width), nn.Linear(width, 1))

    def forward(self, whole: Tensor) -> Tensor:
        """From (n, size) to (n,)."""
        return torch.tanh(self.layers(whole)[:, 0])


@cache
def kept(path: str) -> Network:
    """The network in a file."""
    found = torch.load(path, map_location="cpu", weights_only=True)
    network = Network(found["game"], found["players"], found["width"])
    network.load_state_dict(found["network"])
    return network


class Player:
    """The network as the benchmark asks it: it draws a legal action by what its seat observes, and nothing else."""

    form = FORM

    def __init__(self, path: str, *, game: str, players: int, seat: int, seed: int) -> None:
        self.network, self.chance = kept(path), np.random.default_rng(seed)

    @torch.no_grad()
    def __call__(self, seen: dict[str, np.ndarray]) -> int:
        legal = np.flatnonzero(seen["action_mask"])
        given = torch.from_numpy(seen["observation"])[None], torch.from_numpy(legal)[None]
        logits, _ = self.network(*given, torch.tensor([len(legal)]))
        return int(self.chance.choice(legal, p=logits[0].double().softmax(0).numpy()))


def look(seen: Any, info: dict[str, Any]) -> tuple[Tensor, Tensor, Tensor]:
    """What the network is given."""
    return tensor(seen), tensor(info["legal"]), tensor(info["legal_count"])


class Training:
    """A network that learns, and the games in which it does, on one device; of several processes each has its share of
    the games, and all take the mean of their gradients, so that their networks are the same.
    """

    def __init__(self, settings: argparse.Namespace) -> None:
        torch.manual_seed(settings.seed)
        torch.set_num_threads(settings.threads)
        self.settings = settings
        bots = None if settings.against == "self" else settings.against
        self.envs = self.begin(settings.games // PROCESSES, bots, settings.reward)
        self.players = self.envs.players
        self.seen, self.info = self.envs.reset(seed=derive(settings.seed, RANK))
        self.network = Network(settings.game, self.players, settings.width).to(settings.device)
        self.critic = None
        if settings.critic == "full":
            self.critic = Critic(self.network.size, settings.width).to(settings.device)
        learning = [*self.network.parameters(), *(self.critic.parameters() if self.critic else ())]
        torch.manual_seed(
            derive(settings.seed, RANK)
        )  # the networks are made: from here on each draws its own moves
        self.optimizer = torch.optim.Adam(learning, lr=settings.rate, eps=1e-5, fused=True)
        self.played: dict[str, Tensor] = {}
        self.spread = torch.tensor(0.0, device=settings.device)
        self.learnt, self.seconds, self.processor_seconds = 0, 0.0, 0.0

    def begin(self, count: int, bots: str | None, reward: str) -> GamesEnv:
        """Games, where the next begins in the step in which one ends."""
        settings = self.settings
        return GamesEnv(
            count, game=settings.game, players=settings.players, bots=bots, form=FORM, reward=reward,
            autoreset_mode=AutoresetMode.SAME_STEP, mask=False, copy=False, threads=settings.threads,
            device=settings.device,
        )  # fmt: skip

    def expects(self, value: Tensor, whole: Tensor | None = None) -> Tensor:
        """What the seats that decide expect: the network's own value, or the critic's."""
        return value if self.critic is None or whole is None else self.critic(whole)

    def whole(self) -> dict[str, Tensor]:
        """The whole states, if the critic sees them."""
        return (
            {}
            if self.critic is None
            else {"whole": torch.from_numpy(self.envs.state()).to(self.settings.device)}
        )

    def note(self, step: int, **parts: Tensor) -> None:
        """Copy what belongs to a step, tensors of shape (games, ...), to its place in `played`."""
        for name, part in parts.items():
            if name not in self.played:
                self.played[name] = part.new_empty((self.settings.steps, *part.shape))
            self.played[name][step] = part

    @torch.no_grad()
    def play(self, steps: int) -> dict[str, Tensor]:
        """So many decisions in each game, tensors of shape (steps, games, ...), with their advantages."""
        for step in range(steps):
            seen, legal, count = look(self.seen, self.info)
            whole = self.whole()
            logits, value = self.network(seen, legal, count)
            choice = Categorical(logits=logits, validate_args=False)
            place = choice.sample()
            self.note(
                step, seen=seen, legal=legal, count=count, place=place, chance=choice.log_prob(place),
                value=self.expects(value, **whole), seat=tensor(self.info["seat"]), **whole,
            )  # fmt: skip
            action = legal.gather(1, place[:, None])[:, 0].long()
            self.seen, _, over, _, self.info = self.envs.step(action)
            self.note(step, over=tensor(over), returns=tensor(self.info["returns"]).float())
        played = {name: part[:steps] for name, part in self.played.items()}
        self.compare(played)
        last = self.expects(self.network(*look(self.seen, self.info))[1], **self.whole())
        played["advantage"] = self.advantages(played, last, tensor(self.info["seat"]))
        played["goal"] = played["value"] + played["advantage"]
        return played

    def compare(self, played: dict[str, Tensor]) -> None:
        """Make of points how far a seat is ahead of the others' mean, squeezed between -1 and 1."""
        if self.settings.reward != "points":
            return
        returns, over = played["returns"], played["over"]
        ahead = (returns - returns.mean(-1, keepdim=True)) * self.players / (self.players - 1)
        if self.spread == 0:  # no game has ended yet
            ends = torch.stack([ahead[over].square().sum(), over.sum() * self.players])
            total, count = mean_of_processes(ends).tolist()
            self.spread.fill_(max(1.0, (total / count) ** 0.5) if count else 0.0)
        played["returns"] = torch.tanh(ahead / self.spread.clamp(min=1))

    def advantages(self, played: dict[str, Tensor], last: Tensor, last_seat: Tensor) -> Tensor:
        """How much better than expected each decision turned out for its seat: generalized advantages, seat by seat."""
        steps, count, players = played["returns"].shape
        places = torch.arange(count, device=last.device)
        seats = played["seat"].long()
        # Returns add up to 0: what one seat expects tells what the others do, on average.
        ahead = (-last / (players - 1)).repeat(players, 1).T.contiguous()
        ahead[places, last_seat.long()] = last
        trace, due = torch.zeros_like(ahead), torch.zeros_like(ahead)
        found = torch.zeros_like(played["value"])
        for step in reversed(range(steps)):
            over, seat, value = played["over"][step], seats[step], played["value"][step]
            ahead[over], trace[over], due[over] = 0, 0, played["returns"][step][over]
            surprise = due[places, seat] + ahead[places, seat] - value
            trace[places, seat] = found[step] = surprise + TRACE * trace[places, seat]
            ahead[places, seat], due[places, seat] = value, 0
        return found

    def learn(self, played: dict[str, Tensor]) -> None:
        """Improve by what was played."""
        rows = {name: part.flatten(0, 1) for name, part in played.items() if name != "returns"}
        total = len(rows["place"])
        better = rows["advantage"]
        rows["advantage"] = (better - better.mean()) / (better.std() + 1e-6)
        for _ in range(self.settings.epochs):
            for batch in torch.randperm(total, device=better.device).split(self.settings.batch // PROCESSES):
                own = {name: part[batch] for name, part in rows.items()}
                logits, value = self.network(own["seen"], own["legal"], own["count"])
                choice = Categorical(logits=logits, validate_args=False)
                ratio = (choice.log_prob(own["place"]) - own["chance"]).exp()
                gain, most = ratio * own["advantage"], ratio.clamp(1 - CLIP, 1 + CLIP) * own["advantage"]
                error = (self.expects(value, own.get("whole")) - own["goal"]).square().mean()
                loss = -torch.minimum(gain, most).mean() + VALUE_WEIGHT * error
                loss = loss - ENTROPY_WEIGHT * choice.entropy().mean()
                self.optimizer.zero_grad()
                loss.backward()
                self.update()

    @torch.no_grad()
    def update(self) -> None:
        """A step along the mean of the gradients of all processes."""
        gradients = [one.grad for one in self.optimizer.param_groups[0]["params"] if one.grad is not None]
        if PROCESSES > 1:
            mean = mean_of_processes(nn.utils.parameters_to_vector(gradients))
            nn.utils.vector_to_parameters(mean, gradients)
        nn.utils.clip_grad_norm_(self.optimizer.param_groups[0]["params"], MOST_GRADIENT)
        self.optimizer.step()

    @torch.no_grad()
    def evaluate(self, bot: str, count: int) -> tuple[float, float]:
        """Its share of the win in games against a bot, the seats in rotation, and half the width of its 95 % interval;
        other deals than those that it learns from and those of the benchmark.
        """
        envs = self.begin(-(-count // self.players), bot, "win")
        seen, info = envs.reset(seed=1_000_003)
        shares = np.zeros((envs.num_envs, self.players))
        ended = np.zeros(envs.num_envs, dtype=int)
        while (ended < self.players).any():
            given = look(seen, info)
            place = Categorical(logits=self.network(*given)[0], validate_args=False).sample()
            action = given[1].gather(1, place[:, None])[:, 0].long()
            seen, rewards, over, _, info = envs.step(action)
            won, done = (tensor(array).cpu().numpy() for array in (rewards, over))
            counts = done & (ended < self.players)
            shares[counts, ended[counts]] = (won[counts] * (self.players - 1) + 1) / self.players
            ended += done
        envs.close()
        return float(shares.mean()), float(1.96 * shares.mean(axis=1).std() / len(shares) ** 0.5)

    def keep(self) -> None:
        """Write what `Player` reads."""
        network = self.network.state_dict()
        settings = {"game": self.settings.game, "players": self.players, "width": self.settings.width}
        torch.save({**settings, "learnt": self.learnt, "network": network}, self.settings.out)

    def run(self) -> None:
        """Learn from so many decisions, and keep network and curve."""
        settings, looks = self.settings, 0.0
        while True:
            # Never more than are asked for: that would be another budget.
            steps = min(settings.steps, (settings.decisions - self.learnt) // settings.games)
            if self.learnt >= looks or steps == 0:
                if RANK == 0:
                    self.report()
                looks += settings.decisions / 10
            if steps == 0:
                return
            began, began_working = time.perf_counter(), time.process_time()
            for group in self.optimizer.param_groups:
                group["lr"] = settings.rate * (1 - self.learnt / settings.decisions)
            self.learn(self.play(steps))
            self.learnt += steps * self.envs.num_envs * PROCESSES
            self.seconds += time.perf_counter() - began
            self.processor_seconds += (time.process_time() - began_working) * PROCESSES

    def report(self) -> None:
        """Add a line to the curve, tell it, and keep the network."""
        out = self.settings.out
        out.parent.mkdir(parents=True, exist_ok=True)
        won = {bot: self.evaluate(bot, self.settings.look) for bot in ("random", "greedy")}
        line = {
            "learnt": self.learnt,
            "seconds": self.seconds,
            "processor_seconds": self.processor_seconds,
            **won,
        }
        with out.with_suffix(".jsonl").open("a" if self.learnt else "w", encoding="utf-8") as curve:
            print(json.dumps(line), file=curve)
        told = ", ".join(f"{one:.1%} ± {half:.1%} against {bot}" for bot, (one, half) in won.items())
        speed = self.learnt / max(self.seconds, 1e-9)
        print(
            f"{self.learnt:>11,} decisions, {self.processor_seconds:6.0f} processor seconds, {speed:>9,.0f} decisions "
            f"a second: wins {told}",
            flush=True,
        )
        self.keep()


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the arguments, and learn."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--game", choices=list(games()), required=True)
    add("--players", type=int, help="the game's usual number if not said")
    add("--decisions", type=int, default=10_000_000, help="how many to learn from, at most")
    add("--against", default="self", help="self, or bots that run in compiled code: greedy, random or both")
    add(
        "--critic", choices=("own", "full"), default="own", help="what the value of a decision is learnt from"
    )
    add("--reward", choices=("points", "win"), default="points", help="learn from points ahead, or from wins")
    add("--games", type=int, default=512, help="games at once")
    add("--steps", type=int, default=32, help="decisions in each game between updates")
    add("--batch", type=int, default=1024, help="decisions of a step of learning")
    add("--epochs", type=int, default=1, help="how often each decision is learnt from")
    add("--width", type=int, default=64, help="the width of the network")
    add("--rate", type=float, default=3e-3, help="the learning rate, at first")
    add("--threads", type=int, default=1)
    add("--device", choices=("cpu", "cuda"), default="cpu", help="where games, network and learning are")
    add("--look", type=int, default=400, help="games against each bot at every tenth of the decisions")
    add("--seed", type=int, default=1)
    add("--out", type=Path, required=True, help="the file for the network")
    try:
        settings = parser.parse_args(arguments)
        if PROCESSES > 1:
            distributed.init_process_group("gloo")
        Training(settings).run()
    except AtollError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
