"""What takes long keeps nobody: neither other pages nor who stops the site (Ctrl-C stops cleanly)."""

import asyncio
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atoll.bots.bot import SearchBot
from atoll.web.live import bot_moves
from atoll.web.serving.site import Site
from atoll.web.table.search_pool import PATIENT, FairQueue, Owner, SearchPool
from tests.web.conftest import Browser, within_a_minute


def test_the_end_of_the_site_does_not_wait_for_a_thought() -> None:
    begun, may_end, ended = threading.Event(), threading.Event(), threading.Event()

    def think() -> None:
        assert threading.current_thread().daemon
        begun.set()
        assert may_end.wait(60)
        ended.set()

    async def site() -> None:
        task = asyncio.create_task(SearchPool().run(think))
        assert await asyncio.to_thread(begun.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(site())
    assert not ended.is_set()
    may_end.set()
    assert ended.wait(60)


def test_what_is_found_and_what_goes_wrong_is_told() -> None:
    async def site() -> int:
        search_pool = SearchPool()
        with pytest.raises(ZeroDivisionError):
            await search_pool.run(divmod, 1, 0)
        return await search_pool.run(max, 2, 3)

    assert asyncio.run(site()) == 3


def test_as_many_think_at_once_as_there_are_cores() -> None:
    cores = os.cpu_count() or 1
    lock, full, may_end = threading.Lock(), threading.Event(), threading.Event()
    thinking, most = 0, 0

    def think() -> None:
        nonlocal thinking, most
        with lock:
            thinking += 1
            most = max(most, thinking)
            if thinking == cores:
                full.set()
        assert may_end.wait(60)
        with lock:
            thinking -= 1

    async def site() -> None:
        search_pool = SearchPool()
        tasks = [asyncio.create_task(search_pool.run(think)) for _ in range(cores + 3)]
        assert await asyncio.to_thread(full.wait, 60)
        may_end.set()
        await asyncio.gather(*tasks)

    asyncio.run(site())
    assert most == cores


def test_who_waits_for_a_page_comes_before_who_thinks() -> None:
    """Where each thread has a priority, which is on Linux; elsewhere thinking must not slow the whole site."""

    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, 0)  # 0: this thread on Linux, elsewhere the process

    async def site() -> tuple[int, int]:
        thinking = await SearchPool().run(niceness)
        return thinking, await asyncio.to_thread(niceness)

    thinking, answering = asyncio.run(site())
    assert answering == niceness()
    assert thinking == (min(19, answering + PATIENT) if sys.platform == "linux" else answering)


# Fair turns


def served(places: int, *waiting: Owner, spare: int = 0) -> list[Owner]:
    """Who is served, one after another, if all these come at once and each goes when the next is to be served."""
    order: list[Owner] = []

    async def serve() -> None:
        turns, ended = FairQueue(places, spare), [asyncio.Event() for _ in waiting]

        async def one(owner: Owner) -> None:
            async with turns.one(owner):
                order.append(owner)
                await ended[len(order) - 1].wait()

        tasks = [asyncio.create_task(one(owner)) for owner in waiting]
        for event in ended:
            for _ in range(3):
                await asyncio.sleep(0)
            event.set()
        await asyncio.gather(*tasks)

    asyncio.run(serve())
    return order


def test_one_browser_with_many_tables_delays_another_by_one_search() -> None:
    """And one address with many browsers another address, whatever cookies are thrown away."""
    greedy: list[Owner] = [("here", "one", str(table)) for table in range(26)]
    assert served(1, *greedy, ("here", "other", "a"))[1] == ("here", "other", "a")
    assert served(2, *greedy, ("here", "other", "a"))[2] == ("here", "other", "a")
    many: list[Owner] = [("there", str(browser), "a") for browser in range(60)]
    assert served(2, *many, ("here", "other", "a"))[2] == ("here", "other", "a")


def test_a_browser_without_a_place_waits_for_none_while_some_are_spare() -> None:
    """Whoever has one waits for it to end."""
    begun: list[Owner] = []

    async def hold(turns: FairQueue, owner: Owner) -> None:
        async with turns.one(owner):
            begun.append(owner)
            await asyncio.Event().wait()

    async def play() -> None:
        turns = FairQueue(2, spare=2)
        owners = [("here", browser, str(table)) for table, browser in enumerate("aaaabbcd")]
        tasks = [asyncio.create_task(hold(turns, owner)) for owner in owners]
        for _ in range(5):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert turns._free == 2

    asyncio.run(play())
    assert "".join(owner[1] for owner in begun) == "aabc"


