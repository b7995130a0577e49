"""Language models play by the Model Context Protocol: with its own client, in words, and by what their seat may know
(docs/envs.md).
"""

import asyncio
import random
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client

from atoll.bots import find_bot
from atoll.commands.mcp import GameServer, mcp_server
from atoll.commands.text_game import TextGame
from atoll.core import records
from atoll.core.catalogue import find_game, games
from atoll.core.types import Json
from atoll.text.errors import AtollError

EXAMPLES = Path(__file__).parents[1] / "examples"
Call = Callable[..., Awaitable[Any]]


def with_client(server: GameServer, talk: Callable[[Call], Awaitable[None]]) -> None:
    """Connect a client to a server in this process."""

    async def connected() -> None:
        async with Client(mcp_server(server)) as client:

            async def call(tool: str, **arguments: Any) -> Any:
                answer: Any = await client.call_tool(tool, arguments)
                return answer.content[0].text if answer.is_error else answer.structured_content

            await talk(call)

    asyncio.run(connected())


async def play_out(call: Call, begun: Json, chance: random.Random) -> Json:
    """Play any legal moves to the end, part by part where they are many; returns what is told of it."""
    seen = begun
    while not seen["over"]:
        listed = seen
        while "parts" in listed:
            part = chance.choice(listed["parts"])["move"]
            listed = await call("legal_moves", game_id=begun["game_id"], part=part)
        seen = await call("play", game_id=begun["game_id"], move=chance.choice(listed["moves"])["move"])
    return seen


@pytest.mark.parametrize("name", games())
def test_a_whole_game_is_played_and_recorded(name: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"

    async def talk(call: Call) -> None:
        rules = await call("rules", game=name)
        assert find_game(name).title in rules["result"]
        begun = await call("new_game", game=name, seat=1, bots="random")
        ended = await play_out(call, begun, random.Random(3))
        (record,) = records.read_records(file.read_text(encoding="utf-8").splitlines())
        *_, last = records.replay(record)
        assert last.position.outcome is not None
        assert ended["points"] == list(last.position.outcome.points)
        assert record.header["players"][1] == "mcp"
        assert "the game is over" in await call(
            "play", game_id=begun["game_id"], move=begun["moves"][0]["move"]
        )

    with_client(GameServer(seed=2, worlds=20, record=file), talk)


def test_a_finished_game_is_graded() -> None:
    async def talk(call: Call) -> None:
        begun = await call("new_game", game="karuba", players=2, bots="greedy")
        await play_out(call, begun, random.Random(3))
        grade = await call("grade", game_id=begun["game_id"])
        losses = grade["decisions"]
        assert all(one["interval"][0] <= one["loss"] <= one["interval"][1] for one in losses)
        surely = sum(one["loss"] for one in losses if one["interval"][0] > 0 and one["kind"] != "fine")
        assert grade["mean_regret"] == pytest.approx(surely / len(losses), abs=1e-4)
        assert losses[0]["move"] != losses[0]["best_other"]

    with_client(GameServer(seed=2, worlds=20), talk)


def test_what_is_wrong_is_said_in_a_sentence_and_changes_nothing() -> None:
    async def talk(call: Call) -> None:
        begun = await call("new_game", game="costa-ruana", players=2, bots="greedy")
        before = await call("look", game_id=0)
        for tool, arguments, said in (
            ("play", {"game_id": 0, "move": {"do": "fly"}}, "there is no move"),
            ("play", {"game_id": 1, "move": begun["moves"][0]["move"]}, "there is no game 1"),
            ("look", {"game_id": -1}, "there is no game -1"),
            ("grade", {"game_id": 0}, "graded when the game is over"),
            ("new_game", {"game": "chess"}, "there is no game called"),
            ("new_game", {"game": "karuba", "players": 9}, "2 to 6"),
            ("new_game", {"game": "karuba", "seat": 2, "players": 2}, "seats are 0 to 1"),
            ("new_game", {"game": "karuba", "bots": "trained:weights"}, "bots of files"),
            ("new_game", {"game": "karuba", "bots": "cmd:true"}, "no bot"),
        ):
            assert said in await call(tool, **arguments)
        assert await call("look", game_id=0) == before
        await call("play", game_id=0, move=begun["moves"][0]["move"])
        assert "used up" in await call("play", game_id=0, move=begun["moves"][0]["move"])

    with_client(GameServer(seed=2, most_decisions=1), talk)


@pytest.mark.parametrize("name", games())
def test_what_is_told_is_the_same_in_worlds_that_the_seat_cannot_tell_apart(name: str) -> None:
    """Hidden is hidden: each position of a game, and one drawn from what the seat may know."""
    game = find_game(name)
    table = TextGame(game.start(3, 5), 2, [find_bot("random")], 5, "mcp")
    chance, differing = random.Random(4), 0
    while not table.position.is_over:
        world = table.position.view(2).resample(chance.randrange(1 << 60))
        differing += world.to_json() != table.position.to_json()
        if world.to_act[0] == 2:  # elsewhere bots would go on
            table.look()
            assert TextGame(world, 2, [find_bot("random")], 5, "mcp").look() == table.look()
        table.play(chance.choice(list(table.position.view(2).legal_moves())))
    assert differing


def test_the_example_plays_by_the_command() -> None:
    """On standard input and output of `atoll mcp`, as clients start it; what stands on its output is the protocol's."""
    done = subprocess.run(
        [sys.executable, EXAMPLES / "play_by_mcp.py", "--game", "karuba", "--seed", "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert re.match(r"points \[\d+, \d+\], won by \[[01, ]+\]\n\d+ decisions, regret 0\.\d+", done.stdout)


def test_without_the_package_one_is_told_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("atoll.commands.mcp.find_spec", lambda name: None)
    with pytest.raises(AtollError, match="make mcp"):
        mcp_server(GameServer())
