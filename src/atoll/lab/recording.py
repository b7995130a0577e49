"""Games between bots as records: the games of the compiled loop, stepped one decision at a time."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile

from atoll.bots.bot import Bot
from atoll.bots.catalogue import RECORDED_BOT
from atoll.core import records
from atoll.core.game import Game, Position
from atoll.core.types import Components, Json
from atoll.lab.batches import in_order
from atoll.lab.simulate import Results, game_seed, joined, no_results, note_outcome, seat_bots, step_game
from atoll.text.files import check_regular, check_writable


def record_games(
    game: Game,
    components: Components,
    players: int,
    bots: Sequence[Bot],
    games: int,
    seed: int,
    options: Mapping[str, bool],
    path: Path,
    *,
    trace: bool = False,
    workers: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> Results:
    """Write games 0 to games - 1, played on `workers` cores, to `path`, which appears when all are done; returns what
    came of them. Only what searches takes more than one core.

    Raises OSError or AtollError before the first game is played if that cannot be.
    """
    check_writable(path)
    check_regular(path)
    work = (
        partial(record_game, game, components, players, bots, index, seed, options, trace=trace)
        for index in range(games)
    )
    played = []
    with NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=path.name, delete=False) as file:
        unfinished = Path(file.name)
        try:
            with closing(in_order(work, workers)) as recorded:
                for text, results in recorded:
                    file.write(text)
                    played.append(results)
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
    return joined(played)


def record_game(
    game: Game,
    components: Components,
    players: int,
    bots: Sequence[Bot],
    index: int,
    seed: int,
    options: Mapping[str, bool],
    *,
    trace: bool = False,
) -> tuple[str, Results]:
    """Game `index` as a record's text, and what came of it."""
    results = no_results(bots, players, index, 1)
    position = game.start(players, game_seed(seed, index), components, options)
    return records.encode(_record(position, results, bots, seed, index, trace=trace)), results


def _record(
    position: Position, results: Results, bots: Sequence[Bot], seed: int, index: int, *, trace: bool
) -> list[Json]:
    """Game `index` as a record, noted in `results`, which are of this game alone."""
    names = [RECORDED_BOT + results.names[bot] for bot in results.bots[0]]
    lines = [records.header(position, names, game_seed(seed, index))]
    move_of = position.game.notation.move_of
    seated = seat_bots(bots, position.players, seed, index)
    for step in step_game(position, seated):
        legal = [move_of(action) for action in step.legal.tolist()] if trace else None
        lines.append(records.decision(position, step.seat, move_of(step.action), step.events, legal))
        results.lengths[0] += 1
    lines.append(records.result(position))
    note_outcome(results, 0, position, seated)
    return lines
