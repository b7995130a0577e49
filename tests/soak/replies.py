"""Does the time of bots' replies tell what a seat cannot know?

`python -m tests.soak replies [GAME ...] [--pairs N]`.

One person plays against bots by an open page's socket. A pair is two positions that look the same to the person, one of
a game of greedy bots and one drawn from the person's view (`resample`), if possible so that a bot knows something else.
The same move is made three times in each, in random order; after the first it is timed until the page hears the reply.
Prints by how much times of one position differ (the noise) and those of the two, and how often one time tells which it
was, to who has heard a reply of each: 50 % is chance; in brackets what 95 % of bootstraps over the pairs lie between.
"Same reply" is of the pairs in which the person saw the same after all replies.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlencode

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table
from sqlalchemy.engine import URL
from starlette.testclient import TestClient

from atoll.bots import find_bot
from atoll.core.catalogue import find_game, games
from atoll.core.game import Game
from atoll.core.types import Json
from atoll.web.serving.app import create_app
from atoll.web.serving.site import Site
from atoll.web.store.engine import open_engine
from atoll.web.store.schema import metadata
from atoll.web.store.store import Answer, SeatRow, Store
from atoll.web.table.creation import PACES, new_table
from atoll.web.table.move_choice import fields_of
from atoll.web.table.table import Table as SiteTable
from atoll.web.table.timeline import Timeline
from tests.web.conftest import Browser

ME = 0
DRAWS = 20
"""Positions drawn to find one in which a bot knows something else."""
Reply = tuple[float, float, bytes]
"""Milliseconds until the page hears of it, those of the process's cores, and what the person sees then."""
Times = NDArray[np.float64]
"""Milliseconds, shape (pairs, 2 positions, 2 replies)."""


def pairs(game: Game) -> Iterator[tuple[Timeline, Timeline, Json]]:
    """Pairs of positions with a move, without end."""
    chance, greedy = random.Random(1), find_bot("greedy")
    while True:
        timeline, stages = (
            Timeline(game.start(game.default_players, chance.getrandbits(32))),
            list[Timeline](),
        )
        while not timeline.is_over:
            if ME in timeline.to_act and len(timeline.legal_moves(ME)) > 1:
                stages.append(timeline.copy(timeline.position.copy()))
            seat = timeline.to_act[0]
            action = greedy.choose(timeline.view(seat), chance.getrandbits(32))
            timeline.replay(Answer(seat, timeline.decision(seat), game.notation.move_of(action)))
        timeline = chance.choice(stages)
        for _ in range(DRAWS):
            drawn = timeline.view(ME).resample(chance.getrandbits(32))
            if any(timeline.view(i).state != drawn.view(i).state for i in range(1, drawn.players)):
                break
        yield timeline, timeline.copy(drawn), chance.choice(timeline.legal_moves(ME))


def reply_to(
    client: TestClient, timeline: Timeline, move: Json, settings: argparse.Namespace
) -> Reply | None:
    """The bots' reply to a move at a new table in that position; None if it is not their turn then."""
    site: Site = client.app.state.site  # type: ignore[attr-defined]
    game, players = timeline.position.game, timeline.position.players
    row = new_table(game, players, {}, settings.pace, None, settings.me, False, "never")
    bots = (SeatRow(seat, None, settings.bot) for seat in range(1, players))
    site.store.make_table(row, [SeatRow(ME, row.maker), *bots])
    table = site.tables.find(row.id)
    form = urlencode({"decision": timeline.decision(ME), **fields_of(move)}, doseq=True)
    table.timeline = timeline.copy(timeline.position.copy())
    with client.websocket_connect(f"{table.address}/live?version=99999") as page:
        assert client.portal is not None
        client.portal.call(bots_have_chosen, site, table)  # those who choose at the same time are first
        version, began, used = table.version, time.perf_counter(), time.process_time()
        page.send_text(f"1 0 moves?{form}")
        heard = iter(page.receive_text, None)
        next(text for text in heard if text.startswith("1\n"))
        if not table.bots.have_to_act and table.version == version + 1:
            return None
        next(text for text in heard if text.startswith("0\n"))
        took = 1000 * (time.perf_counter() - began), 1000 * (time.process_time() - used)
        with table.lock:
            table.seating = replace(table.seating, ended="ended")  # the bots stop
            return *took, table.timeline.view(ME).state.tobytes()


async def bots_have_chosen(site: Site, table: SiteTable) -> None:
    """Wait until no bot has to move."""
    watched = site.watched.watch(table.row.id, table.row.maker)
    try:
        while True:
            event = watched.event
            if not table.bots.have_to_act:
                return
            await event.wait()
    finally:
        site.watched.leave(table.row.id, table.row.maker)


def measure(client: TestClient, game: Game, settings: argparse.Namespace) -> dict[str, Times]:
    """The times of replies to so many pairs, by what they are called."""
    chance, made, found = random.Random(1), pairs(game), list[list[list[Reply]]]()
    for _ in track(range(settings.pairs), game.title):
        replies: list[list[Reply]] = [[], []]
        while [len(of) for of in replies] != [3, 3]:
            *positions, move = next(made)
            replies = [[], []]
            for which in (0, 1, *chance.sample([0, 0, 1, 1], 4)):
                if (reply := reply_to(client, positions[which], move, settings)) is None:
                    break
                replies[which].append(reply)
        found.append([of[1:] for of in replies])
    wall, used = (np.array([[[reply[i] for reply in of] for of in pair] for pair in found]) for i in (0, 1))
    alike = [len({reply[2] for of in pair for reply in of}) == 1 for pair in found]
    return {"wall": wall, "same reply": wall[alike], "processor": used}


def row_of(times: Times) -> list[str]:
    """What a line of the table says of the times of pairs."""
    same = np.abs(times[:, :, 0] - times[:, :, 1])
    other = np.abs(times[:, 0, :, None] - times[:, 1, None, :])
    nearer = np.abs(times - times[:, ::-1, ::-1]) - np.abs(times - times[:, :, ::-1])
    right = 50 + 50 * np.sign(nearer).mean(axis=(1, 2))
    drawn = np.random.default_rng(1).choice(right, (2000, len(right)))
    low, high = np.percentile(drawn.mean(axis=1), (2.5, 97.5))
    medians = (f"{np.median(values):.1f}" for values in (times, same, other))
    return [str(len(times)), *medians, f"{right.mean():.0f} ({low:.0f} to {high:.0f})"]


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak replies",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help="all if none is named")
    parser.add_argument("--bot", default="greedy", help="as tables name them, such as normal or search:1000")
    parser.add_argument("--pace", choices=list(PACES), default="at once", help="of the tables")
    parser.add_argument("--pairs", type=int, default=40, help="of each game")
    settings = parser.parse_args()
    headings = ("Game", "Time", "Pairs", "Median", "Same position", "The other", "Told right, %")
    drawn = Table(*headings, title=f"Replies of {settings.bot}, {settings.pace}, in ms")
    with tempfile.TemporaryDirectory() as home:
        store = Store(open_engine(URL.create("sqlite", database=f"{home}/replies.sqlite")))
        metadata.create_all(store.engine)
        with TestClient(create_app(store, ["testserver"])) as client:
            site: Site = client.app.state.site  # type: ignore[attr-defined]
            made = Browser(client).make_table()
            settings.me = site.tables.find(made.rpartition("/")[2]).row.maker
            for game in (find_game(name) for name in settings.games or games()):
                for kind, times in measure(client, game, settings).items():
                    if len(times):
                        drawn.add_row(game.title, kind, *row_of(times))
    Console(highlight=False).print(drawn)


if __name__ == "__main__":
    main()
