"""Evenings at a simulated site, on which people play, processes die and clocks are set."""

import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from unittest.mock import patch
from zlib import crc32

from atoll.core.catalogue import games
from atoll.text import folders
from atoll.web.store.migrations import migrate
from atoll.web.store.store import Contents
from tests.soak.simulation.checks import Broken, Checks, form_of
from tests.soak.simulation.database import Database, Faults, SimulatedStore
from tests.soak.simulation.network import WEBHOOK, Lost, Network, Process
from tests.soak.simulation.people import Person
from tests.soak.simulation.world import Machine, World

ROOT = Path(__file__).parents[3]
GAMES = {"kuhn-poker": ROOT / "examples" / "kuhn-poker" / "src", "signs": ROOT / "tests" / "fakes"}
"""Short games with what others must not see, cards in turns and choices at once, and where they are."""
EVENING = 300.0
"""Seconds in which people play."""
SETTLING = 50.0
"""Seconds without faults after which every page has heard of everything: pages look again by themselves after 40."""
HEARD = 2.0
"""Seconds after which, without faults, a page has heard of a change; bots and clocks go on while it settles."""
LONGEST = 600.0
"""Seconds after which bots and clocks have nothing more to do, since nobody plays."""


@dataclass
class Told:
    """What happened in a simulation."""

    days: int = 0
    moves: int = 0
    acknowledged: int = 0
    kills: int = 0
    fills: int = 0
    sent: int = 0
    hung: int = 0
    lies: int = 0
    clock_sets: int = 0
    looks: int = 0
    drawn: int = 0
    trace: int = 0
    """a number that is the same only where the same has happened"""

    def add(self, other: "Told") -> None:
        """Count what happened in another, too."""
        for name, value in vars(other).items():
            before = getattr(self, name)
            setattr(self, name, crc32(f"{before} {value}".encode()) if name == "trace" else before + value)


class Site:
    """A site of several processes, the people who play there, and what must hold."""

    def __init__(self, world: World, folder: Path, processes: int) -> None:
        self.world = world
        self.faults = Faults()
        self.database = Database(world, folder, self.faults)
        self.network = Network(world, self.database)
        engine = self.database.engine()
        migrate(engine)
        engine.dispose()
        self.checks = Checks(SimulatedStore(self.database, Machine()))
        self.database.committed = lambda table_id: self.checks.committed(table_id, world.steady())
        self.processes: list[Process] = [Process(world, self.database) for _ in range(processes)]
        self.strays: list[asyncio.Task[None]] = []
        self.told = Told()

    @property
    def running(self) -> list[Process]:
        """The processes that answer."""
        return [process for process in self.processes if not process.machine.dead]

    async def kill_now_and_then(self) -> None:
        """Let processes die between any two waits of theirs, while there are faults."""
        chance = self.world.chance
        while True:
            await asyncio.sleep(chance.uniform(5, 120))
            if not self.faults.on:
                for process in self.processes:
                    process.machine.dies_after = 0
                return
            chance.choice(self.processes).machine.dies_after = chance.randrange(1, 400)

    async def start_others(self) -> None:
        """Start a process in place of each that died, a little later."""
        while True:
            await asyncio.sleep(self.world.chance.uniform(0, 10))
            for place, process in enumerate(self.processes):
                if process.machine.dead:
                    self.told.kills += 1
                    self.processes[place] = Process(self.world, self.database)

    async def fill_disk(self) -> None:
        """Fill the disk for a while, and make room again, while there are faults."""
        chance = self.world.chance
        while True:
            await asyncio.sleep(chance.uniform(30, 300))
            if not self.faults.on:
                return
            self.database.full_until = self.world.steady() + chance.uniform(2, 40)
            self.told.fills += 1

    async def set_clocks(self) -> None:
        """Set the machine's clock an hour forward and back, while there are faults."""
        while True:
            await asyncio.sleep(self.world.chance.uniform(30, 400))
            if not self.faults.on:
                return
            self.world.set_by += self.world.chance.choice((3600.0, -3600.0))
            self.told.clock_sets += 1


class Party:
    """People who play one game after another at tables of their own."""

    def __init__(self, site: Site, number: int) -> None:
        self.site = site
        self.chance = site.world.chance
        self.people = [Person(site, self.chance) for _ in range(1 + number % 2)]
        self.game = "signs" if number % 4 == 0 else "kuhn-poker"
        self.bots = 1 if self.game == "signs" or len(self.people) == 1 else 0

    async def play(self) -> None:
        """Play until the evening ends."""
        for number, person in enumerate(self.people):
            await person.insist("GET", "/")
            await person.insist("POST", "/telling/webhook", {"webhook": WEBHOOK.format(number=number)})
        while self.site.faults.on:
            await self._make_table()
            await asyncio.gather(*(self._play_one(person) for person in self.people))

    async def _make_table(self) -> None:
        players = len(self.people) + self.bots
        clock = self.chance.choice(("none", "decision:60"))
        form = {"game": self.game, "players": players, "pace": "fast", "clock": clock}
        form |= {
            f"seat{seat}": "friend" if seat < len(self.people) else "bot:random" for seat in range(1, players)
        }
        answer = await self.people[0].insist("POST", "/tables", {**form, "stand_in": "random"})
        path = answer.header(b"location")
        for seat, person in enumerate(self.people):
            await person.come_to(path, seat)
            if seat:
                await person.insist("POST", f"{path}/seats", {"seat": seat})

    async def _play_one(self, person: Person) -> None:
        while self.site.faults.on:
            slow = self.chance.random() < 0.05
            await asyncio.sleep(self.chance.uniform(30, 150) if slow else self.chance.expovariate(1 / 12))
            if await person.play():
                return


