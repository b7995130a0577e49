"""Proximal policy optimization in one file, from observations alone: the baseline of the benchmark (docs/benchmark.md).

    make train                                                                    installs what this needs
    .venv/bin/python examples/ppo.py --game karuba --players 2 --decisions 1000000 --seed 1 --out runs/karuba-2.pt
    .venv/bin/python examples/ppo.py --game karuba --players 2 --critic full ...  a critic that sees hidden cards too
    atoll benchmark run examples/ppo.py:Player:runs/karuba-2.pt --task karuba-2 --learnt 1000000 --out ppo.json

One network plays every seat, among copies of itself or against bots, since observations and actions count seats from
the viewer. It is given no advice, no move features and nobody's moves to imitate. It learns from points ahead or from
who wins. With `--critic full` the value of a decision is learnt from the whole state, hidden cards included: that is
asked for in training alone, and `Player` has no way to see it. The curve against random and greedy is in OUT with
the ending .jsonl, a line each tenth of the decisions.

Schulman et al., 2017 and 2016; a critic that sees everything: Lowe et al., 2017.
"""

import argparse
import json
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

try:
    import torch
    from gymnasium.vector import AutoresetMode
    from torch import Tensor, nn
    from torch.distributions import Categorical
except ModuleNotFoundError as missing:
    raise SystemExit(f"this needs {missing.name}: make train installs it") from None

from atoll.core.action_encoding import Actions
from atoll.core.catalogue import find_game, games
from atoll.core.observation import observation_of
from atoll.envs.vector import GamesEnv
from atoll.text.errors import AtollError

CLIP, TRACE, EPOCHS, BATCH = 0.2, 0.95, 3, 512
VALUE_WEIGHT, ENTROPY_WEIGHT, MOST_GRADIENT = 0.5, 0.01, 0.5
NEVER = -1e9
FORM = "normalized"


def body(inputs: int, width: int) -> nn.Sequential:
    """Two layers."""
    return nn.Sequential(
        nn.LayerNorm(inputs), nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
    )


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
        """Of n decisions: the logits of the legal actions, (n, most of them), and the returns it expects, (n,)."""
        known = self.body(seen)
        there = torch.arange(int(count.max())) < count[:, None]
        which, place = there.nonzero(as_tuple=True)
        actions = nn.functional.embedding(legal[which, place], self.alike(self.features) + self.alone)
        fits = (known[which] * actions).sum(1) * known.shape[1] ** -0.5
        logits = torch.full(there.shape, NEVER).index_put((which, place), fits)
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
    found = torch.load(path, weights_only=True)
    network = Network(found["game"], found["players"], found["width"])
    network.load_state_dict(found["network"])
    return network


class Player:
    """The network as the benchmark asks it: the likeliest legal action by what its seat observes, and nothing else."""

    form = FORM

    def __init__(self, path: str, *, game: str, players: int, seat: int, seed: int) -> None:
        self.network = kept(path)

    @torch.no_grad()
    def __call__(self, seen: dict[str, np.ndarray]) -> int:
        legal = np.flatnonzero(seen["action_mask"])
        given = torch.from_numpy(seen["observation"])[None], torch.from_numpy(legal)[None]
        logits, _ = self.network(*given, torch.tensor([len(legal)]))
        return int(legal[int(logits.argmax())])


def look(seen: np.ndarray, info: dict[str, Any]) -> tuple[Tensor, Tensor, Tensor]:
    """What the network is given."""
    legal, count = torch.from_numpy(info["legal"]).long(), torch.from_numpy(info["legal_count"]).long()
    return torch.from_numpy(seen), legal[:, : int(count.max())], count