def test_tables_of_one_browser_take_turns() -> None:
    assert (
        "".join(owner[-1] for owner in served(1, *(("here", "me", table) for table in "aaaabbc")))
        == "abcabaa"
    )


STEPS = st.lists(st.sampled_from(["a", "b", "c", "end", "end", "give up"]), max_size=60)


@settings(deadline=None)
@given(STEPS, st.integers(1, 3), st.integers(0, 2))
def test_nobody_is_passed_over_twice_and_no_place_is_lost(steps: list[str], places: int, spare: int) -> None:
    """Who waits for the only place sees each other owner served once at most; who gives up harms nobody."""
    passed: dict[str, Counter[str]] = {}
    inside: list[asyncio.Event] = []
    tasks: list[asyncio.Task[None]] = []
    turns = FairQueue(places, spare)

    async def one(owner: str) -> None:
        async with turns.one((owner,)):
            passed.pop(owner, None)
            for other in {entry[0][0] for entry in turns._waiting} - {owner}:
                passed.setdefault(other, Counter())[owner] += 1
            inside.append(end := asyncio.Event())
            await end.wait()

    async def step(does: str) -> None:
        if does == "end":
            if inside:
                inside.pop(0).set()
        elif does == "give up":
            for task in tasks[-1:]:
                task.cancel()
        else:
            tasks.append(asyncio.create_task(one(does)))
        for _ in range(5):
            await asyncio.sleep(0)
        waiting = {entry[0][0] for entry in turns._waiting}
        for gone in set(passed) - waiting:
            del passed[gone]
        assert places + spare > 1 or all(max(counted.values()) == 1 for counted in passed.values())
        assert turns._free <= 0 or not waiting
        assert turns._free >= -spare

    async def play() -> None:
        for does in [*steps, *["end"] * len(steps)]:
            await step(does)
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(play())
    assert turns._free == places
    assert not turns._present + turns._held
    assert not turns._last


def test_a_place_that_is_lent_to_somebody_who_gives_up_at_the_same_time_is_not_lost() -> None:
    async def play() -> None:
        turns = FairQueue(1)
        async with turns.one(("a",)):
            waiting = asyncio.create_task(turns._take(("b",)))
            await asyncio.sleep(0)
        waiting.cancel()  # it has the place, and does not know it yet
        with pytest.raises(asyncio.CancelledError):
            await waiting
        async with asyncio.timeout(60), turns.one(("c",)):
            pass

    asyncio.run(play())


ASKED = ("search:10000ms", "hard")
"""The bots whose searches are counted."""


class Searches:
    """Stands in for searching: each waits to be let through."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[str] = []
        self.at_work = threading.Semaphore(0)
        self.let_through = threading.Semaphore(0)
        self.over = False
        monkeypatch.setattr(SearchBot, "think", lambda bot, view, moves, generator: self.think(bot, moves))

    def think(self, bot: SearchBot, moves: Sequence[int]) -> int:
        if bot.name not in ASKED:  # at a table that another test has left
            return int(moves[0])
        self.begun.append(bot.name)
        self.at_work.release()
        assert self.over or self.let_through.acquire(timeout=60)
        return int(moves[0])

    def wait(self, count: int) -> None:
        """Wait until so many more are at work."""
        for _ in range(count):
            assert self.at_work.acquire(timeout=60)

    def end(self, site: Site, tables: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
        """Let all through, and wait until none of these tables has anything to search for."""
        monkeypatch.setattr(bot_moves, "LINGER", 0)
        self.over = True
        self.let_through.release(1000)
        asyncio.run(within_a_minute(lambda: site.bots._tasks.keys().isdisjoint(tables)))


def test_all_bot_tables_of_one_browser_do_not_hold_up_the_bots_of_another(
    site: Site, new_browser: Callable[..., Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They wait for none of its searches."""
    searches, cores = Searches(monkeypatch), os.cpu_count() or 1
    wasteful, other = new_browser(), new_browser()
    made: list[str] = []

    def bots(browser: Browser, name: str) -> str:
        path = browser.make_table(players="2", seat0=f"bot:{name}", seat1=f"bot:{name}")
        made.append(path.rpartition("/")[2])
        return path

    for _ in range(cores + 4):
        bots(wasteful, "search:10000ms")
    searches.wait(cores)
    other.wait_for(bots(other, "greedy"), "Play again")
    assert searches.begun == ["search:10000ms"] * cores
    bots(other, "hard")
    searches.wait(1)
    assert searches.begun[cores:] == ["hard"]
    searches.end(site, made, monkeypatch)
