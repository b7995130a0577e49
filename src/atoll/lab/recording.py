"""Games between bots as records: the games of the compiled loop, stepped one decision at a time."""

from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile

from atoll.bots.catalogue import RECORDED_BOT
from atoll.core import records
from atoll.lab.batches import in_order
from atoll.lab.played import PlayedGames, Setup, game_seed
from atoll.lab.simulate import seat_bots, step_game
from atoll.text.files import check_regular, check_writable


def record_games(
    setup: Setup,
    games: int,
    path: Path,
    *,
    trace: bool = False,
    workers: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> PlayedGames:
    """Write games 0 to games - 1, played on `workers` cores, to `path`, which appears when all are done; returns the
    results. Only bots that search use more than one core.

    Raises OSError or AtollError before the first game is played if that cannot be.
    """
    check_writable(path)
    check_regular(path)
    work = (partial(record_game, setup, index, trace=trace) for index in range(games))
    all_results = []
    with NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=path.name, delete=False) as file:
        unfinished = Path(file.name)
        try:
            with closing(in_order(work, workers)) as games_and_results:
                for text, results in games_and_results:
                    file.write(text)
                    all_results.append(results)
                    progress(1)
            file.flush()
        except OSError as error:
            unfinished.unlink()
            raise OSError(error.errno, error.strerror, str(path)) from None
        except BaseException:
            unfinished.unlink()
            raise
    unfinished.chmod(0o644)
    unfinished.replace(path)
    return PlayedGames.join(all_results)


def record_game(setup: Setup, index: int, *, trace: bool = False) -> tuple[str, PlayedGames]:
    """Game `index` as a record's text, and its results."""
    results = PlayedGames.empty(setup.names, setup.bots_in(index, 1))
    seed = game_seed(setup.seed, index)
    position = setup.game.start(setup.players, seed, setup.components, setup.options)
    results.add_begin(0, position)
    names = [RECORDED_BOT + results.names[bot] for bot in results.bots[0]]
    lines = [records.header(position, names, seed)]
    move_of = position.game.notation.move_of
    seated_bots = seat_bots(setup.bots, setup.players, setup.seed, index)
    before = position.copy()
    for step in step_game(position, seated_bots):
        legal = [move_of(action) for action in step.legal.tolist()] if trace else None
        lines.append(records.decision(before, position, step.seat, move_of(step.action), step.events, legal))
        before = position.copy()
        results.lengths[0] += 1
    lines.append(records.result(position))
    results.add_end(0, position, seated_bots)
    return records.encode(lines), results
