"""Games and searches that a browser carries out by a game's module, and the same by the runner here, to be compared."""

from base64 import b64encode
from collections.abc import Iterator
from random import Random
from typing import Any
from zlib import crc32

import msgspec
import numpy as np
from playwright.sync_api import Page

from atoll.bots.guidance import is_guided
from atoll.bots.search import evaluate
from atoll.bots.search_image import search_image
from atoll.core.events import NO_EVENTS
from atoll.core.exports import LEGAL_ACTIONS, PLAY, RESAMPLE, RESULT, START, VIEW
from atoll.core.game import Game, View
from atoll.core.state import seats_in
from atoll.core.types import Components
from atoll.engine.chance import generator
from atoll.web.pages.scripts import scripts_url
from atoll.web.serving.module_requests import module_url, network_url

SCRIPT = """async ([engine, module, games]) => {
    const { Room, merged } = await import(engine);
    const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const words = (text) => new BigUint64Array(bytes(text).buffer);
    const table = Uint32Array.from({ length: 256 }, (_, n) => {
        for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
        return n;
    });
    const room = await Room.open(module);
    return games.map((game) => {
        const { players, size, toAct, most } = game;
        const parts = bytes(game.parts);
        const [chance, worlds] = [words(game.chance), words(game.worlds)];
        let [crc, choice, decisions] = [0, game.choice, 0];
        const note = (array) => {
            crc = ~crc;
            for (const byte of new Uint8Array(array.buffer)) crc = table[(crc ^ byte) & 255] ^ (crc >>> 8);
            crc = ~crc;
        };
        let state = room.start(size, parts, players, chance);
        note(state);
        while (state[toAct]) {
            const seat = 31 - Math.clz32(state[toAct] & -state[toAct]);
            const actions = room.legal(state, parts, seat, most);
            note(actions);
            const view = room.view(state, parts, seat);
            note(view);
            note(room.resample(view, parts, worlds));
            choice = (Math.imul(choice, 1664525) + 1013904223) >>> 0;
            state = room.play(state, parts, seat, actions[(choice >>> 8) % actions.length]);
            note(state);
            decisions += 1;
        }
        const { winners, points } = room.result(state, parts, players);
        note(points);
        return [decisions, winners, crc >>> 0];
    });
}"""

SEARCH = """async ([engine, module, search]) => {
    const { Room, merged } = await import(engine);
    const network = search.network && (await (await fetch(search.network.url)).arrayBuffer());
    const room = await Room.open(module);
    return merged([room.evaluate(search, network, search.generators[0])]).map(Object.values);
}"""


class PlannedGame:
    """A random game under one of the game's settings, all of them in turn."""

    def __init__(self, game: Game, number: int, seed: int) -> None:
        sets = list[str | None](game.component_files) or [None]
        chance = Random(f"{seed} {number}")
        options = {option.name: bool(chance.getrandbits(1)) for option in game.options}
        self.game = game
        self.players = game.seats[number % len(game.seats)]
        self.components: Components = game.under(game.components(chance.choice(sets)), options)
        self.chance, self.worlds = generator(chance.getrandbits(60)), generator(chance.getrandbits(60))
        self.choice = chance.getrandbits(32)

    def described(self) -> dict[str, Any]:
        """What the script is told of it."""
        state = self.game.rules.STATE
        kind, offset = dict(state.fields or {})["to_act"][:2]
        assert kind.itemsize == 1
        return {
            "players": self.players,
            "size": state.itemsize,
            "toAct": offset,
            "most": self.game.rules.MAX_LEGAL,
            "parts": as_text(self.components.parts),
            "chance": as_text(self.chance),
            "worlds": as_text(self.worlds),
            "choice": self.choice,
        }

    def play(self) -> tuple[list[int], list[View]]:
        """How many decisions it takes, the winners and a checksum of all that the rules give in it; and all views."""
        call, rules, parts = self.game.runner.call, self.game.rules, self.components.parts
        states, world = np.zeros(1, rules.STATE), np.zeros(1, rules.STATE)
        chance, worlds, choice = self.chance.copy(), self.worlds.copy(), self.choice
        actions, points = np.zeros(rules.MAX_LEGAL, np.int32), np.zeros(self.players, np.int32)
        views = []
        call(START, states, parts, self.players, chance)
        crc = crc32(states.tobytes())
        while to_act := seats_in(int(states["to_act"][0])):
            seat, view = to_act[0], np.zeros(1, rules.STATE)
            legal = actions[: call(LEGAL_ACTIONS, states, parts, seat, actions)]
            call(VIEW, states, parts, seat, view)
            call(RESAMPLE, view, parts, worlds, world)
            for array in (legal, view, world):
                crc = crc32(array.tobytes(), crc)
            views.append(View(self.game, self.components, self.components.options, view))
            choice = (choice * 1664525 + 1013904223) % (1 << 32)
            call(PLAY, states, parts, seat, int(legal[(choice >> 8) % len(legal)]), NO_EVENTS)
            crc = crc32(states.tobytes(), crc)
        winners = call(RESULT, states, parts, points)
        return [len(views), winners, crc32(points.tobytes(), crc)], views


def as_text(array: Any) -> str:
    """The bytes of an array."""
    return b64encode(array.tobytes()).decode()


def differences(page: Page, game: Game, numbers: range, seed: int) -> Iterator[str]:
    """The games, by their numbers, that a page's browser plays otherwise."""
    planned = [PlannedGame(game, number, seed) for number in numbers]
    described = [one.described() for one in planned]
    played = page.evaluate(SCRIPT, [f"{scripts_url()}/later/engine.js", module_url(game), described])
    for number, one, there in zip(numbers, planned, played, strict=True):
        here, _ = one.play()
        if here != there:
            yield f"{game.name} {number}: {there} in the browser, {here} here"


def search_in(page: Page, view: View, iterations: int) -> list[list[float]]:
    """What a search in a page's browser finds: actions, visits and shares of the win."""
    image = search_image(view, 7, iterations, None, 1)
    network = None
    if is_guided(view.game):
        url = network_url(view.game, view.players, view.components)
        network = {"address": image.network, "url": url}
    search = msgspec.to_builtins(image) | {"network": network}
    given = [f"{scripts_url()}/later/engine.js", module_url(view.game), search]
    return page.evaluate(SEARCH, given)  # type: ignore[no-any-return]


def search_here(view: View, iterations: int) -> list[list[float]]:
    """The same by the runner here."""
    found = evaluate(view, generator(7), iterations, None)
    return [[move.action, move.visits, move.wins] for move in found]
