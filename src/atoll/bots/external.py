"""Any program as a bot: it is sent its seat's view and legal moves, a line of JSON each time, and answers with a line.

The protocol stands in docs/bots.md. A program that fails to answer as it should forfeits that move: any legal move is
drawn instead, all equally likely, from its seat's generator. Commands come from the command line alone; the site finds
its bots by `find_bot`, which knows no commands.
"""

import os
import re
import select
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

import msgspec

from atoll.bots.bot import Bot, SeatedBot
from atoll.bots.catalogue import find_bot
from atoll.bots.restricted import RULES
from atoll.core.game import Game
from atoll.core.types import Json, Outcome
from atoll.engine.stopping import check_stop
from atoll.text.errors import AtollError, UnknownBot
from atoll.text.files import reason_of
from atoll.text.messages import Message, message_of, quoted
from atoll.text.platform import HAS_PROCESS_GROUPS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from atoll.core.game import View

    Generator = NDArray[np.uint64]

PROTOCOL = 1
MOVE_MS = 5_000
START_MS = 30_000
LONGEST = 1 << 20
"""Bytes of the longest line that a program may say."""
MOST_IN_A_ROW = 3
"""So many forfeited moves in a row end the program for the rest of the game."""
POLL_INTERVAL = 0.2
"""Seconds between two checks whether to stop waiting for a program."""
GRACE = 1.0
"""Seconds that a program has to end by itself when its standard input ends."""
_WATCH = 'read -r _; kill -s KILL -- "-$0"'
"""A shell's words: when our end of its standard input closes, end the group of processes."""

_NAME = re.compile(r"""(?:[^,'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")*""", re.DOTALL)
_COMMAND = re.compile(
    r"cmd:(?:(?P<move>[1-9][0-9]{0,6})ms(?:/(?P<start>[1-9][0-9]{0,6})ms)?:)?(?P<command>.*)", re.DOTALL
)


class Forfeit(Exception):
    """The program did not choose a move: `kind` is late, illegal, garbled or gone; `final` if it must be ended.
    What may be wrong with a program before it plays is a sentence, since that is told.
    """

    def __init__(self, kind: str, why: str | Message, *, final: bool = False) -> None:
        super().__init__(why)
        self.kind = kind
        self.final = final


