"""What the page of an analysis does that lends its cores (`analysis.js`), in a room of the game's module here."""

import struct
from base64 import b64decode
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import QUICK_BOTS
from atoll.bots.search_image import network_image
from atoll.core.game import View
from atoll.lab.continued import play_on
from atoll.lab.judge import POLICY

Task = dict[str, Any]


def view_in(task: Task, example: View) -> View:
    """The view of a task, of the game of another one."""
    states: NDArray[Any] = np.frombuffer(b64decode(task["view"]), example.game.rules.STATE)
    return View(example.game, example.components, example.options, states.copy())


def answer(task: Task, example: View) -> Task:
    """The answer to a task of the game of a view."""
    if "search" in task:
        return {"id": task["id"], "moves": searched(task["search"], example)}
    place = [bot.name for bot in QUICK_BOTS].index(POLICY)
    shares = play_on(view_in(task, example), place, int(task["seed"]), task["worlds"], task["moves"]).shares
    winners = ((shares > 0) << np.arange(example.players)).sum(axis=2)
    return {"id": task["id"], "winners": winners.ravel().tolist()}


def searched(search: Task, example: View) -> list[tuple[int, int, float]]:
    """What a search finds: actions, visits and shares of the win."""
    room: Any = example.game.runner.room()
    room.zeros(search["size"] - room.begin, np.uint8)
    if search["network"] is not None:
        network = network_image(example.game, example.players, example.components)
        room.write(search["network"], network)
    for piece in search["pieces"]:
        room.write(piece["address"], b64decode(piece["content"]))
    room.write(search["generator"], b64decode(search["generators"][0]))
    size, done = 1, 0
    while done < search["iterations"]:
        step = min(7, search["iterations"] - done)
        room.write(search["counts"], struct.pack("<2q", size, step))
        size = room._run(room._functions[search["export"]], search["frame"])
        done += step
    node, found = search["node"], []

    def read(place: int, name: str, kind: str = "<i") -> Any:
        begin = search["nodes"] + place * node["size"] + node[name]
        return struct.unpack(kind, room.read(begin, begin + 4))[0]

    child = read(0, "child")
    while child:
        if visits := read(child, "visits"):
            found.append((read(child, "action"), visits, read(child, "wins", "<f") / visits))
        child = read(child, "sibling")
    return found
