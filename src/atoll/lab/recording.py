"""Games between bots as records: the games of the compiled loop, stepped one decision at a time."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile

from atoll.bots.catalogue import RECORDED_BOT, Bot
from atoll.core import records
from atoll.core.errors import AtollError
from atoll.core.files import check_writable
from atoll.core.game import Components, Game, Json
from atoll.core.position import Position
from atoll.lab.simulate import Results, game_seed, no_results, note_outcome, seat_bots, step_game


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
    progress: Callable[[int], None] = lambda done: None,
) -> Results:
    """Write games 0 to games - 1 to `path`, which appears when all are done; returns what came of them.

    Raises OSError or AtollError before the first game is played if that cannot be.
    """
    check_writable(path)
    if path.exists() and not path.is_file():
        raise AtollError(f"{path}: is not a regular file; name another one")
    results = no_results(bots, players, 0, games)
    with NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=path.name, delete=False) as file:
        unfinished = Path(file.name)
        try:
            for index in range(games):
                position = game.start(players, game_seed(seed, index), components, options)
                lines = _record(position, results, bots, seed, index, trace=trace)
                file.write(records.encode(lines))
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
    return results


def record_game(
    game: Game,
    components: Components,
    players: int,
    bots: Sequence[Bot],
    index: int,
    seed: int,
    options: Mapping[str, bool],
) -> tuple[str, Results]:
    """Game `index` as a record's text, and what came of it."""
    results = no_results(bots, players, index, 1)
    position = game.start(players, game_seed(seed, index), components, options)
    return records.encode(_record(position, results, bots, seed, index, first=index)), results


def _record(
    position: Position,
    results: Results,
    bots: Sequence[Bot],
    seed: int,
    index: int,
    *,
    first: int = 0,
    trace: bool = False,
) -> list[Json]:
    """A game as a record, noted in `results`, which begin with game `first`."""
    place = index - first
    names = [RECORDED_BOT + results.names[bot] for bot in results.bots[place]]
    lines = [records.header(position, names, game_seed(seed, index))]
    move_of = position.game.notation.move_of
    seated = seat_bots(bots, position.players, seed, index)
    for step in step_game(position, seated):
        legal = [move_of(action) for action in step.legal.tolist()] if trace else None
        lines.append(records.decision(position, step.seat, move_of(step.action), step.events, legal))
        results.lengths[place] += 1
    lines.append(records.result(position))
    note_outcome(results, place, position, seated)
    return lines