class BotProcess:
    """A running program, in a group of processes of its own; every exchange has a deadline of `time.monotonic`."""

    def __init__(self, command: tuple[str, ...]) -> None:
        if not HAS_PROCESS_GROUPS:
            raise Forfeit("gone", Message("cannot be started on Windows"), final=True)
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            why = Message("cannot be started: %(why)s", why=reason_of(error))
            raise Forfeit("gone", why, final=True) from None
        self._watch = subprocess.Popen(
            ["sh", "-c", _WATCH, str(self._process.pid)], stdin=subprocess.PIPE, start_new_session=True
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        os.set_blocking(self._input.fileno(), False)
        self._received = b""

    def say(self, message: Json, deadline: float) -> None:
        """Send a message; raises Forfeit if the program does not take it."""
        data = msgspec.json.encode(message) + b"\n"
        try:
            while data:
                _wait(self._input.fileno(), select.POLLOUT, deadline, final=True)
                data = data[os.write(self._input.fileno(), data) :]
        except OSError:
            raise Forfeit("gone", Message("has ended"), final=True) from None

    def hear(self, deadline: float) -> Json:
        """The next message; raises Forfeit if none comes, or if it is no JSON object."""
        while b"\n" not in self._received:
            if len(self._received) > LONGEST:
                raise Forfeit("garbled", Message("said a line without an end"), final=True)
            _wait(self._output.fileno(), select.POLLIN, deadline, final=False)
            chunk = os.read(self._output.fileno(), 1 << 16)
            if not chunk:
                raise Forfeit("gone", Message("has ended"), final=True)
            self._received += chunk
        line, _, self._received = self._received.partition(b"\n")
        try:
            message = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise Forfeit("garbled", Message("said something that is not a JSON object"))
        return message

    def end(self, *, grace: float = 0.0) -> None:
        """Close its input, wait `grace` seconds for it to end by itself, and end all its processes."""
        with suppress(OSError):
            self._input.close()
        deadline = time.monotonic() + grace
        with suppress(Forfeit):
            while grace:
                _wait(self._output.fileno(), select.POLLIN, deadline, final=True)
                if not os.read(self._output.fileno(), 1 << 16):
                    break
        # Before the process is waited for: until then its number, the group's, cannot be another's.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._watch.kill()
        for process in (self._process, self._watch):
            # One that runs as another user, such as root, could not be ended.
            with suppress(subprocess.TimeoutExpired):
                process.wait(10 * GRACE)
        self._output.close()
        assert self._watch.stdin is not None
        self._watch.stdin.close()


def _wait(file: int, what: int, deadline: float, *, final: bool) -> None:
    """Until the file can be read or written. Past the deadline Forfeit is raised, however much is there: what never
    ends would be waited for without one.
    """
    poll = select.poll()
    poll.register(file, what)
    while True:
        check_stop()
        left = deadline - time.monotonic()
        if left <= 0:
            raise Forfeit("late", Message("did not answer in time"), final=final)
        if poll.poll(min(left, POLL_INTERVAL) * 1000):
            return


@dataclass(frozen=True)
class ExternalBot(Bot):
    """A bot that is a program; one process of it plays one seat of one game at a time, game after game."""

    command: tuple[str, ...]
    move_ms: int = MOVE_MS
    start_ms: int = START_MS
    _idle: list[BotProcess] = field(default_factory=list, init=False, compare=False, repr=False)
    _running: set[BotProcess] = field(default_factory=set, init=False, compare=False, repr=False)
    _lock: Lock = field(default_factory=Lock, init=False, compare=False, repr=False)

    def prepare(self, game: Game) -> None:
        """Start the program; raises AtollError if it is not ready in time."""
        try:
            self.give_back(self.take())
        except Forfeit as forfeit:
            raise AtollError(
                Message(
                    "the program of %(bot)s %(problem)s",
                    bot=quoted(self.name),
                    problem=message_of(forfeit),
                )
            ) from None

    def sit(self, generator: "Generator") -> "ExternalPlayer":
        return ExternalPlayer(self, generator)

    def think(self, view: "View", moves: "NDArray[np.int32]", generator: "Generator") -> int:
        player = self.sit(generator)
        try:
            return player.decide(view, moves)
        finally:
            player.leave(None)

    def take(self) -> BotProcess:
        """A process that plays no game, started if there is none; raises Forfeit if it is not ready in time."""
        with self._lock:
            if self._idle:
                return self._idle.pop()
        program = BotProcess(self.command)
        with self._lock:
            self._running.add(program)
        deadline = time.monotonic() + self.start_ms / 1000
        limits = {"move_ms": self.move_ms, "start_ms": self.start_ms}
        try:
            program.say({"say": "hello", "atoll": PROTOCOL, "limits": limits}, deadline)
            if program.hear(deadline).get("say") != "ready":
                ready = '{"say": "ready"}'
                raise Forfeit(
                    "garbled", Message("answered hello with something else than %(wanted)s", wanted=ready)
                )
        except Forfeit as forfeit:
            self.discard(program)
            raise Forfeit("gone", message_of(forfeit), final=True) from None
        return program

    def give_back(self, program: BotProcess) -> None:
        """The process has ended its game well and may play another."""
        with self._lock:
            self._idle.append(program)

    def discard(self, program: BotProcess, *, grace: float = 0.0) -> None:
        """End a process."""
        with self._lock:
            self._running.discard(program)
        program.end(grace=grace)

    def close(self) -> None:
        """End every process; one that waits for a game may end by itself."""
        with self._lock:
            idle, self._idle[:] = list(self._idle), []
            rest = list(self._running.difference(idle))
        for program in rest:
            self.discard(program)
        for program in idle:
            self.discard(program, grace=GRACE)


class ExternalPlayer(SeatedBot):
    """A program in its seat for one game."""

    bot: ExternalBot

    def __init__(self, bot: ExternalBot, generator: "Generator") -> None:
        super().__init__(bot, generator)
        self._program: BotProcess | None = None
        self._request_id = 0
        self._in_a_row = 0
        self._given_up = False

    def decide(self, view: "View", moves: "NDArray[np.int32]") -> int:
        """The program's move, or any legal one if it forfeits; a single legal move is played without asking."""
        if len(moves) == 1:
            return int(moves[0])
        try:
            if self._given_up:
                raise Forfeit("gone", "was ended")
            action = self._ask(view)
        except Forfeit as forfeit:
            self.forfeits[forfeit.kind] += 1
            self._in_a_row += 1
            if forfeit.final or self._in_a_row == MOST_IN_A_ROW:
                self._end()
            return find_bot("random").decide(view, moves, self.generator)
        self._in_a_row = 0
        return action

    def leave(self, outcome: Outcome | None) -> None:
        """Tell the program how the game ended; one that forfeited moves is ended and started anew for the next."""
        program, self._program = self._program, None
        if program is None:
            return
        if outcome is not None and not self.forfeits:
            message = {"say": "end", "points": list(outcome.points), "winners": list(outcome.winners)}
            with suppress(Forfeit):
                program.say(message, time.monotonic() + self.bot.move_ms / 1000)
                self.bot.give_back(program)
                return
        self.bot.discard(program)

    def _ask(self, view: "View") -> int:
        """The action that it chose; raises Forfeit."""
        if self._program is None:
            self._program = self.bot.take()
            self._program.say(opening(view), time.monotonic() + self.bot.move_ms / 1000)
        self._request_id += 1
        legal = view.legal_moves()
        deadline = time.monotonic() + self.bot.move_ms / 1000
        self._program.say(
            {
                "say": "move",
                "id": self._request_id,
                "seat": view.seat,
                "ms": self.bot.move_ms,
                "view": view.to_json(),
                "legal": list(legal),
            },
            deadline,
        )
        answer = self._program.hear(deadline)
        while self._is_stale(answer):
            answer = self._program.hear(deadline)
        number, move, action = answer.get("id"), answer.get("move"), -1
        if type(number) is not int or number != self._request_id or not isinstance(move, dict):
            raise Forfeit("garbled", "answered another question")
        with suppress(AtollError, RecursionError):
            action = view.game.notation.action_of(move)
        if action not in legal.actions:
            raise Forfeit("illegal", "chose a move that is not legal")
        return action

    def _is_stale(self, answer: dict[str, Any]) -> bool:
        """Whether it answers a decision that was forfeited because the answer did not come in time."""
        number = answer.get("id")
        return type(number) is int and 0 < number < self._request_id

    def _end(self) -> None:
        self._given_up = True
        program, self._program = self._program, None
        if program is not None:
            self.bot.discard(program)


def opening(view: "View") -> Json:
    """The message that begins a game: what everybody at the table knows of it."""
    components = view.components
    return {
        "say": "game",
        "game": view.game.name,
        "players": view.players,
        "seat": view.seat,
        "options": dict(view.options),
        "components": {
            "name": components.name,
            "sha256": components.sha256,
            "data": components.data,
        },
    }


def external_bot(name: str) -> ExternalBot:
    """The bot of a name `cmd:COMMAND`, `cmd:MOVEms:COMMAND` or `cmd:MOVEms/STARTms:COMMAND`.

    The command is split into words as a shell does it, but no shell runs it. Raises AtollError.
    """
    match = _COMMAND.fullmatch(name)
    assert match is not None
    try:
        command = tuple(shlex.split(match["command"]))
    except ValueError:
        raise AtollError(_unclosed(name)) from None
    if not command:
        raise AtollError(
            Message(
                "%(name)s names no program; it would be cmd:COMMAND, such as 'cmd:python mybot.py'",
                name=quoted(name),
            )
        )
    return ExternalBot(name, command, int(match["move"] or MOVE_MS), int(match["start"] or START_MS))


def _unclosed(text: str) -> Message:
    return Message("in %(text)s a quotation mark is not closed", text=quoted(text))


_RESTRICTION = re.compile(f"({'|'.join(RULES)})=")


def split_names(text: str) -> list[str]:
    """The names of bots in a list with commas; commas within quotation marks or after a backslash do not divide, nor
    those before the restrictions of a bot.
    """
    names: list[str] = []
    place = 0
    while True:
        match = _NAME.match(text, place)
        assert match is not None
        name = match[0].strip()
        if names and names[-1].startswith("restrict:") and _RESTRICTION.match(name):
            names[-1] += f",{name}"
        else:
            names.append(name)
        place = match.end() + 1
        if place > len(text):
            return names
        if text[place - 1] != ",":
            raise AtollError(_unclosed(text))


@contextmanager
def named_bots(text: str) -> Iterator[list[Bot]]:
    """The bots that a command line names, programs included; their processes end with the context."""
    bots: list[Bot] = []
    for name in split_names(text):
        if name.startswith("cmd:"):
            bots.append(external_bot(name))
            continue
        try:
            bots.append(find_bot(name))
        except UnknownBot as error:
            if name.startswith("restrict:"):
                raise
            raise UnknownBot(Message("%(problem)s, cmd:COMMAND", problem=error.message)) from None
    try:
        yield bots
    finally:
        for bot in bots:
            if isinstance(bot, ExternalBot):
                bot.close()
