"""The command `train`."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atoll.command_options import GameName, Seed, console, progress_bar, tell_seed, translator
from atoll.core.catalogue import find_game
from atoll.engine.seeds import new_seed
from atoll.learning.settings import SEARCHED_DECISIONS, USUAL_SECONDS, Settings
from atoll.text.errors import AtollError
from atoll.text.messages import Message, quoted

if TYPE_CHECKING:
    from atoll.learning.training import Training

PARTS = 1000
"""Into which the progress bar divides a training."""

Iterations = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="ITERATIONS",
        help=translator(
            "Learn from what searches of so many iterations find, guided by the network as it learns (expert "
            "iteration), instead of from its own games."
        ),
    ),
]
Workers = Annotated[int, typer.Option(min=1, help=translator("Cores that search, with --search."))]
Decisions = Annotated[
    int | None,
    typer.Option(
        min=1,
        help=translator(
            "So many decisions are played and learnt from in a generation; %(decisions)s if not said, with --search "
            "%(searched)s.",
            decisions=Settings.decisions,
            searched=SEARCHED_DECISIONS,
        ),
    ),
]


def train(
    game: GameName,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=1,
            help=translator(
                "Seconds of the processor; %(seconds)s if neither these nor generations are said.",
                seconds=round(USUAL_SECONDS),
            ),
        ),
    ] = None,
    generations: Annotated[
        int | None,
        typer.Option(
            min=1,
            help=translator("Stop after so many generations: then the same seed gives the same player."),
        ),
    ] = None,
    seed: Seed = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help=translator(
                "Where the training is kept; the same command goes on where it stopped. runs/GAME if not said."
            ),
        ),
    ] = None,
    width: Annotated[
        int, typer.Option(min=1, help=translator("The width of the network's first layer."))
    ] = Settings.width,
    depth: Annotated[
        int, typer.Option(min=1, help=translator("The width of its second layer."))
    ] = Settings.depth,
    search: Iterations = None,
    workers: Workers = Settings.workers,
    decisions: Decisions = None,
    rate: Annotated[
        float,
        typer.Option(
            min=1e-6,
            max=1,
            help=translator("The learning rate at first; it falls to a tenth of that in the end."),
        ),
    ] = Settings.rate,
    device: Annotated[
        str | None,
        typer.Option(
            help=translator(
                "Where the network learns: cpu or cuda; a GPU if there is one and this is not said."
            )
        ),
    ] = None,
) -> None:
    """Train a player of a game."""
    trained = find_game(game)
    try:
        import torch

        from atoll.learning.training import Training
    except ImportError:
        raise AtollError(Message("atoll train needs PyTorch: make train installs it")) from None
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    device = _device(device)
    folder = _folder(folder or Path("runs") / trained.name)
    if seed is None:
        seed = _seed_in(folder)
    ends = {"seconds": seconds, "generations": generations}
    if seconds is None and generations is None:
        ends["seconds"] = USUAL_SECONDS
    said = {name: value for name, value in ends.items() if value is not None}
    decisions = decisions or (SEARCHED_DECISIONS if search else Settings.decisions)
    settings = Settings(
        trained.name,
        seed,
        width,
        depth,
        decisions,
        rate,
        search or 0,
        device=device,
        workers=workers,
        **said,  # type: ignore[arg-type]
    )
    out = console()
    with out.status(translator("Compiling the rules; the first time takes some seconds…")):
        training = Training(trained, settings, folder)
    try:
        with progress_bar() as bar:
            task = bar.add_task(translator("Training"), total=PARTS, completed=int(PARTS * training.part))

            def tell(now: "Training") -> None:
                bar.update(task, completed=int(PARTS * now.part))
                if now.lines[-1].won:
                    bar.console.print(_told(now), highlight=False, soft_wrap=True)

            training.run(tell)
    except KeyboardInterrupt:
        out.print(
            translator("Stopped; the same command goes on from %(folder)s.", folder=folder), soft_wrap=True
        )
        raise
    file = folder / "trained.npz"
    out.print(
        translator("The player is in %(file)s; it plays as the bot trained:%(file)s.", file=file),
        soft_wrap=True,
    )


def _device(named: str | None) -> str:
    """Where the network learns."""
    import torch

    device = named or ("cuda" if torch.cuda.is_available() else "cpu")
    if device not in ("cpu", "cuda") or (device == "cuda" and not torch.cuda.is_available()):
        raise AtollError(
            Message("--device is cpu, or cuda where PyTorch finds a GPU, not %(text)s", text=quoted(device))
        )
    return device


def _folder(named: Path) -> Path:
    """The folder in which a training is kept, there or not yet; raises AtollError for something else."""
    if named.exists() and not named.is_dir():
        raise AtollError(Message("%(file)s: is no folder; name another one", file=named))
    return named


def _seed_in(folder: Path) -> int:
    """The seed of the training in a folder, or else a new one, which is told."""
    from atoll.learning.training import seed_in

    found = seed_in(folder)
    if found is None:
        found = new_seed()
        tell_seed(found)
    return found


def _told(training: "Training") -> str:
    """The last measurement in a line."""
    line = training.lines[-1]
    shares = "; ".join(
        translator(
            "%(share)s ± %(width)s %% among %(players)s",
            share=f"{share:.1f}",
            width=f"{width:.1f}",
            players=players,
        )
        for players, (share, width) in sorted(line.won.items())
    )
    return translator(
        "Generation %(generation)s after %(seconds)s s: it wins against greedy %(shares)s",
        generation=line.generation,
        seconds=round(line.seconds),
        shares=shares,
    )


def add_command(app: typer.Typer) -> None:
    """Add the command to `atoll`."""
    app.command(help=translator("Train a player of a game, from its own games or from what searches find."))(
        train
    )
