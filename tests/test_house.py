"""The house itself: lock files, languages of errors, what tracked files may name, games by their folders."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.text.errors import AtollError
from atoll.web.pages.drawings import drawings_css
from tests.soak.mutants import AREAS

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "atoll"
GAMES = sorted(file.parent for file in (SOURCE / "games").glob("*/__init__.py"))

# Where errors are in English alone, for programmers: environments, the tools that test a game, what declares one, the
# commands that no player needs, and what only a caller's mistake could raise. All others are in the user's language.
FOR_PROGRAMMERS = {
    "benchmark",
    "commands.backup",
    "commands.compare",
    "commands.dataset",
    "commands.examples",
    "commands.new_game",
    "commands.options",
    "commands.puzzles",
    "commands.mcp",
    "commands.report",
    "commands.simulate",
    "commands.text_game",
    "commands.train",
    "commands.tune",
    "envs",
    "testing",
    "engine.building",
    "engine.chance",
    "core.events",
    "core.fields",
    "core.game_translator",
    "core.lessons",
    "core.observation",
    "core.parts",
    "core.scripted_chance",
    "lab.episodes",
    "lab.solve",
    "web.pages.rules_page",
    "web.table.timeline",
}


def tracked_texts() -> Iterator[tuple[Path, str]]:
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, names.stdout.split("\0")):
        file = ROOT / name
        try:
            yield file, file.read_text("utf-8")
        except (UnicodeDecodeError, FileNotFoundError):  # a picture; a file removed and not yet committed
            continue


def english_errors(text: str) -> Iterator[int]:
    """The lines in which a module makes an error of a text, which no catalogue translates; not of those that say what a
    game lacks of the contract.
    """
    errors = {"AtollError", *(error.__name__ for error in AtollError.__subclasses__())} - {"ContractError"}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in errors:
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
    english = {name for name, file in files.items() if any(english_errors(file.read_text("utf-8")))}
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


@pytest.mark.parametrize("area", AREAS)
def test_modules_in_which_mutants_are_planted_exist(area: str) -> None:
    files = [SOURCE / "web" / module for module in AREAS[area].modules]
    files += [ROOT / "tests" / "web" / f"test_{name}.py" for name in AREAS[area].tests]
    assert [str(file.relative_to(ROOT)) for file in files if not file.is_file()] == []


def test_a_class_has_one_name_and_a_name_one_class() -> None:
    """Games declare `ComponentsFile`, each its own: an extension point is looked up by that name."""
    places: dict[str, list[str]] = {}
    for file in SOURCE.rglob("*.py"):
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(file.relative_to(SOURCE).as_posix())
    twice = {name: files for name, files in places.items() if len(files) > 1}
    assert {name: sorted(files) for name, files in twice.items() if name != "ComponentsFile"} == {}


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


def outermost(css: str) -> list[str]:
    """What stands before each brace of a style sheet that is in no other."""
    found, depth, start = [], 0, 0
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.S)
    for brace in re.finditer(r"[{}]", css):
        if brace[0] == "{":
            found += [css[start : brace.start()].strip()] if depth == 0 else []
            depth += 1
        else:
            depth -= 1
        start = brace.end()
    assert depth == 0
    return found


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)
def test_the_styles_of_a_game_stay_within_its_table(game: Game) -> None:
    """All stand in a block for what is inside an element of the game's class, or for its symbols, which are outside;
    `test_everyone.py` shows that they change nothing else on any page.
    """
    scopes = (f":where(.{game.name})", f":where(.{game.name}, symbol)")
    files = Path(str(game.folder)).glob("*.css")
    sheets = [file.read_text("utf-8") for file in files if file.name != "drawings.css"]
    drawings = drawings_css(game)
    assert sheets
    for css in sheets:
        assert [rule for rule in outermost(css) if not rule.startswith("@") and rule not in scopes] == []
        assert not re.search(r"^@(media|container|supports)", css.partition(":where(")[0], re.M)
    for rule in outermost(drawings or ""):
        assert rule.startswith((f":where(.{game.name}) ", f".{game.name}", ".drawn-", "@media")), rule


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_a_symbol_of_a_game_is_not_one_of_the_site(folder: Path) -> None:
    """Both stand on one page, where the first of an id is drawn for all that use it."""

    def symbols(template: Path) -> set[str]:
        return set(re.findall(r'<symbol id="([^"{]+)"', template.read_text("utf-8")))

    common = symbols(SOURCE / "web" / "templates" / "macros.html.jinja")
    assert "icon-clock" in common
    assert not [file.name for file in folder.glob("*.jinja") if common & symbols(file)]
