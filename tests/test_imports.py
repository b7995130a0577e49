"""Which way imports point: every folder of the source stands on a floor, and a file imports its own floor's folder and
what lies below. Imports in functions, those for type checkers alone and names given to `import_module` count too.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "atoll"

# What each folder may import besides itself, from the ground up. A game imports no other game.
GROUND = {"text", "engine", "core"}
MAY_IMPORT = {
    "text": set[str](),
    "engine": {"text"},
    "core": {"text", "engine"},
    "games": GROUND,
    "bots": GROUND,
    "lab": GROUND | {"bots"},
    "learning": GROUND | {"bots", "lab"},
    "benchmark": GROUND | {"bots", "lab"},
    "testing": GROUND | {"bots", "lab", "envs"},
    "web": GROUND | {"bots", "lab"},
    "envs": GROUND | {"bots", "web"},  # a render mode is the site's page of a position
    "commands": GROUND | {"bots", "lab", "learning", "benchmark", "web"},
}
# The same inside the site; all of it may import the files that lie in `web` itself, which import no folder of it.
MAY_IMPORT_IN_WEB = {
    "store": set[str](),
    "table": {"store"},
    "people": {"store", "table"},
    "workshop": {"store", "table"},
    "pages": {"store", "table", "people", "workshop"},
    "live": {"store", "table", "people", "workshop", "pages"},
    "serving": {"store", "table", "people", "workshop", "pages", "live"},
}


def module_name(file: Path) -> str:
    parts = file.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_name(file): file for file in SOURCE.rglob("*.py")}


def imported_names(importer: str, source: str, is_package: bool = False) -> Iterator[str]:
    """Full names of what a module imports, wherever in it; of `from a import b`, a.b, since b may be a module."""
    package = importer.split(".") if is_package else importer.split(".")[:-1]
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom():
                base = package[: len(package) - node.level + 1] if node.level else []
                yield from (
                    ".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names
                )
            case ast.Call(
                func=ast.Name(id="import_module") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield name


def imports_of(module: str) -> Iterator[str]:
    file = FILES[module]
    yield from imported_names(module, file.read_text("utf-8"), file.name == "__init__.py")


def folders_of(module: str) -> list[str]:
    """The folders below `atoll` in which a module lies: of `atoll.web.store.store`, web and store."""
    parts = module.split(".")
    return parts[1:] if (SOURCE / Path(*parts[1:])).is_dir() else parts[1:-1]


def is_wrong(importer: str, imported: str) -> bool:
    """Whether a module of ours may not import the name. What lies beside the folders, such as `__main__`, may import
    everything; nothing imports it, but for the version.
    """
    if imported.split(".")[0] != "atoll" or imported == "atoll.__version__":
        return False
    own, other = importer.split(".")[1:], imported.split(".")[1:]
    if not own or own[0] not in MAY_IMPORT:
        return bool(other) and other[0] == "games"
    if not other or other[0] != own[0]:
        return not other or other[0] not in MAY_IMPORT[own[0]]
    if own[0] == "games":
        return own[1:2] != other[1:2]
    if own[0] == "web" and other[1] in MAY_IMPORT_IN_WEB and own[1:2] != other[1:2]:
        return other[1] not in MAY_IMPORT_IN_WEB.get(own[1] if len(own) > 1 else "", set())
    return False


def modules_imported() -> dict[str, set[str]]:
    """The modules of ours that each module imports."""
    edges = {}
    for module in FILES:
        names = [name for name in imports_of(module) if name != "atoll.__version__"]
        edges[module] = {
            name if name in FILES else name.rpartition(".")[0]
            for name in names
            if name in FILES or name.rpartition(".")[0] in FILES
        } - {module}
    return edges


def circles(edges: Mapping[str, set[str]]) -> list[list[str]]:
    """The strongly connected components of more than one module, by Tarjan's algorithm (SIAM J. Comput. 1, 1972)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    components = []

    def visit(module: str) -> None:
        order[module] = lowest[module] = len(order)
        stack.append(module)
        for other in sorted(edges[module]):
            if other not in order:
                visit(other)
                lowest[module] = min(lowest[module], lowest[other])
            elif other in stack:
                lowest[module] = min(lowest[module], order[other])
        if lowest[module] == order[module]:
            start = stack.index(module)
            components.append(sorted(stack[start:]))
            del stack[start:]

    for module in edges:
        if module not in order:
            visit(module)
    return sorted(component for component in components if len(component) > 1)


