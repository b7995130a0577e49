"""The house itself: lock files, what tracked files may name, and which way imports point."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from atoll.text.errors import AtollError
from tests.soak import questions
from tests.soak.__main__ import SHORT_FORMS

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "atoll"
GAMES = sorted(file.parent for file in (SOURCE / "games").glob("*/__init__.py"))

# What each part may import besides itself. A game may import core alone, and no other game. `__main__`, beside the
# folders, is one of the commands.
MAY_IMPORT = {
    "core": set[str](),
    "games": {"core"},
    "bots": {"core"},
    "envs": {"core", "bots", "web"},
    "lab": {"core", "bots"},
    "learning": {"core", "bots", "lab"},
    "testing": {"core", "bots", "lab", "envs"},
    "web": {"core", "bots", "lab"},
    "commands": {"core", "bots", "lab", "learning", "web"},
}


# Where errors are in English alone, for programmers: environments, the tools that test a game, what declares one, the
# commands that no player needs, and what only a caller's mistake could raise. All others are in the user's language.
FOR_PROGRAMMERS = {
    "commands.backup",
    "commands.compare",
    "commands.exploit",
    "commands.new_game",
    "commands.options",
    "commands.report",
    "commands.simulate",
    "commands.train",
    "commands.tune",
    "envs",
    "testing",
    "core.chance",
    "core.events",
    "core.fields",
    "core.lessons",
    "core.observing",
    "core.parts",
    "core.scripted",
    "core.words",
    "lab.solve",
    "web.pages.rules_page",
    "web.table.course",
}

MOST_LINES_OF_A_MODULE = 500
MOST_LINES_OF_A_FUNCTION = 50


def tracked_texts() -> Iterator[tuple[Path, str]]:
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, names.stdout.split("\0")):
        file = ROOT / name
        try:
            yield file, file.read_text("utf-8")
        except (UnicodeDecodeError, FileNotFoundError):  # a picture; a file removed and not yet committed
            continue


def module_name(file: Path) -> str:
    parts = file.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_modules(file: Path) -> Iterator[str]:
    """Full names of what a file imports; of `from a import b`, a.b, since b may be a module."""
    package = module_name(file).split(".")
    if file.name != "__init__.py":
        package = package[:-1]
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            yield from (".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names)


def part_of(module: str) -> str:
    """The part that a module `atoll.x.y` belongs to; what is no part of its own is one of the commands."""
    name = module.split(".")[1]
    return name if name in MAY_IMPORT else "commands"


def wrong_import(importer: str, imported: str) -> bool:
    """Whether `imported`, a full module name, may not be imported by `importer`, a module of Atoll."""
    if not imported.startswith("atoll.") or imported == "atoll.__version__":
        return False
    own, other = part_of(importer), part_of(imported)
    if own == other == "games":
        return importer.split(".")[2:3] != imported.split(".")[2:3]
    return other != own and other not in MAY_IMPORT[own]


def lines_of_tables(node: ast.AST) -> int:
    """The lines beyond the first of the lists, tuples and dictionaries that are written out below a node."""
    return sum(
        (child.end_lineno or 0) - child.lineno
        if isinstance(child, ast.Dict | ast.List | ast.Set | ast.Tuple)
        else lines_of_tables(child)
        for child in ast.iter_child_nodes(node)
    )


def too_long(name: str, text: str) -> Iterator[str]:
    """The module, and each function of it, that has too many lines; of a function neither its head, docstring nor
    tables count.
    """
    if len(text.splitlines()) > MOST_LINES_OF_A_MODULE:
        yield name
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[1:2] or node.body if ast.get_docstring(node) is not None else node.body
            lines = (node.end_lineno or 0) - first[0].lineno + 1 - sum(map(lines_of_tables, node.body))
            if lines > MOST_LINES_OF_A_FUNCTION:
                yield f"{name}: {node.name}"


def said_in_english(text: str) -> Iterator[int]:
    """The lines in which a module makes an error of a text, which no catalogue translates; not those that tell what a
    game lacks of the contract.
    """
    told = {"AtollError", *(error.__name__ for error in AtollError.__subclasses__())} - {"ContractError"}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in told:
            match node.args:
                case [ast.JoinedStr() | ast.Constant() | ast.BinOp(), *_]:
                    yield node.lineno


@pytest.mark.parametrize("lock", sorted((ROOT / "locks").glob("*.txt")), ids=lambda lock: lock.stem)
def test_every_locked_package_has_one_version_and_hashes(lock: Path) -> None:
    entries = re.split(r"\n(?=\S)", lock.read_text("utf-8"))
    packages = [entry for entry in entries if not entry.startswith("#")]
    assert packages
    for package in packages:
        assert re.match(r"[a-z0-9][a-z0-9.-]*==\S+", package), package
        assert "--hash=sha256:" in package, package


def test_the_tests_use_the_versions_that_players_get() -> None:
    play, lab, envs, test = (
        set(re.findall(r"^[a-z].*==\S+", (ROOT / "locks" / name).read_text("utf-8"), re.MULTILINE))
        for name in ("play.txt", "lab.txt", "envs.txt", "test.txt")
    )
    assert play
    assert play < lab < envs <= test


def test_the_locks_hold_what_pyproject_asks_for() -> None:
    with open(ROOT / "pyproject.toml", "rb") as file:
        project = tomllib.load(file)
    groups = project["dependency-groups"]
    extras = project["project"]["optional-dependencies"]
    lab, envs = extras["lab"], extras["lab"] + extras["envs"]
    assert groups["build"] == project["build-system"]["requires"]
    wanted = {
        "play.txt": project["project"]["dependencies"] + groups["build"],
        "lab.txt": project["project"]["dependencies"] + lab + groups["build"],
        "envs.txt": project["project"]["dependencies"] + envs + groups["build"],
        "test.txt": project["project"]["dependencies"] + envs + groups["build"] + groups["test"],
    }
    for name, requirements in wanted.items():
        locked = re.findall(r"^([a-z].*)==", (ROOT / "locks" / name).read_text("utf-8"), re.MULTILINE)
        names = [re.split(r"[^\w-]", requirement)[0].replace("_", "-") for requirement in requirements]
        assert set(names) <= set(locked), f"{name}: run make lock"


def test_what_players_do_wrong_is_told_in_their_language() -> None:
    files = {
        file.relative_to(SOURCE).with_suffix("").as_posix().replace("/", "."): file
        for file in SOURCE.rglob("*.py")
    }
    english = {name for name, file in files.items() if any(said_in_english(file.read_text("utf-8")))}
    assert {
        name if name in FOR_PROGRAMMERS else name.partition(".")[0] for name in english
    } == FOR_PROGRAMMERS


def test_no_tracked_file_names_a_registry_or_a_path_of_this_machine() -> None:
    hosts = ["py" + "pi.org", "python" + "hosted.org", "npm" + "js.", "deb." + "debian.org"]
    paths = [f"{ROOT}/", f"{Path.home()}/", "/ro" + "ot/", "/ho" + "me/", "/Us" + "ers/"]
    found = [
        f"{file.relative_to(ROOT)}: {word}"
        for file, text in tracked_texts()
        for word in hosts + paths
        if word in text
    ]
    assert not found


def test_imports_point_one_way() -> None:
    files = [file for file in SOURCE.rglob("*.py") if file.parent != SOURCE or file.name != "__init__.py"]
    wrong = [
        f"{module_name(file)} imports {imported}"
        for file in files
        for imported in imported_modules(file)
        if wrong_import(module_name(file), imported)
    ]
    assert files
    assert not wrong


def test_every_folder_of_the_source_has_a_direction() -> None:
    folders = {file.relative_to(SOURCE).parts[0] for file in SOURCE.glob("*/**/*.py")}
    assert folders <= MAY_IMPORT.keys()


@pytest.mark.parametrize(
    ("importer", "imported", "wrong"),
    [
        ("atoll.core.game", "atoll.games.some_game", True),
        ("atoll.core.game", "atoll.web.serving.site", True),
        ("atoll.web.serving.site", "atoll.games.some_game", True),
        ("atoll.games.some_game.rules", "atoll.web.serving.site", True),
        ("atoll.games.some_game.rules", "atoll.games.other_game.rules", True),
        ("atoll.bots.greedy", "atoll.lab.arena", True),
        ("atoll.web.serving.site", "atoll.commands.main", True),
        ("atoll.commands.main", "atoll.games.some_game", True),
        ("atoll.lab.report", "atoll.commands.options", True),
        ("atoll.commands.main", "atoll.web.serving.site", False),
        ("atoll.__main__", "atoll.commands.main", False),
        ("atoll.games.some_game.rules", "atoll.games.some_game.state", False),
        ("atoll.games.some_game.rules", "atoll.core.state", False),
        ("atoll.web.serving.site", "atoll.__version__", False),
        ("atoll.web.serving.site", "starlette.routing", False),
    ],
)
def test_a_wrong_import_is_noticed(importer: str, imported: str, wrong: bool) -> None:
    assert wrong_import(importer, imported) is wrong


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_nothing_outside_a_games_folder_names_it(game: Path) -> None:
    name = re.compile(game.name.replace("_", r"[\s_-]*"), re.IGNORECASE)
    outside = [
        str(file.relative_to(ROOT))
        for file, text in tracked_texts()
        if file.is_relative_to(SOURCE) and not file.is_relative_to(game)
        if name.search(text) or name.search(str(file.relative_to(SOURCE)))
    ]
    assert not outside


def test_every_game_in_the_source_is_found_by_its_entry_point() -> None:
    with open(ROOT / "pyproject.toml", "rb") as file:
        entries = tomllib.load(file)["project"]["entry-points"]["atoll.games"]
    assert sorted(entries.items()) == [
        (game.name.replace("_", "-"), f"atoll.games.{game.name}:game") for game in GAMES
    ]


def test_pytest_runs_every_folder_of_tests() -> None:
    with open(ROOT / "pyproject.toml", "rb") as file:
        named = tomllib.load(file)["tool"]["pytest"]["ini_options"]["testpaths"]
    tests = [file.relative_to(ROOT) for file in ROOT.glob("tests/*/**/test_*.py")]
    assert {f"tests/{file.parts[1]}" for file in tests} <= set(named)


def wrong_commands(text: str) -> Iterator[str]:
    """What a text says of a measurement or a soak test that is not there: its name, or one of its options."""
    for place, name, arguments in re.findall(r"python -m (bench\.|tests\.soak )([a-z_]+)([^`\n]*)", text):
        folder = ROOT / place.strip(" .").replace(".", "/")
        file = folder / f"{name}.py" if (folder / f"{name}.py").is_file() else folder / name / "__main__.py"
        if name == "all":
            file = folder / "__main__.py"
        elif name not in questions(folder):
            yield place + name
            continue
        source = file.read_text("utf-8")
        yield from (
            f"{place}{name} {option}"
            for option in re.findall(r"(?<!\S)--[a-z-]+", arguments)
            if f'"{option}"' not in source
        )


def test_the_tests_and_commands_that_pages_of_docs_name_exist() -> None:
    """docs/security.md and others say which test shows what they promise."""
    for page in (ROOT / "README.md", *ROOT.glob("docs/*.md")):
        text = page.read_text("utf-8")
        for test in re.findall(r"`(?:tests/)?((?:[a-z_]+/)?test_[a-z_]+\.py)`", text):
            assert (ROOT / "tests" / test).is_file(), f"{page.name}: {test}"
        assert list(wrong_commands(text)) == [], page.name


def test_a_wrong_command_is_noticed() -> None:
    assert list(wrong_commands("`python -m bench.click --hand`, `python -m tests.soak all --seed 1`")) == []
    text = "`python -m bench.clicks`, `python -m bench.click --head`, `python -m tests.soak layout`"
    assert list(wrong_commands(text)) == ["bench.clicks", "bench.click --head", "tests.soak layout"]


def test_soak_tests_have_the_options_with_which_all_of_them_run() -> None:
    forms = "\n".join(f"python -m tests.soak {tool} {form}" for tool, form in SHORT_FORMS.items())
    assert list(wrong_commands(forms)) == []


def test_modules_and_functions_are_short() -> None:
    found = {
        long
        for file in SOURCE.rglob("*.py")
        for long in too_long(file.relative_to(SOURCE).as_posix(), file.read_text("utf-8"))
    }
    assert found == set()


def test_what_is_too_long_is_noticed() -> None:
    """A function of 51 lines besides its docstring, but not one whose lines are those of a table."""
    lines = "\n    x = 0" * 51
    table = "\n    x = [\n" + "        0,\n" * 51 + "    ]"
    assert list(too_long("a", f'def f():\n    """f."""{lines}')) == ["a: f"]
    assert list(too_long("a", f"def f():{table}")) == []
    assert list(too_long("a", "x = 0\n" * 501)) == ["a"]


def classes_of(sheet: Path) -> set[str]:
    """The classes that a style sheet gives a look of their own, wherever they stand."""
    rules = re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.S)
    selectors = (part.strip() for found in re.findall(r"([^{}]+)\{", rules) for part in found.split(","))
    return {selector[1:] for selector in selectors if re.fullmatch(r"\.[\w-]+", selector)}


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_a_game_and_the_site_mean_the_same_by_a_class(folder: Path) -> None:
    """A class that both give a look of its own means two things, and one of them is drawn wrongly."""
    common = classes_of(SOURCE / "web" / "static" / "site.css")
    assert "panel" in common
    assert not common & classes_of(folder / "table.css")


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_a_symbol_of_a_game_is_not_one_of_the_site(folder: Path) -> None:
    """Both stand on one page, where the first of an id is drawn for all that use it."""

    def symbols(template: Path) -> set[str]:
        return set(re.findall(r'<symbol id="([^"{]+)"', template.read_text("utf-8")))

    common = symbols(SOURCE / "web" / "templates" / "macros.html.jinja")
    assert "icon-clock" in common
    assert not [file.name for file in folder.glob("*.jinja") if common & symbols(file)]
