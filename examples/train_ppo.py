"""Train a player of any of the games by proximal policy optimization, with PyTorch, on thousands of games at once.

    make train                                                          installs what this needs
    .venv/bin/python examples/train_ppo.py --game karuba                imitates greedy first, then learns from games
    .venv/bin/python examples/train_ppo.py --game karuba --lean         begins with what the game tells of its moves
    .venv/bin/python examples/train_ppo.py --game karuba --resume       goes on where that ended
    .venv/bin/python examples/train_ppo.py --game kuhn-poker --against self --imitate 0

One network serves every seat, for observations and actions count seats from the viewer. It may begin by imitating
`greedy` (`--imitate`, a share of the time); everything else it learns from points ahead, or from who wins. Where the
game has move features (`atoll describe GAME`), it weighs these numbers, and with `--lean` the first counts from the
start; in other games `--lean` takes greedy's move unless it learns better, and then it needs greedy to play.

What to expect: with `--lean` players of Karuba and Costa Ruana for two won 81 and 58 % of their games against greedy
after minutes; in Karuba the move features alone won 78 % (docs/envs.md has the curves). Without it, from
observations alone, no player has been shown to beat greedy, in any game, and how far one comes in ten minutes of two
cores has not been measured. What it knows is in
OUT/player.pt, kept after every tenth of the time and at the end or when stopped by Ctrl-C, and how it fares against
greedy in OUT/curve.svg.

Proximal policy optimization: Schulman et al., 2017. Advantages: Schulman et al., 2016, for each seat by itself.
"""

import argparse
import math
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

try:
    import torch
    from gymnasium.vector import AutoresetMode
    from matplotlib.figure import Figure
    from torch import Tensor, nn
    from torch.distributions import Categorical
except ModuleNotFoundError as missing:
    raise SystemExit(f"this needs {missing.name}: make train installs it") from None

from atoll.core.action_encoding import Actions
from atoll.core.catalogue import find_game, games
from atoll.core.observation import Observation, observation_of
from atoll.envs.vector import GamesEnv
from atoll.text.errors import AtollError

CLIP, TRACE, EPOCHS, BATCH = 0.2, 0.95, 2, 2048
VALUE_WEIGHT, ENTROPY_WEIGHT, MOST_GRADIENT = 0.5, 0.005, 0.5
FOLLOWED = 0.5
"""Of the moves while it imitates greedy, so many are greedy's; the others are its own, which greedy corrects."""
MOST_VALUES, MOST_PLACES = 40, 64
"""Wider ranges are one number for the network, and longer lists are counted."""
TRUST = 1.0
"""With `--lean`: e to this is how much likelier greedy's move is than all others together, at first."""
FALL = 4.0
"""With `--lean`, where there are move features: how far a move's logit falls by the scale of the first, at first."""
NEVER = -1e9


class Inputs(nn.Module):
    """An observation as the network takes it: a row of weights for each value that a field can have, and one for each
    number of a wide range, times the number. A value of 0, mostly a place where nothing is, has none: it adds nothing.
    """

    def __init__(self, observation: Observation, hidden: int) -> None:
        super().__init__()
        numbers: list[int] = []
        places: list[int] = []
        bases: list[int] = []
        size = 0
        scale = np.round(1 / observation.factors)
        low, high = (
            np.round(observation.low * scale).astype(int),
            np.round(observation.high * scale).astype(int),
        )
        for one in observation.slices:
            columns, values = range(one.start, one.stop), int(high[one.start] - low[one.start] + 1)
            if not 2 < values <= MOST_VALUES:
                numbers += columns
                continue
            apart = (
                values if len(columns) <= MOST_PLACES else 0
            )  # of a long list it counts how often each value occurs
            places += columns
            bases += [size + k * apart - int(low[one.start]) for k in range(len(columns))]
            size += max(len(columns) * apart, values)
        self.of_values = nn.EmbeddingBag(size, hidden, mode="sum")
        nn.init.normal_(self.of_values.weight, std=len(places) ** -0.5)
        self.of_numbers = nn.Linear(len(numbers), hidden)
        for name, array in (("numbers", numbers), ("places", places), ("bases", bases)):
            self.register_buffer(name, torch.tensor(array), persistent=False)
        self.register_buffer("factors", torch.tensor(scale[places], dtype=torch.float32), persistent=False)

    def forward(self, seen: Tensor) -> Tensor:
        """From (n, size) to (n, hidden)."""
        values = (seen[:, self.places] * self.factors).round().long()
        there = values != 0
        ends = there.sum(1).cumsum(0)
        rows = (values + self.bases)[there]
        return self.of_values(rows, ends.roll(1).index_fill(0, ends.new_zeros(1), 0)) + self.of_numbers(
            seen[:, self.numbers]
        )