class Training:
    """A network that learns, and the games in which it does."""

    def __init__(self, settings: argparse.Namespace) -> None:
        torch.manual_seed(settings.seed)
        torch.set_num_threads(settings.threads)
        self.settings = settings
        bots = None if settings.against == "self" else settings.against
        self.envs = self.begin(settings.games, bots, settings.reward)
        self.players = self.envs.players
        self.seen, self.info = self.envs.reset(seed=settings.seed)
        self.network = Network(settings.game, self.players, settings.width)
        self.critic = Critic(self.network.size, settings.width) if settings.critic == "full" else None
        learning = [*self.network.parameters(), *(self.critic.parameters() if self.critic else ())]
        self.optimizer = torch.optim.Adam(learning, lr=settings.rate, eps=1e-5)
        self.spread = torch.tensor(0.0)
        self.learnt, self.seconds = 0, 0.0

    def begin(self, count: int, bots: str | None, reward: str) -> GamesEnv:
        """Games, where the next begins in the step in which one ends."""
        settings = self.settings
        return GamesEnv(
            count, game=settings.game, players=settings.players, bots=bots, form=FORM, reward=reward,
            autoreset_mode=AutoresetMode.SAME_STEP, mask=False, threads=settings.threads,
        )  # fmt: skip

    def expects(self, value: Tensor, whole: Tensor | None) -> Tensor:
        """What the seats that decide expect: the network's own value, or the critic's."""
        return value if self.critic is None or whole is None else self.critic(whole)

    def whole(self) -> Tensor | None:
        """The whole states, if the critic sees them."""
        return None if self.critic is None else torch.from_numpy(self.envs.state())

    @torch.no_grad()
    def play(self, steps: int) -> dict[str, Tensor]:
        """So many decisions in each game, tensors of shape (steps, games, ...), with their advantages."""
        rows: list[dict[str, Tensor]] = []
        most = self.envs.games.legal.shape[1]
        for _ in range(steps):
            seen, legal, count = look(self.seen, self.info)
            whole, seat = self.whole(), torch.from_numpy(self.info["seat"]).long()
            logits, value = self.network(seen, legal, count)
            choice = Categorical(logits=logits, validate_args=False)
            place = choice.sample()
            action = legal.gather(1, place[:, None])[:, 0]
            self.seen, _, over, _, self.info = self.envs.step(action.numpy())
            rows.append(
                {"seen": seen, "legal": nn.functional.pad(legal, (0, most - legal.shape[1])), "count": count,
                 "place": place, "chance": choice.log_prob(place), "value": self.expects(value, whole), "seat": seat,
                 "over": torch.from_numpy(over), "returns": torch.from_numpy(self.info["returns"]).float()}
                | ({} if whole is None else {"whole": whole})
            )  # fmt: skip
        played = {name: torch.stack([row[name] for row in rows]) for name in rows[0]}
        _, last = self.network(*look(self.seen, self.info))
        self.compare(played)
        last = self.expects(last, self.whole())
        played["advantage"] = self.advantages(played, last, torch.from_numpy(self.info["seat"]).long())
        played["goal"] = played["value"] + played["advantage"]
        return played

    def compare(self, played: dict[str, Tensor]) -> None:
        """Make of points how far a seat is ahead of the others' mean, squeezed between -1 and 1."""
        if self.settings.reward != "points":
            return
        returns, over = played["returns"], played["over"]
        ahead = (returns - returns.mean(-1, keepdim=True)) * self.players / (self.players - 1)
        if self.spread == 0 and over.any():
            self.spread.fill_(ahead[over].square().mean().sqrt().clamp(min=1))
        played["returns"] = torch.tanh(ahead / self.spread.clamp(min=1))

    def advantages(self, played: dict[str, Tensor], last: Tensor, last_seat: Tensor) -> Tensor:
        """How much better than expected each decision turned out for its seat: generalized advantages, seat by seat."""
        steps, count, players = played["returns"].shape
        places = torch.arange(count)
        # Returns add up to 0: what one seat expects tells what the others do, on average.
        ahead = (-last / (players - 1)).repeat(players, 1).T.contiguous()
        ahead[places, last_seat] = last
        trace, due = torch.zeros_like(ahead), torch.zeros_like(ahead)
        found = torch.zeros_like(played["value"])
        for step in reversed(range(steps)):
            over, seat, value = played["over"][step], played["seat"][step], played["value"][step]
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
        for _ in range(EPOCHS):
            for batch in torch.randperm(total).split(BATCH):
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
                nn.utils.clip_grad_norm_(self.optimizer.param_groups[0]["params"], MOST_GRADIENT)
                self.optimizer.step()

    @torch.no_grad()
    def evaluate(self, bot: str, count: int) -> tuple[float, float]:
        """The share of the win of its likeliest moves in games against a bot, the seats in rotation, and half the
        width of its 95 % interval; other deals than those that it learns from and those of the benchmark.
        """
        envs = self.begin(-(-count // self.players), bot, "win")
        seen, info = envs.reset(seed=1_000_003)
        shares = np.zeros((envs.num_envs, self.players))
        ended = np.zeros(envs.num_envs, dtype=int)
        while (ended < self.players).any():
            given = look(seen, info)
            action = given[1].gather(1, self.network(*given)[0].argmax(1, keepdim=True))[:, 0]
            seen, rewards, over, _, info = envs.step(action.numpy())
            counts = over & (ended < self.players)
            shares[counts, ended[counts]] = (rewards[counts] * (self.players - 1) + 1) / self.players
            ended += over
        envs.close()
        return float(shares.mean()), float(1.96 * shares.mean(axis=1).std() / len(shares) ** 0.5)

    def keep(self) -> None:
        """Write what `Player` reads."""
        network = self.network.state_dict()
        settings = {"game": self.settings.game, "players": self.players, "width": self.settings.width}
        torch.save({**settings, "learnt": self.learnt, "network": network}, self.settings.out)

    def run(self) -> None:
        """Learn from so many decisions, and keep network and curve."""
        settings = self.settings
        settings.out.parent.mkdir(parents=True, exist_ok=True)
        with settings.out.with_suffix(".jsonl").open("w", encoding="utf-8") as curve:
            looks = 0
            while True:
                if self.learnt >= looks or self.learnt >= settings.decisions:
                    won = {bot: self.evaluate(bot, settings.look) for bot in ("random", "greedy")}
                    line = {"learnt": self.learnt, "seconds": round(self.seconds, 1), **won}
                    print(json.dumps(line), file=curve, flush=True)
                    told = ", ".join(
                        f"{one:.1%} ± {half:.1%} against {bot}" for bot, (one, half) in won.items()
                    )
                    print(f"{self.learnt:>10,} decisions, {self.seconds:6.0f} s: wins {told}", flush=True)
                    self.keep()
                    looks += settings.decisions / 10
                if self.learnt >= settings.decisions:
                    return
                began = time.process_time()
                for group in self.optimizer.param_groups:
                    group["lr"] = settings.rate * (1 - self.learnt / settings.decisions)
                steps = min(settings.steps, -(-(settings.decisions - self.learnt) // settings.games))
                self.learn(self.play(steps))
                self.learnt += steps * settings.games
                self.seconds += time.process_time() - began


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the arguments, and learn."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--game", choices=list(games()), required=True)
    add("--players", type=int, help="the game's usual number if not said")
    add("--decisions", type=int, default=10_000_000, help="how many to learn from")
    add("--against", default="self", help="self, or bots that run in compiled code: greedy, random or both")
    add(
        "--critic", choices=("own", "full"), default="own", help="what the value of a decision is learnt from"
    )
    add("--reward", choices=("points", "win"), default="points", help="learn from points ahead, or from wins")
    add("--games", type=int, default=128, help="games at once")
    add("--steps", type=int, default=32, help="decisions in each game between updates")
    add("--width", type=int, default=128, help="the width of the network")
    add("--rate", type=float, default=1e-3, help="the learning rate, at first")
    add("--threads", type=int, default=1)
    add("--look", type=int, default=400, help="games against each bot at every tenth of the decisions")
    add("--seed", type=int, default=1)
    add("--out", type=Path, required=True, help="the file for the network")
    try:
        Training(parser.parse_args(arguments)).run()
    except AtollError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