def test_imports_point_downward() -> None:
    wrong = [
        f"{module} imports {name}"
        for module in FILES
        for name in imports_of(module)
        if is_wrong(module, name)
    ]
    assert len(FILES) > 100
    assert sorted(wrong) == []


def test_no_files_import_each_other_in_a_circle() -> None:
    edges = modules_imported()
    assert edges["atoll.web.serving.app"] >= {"atoll.web.serving.site"}
    assert circles(edges) == []


def test_every_folder_has_a_floor() -> None:
    assert {folders_of(module)[0] for module in FILES if folders_of(module)} == MAY_IMPORT.keys()
    inside = {
        folders_of(module)[1] for module in FILES if folders_of(module)[:1] == ["web"] != folders_of(module)
    }
    assert inside - {"templates", "static"} == MAY_IMPORT_IN_WEB.keys()


# One import upward for each floor.
@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("text.messages", "engine.chance"),
        ("text.translation", "core.game"),
        ("engine.chance", "core.state"),
        ("core.game", "games.karuba"),
        ("core.game", "bots.bot"),
        ("core.records", "lab.arena"),
        ("games.karuba.rules", "bots.greedy"),
        ("games.karuba.table", "web.pages.anchors"),
        ("games.karuba.rules", "games.costa_ruana.rules"),
        ("bots.greedy", "games.karuba.rules"),
        ("bots.greedy", "lab.arena"),
        ("lab.report", "learning.training"),
        ("lab.report", "commands.options"),
        ("learning.training", "envs.vector"),
        ("learning.training", "commands.train"),
        ("benchmark.suite", "envs.pettingzoo"),
        ("envs.rendering", "lab.report"),
        ("web.serving.app", "envs.rendering"),
        ("testing.suite", "web.serving.app"),
        ("web.refusal", "web.store.store"),
        ("web.store.store", "web.table.seats"),
        ("web.table.timeline", "web.people.chat"),
        ("web.table.timeline", "web.pages.templating"),
        ("web.people.notifier", "web.workshop.results"),
        ("web.people.notifier", "web.pages.templating"),
        ("web.workshop.results", "web.pages.templating"),
        ("web.pages.start_page", "web.live.bot_moves"),
        ("web.live.bot_moves", "web.serving.site"),
        ("web.serving.site", "commands.serve"),
        ("web.serving.site", "games.karuba"),
        ("commands.main", "games.karuba"),
        ("commands.main", "testing.suite"),
        ("__main__", "games.karuba"),
    ],
)
@pytest.mark.parametrize(
    "form",
    [
        "import atoll.{module}",
        "from atoll.{package} import {name}",
        "def f():\n    from atoll.{module} import something",
        "if TYPE_CHECKING:\n    from atoll.{module} import Something",
        "import_module('atoll.{module}')",
    ],
    ids=["module", "name", "lazy", "types", "string"],
)
def test_an_import_upward_is_noticed(importer: str, imported: str, form: str) -> None:
    package, _, name = imported.rpartition(".")
    source = form.format(module=imported, package=package, name=name)
    assert any(is_wrong(f"atoll.{importer}", name) for name in imported_names(f"atoll.{importer}", source))


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("engine.chance", "text.errors.AtollError"),
        ("core.game", "engine.chance"),
        ("games.karuba.rules", "games.karuba.state"),
        ("games.karuba.rules", "core.state"),
        ("lab.report", "bots.bot"),
        ("envs.rendering", "web.pages.static_page"),
        ("web.store.store", "web.refusal"),
        ("web.pages.table_page", "web.table.timeline"),
        ("web.serving.app", "web.store.store"),
        ("web.serving.app", "__version__"),
        ("commands.main", "web.serving.app"),
        ("__main__", "commands.main"),
    ],
)
def test_an_import_downward_is_right(importer: str, imported: str) -> None:
    assert not is_wrong(f"atoll.{importer}", f"atoll.{imported}")
    assert not is_wrong(f"atoll.{importer}", "starlette.routing")


def test_relative_imports_are_counted_from_their_package() -> None:
    source = "from . import seats\nfrom ..store import store"
    assert [*imported_names("atoll.web.table.table", source)] == [
        "atoll.web.table.seats",
        "atoll.web.store.store",
    ]
    assert [*imported_names("atoll.web.table", "from . import seats", True)] == ["atoll.web.table.seats"]


def test_circles_are_noticed() -> None:
    edges = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
    assert circles(edges) == [["a", "b", "c"], ["d", "e"]]
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []
