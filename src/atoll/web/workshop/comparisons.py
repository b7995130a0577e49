"""Comparisons of components and their findings, played in the background: one process at a time, behind everything
else.

The process runs at a low priority, so that the site and the bots at its tables get the cores first. Comparisons wait
for their turn, one of each browser, in the database (`web/store/comparison_queue.py`): every process of the site
shows how far they are, and what was under way when the site stopped is begun anew.

A browser that can plays what it asks for itself (`lab/games_image.py`), chunk by chunk in their order, and sends the
results of the games. The sums of them stand beside the question, so that any process adds the next.
"""

import asyncio
import contextlib
import secrets
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace as replaced
from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool

from atoll.core.types import Json
from atoll.text.platform import step_back
from atoll.web.bounds import COMPARISONS, Bounds, Visitor
from atoll.web.store.backoff import Backoff
from atoll.web.store.comparison_queue import BROWSER, ComparisonQueue, QueuedComparison
from atoll.web.table.search_pool import in_own_thread

if TYPE_CHECKING:
    from atoll.lab.differences import Comparison
    from atoll.lab.games_image import GamesImage
    from atoll.lab.played import Setup
    from atoll.lab.report import GameReport

BOT, SEED = "greedy", 0
"""Who plays in a comparison, and the seed of its deals: the same question has the same answer."""
OTHER_BOT, OTHER_GAMES = "trained", 100
"""Who is asked about findings where a game brings it along, and how many games it plays."""
NICENESS = 14
"""Of the process: behind the pages and the bots' searches (`web/table/search_pool.py`), and not quite at a
standstill."""
BEAT = 1.0
"""Seconds between two words of how far a comparison is, and until a cancelled one is ended."""
LONGEST = 3600.0
"""Seconds after which a comparison is given up."""
LOOK = 3.0
"""Seconds between two looks for a comparison that another process could not begin or had to leave."""


@dataclass(frozen=True)
class ComparisonRequest:
    """What is compared: two sets of a game's components with their names on the page; `sums` of each figure, as
    `lab.comparison.Paired` has them, where the browser has played some of the games.
    """

    game: str
    first: Json
    second: Json
    first_name: str
    second_name: str
    players: int
    games: int
    sums: dict[str, list[list[float]]] = field(default_factory=dict)


@dataclass(frozen=True)
class FindingsRequest:
    """Of which set of components the findings of a report are wanted, and which version of it that is."""

    game: str
    data: Json
    version: int
    players: int
    games: int


Question = ComparisonRequest | FindingsRequest


def question_of(kept: Json) -> Question:
    """A question as it was kept."""
    if "second" in kept:
        return msgspec.convert(kept, ComparisonRequest)
    return msgspec.convert(kept, FindingsRequest)


class Comparisons:
    """What this process of the site does about comparisons: it takes what is asked for, and plays one at a time."""

    def __init__(self, queue: ComparisonQueue, bounds: Bounds) -> None:
        self.queue = queue
        self.bounds = bounds
        self.niceness = NICENESS
        self._name = secrets.token_urlsafe(9)
        self._asked = asyncio.Event()
        self._asking = threading.Lock()
        self._process: SpawnProcess | None = None
        self._stopped = False

    async def ask(self, set_id: str, visitor: Visitor, question: Question, by_browser: bool = False) -> None:
        """Have something compared or looked at, by the browser itself if it can; raises Refusal if what it asked for
        last is not over, or too many wait.
        """

        def ask() -> None:
            with self._asking:  # or two in the same instant would both find room
                ask_alone()

        def ask_alone() -> None:
            asking, most = self.queue.asking(), COMPARISONS.everybody
            if visitor.browser in asking.values():  # in whichever process it was asked for
                raise COMPARISONS.refusal("browser", 1)
            if most is not None and len(asking) >= most:
                raise COMPARISONS.refusal("everybody", most)
            self.bounds.take(COMPARISONS, visitor, set_id, lambda ids: asking.keys() & set(ids))
            self.queue.ask(set_id, visitor.browser, msgspec.to_builtins(question), by_browser)

        await run_in_threadpool(ask)
        self._asked.set()

    async def run(self) -> None:
        """Play whatever is asked for, one after another, until this is cancelled."""
        backoff = Backoff("comparisons could not be read or kept")
        while True:
            try:
                running = await run_in_threadpool(self.queue.claim, self._name)
                if running is not None:
                    await in_own_thread(self._play, running)
                else:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self._asked.wait(), LOOK)
                    self._asked.clear()
                backoff.succeeded()
            except Exception as error:  # such as no memory for its process: the next may have some
                await backoff.wait(error)

    def stop(self) -> None:
        """End what is played here; it is begun anew by another process, or when the site runs again. Raises DBAPIError
        if that cannot be said, and then it is taken for dead.
        """
        self._stopped = True
        if self._process is not None:
            self._process.terminate()
        self.queue.give_back(self._name)

    def _play(self, running: QueuedComparison) -> None:
        """Play a comparison to its end, or until it is cancelled, and keep what came of it."""
        context = get_context("spawn")
        receiver, sender = context.Pipe(duplex=False)
        question = question_of(running.question)
        process = context.Process(target=_work, args=(question, self.niceness, sender), daemon=True)
        process.start()
        self._process = process
        sender.close()
        try:
            result = self._follow(running, receiver)
        finally:
            process.terminate()
            process.join()
            self._process = None
        if not self._stopped:
            self.queue.finish(running, self._name, result)

    def _follow(self, running: QueuedComparison, receiver: Connection) -> Json | None:
        """What the process found, and meanwhile how far it is is kept; None if it ended before, or is to end."""
        state, done, last_note = "compiling", 0, time.monotonic()
        ends_at = last_note + LONGEST
        with contextlib.suppress(EOFError, OSError):
            while not self._stopped and time.monotonic() < ends_at:
                if receiver.poll(BEAT):
                    match receiver.recv():
                        case int(done):
                            state = "playing"
                        case found:
                            return found  # type: ignore[no-any-return]
                if time.monotonic() - last_note >= BEAT:
                    last_note = time.monotonic()
                    with contextlib.suppress(DBAPIError):  # it is said again in a second
                        if not self.queue.note(running, self._name, state, done):
                            return None
        return None


def _work(question: Question, niceness: int, sender: Connection) -> None:
    """Play, in a process of its own, and send what is done, then the result, while there is somebody to take it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # its parent ends it
    with contextlib.suppress(OSError):
        step_back(niceness)
    with contextlib.suppress(BrokenPipeError):
        if isinstance(question, ComparisonRequest):
            sender.send(compare(question, sender.send))
        else:
            sender.send(find(question, sender.send))


def setup_of(game_name: str, data: Json, players: int) -> "Setup":
    """A set with the bots that play."""
    from atoll.bots import find_bot
    from atoll.core.catalogue import find_game
    from atoll.lab.played import Setup

    game = find_game(game_name)
    return Setup(game, game.components_from(str(data["name"]), data), players, [find_bot(BOT)], SEED)


def setups(question: ComparisonRequest) -> "tuple[Setup, Setup]":
    """Both sets with the bots that play."""
    first, second = (
        setup_of(question.game, data, question.players) for data in (question.first, question.second)
    )
    return first, second


def find(question: FindingsRequest, progress: Callable[[int], None]) -> Json:
    """What stands out in a set, as `atoll.lab.sections.findings.Findings` in builtins, without the texts of records and
    files, which follow from the rest; calls `progress` as `compare` does.
    """
    from atoll.bots import find_bot
    from atoll.lab import report_builder
    from atoll.lab.finding_games import Beside, findings

    setup, other = setup_of(question.game, question.data, question.players), find_bot(OTHER_BOT)
    beside = None if other.quick(setup.game) is not None else Beside(other, OTHER_GAMES)
    report_builder.prepare(setup)
    done = 0
    progress(done)

    def count(games: int) -> None:
        nonlocal done
        done = min(question.games, done + games)
        progress(done)  # also while further games are played, as a sign of life

    def measure(played: "Setup", games: int) -> "GameReport":
        totals = report_builder.empty(played)
        report_builder.play_and_count(played, games, totals, progress=count)
        return report_builder.report(played, totals)

    found = findings(measure(setup, question.games), setup, measure, beside=beside)
    short = [
        replaced(one, moments=[replaced(moment, record="") for moment in one.moments])
        for one in found.findings
    ]
    short = [
        one if one.change is None else replaced(one, change=replaced(one.change, components=""))
        for one in short
    ]
    return {
        "version": question.version,
        "players": question.players,
        "games": question.games,
        "findings": msgspec.to_builtins(replaced(found, findings=short)),
    }


def compare(question: ComparisonRequest, progress: Callable[[int], None]) -> Json:
    """What differs between two sets, as `atoll.lab.differences.Comparison` in builtins, with the names on the page;
    calls `progress` with the number of deals played so far, 0 as soon as all is compiled.
    """
    from atoll.lab import comparison, report_builder

    first, second = setups(question)
    report_builder.prepare(first)
    done = 0
    progress(done)

    def count(games: int) -> None:
        nonlocal done
        done += games
        progress(done)

    result = comparison.compare(first, second, question.games, progress=count)
    return _as_kept(question, result)


def _as_kept(question: ComparisonRequest, result: "Comparison") -> Json:
    return {
        "names": [question.first_name, question.second_name],
        "comparison": msgspec.to_builtins(result),
    }


# By the browser


def can_play_elsewhere(question: ComparisonRequest) -> bool:
    """Whether a browser can play a comparison."""
    from atoll.lab import games_image

    return games_image.can_play_elsewhere(setups(question)[0])


def images(question: ComparisonRequest) -> "list[GamesImage]":
    """The games that a browser plays at a time, under each set."""
    from atoll.lab import comparison, games_image

    both = setups(question)
    size = min(comparison.deals_at_a_time(both[0]), question.games)
    return [games_image.games_image(setup, size) for setup in both]


def take_games(queue: ComparisonQueue, running: QueuedComparison, content: bytes) -> bool:
    """Add the next games that a browser has played under both sets, and keep what came of all if they were the last;
    False if the comparison is not its any more. Raises ValueError for what no games can be.
    """
    from atoll.lab import comparison, games_image

    question = msgspec.convert(running.question, ComparisonRequest)
    first, second = both = setups(question)
    count = min(comparison.deals_at_a_time(first), question.games)
    sizes = [games_image.size_of(setup, count) for setup in both]
    played = games_image.unpacked(content, sum(sizes))
    done = min(running.done + count, question.games)
    new = slice(done - running.done)
    before, after = (
        {key: values[new] for key, values in comparison.chunk_values(setup, chunk).items()}
        for setup, chunk in (
            (first, games_image.read_games(first, running.done, count, played[: sizes[0]])),
            (second, games_image.read_games(second, running.done, count, played[sizes[0] :])),
        )
    )
    figures = {key: comparison.Paired(sums) for key, sums in question.sums.items()}
    comparison.add_deals(figures, before, after)
    if done < question.games:
        sums = {key: paired.sums.tolist() for key, paired in figures.items()}
        return queue.go_on(running, done, msgspec.to_builtins(replace(question, sums=sums)))
    rows = comparison.rows_of(figures)
    queue.finish(running, BROWSER, _as_kept(question, comparison.comparison_of(first, second, rows)))
    return True
