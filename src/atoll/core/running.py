"""Which runner carries out a game's exports: its module, machine code, or plain Python."""

import hashlib
import os
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

import msgspec

from atoll import __version__
from atoll.core.card import GameCard
from atoll.engine.exports import HostRunner, Runner
from atoll.text.errors import AtollError
from atoll.text.folders import cache_folder
from atoll.text.messages import Message, quoted

HAS_NUMBA = find_spec("numba") is not None
"""Whether functions can be compiled into machine code here."""
RUNNERS = ("module", "native", "plain")
FORCED = os.environ.get("ATOLL_RUNNER", "")
"""The runner that everything uses, one of RUNNERS, if one is named; a plain one stops at a debugger's breakpoints."""
MODULE, DESCRIPTION = "module.wasm", "module.json"
"""A game's module and what is said of it, in the game's folder or in one of the cache."""


class ModuleDescription(msgspec.Struct, frozen=True):
    """What is said of a module: the version of Atoll, and digests of the game's files, of what was compiled and of how
    it was built.
    """

    atoll: str
    files: str
    code: str
    builder: str = ""


def files_digest(game: GameCard) -> str:
    """A digest of a game's Python files."""
    digest = hashlib.sha256()
    for file in sorted(game.folder.iterdir(), key=lambda one: one.name):
        if file.name.endswith(".py"):
            digest.update(file.name.encode() + b"\0" + file.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def built_modules(game: GameCard) -> Path:
    """Where a module is kept that was built on this machine."""
    return cache_folder() / "modules" / game.name


def read_module(game: GameCard) -> tuple[ModuleDescription, bytes] | None:
    """The module of a game as its files are now: the one that it brings along, else one that was built here."""
    now = __version__, files_digest(game)
    for folder in (game.folder, built_modules(game)):
        described = _description(folder)
        if described is not None and (described.atoll, described.files) == now:
            return described, (folder / MODULE).read_bytes()
    return None


def _description(folder: Traversable) -> ModuleDescription | None:
    file = folder / DESCRIPTION
    return msgspec.json.decode(file.read_bytes(), type=ModuleDescription) if file.is_file() else None


def runner_of(game: GameCard) -> Runner:
    """What carries out single calls and searches: the game's module where it has one."""
    if FORCED not in ("", *RUNNERS):
        known = ", ".join(RUNNERS)
        raise AtollError(
            Message("ATOLL_RUNNER is %(name)s; it can be: %(known)s", name=quoted(FORCED), known=known)
        )
    if FORCED in ("", "module") and (found := read_module(game)) is not None:
        from atoll.engine.module import ModuleRunner

        return ModuleRunner(game.title, found[1])
    if FORCED == "plain":
        return HostRunner(game)
    if HAS_NUMBA and FORCED != "module":
        from atoll.engine.native import NativeRunner

        return NativeRunner(game)
    raise AtollError(no_module(game))


def no_module(game: GameCard) -> Message:
    """What to do where a game has no module."""
    return Message(
        "%(game)s has no module of its rules as they are now: install atoll[build] and run atoll build %(name)s",
        game=game.title,
        name=game.name,
    )


def fast_runner_of(game: GameCard) -> Runner | None:
    """What carries out millions of games, where something does so faster: machine code where Numba is installed."""
    if HAS_NUMBA and FORCED in ("", "native"):
        from atoll.engine.native import NativeRunner

        return NativeRunner(game)
    return None
