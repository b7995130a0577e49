"""The command `train`: a player that learns."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atoll.commands.options import COMPILING, GameName, Seed, console, progress_bar, tell_seed
from atoll.core.catalogue import find_game
from atoll.engine.seeds import new_seed
from atoll.learning.settings import SEARCHED_DECISIONS, USUAL_SECONDS, Settings
from atoll.text.errors import AtollError
from atoll.text.messages import quoted

if TYPE_CHECKING:
    from atoll.learning.training import Training

PARTS = 1000
"""Into which the progress bar divides a training."""

Iterations = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="ITERATIONS",
        help="Learn from what searches of so many iterations find, guided by the network as it learns (expert "
        "iteration), instead of from its own games.",
    ),
]
Against = Annotated[
    str | None,
    typer.Option(
        metavar="BOT",
        help="Begin as a trained player, such as trained or trained:FILE, and learn to beat it: it sits where greedy "
        "would.",
    ),
]
Workers = Annotated[int, typer.Option(min=1, help="Cores that search, with --search.")]
Decisions = Annotated[
    int | None,
    typer.Option(
        min=1,
        help=f"So many decisions are played and learnt from in a generation; {Settings.decisions} if not said, with "
        f"--search {SEARCHED_DECISIONS}.",
    ),
]


def train(
    game_name: GameName,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=1,
            help=f"Seconds of the processor; {round(USUAL_SECONDS)} if neither these nor generations are said.",
        ),
    ] = None,
    generations: Annotated[
        int | None,
        typer.Option(min=1, help="Stop after so many generations: then the same seed gives the same player."),
    ] = None,
    seed: Seed = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where the training is kept; the same command goes on where it stopped. runs/GAME if not said.",
        ),
    ] = None,
    width: Annotated[
        int, typer.Option(min=1, help="The width of the network's first layer.")
    ] = Settings.width,
    depth: Annotated[int, typer.Option(min=1, help="The width of its second layer.")] = Settings.depth,
    search: Iterations = None,
    against: Against = None,
    workers: Workers = Settings.workers,
    decisions: Decisions = None,
    rate: Annotated[
        float,
        typer.Option(
            min=1e-6, max=1, help="The learning rate at first; it falls to a tenth of that in the end."
        ),
    ] = Settings.rate,
    device: Annotated[
        str | None,
        typer.Option(
            help="Where the network learns: cpu or cuda; a GPU if there is one and this is not said."
        ),
    ] = None,
) -> None:
    """Train a player of a game, from its own games or from what searches find."""
    game = find_game(game_name)
    try:
        import torch

        from atoll.learning.training import Training
    except ImportError:
        raise AtollError(
            "atoll train needs PyTorch and Matplotlib: make train installs both (or pip install 'atoll[lab]' torch)"
        ) from None
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    device = _device(device)
    folder = _folder(folder or Path("runs") / game.name)
    if seed is None:
        seed = _seed_in(folder)
    ends = {"seconds": seconds, "generations": generations}
    if seconds is None and generations is None:
        ends["seconds"] = USUAL_SECONDS
    limits = {name: value for name, value in ends.items() if value is not None}
    decisions = decisions or (SEARCHED_DECISIONS if search else Settings.decisions)
    settings = Settings(
        game.name,
        seed,
        width,
        depth,
        decisions,
        rate,
        search or 0,
        against or "",
        device=device,
        workers=workers,
        **limits,  # type: ignore[arg-type]
    )
    out = console()
    with out.status(COMPILING):
        training = Training(game, settings, folder)
    try:
        with progress_bar() as bar:
            task = bar.add_task("Training", total=PARTS, completed=int(PARTS * training.part))

            def tell(now: "Training") -> None:
                bar.update(task, completed=int(PARTS * now.part))
                if now.lines[-1].won:
                    bar.console.print(_measurement(now), highlight=False, soft_wrap=True)

            training.run(tell)
    except KeyboardInterrupt:
        out.print(f"Stopped; the same command goes on from {folder}.", soft_wrap=True)
        raise
    file = folder / "trained.npz"
    out.print(f"The player is in {file}; it plays as the bot trained:{file}.", soft_wrap=True)


def _device(name: str | None) -> str:
    """Where the network learns."""
    import torch

    device = name or ("cuda" if torch.cuda.is_available() else "cpu")
    if device not in ("cpu", "cuda") or (device == "cuda" and not torch.cuda.is_available()):
        raise AtollError(f"--device is cpu, or cuda where PyTorch finds a GPU, not {quoted(device)}")
    return device


def _folder(folder: Path) -> Path:
    """The folder in which a training is kept, there or not yet; raises AtollError for something else."""
    if folder.exists() and not folder.is_dir():
        raise AtollError(f"{folder}: is no folder; name another one")
    return folder


def _seed_in(folder: Path) -> int:
    """The seed of the training in a folder, or else a new one, which is told."""
    from atoll.learning.training import seed_in

    seed = seed_in(folder)
    if seed is None:
        seed = new_seed()
        tell_seed(seed)
    return seed


def _measurement(training: "Training") -> str:
    """The last measurement in a line."""
    line = training.lines[-1]
    shares = "; ".join(
        f"{share:.1f} ± {width:.1f} % among {players}" for players, (share, width) in sorted(line.won.items())
    )
    rival = training.settings.against or "greedy"
    return f"Generation {line.generation} after {round(line.seconds)} s: it wins against {rival} {shares}"
