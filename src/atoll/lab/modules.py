"""Building games' modules."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from atoll import __version__
from atoll.core.game import Game
from atoll.core.running import (
    DESCRIPTION,
    FORCED,
    HAS_NUMBA,
    MODULE,
    ModuleDescription,
    built_modules,
    files_digest,
    no_module,
    read_module,
)
from atoll.text.errors import AtollError
from atoll.text.messages import Message

CAN_BUILD = HAS_NUMBA and find_spec("ziglang") is not None
"""Whether modules can be built here: `atoll[build]` is installed."""


def ensure_modules(games: Iterable[Game], say: Callable[[Message], None]) -> dict[str, Message]:
    """Build the modules of those games whose rules have none as they are now, each in a process of its own, and `say`
    so. Returns why a game has none after that, by its name.
    """
    if FORCED not in ("", "module"):
        return {}
    missing = [game for game in games if read_module(game) is None]
    if not CAN_BUILD:
        return {game.name: no_module(game) for game in missing}
    why = {}
    for game in missing:
        say(Message("Building the module of %(game)s, once: about half a minute", game=game.title))
        try:
            build(game, built_modules(game))
        except AtollError as error:
            problem = str(error).removeprefix(f"{game.title}: ").rstrip(".")
            why[game.name] = Message(
                "%(game)s cannot be built: %(problem)s", game=game.title, problem=problem
            )
        vars(game).pop("runner", None)
    return why


def check(game: Game, module: bytes) -> None:
    """Raise ContractError unless a game whose module this is starts as it should, and plays the same in the module as
    uncompiled.
    """
    from atoll.core.contract import check_both_ways, check_start
    from atoll.engine.module import ModuleRunner

    vars(game)["runner"] = ModuleRunner(game.title, module)
    position = game.start(game.seats.start, seed=0)
    check_start(position)
    check_both_ways(position)


def description_of(game: Game) -> ModuleDescription:
    """What is said of a module that is built now."""
    from atoll.engine.digest import builder_digest, code_digest
    from atoll.lab.exports import exports_of

    exports = list(exports_of(game))
    code = code_digest(
        (export.bind(game) for export in exports), (export.example(game) for export in exports)
    )
    return ModuleDescription(__version__, files_digest(game), code, builder_digest())


def package_folder(game: Game) -> Path:
    """The folder of a game's package; raises AtollError where it is no folder that can be written to."""
    folder = Path(str(game.folder))
    if not os.access(folder, os.W_OK):
        raise AtollError(Message("%(folder)s cannot be written to; add --here", folder=folder))
    return folder


def build(game: Game, folder: Path) -> bool:
    """Write a game's module into a folder; returns whether it had to be built, since what it is compiled from has
    changed. Raises AtollError for what cannot be built, and ContractError for a game that does not keep the contract.
    """
    if not CAN_BUILD:
        raise AtollError(Message("modules are built with Numba and Zig's linker: pip install 'atoll[build]'"))
    from atoll.core.contract import check_game

    check_game(game)
    description, target = description_of(game), folder / MODULE
    changed = not target.is_file() or not (folder / DESCRIPTION).is_file()
    if not changed:
        before = msgspec.json.decode((folder / DESCRIPTION).read_bytes(), type=ModuleDescription)
        changed = (before.code, before.builder) != (description.code, description.builder)
    if changed:
        module = _built(game)
        check(game, module)
        folder.mkdir(parents=True, exist_ok=True)
        write(target, module)
    write(folder / DESCRIPTION, msgspec.json.format(msgspec.json.encode(description)) + b"\n")
    return changed


def _built(game: Game) -> bytes:
    """A game's module, built in a process of its own."""
    with TemporaryDirectory() as folder:
        file = Path(folder, MODULE)
        command = [sys.executable, "-m", "atoll.lab.modules", game.package, str(file)]
        path = os.pathsep.join(filter(None, sys.path))
        environment = {**os.environ, "NUMBA_OPT": "0", "PYTHONPATH": path}
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        if done.returncode:
            raise AtollError(_last_line(done))
        return file.read_bytes()


def _last_line(done: "subprocess.CompletedProcess[str]") -> str:
    """What a process complained of at last."""
    said = done.stderr.strip().splitlines() or [f"its process ended with status {done.returncode}"]
    return said[-1].removeprefix("atoll: ")


def _build_here(package: str, file: Path) -> None:
    from atoll.engine.building import build_module
    from atoll.lab.exports import exports_of

    members = vars(import_module(package)).values()
    game = next(member for member in members if isinstance(member, Game))
    file.write_bytes(
        build_module({export.name: (export.example(game), export.bind(game)) for export in exports_of(game)})
    )


def write(file: Path, content: bytes) -> None:
    """Write a file anew in one go, since another process may read it."""
    new = file.with_name(f"{file.name}.{os.getpid()}")
    new.write_bytes(content)
    os.replace(new, file)


if __name__ == "__main__":
    try:
        _build_here(sys.argv[1], Path(sys.argv[2]))
    except AtollError as error:
        sys.exit(f"atoll: {error}")
