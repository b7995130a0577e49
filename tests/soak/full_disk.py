"""Does a site keep its promises on a full disk?

`python -m tests.soak full_disk`.

The site's home is a file system of 2 MB, mounted where no other program sees it. People play as in `chaos`, over HTTP
and sockets, until it is full. Then changes must be refused with the sentence that says so, while pages and sockets
show what is kept, and a process that is killed must start again and show it, too. With more room play goes on by
itself; something else then fills the disk again and again, processes are killed meanwhile, and in the end each
acknowledged move must stand once, and the database be whole.

Prints what happened. Ends with status 1 for what is broken, and with 2 and the reason where nothing can be mounted: it
takes Linux, and root or a system that lets users have namespaces. Needs what `make test` installs.
"""

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import closing, suppress
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode

from atoll.web.store.database import check_file
from tests.soak.chaos import GAME, PATIENCE, Fleet, Person, Told, at_home, play
from tests.soak.round_robin import HOST
from tests.soak.simulation.checks import Broken

SMALL, ROOMY = "2m", "16m"
"""Sizes of the file system: at first, and when room is made."""
TABLES = 4
MOVES = 60
"""Acknowledged moves after which play has gone on."""
LONG = 60.0
"""Seconds after which it has not."""
SENTENCE = "the disk on which Atoll keeps its tables is full"


def private(*command: str) -> list[str]:
    """The command, with mounts of its own."""
    return ["unshare", *(["-m"] if os.geteuid() == 0 else ["-r", "-m"]), *command]


def mount(folder: str, size: str, *more: str) -> list[str]:
    """The command that mounts a file system of that size in memory."""
    return ["mount", "-t", "tmpfs", "-o", ",".join((f"size={size}", "mode=700", *more)), "none", folder]


def why_not(folder: str) -> str | None:
    """Why no file system can be mounted there; None if one can."""
    try:
        tried = subprocess.run(private(*mount(folder, SMALL)), capture_output=True, text=True)
    except OSError as error:
        return str(error)
    return tried.stderr.strip() if tried.returncode else None


class Visitor:
    """A browser that looks, and makes tables."""

    def __init__(self, fleet: Fleet) -> None:
        self.address = f"http://{HOST}:{fleet.ports[0]}"
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def ask(self, path: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        """Status and text of an answer; 0 where nobody answers."""
        sent = None if form is None else urlencode(form).encode()
        try:
            with self.opener.open(self.address + path, sent, timeout=PATIENCE + LONG) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def makes_table(self) -> tuple[int, str]:
        """The answer to a new table's form."""
        return self.ask("/tables", {"game": GAME, "players": "2", "seat1": "friend"})


class Story:
    """What happens to the site while people play."""

    def __init__(self, fleet: Fleet, home: str, rounds: int) -> None:
        self.fleet = fleet
        self.home = home
        self.rounds = rounds
        self.visitor = Visitor(fleet)
        self.refusals = 0

    async def __call__(self, told: Told) -> None:
        """Fill the disk and make room, again and again."""
        self.visitor.ask("/")
        shown = await self._table()
        await self._until(self._full, "the disk never was full")
        await self._looked_at(shown)
        await self._killed(told)
        await self._looked_at(shown)
        subprocess.run(mount(self.home, ROOMY, "remount"), check=True)
        await self._goes_on(told)
        for _ in range(self.rounds):
            await asyncio.to_thread(fill, Path(self.home, "filled"))
            await self._until(self._full, "the disk never was full again")
            if random.random() < 0.5:
                await self._killed(told)
            await self._looked_at(shown)
            Path(self.home, "filled").unlink()
            await self._goes_on(told)

    async def _table(self) -> str:
        person = Person(self.fleet.ports[0], 0)
        await person.insist(Told(), "GET", "/")
        form = {"game": GAME, "players": "2", "seat1": "friend"}
        return (await person.insist(Told(), "POST", "/tables", form)).headers["location"]

    async def _until(self, holds: Callable[[], bool], otherwise: str) -> None:
        until = time.monotonic() + LONG
        while not await asyncio.to_thread(holds):
            if time.monotonic() > until:
                raise Broken(otherwise)
            await asyncio.sleep(0.05)

    def _full(self) -> bool:
        status, said = self.visitor.makes_table()
        if status not in (200, 503) or (status == 503 and SENTENCE not in said):
            raise Broken(f"a new table was answered with {status}: {said}")
        self.refusals += status == 503
        return status == 503

    async def _looked_at(self, path: str) -> None:
        """Pages are shown, and a socket answers."""
        for address in ("/readyz", "/", path, f"{path}/record", "/healthz"):
            status, _ = await asyncio.to_thread(self.visitor.ask, address)
            if status != 200:
                raise Broken(f"with a full disk {address} was answered with {status}")
        person = Person(self.fleet.ports[0], 0)
        if await person.by_socket(path, {"decision": "0"}):
            raise Broken("with a full disk a move without a move was made")
        await person.leave()

    async def _killed(self, told: Told) -> None:
        self.fleet.kill(0)
        told.kills += 1
        await self.fleet.started()
        if self.fleet.processes[0].poll() is not None:
            raise Broken("with a full disk the site does not start")

    async def _goes_on(self, told: Told) -> None:
        before = len(told.waits)
        await self._until(
            lambda: len(told.waits) >= before + MOVES, "play did not go on when there was room again"
        )


def fill(file: Path) -> None:
    """Fill the disk."""
    with suppress(OSError), file.open("wb", buffering=0) as opened:
        while opened.write(bytes(4096)):
            pass


def inside(home: str, rounds: int) -> None:
    """Play, fill and print; raises Broken."""
    with at_home(home, postgresql=False):
        with closing(Fleet(home, 1)) as fleet:
            story = Story(fleet, home, rounds)
            told = asyncio.run(play(fleet, None, TABLES, 1, 0, story))
        check_file(f"{home}/data/atoll.sqlite")
    print(
        f"the disk was full {rounds + 1} times, and {told.kills} times the site was killed and started on it"
    )
    print(
        f"{len(told.waits)} moves acknowledged, none lost or doubled; {story.refusals} new tables and "
        f"{told.asked_again} requests refused meanwhile"
    )


def main() -> None:
    """Mount, then play and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak full_disk",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rounds", type=int, default=5, help="times that something else fills the disk")
    parser.add_argument("--home", help=argparse.SUPPRESS)
    settings = parser.parse_args()
    if settings.home:
        try:
            inside(settings.home, settings.rounds)
        except Broken as broken:
            print(f"broken: {broken}")
            sys.exit(1)
        return
    with tempfile.TemporaryDirectory() as home:
        if reason := why_not(home):
            print(
                f"no small file system can be mounted here, so nothing was tried: {reason}", file=sys.stderr
            )
            sys.exit(2)
        again = [
            sys.executable,
            "-m",
            "tests.soak.full_disk",
            "--home",
            home,
            "--rounds",
            str(settings.rounds),
        ]
        mounted = (
            'size=$1 home=$2; shift 2; mount -t tmpfs -o "size=$size,mode=700" none "$home" && exec "$@"'
        )
        sys.exit(subprocess.run(private("sh", "-c", mounted, "sh", SMALL, home, *again)).returncode)


if __name__ == "__main__":
    main()
