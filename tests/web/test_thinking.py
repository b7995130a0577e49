"""What takes long keeps nobody: neither other pages nor who stops the site (Ctrl-C stops cleanly)."""

import asyncio
import os
import sys
import threading

import pytest

from atoll.web.thinking import PATIENT, Thinkers


def test_the_end_of_the_site_does_not_wait_for_a_thought() -> None:
    begun, may_end, ended = threading.Event(), threading.Event(), threading.Event()

    def think() -> None:
        assert threading.current_thread().daemon
        begun.set()
        assert may_end.wait(60)
        ended.set()

    async def site() -> None:
        task = asyncio.create_task(Thinkers().run(think))
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
        thinkers = Thinkers()
        with pytest.raises(ZeroDivisionError):
            await thinkers.run(divmod, 1, 0)
        return await thinkers.run(max, 2, 3)

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
        thinkers = Thinkers()
        tasks = [asyncio.create_task(thinkers.run(think)) for _ in range(cores + 3)]
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
        thinking = await Thinkers().run(niceness)
        return thinking, await asyncio.to_thread(niceness)

    thinking, answering = asyncio.run(site())
    assert answering == niceness()
    assert thinking == (min(19, answering + PATIENT) if sys.platform == "linux" else answering)
