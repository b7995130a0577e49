"""The commands `benchmark run` and `benchmark table`: a policy through fixed tasks, and what came of several."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atoll.commands.options import COMPILING, CORES, Workers, check_files, console, progress_bar

if TYPE_CHECKING:
    from atoll.benchmark.results import Results

Tasks = Annotated[
    str | None,
    typer.Option("--task", help="Tasks or games, separated by commas, such as NAME-2; all if not said."),
]
benchmark = typer.Typer(
    help="Measure policies by fixed tasks, deals and opponents.",
    rich_markup_mode=None,
)


@benchmark.command()
def run(
    policy: Annotated[
        str,
        typer.Argument(
            metavar="POLICY",
            help="MODULE:NAME or FILE.py:NAME, a function or class in Python; a file of weights; a bot's name; or "
            "cmd:COMMAND. {game} and {players} in it stand for those of a task.",
        ),
    ],
    file: Annotated[
        Path,
        typer.Option("--out", help="Keep the figures here; the same command goes on where it stopped."),
    ],
    task: Tasks = None,
    opponent: Annotated[
        str | None, typer.Option(help="Only against these, separated by commas; all of a task if not said.")
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals",
            "-n",
            min=2,
            help="Deals for each opponent; if not said a whole run: 200, and 20 against a search.",
        ),
    ] = None,
    learnt: Annotated[
        int, typer.Option(min=0, help="Decisions that it has learnt from, of one game, as you declare.")
    ] = 0,
    name: Annotated[
        str | None, typer.Option(help="What tables call it; as it was named if not said.")
    ] = None,
    workers: Workers = CORES,
) -> None:
    """Play a policy in every seat of held-out deals."""
    from atoll.benchmark.policies import named_policy
    from atoll.benchmark.results import Results, run_task
    from atoll.benchmark.suite import find_tasks

    wanted = None if opponent is None else [one.strip() for one in opponent.split(",")]
    chosen = find_tasks(task)
    pairs = [(one, other) for one in chosen for other in one.opponents if wanted is None or other in wanted]
    if not pairs or (wanted and set(wanted) - {other for _, other in pairs}):
        known = dict.fromkeys(other for one in chosen for other in one.opponents)
        raise typer.BadParameter(f"opponents are: {', '.join(known)}", param_hint="--opponent")
    check_files(file)
    results = Results.go_on(file, name or policy, learnt, deals)
    pairs = [(one, other) for one, other in pairs if results.met(one.name, other) is None]
    with console().status(COMPILING):
        for one in {one.name: one for one, _ in pairs}.values():
            one.check()
    with progress_bar() as bar:
        counts = [deals or one.deals(other) for one, other in pairs]
        total = sum(count * one.players for count, (one, _) in zip(counts, pairs, strict=True))
        shown = bar.add_task("Games", total=total)
        for count, (one, other) in zip(counts, pairs, strict=True):
            bar.update(shown, description=f"{one.name} against {other}")
            with named_policy(policy, one.game, one.players) as bot:
                meeting = run_task(one, other, bot, count, workers, lambda done: bar.advance(shown, done))
            results.meetings.append(meeting)
            results.write(file)
    _tell([results])
    console().print(f"The figures are kept in {file}.", soft_wrap=True)


@benchmark.command("table")
def make_table(
    files: Annotated[list[Path], typer.Argument(metavar="FILES...", help="Files of `benchmark run`.")],
) -> None:
    """Print a Markdown table of several runs."""
    from atoll.benchmark.results import Results

    _tell([Results.read(file) for file in files])


def _tell(results: "list[Results]") -> None:
    from atoll.benchmark.results import table
    from atoll.benchmark.suite import tasks

    print(table(results, list(tasks().values())), end="")