class Liar:
    """Somebody who sends what nobody may: as a stranger, and with the cookies of those who play."""

    def __init__(self, site: Site, people: Sequence[Person]) -> None:
        self.site, self.people, self.chance = site, people, site.world.chance
        self.stranger = Person(site, self.chance)

    async def lie(self) -> None:
        """Lie now and then, while there are faults."""
        await self.stranger.insist("GET", "/next")
        while self.site.faults.on:
            await asyncio.sleep(self.chance.expovariate(1 / 8))
            person = self.chance.choice(self.people)
            contents = self.site.checks.store.read(person.table_id) if person.path else None
            if contents is None or not self.site.running:
                continue
            who = self.chance.choice((person, self.stranger))
            end, form = self._form(contents, None if who is self.stranger else person.seat)
            self.site.told.lies += 1
            with suppress(Lost):
                path, process = f"{person.path}/{end}", self.chance.choice(self.site.running)
                answer = await self.site.network.ask(process, "POST", path, who.cookie, form)
                if answer.status == 500:
                    raise self.site.checks.broken(f"POST {path} {form} was answered with 500")

    def _form(self, contents: Contents, seat: int | None) -> tuple[str, dict[str, object]]:
        """A move at a decision that is past or not yet there, or of somebody without a seat; or another form of
        theirs."""
        position = self.site.checks.position(contents)
        if seat is None and self.chance.random() < 0.5:
            is_full = all(sitting.browser or sitting.bot for sitting in contents.seats)
            ends = ["take-back", "undo", "leave", "start", "bots", "close", "delete", "undo/answer", "agree"]
            end = self.chance.choice([*ends, "seats"] if is_full else ends)
            return end, {"seat": self.chance.randrange(3), "decision": 0, "bot": "random", "answer": "yes"}
        number = sum(line.seat == seat for line in contents.moves)
        decision = self.chance.choice([*range(number), number + 2, number + 20])
        if position.is_over:
            return "moves", {"decision": decision, "do": "nothing"}
        moves = position.view(position.to_act[0]).legal_moves()
        return "moves", form_of(decision, self.chance.choice(list(moves)))


async def one_evening(world: World, folder: Path, parties: int, processes: int, seconds: float) -> Told:
    """An evening at a site with so many parties; raises Broken."""
    site = Site(world, folder, processes)
    for process in site.processes:
        await process.ready.wait()
    groups = [Party(site, number) for number in range(parties)]
    people = [person for group in groups for person in group.people]
    playing = [group.play() for group in groups] + [site.kill_now_and_then(), site.start_others()]
    playing += [site.set_clocks(), site.fill_disk(), Liar(site, people).lie()]
    watching = [person.watch() for person in people]
    tasks = [asyncio.get_running_loop().create_task(work) for work in (*playing, *watching)]
    await over(site, tasks, seconds)
    site.faults.on, site.told.days = False, parties
    await over(site, tasks, SETTLING)
    while (quiet := world.steady() - site.checks.changed_at) < HEARD:
        await over(site, tasks, HEARD - quiet)
        if world.steady() > seconds + LONGEST:
            raise site.checks.broken("tables go on changing although nobody plays")
    if waiting := [person.path for person in people if person.busy]:
        raise site.checks.broken(f"without any more faults people still wait for an answer at {waiting}")
    for person in people:
        if person.path:
            site.checks.check_settled(person.table_id, person.viewer, person.shown)
    for process in site.running:
        process.kill()
    return count(site)


async def over(site: Site, tasks: list[asyncio.Task[None]], seconds: float) -> None:
    """Let so much time pass, a second at a time; raises what one of the tasks has raised, or what was broken."""
    until = site.world.steady() + seconds
    while site.world.steady() < until:
        await asyncio.sleep(1)
        if site.checks.failed is not None:
            raise site.checks.failed
        for process in site.processes:
            if process.machine.failed is not None:
                failed = process.machine.failed
                raise Broken(f"a process failed: {type(failed).__name__}: {failed}") from failed
        for task in tasks:
            if task.done():
                task.result()


def count(site: Site) -> Told:
    """What happened at a site."""
    told, checks = site.told, site.checks
    told.looks, told.drawn = checks.looks, checks.drawn
    told.sent, told.hung = site.database.sent, site.database.hung
    told.moves = sum(map(len, checks.moves.values()))
    told.acknowledged = sum(map(len, checks.acknowledged.values()))
    told.trace = crc32(repr((site.world.steady(), sorted(checks.moves.items()))).encode())
    return told


@contextmanager
def home() -> Iterator[Path]:
    """A folder for a simulated site, with the tests' own game in the catalogue."""
    cache = folders.cache_folder().resolve()
    with (
        tempfile.TemporaryDirectory() as folder,
        patch.dict(os.environ, ATOLL_HOME=folder),
        patch.object(sys, "path", [*sys.path, *map(str, GAMES.values())]),
        patch.dict(games(), {}),
    ):
        Path(folder, "cache").symlink_to(cache, target_is_directory=True)
        games().update({name: import_module(name.replace("-", "_")).game for name in GAMES})
        yield Path(folder)


def simulate(seed: int, parties: int = 4, processes: int = 3, seconds: float = EVENING) -> Told:
    """An evening at a site, from that seed; raises Broken where something does not hold."""

    def spend() -> Told:
        with home() as folder:
            world = World(seed)
            return world.run(one_evening(world, folder, parties, processes, seconds))

    with ThreadPoolExecutor(1) as apart:  # whoever calls may have an event loop of their own
        return apart.submit(spend).result()