class Player(nn.Module):
    """What an observation makes it do, and how it expects to fare."""

    def __init__(self, env: GamesEnv, hidden: int, lean: bool) -> None:
        super().__init__()
        features = torch.from_numpy(Actions(env.game, env.players).table)
        self.register_buffer("features", features, persistent=False)
        self.inputs = Inputs(observation_of(env.game, env.players), hidden)
        self.body = nn.Sequential(nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        # An action is what it has in common with others that have its features, and what it has alone.
        self.alike = nn.Linear(features.shape[1], hidden)
        self.alone = nn.Parameter(torch.randn(len(features), hidden) * 0.3)
        self.scale = hidden**-0.5
        self.value = nn.Linear(hidden, 1)
        scales = [one.scale for one in env.game.move_features]
        self.register_buffer("scales", torch.tensor(scales), persistent=False)
        # In units of FALL, so that leaning on others is learnt in few steps.
        self.weights = nn.Parameter((torch.arange(len(scales)) == 0).float() * lean) if scales else None
        self.trust = nn.Parameter(torch.tensor(TRUST)) if lean and not scales else None
        self.register_buffer("spread", torch.tensor(0.0))

    def forward(
        self, seen: Tensor, legal: Tensor, count: Tensor, advised: Tensor, move_features: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Of n decisions: the logits of the legal actions, (n, most of them), and the returns it expects, (n,)."""
        known = self.body(self.inputs(seen))
        there = torch.arange(int(count.max())) < count[:, None]
        which, place = there.nonzero(as_tuple=True)
        actions = nn.functional.embedding(legal[which, place], self.alike(self.features) + self.alone)
        fits = (nn.functional.embedding(which, known) * actions).sum(1) * self.scale
        if self.weights is not None:
            move_features = move_features[:, : there.shape[1]]
            highest = move_features.masked_fill(~there[:, :, None], NEVER).amax(1)
            behind = (move_features[which, place] - highest[which]) / self.scales
            fits = fits + FALL * (behind @ self.weights)
        logits = torch.full(there.shape, NEVER).index_put((which, place), fits)
        if self.trust is not None:
            logits = logits.scatter_add(1, advised[:, None], (self.trust + count.log())[:, None])
        return logits, torch.tanh(self.value(known)[:, 0])


@dataclass
class Decisions:
    """Decisions of n games one after the other, arrays of shape (steps, n, ...), and what came of them."""

    seen: Tensor
    legal: Tensor
    count: Tensor
    advised: Tensor  # as the place among the legal ones, like the action
    move_features: Tensor
    action: Tensor
    chance: Tensor  # the logarithm of the action's probability
    value: Tensor
    seat: Tensor
    over: Tensor
    returns: Tensor  # (steps, n, players), of games that are over
    last_value: Tensor  # (n,), of the position after the last step
    last_seat: Tensor

    def compare(self, spread: Tensor) -> None:
        """Make of points how far a seat is ahead of the others' mean, squeezed between -1 and 1; `spread`, the root of
        the mean square of that in the first games that ended, is set once.
        """
        players = self.returns.shape[-1]
        ahead = (self.returns - self.returns.mean(-1, keepdim=True)) * players / (players - 1)
        if spread == 0 and self.over.any():
            spread.fill_(ahead[self.over].square().mean().sqrt().clamp(min=1))
        self.returns = torch.tanh(ahead / spread.clamp(min=1))

    def advantages(self) -> Tensor:
        """How much better than expected each decision turned out for its seat, shape (steps, n)."""
        steps, count, players = self.returns.shape
        places = torch.arange(count)
        # Returns add up to 0: what one seat expects tells what the others do, on average.
        ahead = (-self.last_value / (players - 1)).repeat(players, 1).T.contiguous()
        ahead[places, self.last_seat] = self.last_value
        trace, due, found = torch.zeros_like(ahead), torch.zeros_like(ahead), torch.zeros_like(self.value)
        for step in reversed(range(steps)):
            over, seat = self.over[step], self.seat[step]
            ahead[over], trace[over], due[over] = 0, 0, self.returns[step][over]
            surprise = due[places, seat] + ahead[places, seat] - self.value[step]
            trace[places, seat] = found[step] = surprise + TRACE * trace[places, seat]
            ahead[places, seat], due[places, seat] = self.value[step], 0
        return found


def look(seen: np.ndarray, info: dict[str, Any]) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """What the network is given."""
    move_features = torch.from_numpy(info.get("move_features", np.zeros((len(seen), 0, 0))))
    legal, count = torch.from_numpy(info["legal"]).long(), torch.from_numpy(info["legal_count"]).long()
    advised = (legal == torch.from_numpy(info["advised"])[:, None]).int().argmax(1)
    return torch.from_numpy(seen), legal, count, advised, move_features


class Table:
    """Games that go on from one update to the next, against some bots or, `self`, among copies of the player."""

    def __init__(
        self, settings: argparse.Namespace, against: str, count: int, reward: str, number: int = 0
    ) -> None:
        self.envs = GamesEnv(
            count, game=settings.game, players=settings.players, bots=None if against == "self" else against,
            autoreset_mode=AutoresetMode.SAME_STEP, advise=True, threads=settings.threads, reward=reward,
            move_features=bool(find_game(settings.game).move_features),
        )  # fmt: skip
        self.seen, self.info = self.envs.reset(seed=settings.seed + number)

    def resume(self, state: Any) -> None:
        """Go on with the games of `envs.get_state()`."""
        self.envs.set_state(state)
        self.seen, self.info = self.envs.reset(
            options={"reset_mask": np.zeros(self.envs.num_envs, dtype=bool)}
        )

    @torch.no_grad()
    def play(self, player: Player, steps: int, follow: float) -> Decisions:
        """So many decisions in each game, a share `follow` of them greedy's."""
        rows: list[tuple[Tensor, ...]] = []
        for _ in range(steps):
            given = look(self.seen, self.info)
            logits, value = player(*given)
            choice = Categorical(logits=logits, validate_args=False)
            action = choice.sample()
            if follow:
                action = torch.where(torch.rand(len(action)) < follow, given[3], action)
            seat = torch.from_numpy(self.info["seat"]).long()
            self.seen, _, over, _, self.info = self.envs.step(
                given[1].gather(1, action[:, None])[:, 0].numpy()
            )
            came = torch.from_numpy(over), torch.from_numpy(self.info["returns"]).float()
            rows.append((*given, action, choice.log_prob(action), value, seat, *came))
        _, last = player(*look(self.seen, self.info))
        return Decisions(
            *map(torch.stack, zip(*rows, strict=True)), last, torch.from_numpy(self.info["seat"]).long()
        )


def learn(
    player: Player, optimizer: torch.optim.Optimizer, many: list[Decisions], imitates: bool
) -> dict[str, float]:
    """Improve the player by its decisions; returns means of the losses."""
    surprise = torch.cat([one.advantages().flatten() for one in many])
    names = ("seen", "legal", "count", "advised", "move_features", "action", "chance", "value")
    parts = [torch.cat([getattr(one, name).flatten(0, 1) for one in many]) for name in names]
    parts += [surprise, (surprise - surprise.mean()) / (surprise.std() + 1e-6)]
    told: list[tuple[float, ...]] = []
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(surprise)).split(BATCH):
            *given, action, chance, value, better, advantage = (part[batch] for part in parts)
            logits, expects = player(*given)
            advised = given[3]
            choice = Categorical(logits=logits, validate_args=False)
            if imitates:
                policy = -choice.log_prob(advised).mean()
            else:
                ratio = (choice.log_prob(action) - chance).exp()
                policy = -torch.minimum(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage).mean()
                policy = policy - ENTROPY_WEIGHT * choice.entropy().mean()
            error = (expects - (value + better)).pow(2).mean()
            optimizer.zero_grad()
            (policy + VALUE_WEIGHT * error).backward()
            nn.utils.clip_grad_norm_(player.parameters(), MOST_GRADIENT)
            optimizer.step()
            like = (logits.argmax(1) == advised).float().mean()
            told.append((policy.item(), error.item(), like.item()))
    return dict(
        zip(("policy loss", "value loss", "like greedy"), np.mean(told, axis=0).tolist(), strict=True)
    )


@torch.no_grad()
def evaluate(player: Player, settings: argparse.Namespace, count: int) -> tuple[float, float]:
    """The win share of its likeliest moves in at least `count` games against greedy, the seats in rotation, and half
    the width of its 95 % interval.
    """
    players = settings.players or find_game(settings.game).default_players
    table = Table(settings, "greedy", math.ceil(count / players), "win", number=1_000_003)
    shares = np.zeros((table.envs.num_envs, players))
    played = np.zeros(table.envs.num_envs, dtype=int)
    while (played < players).any():
        given = look(table.seen, table.info)
        action = given[1].gather(1, player(*given)[0].argmax(1, keepdim=True))[:, 0]
        table.seen, rewards, over, _, table.info = table.envs.step(action.numpy())
        counts = over & (played < players)
        shares[counts, played[counts]] = (rewards[counts] * (players - 1) + 1) / players
        played += over
    table.envs.close()
    return float(shares.mean()), float(1.96 * shares.mean(axis=1).std() / len(shares) ** 0.5)


class Training:
    """A player that is being trained, and all that is kept of it."""

    def __init__(self, settings: argparse.Namespace) -> None:
        torch.manual_seed(settings.seed)
        torch.set_num_threads(settings.threads)
        self.settings = settings
        bots = settings.against.split(",")
        self.tables = [
            Table(settings, name, settings.games // len(bots), settings.reward, k)
            for k, name in enumerate(bots)
        ]
        self.player = Player(self.tables[0].envs, settings.hidden, settings.lean)
        self.optimizer = torch.optim.Adam(self.player.parameters(), lr=settings.rate, eps=1e-5)
        self.curve: list[tuple[float, float, float]] = []
        self.spent, self.updates = 0.0, 0
        self.kept = settings.out / "player.pt"
        if settings.resume:
            self.resume()

    def resume(self) -> None:
        """Go on from what was kept; raises AtollError if that is of other settings."""
        if not self.kept.exists():
            raise AtollError(f"there is nothing to resume in {self.settings.out}")
        found = torch.load(self.kept, weights_only=False)
        for name in ("game", "players", "against", "games", "hidden", "lean", "reward"):
            if found["settings"][name] != vars(self.settings)[name]:
                raise AtollError(
                    f"--{name} was {found['settings'][name]}: a player is resumed as it was begun"
                )
        try:
            self.player.load_state_dict(found["player"])
        except RuntimeError:
            raise AtollError(
                f"{self.kept} is of another version of this game or of this program: train anew"
            ) from None
        self.optimizer.load_state_dict(found["optimizer"])
        self.curve, self.spent, self.updates = found["curve"], found["spent"], found["updates"]
        for table, state in zip(self.tables, found["tables"], strict=True):
            table.resume(state)
        torch.set_rng_state(found["chance"])

    def keep(self) -> None:
        """Write what `resume` reads, and the curve."""
        self.settings.out.mkdir(parents=True, exist_ok=True)
        what = {
            "player": self.player.state_dict(), "optimizer": self.optimizer.state_dict(),
            "tables": [table.envs.get_state() for table in self.tables], "chance": torch.get_rng_state(),
            "curve": self.curve, "spent": self.spent, "updates": self.updates, "settings": vars(self.settings),
        }  # fmt: skip
        torch.save(what, self.kept.with_suffix(".new"))
        os.replace(self.kept.with_suffix(".new"), self.kept)
        draw(self.curve, self.tables[0].envs, self.settings.out / "curve.svg")

    def check(self, count: int) -> None:
        """Play against greedy, note how that went, and keep all."""
        share, width = evaluate(self.player, self.settings, count)
        self.curve.append((self.spent, share, width))
        self.say(f"wins {share:.1%} ± {width:.1%} of {count} games against greedy")
        self.keep()

    def say(self, text: str) -> None:
        """Print a line."""
        print(f"{self.spent:6.0f} s  update {self.updates}: {text}", flush=True)

    def update(self) -> None:
        """Play, and learn from it."""
        began, settings = time.process_time(), self.settings
        part = self.spent / settings.seconds
        imitates = part < settings.imitate
        for group in self.optimizer.param_groups:
            group["lr"] = settings.rate * (1 if imitates else 1 - part)
        many = [table.play(self.player, settings.steps, FOLLOWED * imitates) for table in self.tables]
        for one in many if settings.reward == "points" else ():
            one.compare(self.player.spread)
        told = learn(self.player, self.optimizer, many, imitates)
        self.updates += 1
        self.spent += time.process_time() - began
        if self.updates % 10 == 0:
            losses = ", ".join(f"{name} {value:.3f}" for name, value in told.items())
            self.say(("imitates, " if imitates else "") + losses)

    def run(self) -> None:
        """Train until the processor time is spent, and evaluate."""
        settings, looks = self.settings, self.spent
        try:
            while self.spent < settings.seconds and self.updates < settings.updates:
                if self.spent >= looks:
                    self.check(settings.look)
                    looks += settings.seconds / 10
                self.update()
        except KeyboardInterrupt:
            self.keep()
            print(f"Stopped; --resume goes on from {self.kept}.")
            return
        self.check(settings.evaluate)
        decisions = self.updates * sum(table.envs.num_envs for table in self.tables) * settings.steps
        print(f"{self.spent:.0f} processor seconds, {decisions:,} decisions; {self.kept}")


def draw(curve: list[tuple[float, float, float]], envs: GamesEnv, path: Path) -> None:
    """The win share against greedy by processor seconds."""
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.add_subplot()
    seconds, shares, widths = np.array(curve).reshape(-1, 3).T
    axes.errorbar(seconds, 100 * shares, 100 * widths, marker="o", capsize=3)
    axes.axhline(100 / envs.players, color="grey", linewidth=1)
    axes.set(xlabel="processor seconds", ylabel="won against greedy, %", title=envs.game.title, ylim=(0, 100))
    figure.savefig(path)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the arguments, and train."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--game", choices=list(games()), default="karuba")
    add("--players", type=int, help="the game's usual number if not said")
    add("--against", default="greedy", help="self, greedy or random, or several, separated by commas")
    add("--seconds", type=float, default=2400, help="processor seconds of learning, of all threads together")
    add("--updates", type=int, default=10**9, help="stop after so many, too")
    add("--imitate", type=float, default=0.3, help="the share of the time in which it imitates greedy")
    add("--reward", choices=("points", "win"), default="points", help="learn from points ahead, or from wins")
    add("--lean", action="store_true", help="lean on the first move feature, or on greedy's move")
    add("--games", type=int, default=256, help="games at once")
    add("--steps", type=int, default=32, help="decisions in each game between updates")
    add("--hidden", type=int, default=128, help="the width of the network")
    add("--rate", type=float, default=1e-3, help="the learning rate, at first")
    add("--threads", type=int, default=2)
    add("--look", type=int, default=400, help="games against greedy at every tenth of the time")
    add("--evaluate", type=int, default=2000, help="games against greedy at the end")
    add("--seed", type=int, default=1)
    add("--out", type=Path, help="the folder for what is kept; runs/GAME if not said")
    add("--resume", action="store_true", help="go on from OUT/player.pt, as it was begun")
    settings = parser.parse_args(arguments)
    settings.out = settings.out or Path("runs") / settings.game
    try:
        Training(settings).run()
    except AtollError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
