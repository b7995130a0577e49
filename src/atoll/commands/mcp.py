"""The command `mcp`: games for language models, as tools of the Model Context Protocol."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Any

import typer

from atoll import __version__
from atoll.bots import DEFAULT_BOT, bot_names, find_bot
from atoll.commands.options import Seed, players_of
from atoll.core.catalogue import find_game, games
from atoll.core.types import Json
from atoll.engine.chance import derive
from atoll.engine.seeds import new_key, new_seed
from atoll.text.errors import AtollError
from atoll.text.files import check_writable

if TYPE_CHECKING:
    from mcp.server import MCPServer

    from atoll.commands.text_game import TextGame

INSTRUCTIONS = """\
Board games with hidden information. Read the rules of a game, begin one, and play moves that are listed, word for word
as JSON objects, until it is over; then it can be graded. Seats count from 0. You are told what your seat may know.
Where several choose at the same time, none is told what the others chose before all have."""


class GameServer:
    """The games of one client; its public methods are the tools. What a client does wrong raises AtollError."""

    def __init__(
        self,
        seed: int | None = None,
        most_decisions: int | None = None,
        worlds: int = 100,
        record: Path | None = None,
    ) -> None:
        """Without a `seed` games are unpredictable. Each decision is graded in so many `worlds`; finished games are
        appended to `record`.
        """
        self._seed = seed
        self._most_decisions = most_decisions
        self._worlds = worlds
        self._record = record
        self._games: list[TextGame] = []
        self._made = 0

    def list_games(self) -> Json:
        """The games, and how many can play each; and the bots, of which search:N searches N iterations."""
        told = [
            {"game": name, "title": game.title, "summary": game.summary, "players": [*game.seats]}
            for name, game in games().items()
        ]
        return {"games": told, "bots": [*bot_names(), "search:N"]}

    def rules(self, game: str, players: int | None = None) -> str:
        """The rules of a game for so many players."""
        from atoll.commands.console import PlainConsole
        from atoll.commands.rules_text import rules_text
        from atoll.commands.text_game import WIDTH
        from atoll.web.pages.rules_page import GameSetup

        found = find_game(game)
        console = PlainConsole(width=WIDTH, color_system=None, force_terminal=False)
        with console.capture() as text:
            console.print(rules_text(found, "en", GameSetup(found.components(), players_of(found, players))))
        return text.get()

    def new_game(self, game: str, players: int | None = None, seat: int = 0, bots: str = DEFAULT_BOT) -> Json:
        """Begin a game in a seat against bots, named with commas between and repeated to fill the other seats. Returns
        its number as `game_id`, and what `look` returns.
        """
        from atoll.commands.text_game import TextGame

        found = find_game(game)
        count = players_of(found, players)
        if not 0 <= seat < count:
            raise AtollError(f"there is no seat {seat}: seats are 0 to {count - 1}")
        others = [_bot(name.strip()) for name in bots.split(",")]
        for bot in others:
            bot.prepare(found)
        number = len(self._games)
        seed = new_seed() if self._seed is None else derive(self._seed, number)
        deal = new_key() if self._seed is None else derive(seed, count)
        position = found.start(count, deal, keyed=self._seed is None)
        self._games.append(TextGame(position, seat, others, seed, "mcp"))
        return {"game_id": number} | self._told(number)

    def look(self, game_id: int) -> Json:
        """The table as your seat sees it, what happened since you last looked, and your legal moves."""
        return self._told(game_id)

    def legal_moves(self, game_id: int, part: dict[str, Any]) -> Json:
        """The legal moves that agree with part of a move, such as one of the `parts` that are listed."""
        return self._find(game_id).legal_moves(part)

    def play(self, game_id: int, move: dict[str, Any]) -> Json:
        """Play a legal move; the others play on until it is your turn again. Returns what `look` returns."""
        table = self._find(game_id)
        if self._most_decisions is not None and self._made >= self._most_decisions:
            raise AtollError(f"the {self._most_decisions} decisions that were allowed are used up")
        table.play(move)
        self._made += 1
        if self._record is not None and table.position.is_over:
            with self._record.open("a", encoding="utf-8") as file:
                file.write(table.record)
        return self._told(game_id)

    def grade(self, game_id: int, progress: Callable[[int, int], None] = lambda done, of: None) -> Json:
        """What each of your decisions in a finished game cost against the best other move, in shares of the win, judged
        by what you could know. `mean_regret` counts those that surely cost more than 2 points of 100, and where a
        search would have moved otherwise, too.
        """
        table = self._find(game_id)
        of = len(table.decisions)
        losses = table.losses(self._worlds, game_id, lambda done: progress(done, of))
        regret = sum(one["loss"] for one in losses if one["kind"] != "fine")
        return {"mean_regret": round(regret / of, 4) if of else 0.0, "decisions": losses}

    def _find(self, game_id: int) -> "TextGame":
        if not 0 <= game_id < len(self._games):
            raise AtollError(f"there is no game {game_id}; begin one with new_game")
        return self._games[game_id]

    def _told(self, game_id: int) -> Json:
        left = {}
        if self._most_decisions is not None:
            left["decisions_left"] = self._most_decisions - self._made
        return self._find(game_id).look() | left


def _bot(name: str) -> Any:
    """The bot of a name that reads no file."""
    if name.startswith("trained:"):
        raise AtollError(f"bots of files are not played against here; there are: {', '.join(bot_names())}")
    return find_bot(name)


def mcp_server(tools: GameServer) -> "MCPServer":
    """The tools as a server of the Model Context Protocol; raises AtollError where its package is not installed."""
    if find_spec("mcp") is None:
        raise AtollError("this needs the package mcp: make mcp installs it (or pip install 'atoll[mcp]')")
    from anyio.from_thread import run
    from mcp.server import MCPServer
    from mcp.server.mcpserver import Context
    from mcp.server.mcpserver.exceptions import ToolError

    lock = Lock()

    @contextmanager
    def one_at_a_time() -> Iterator[None]:
        with lock:
            try:
                yield
            except AtollError as error:
                raise ToolError(str(error)) from None

    def grade(game_id: int, context: Context) -> Json:
        return tools.grade(game_id, lambda done, of: run(context.report_progress, done, of))

    server = MCPServer(
        "atoll", title="Atoll", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    for tool in (tools.list_games, tools.rules, tools.new_game, tools.look, tools.legal_moves, tools.play):
        server.add_tool(one_at_a_time()(tool))
    server.add_tool(one_at_a_time()(grade), description=tools.grade.__doc__)
    return server


def mcp(
    seed: Seed = None,
    decisions: Annotated[
        int | None,
        typer.Option(min=1, help="Decisions that the model may make in all; any number if not said."),
    ] = None,
    worlds: Annotated[int, typer.Option(min=20, help="Worlds in which a decision is graded.")] = 100,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Append the record of each finished game to this file."),
    ] = None,
) -> None:
    """Let a language model play: rules, games, moves and grades as tools of MCP, on standard input and output."""
    if record is not None:
        check_writable(record)
    mcp_server(GameServer(seed, decisions, worlds, record)).run()
