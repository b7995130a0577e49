"""README and docs against the code, both ways: what the docs lack fails, and what they name that is not there."""

import ast
import doctest
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from tests import reference
from tests.soak import questions
from tests.soak.__main__ import SHORT_FORMS

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "atoll"
README = ROOT / "README.md"
PAGES = [README, *sorted(ROOT.glob("docs/*.md"))]
MOST_WORDS_OF_THE_DESIGN = 4_000

# What lies in somebody's own package, or where a command wrote it.
NOT_OURS = {
    "reef/__init__.py",
    "reef/rules.py",
    "reef/state.py",
    "rules.en.md",
    "rules.fr.md",
    "report.json",
    "cast-away-report.json",
    "curve.svg",
    "runs/GAME/curve.svg",
    "look.py",
    "policy.py",
    "tuned.toml",
}
# What begins like an option and is none of our tools': Typer's own, a property of CSS.
OPTIONS_OF_OTHERS = {"--help", "--u"}
FILE = re.compile(
    r"(?:[\w.*-]+/)*[\w.*-]+\.(?:py|md|js|css|toml|html\.jinja|svg\.jinja|jinja|po|txt|npy|ini|json|svg)"
)


@cache
def text_of(page: Path) -> str:
    return page.read_text("utf-8")


@cache
def code_in(text: str) -> list[str]:
    """The code of a page: its blocks line by line, a line that goes on joined to the next, and what is in backticks."""
    blocks = re.findall(r"^```.*?\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in re.sub(r"\\\n\s*", "", block).splitlines()]
    spans = re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
    return lines + [" ".join(span.split()) for span in spans]


def heading_anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub names them."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.MULTILINE)
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


# Pages that are written from the code


@pytest.mark.parametrize("page", reference.PAGES)
def test_pages_that_are_written_from_the_code_are_up_to_date(page: str) -> None:
    assert text_of(ROOT / "docs" / page) == reference.page_in_english(page), "python -m tests.reference"


def test_every_field_that_a_handler_reads_is_at_an_address() -> None:
    """Whatever the files of requests read of a form, by another count than that of the page."""
    listed = set(re.findall(r"`(\w[\w:]*)`", text_of(ROOT / "docs" / "http.md")))
    for file in SOURCE.glob("web/serving/*_requests.py"):
        for field in reference.direct_fields(ast.parse(file.read_text("utf-8")), {}):
            assert field in listed | {reference.PARTS_OF_A_MOVE}, f"{file.name}: {field}"


# Rules by number

RULE = re.compile(r"\b(?:CR|KA|CA)-\d+\b")


def test_rules_by_number_are_those_that_code_and_tests_cite() -> None:
    """Nobody cites a rule that cannot be looked up, and every rule is cited where it is carried out or tested."""
    numbered = {
        rule
        for page in ROOT.glob("docs/rules/*.md")
        for rule in re.findall(rf"^- \*\*({RULE.pattern})\*\*", text_of(page), re.M)
    }
    files = [file for folder in ("src", "tests") for file in ROOT.glob(f"{folder}/**/*.py")]
    assert {rule for file in files for rule in RULE.findall(file.read_text("utf-8"))} == numbered


# Commands and their options


def wrong_in_command(line: str) -> Iterator[str]:
    """What a line of code says of `atoll` that is not there: a command, or one of its options."""
    options = reference.options()
    for name, arguments in re.findall(
        r"(?<![\w.:/-])(?:\S*/bin/)?atoll (?!import\b)([a-z][a-z-]+)([^|#\n]*)", line
    ):
        if name not in options:
            yield f"atoll {name}"
            continue
        below = " ".join([name, *arguments.split()[:1]])
        name = below if below in options else name
        known = {form for forms in options[name] for form in forms.split(", ")} | {"--help"}
        yield from (
            f"atoll {name} {option}"
            for option in re.findall(r"(?<!\S)(--?[a-z][a-z-]*)", arguments)
            if option not in known
        )


@cache
def options_of_tools() -> set[str]:
    """The options of measurements and tools of tests, as their sources name them."""
    files = [
        file for folder in ("bench", "tests", "examples", "src") for file in ROOT.glob(f"{folder}/**/*.py")
    ]
    return {option for file in files for option in re.findall(r'"(--[a-z-]+)"', file.read_text("utf-8"))}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_options_that_docs_name_exist(page: Path) -> None:
    commands = reference.options().values()
    known = {form for options in commands for forms in options for form in forms.split(", ")}
    known |= options_of_tools() | OPTIONS_OF_OTHERS
    for line in code_in(text_of(page)):
        assert list(wrong_in_command(line)) == []
        if line.startswith("--"):
            assert line.split()[0].split("=")[0].rstrip(",") in known


def test_a_wrong_option_is_noticed() -> None:
    assert list(wrong_in_command("/opt/atoll/.venv/bin/atoll backup today.backup")) == []
    assert list(wrong_in_command("atoll play karuba -p 2 --bots hard  # in --the terminal")) == []
    assert list(wrong_in_command("atoll plays")) == ["atoll plays"]
    assert list(wrong_in_command("atoll play karuba --bot hard")) == ["atoll play --bot"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_targets_of_make_that_docs_name_exist(page: Path) -> None:
    for line in code_in(text_of(page)):
        for target in re.findall(r"(?:^|[A-Z]=\S+ )make ([a-z-]+)", line):
            assert target in reference.targets()


def test_environment_variables_are_those_of_the_docs() -> None:
    def named(texts: list[Path]) -> set[str]:
        return {name for file in texts for name in re.findall(r"\bATOLL_[A-Z_]+\b", file.read_text("utf-8"))}

    assert named([*SOURCE.rglob("*.py"), ROOT / "Containerfile"]) == named(PAGES)


def wrong_tools(text: str) -> Iterator[str]:
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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_measurements_and_soak_tests_that_docs_name_exist(page: Path) -> None:
    assert list(wrong_tools(text_of(page))) == []


def test_a_wrong_tool_is_noticed() -> None:
    assert list(wrong_tools("`python -m bench.click --hand`, `python -m tests.soak all --seed 1`")) == []
    text = "`python -m bench.clicks`, `python -m bench.click --head`, `python -m tests.soak layout`"
    assert list(wrong_tools(text)) == ["bench.clicks", "bench.click --head", "tests.soak layout"]


def test_soak_tests_have_the_options_with_which_all_of_them_run() -> None:
    forms = "\n".join(f"python -m tests.soak {tool} {form}" for tool, form in SHORT_FORMS.items())
    assert list(wrong_tools(forms)) == []


# Files and links


@cache
def is_there(name: str) -> bool:
    """Whether a file is in the repository: from its root, from a folder of ours, or, without a folder, anywhere."""
    pattern = re.sub(r"\b(GAME|NAME|OUT)\b", "*", name)
    roots = [ROOT, SOURCE, SOURCE / "web", ROOT / "docs", ROOT / "tests"]
    if "/" in pattern:
        roots += [
            ROOT / "examples",
            SOURCE / "games",
            *SOURCE.glob("games/*"),
            SOURCE / "web" / "static",
            SOURCE / "web" / "templates",
        ]
        return any(next(root.glob(pattern), None) is not None for root in roots if root.is_dir())
    return (
        any(
            next((ROOT / folder).rglob(pattern), None)
            for folder in ("src", "tests", "docs", "bench", "examples")
        )
        or (ROOT / pattern).exists()
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_docs_name_exist(page: Path) -> None:
    spans = [span for span in code_in(text_of(page)) if FILE.fullmatch(span)]
    assert [span for span in spans if span not in NOT_OURS and not is_there(span)] == []


def test_a_missing_file_is_noticed() -> None:
    assert is_there("core/game.py")
    assert is_there("games/GAME/table.css")
    assert not is_there("core/gone.py")
    assert not is_there("gone.py")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"^```.*?^```|`[^`\n]*`", "", text_of(page), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", prose):
        if link.startswith("https://"):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        if anchor:
            assert anchor in heading_anchors(text_of(target)), link


def test_every_page_is_linked() -> None:
    linked = {
        link.partition("#")[0] for page in PAGES for link in re.findall(r"\]\(([^)\s]+)\)", text_of(page))
    }
    names = {Path(link).name for link in linked}
    assert [page.name for page in PAGES if page != README and page.name not in names] == []


# Records, and the design


def test_moves_of_records_are_those_of_the_games() -> None:
    """Each kind of move of a game stands with its parts in the game's section of docs/records.md."""
    from atoll.core.catalogue import games

    page = text_of(ROOT / "docs" / "records.md")
    ours = {name: game for name, game in games().items() if game.package.startswith("atoll.")}
    assert ours
    for name, game in ours.items():
        section = re.split(r"^## ", page.partition(f"## {name}\n")[2], flags=re.MULTILINE)[0]
        for kind in game.moves.kinds:
            assert re.search(rf"\b{re.escape(kind.word)}\b", section), f"{name}: {kind.word}"
            for part in kind.parts:
                assert re.search(rf"\b{re.escape(part.name)}\b", section), f"{name}: {kind.word}, {part.name}"
        words = {kind.word for kind in game.moves.kinds}
        assert set(re.findall(r'"do": "([^"]+)"', section)) <= words


def test_what_templates_are_given_is_used_by_a_game() -> None:
    """The names that docs/table-page.md lists for templates, each of which a template of ours or an example's uses."""
    page = text_of(ROOT / "docs" / "table-page.md")
    section = page.partition("## Context every game template gets")[2].partition("\n\n")[0]
    names = re.findall(r"^- `(\w+)", section, re.MULTILINE)
    files = (*SOURCE.glob("games/*/*.jinja"), *ROOT.glob("examples/*/src/*/*.jinja"))
    templates = "\n".join(text_of(file) for file in files)
    assert len(names) > 10
    assert [name for name in names if not re.search(rf"\b{name}\b", templates)] == []


def test_the_design_is_short() -> None:
    assert len(text_of(ROOT / "docs" / "design.md").split()) <= MOST_WORDS_OF_THE_DESIGN


# Extension points


def test_extension_points_are_those_of_the_docs() -> None:
    """The modules that a game may have, as the code lists them, stand in docs/adding-a-game.md, and no others."""
    from atoll.core.extensions import EXTENSIONS

    text = text_of(ROOT / "docs" / "adding-a-game.md")
    cells = re.findall(r"^\| (.*?) \|", text.partition("## What follows by itself")[2], re.MULTILINE)
    rows = {name for cell in cells for name in re.findall(r"`([a-z_]+)\.py`", cell)}
    assert rows == {extension.module for extension in EXTENSIONS if not extension.is_required}


# What is public in Python, and what is installed


def test_the_reference_has_every_public_name_and_those_that_docs_import() -> None:
    """What pages import from Atoll is in docs/reference.md, and what stands there exists and has a docstring."""
    import atoll

    listed = re.findall(
        r"^- `(atoll[a-z_.]*)\.(\w+)`$", text_of(ROOT / "docs" / "reference.md"), re.MULTILINE
    )
    assert {name for module, name in listed if module == "atoll"} == set(atoll.__all__)
    for module, name in listed:
        assert getattr(import_module(module), name).__doc__, f"{module}.{name}"
    for page in PAGES:
        for block in re.findall(r"^```(?:python|pycon)\n(.*?)^```", text_of(page), re.MULTILINE | re.DOTALL):
            for module, names in re.findall(
                r"^(?:>>> )?from (atoll[a-z_.]*) import ([\w, ]+)$", block, re.MULTILINE
            ):
                for name in names.split(", "):
                    assert hasattr(atoll, name) or (module, name) in listed, (
                        f"{page.name}: from {module} import {name}"
                    )


def test_every_public_name_has_an_example_that_runs() -> None:
    """One session of Python: what each is called with, and what it answers, is as the page says."""
    page = text_of(ROOT / "docs" / "reference.md")
    names = re.findall(r"^- `(\S+)`$", page, re.MULTILINE)
    examples = dict(re.findall(r"^- `(\S+)`\n\n```pycon\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
    assert list(examples) == names
    assert all(doctest.DocTestParser().get_examples(example) for example in examples.values())
    session = doctest.DocTestParser().get_doctest("\n".join(examples.values()), {}, "reference.md", None, 0)
    told: list[str] = []
    assert doctest.DocTestRunner().run(session, out=told.append).failed == 0, "".join(told)


def test_extras_that_docs_and_messages_name_are_those_of_the_package() -> None:
    """`atoll` is its name in the index, which stands in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    files = [*PAGES, *SOURCE.rglob("*.py"), *SOURCE.rglob("*.txt")]
    for file in files:
        for name, extras in re.findall(r"\b([a-z]+)\[([a-z,]+)\]['\"` ]", file.read_text("utf-8")):
            if name == project["name"]:
                assert set(extras.split(",")) <= set(project["optional-dependencies"]), file


def test_tools_of_the_model_context_protocol_are_those_of_the_docs() -> None:
    """`mcp_server` offers what `GameServer` has of public methods; docs/envs.md has a row for each."""
    from atoll.commands.mcp import GameServer

    section = text_of(ROOT / "docs" / "envs.md").partition("| tool | what it gives |")[2].partition("\n\n")[0]
    methods = [name for name, value in vars(GameServer).items() if callable(value) and name[0] != "_"]
    assert sorted(re.findall(r"^\| `(\w+)`", section, re.MULTILINE)) == sorted(methods)


def test_figures_for_prometheus_are_those_of_the_docs() -> None:
    written = re.findall(r"\batoll_[a-z_]+", (SOURCE / "web" / "serving" / "metrics.py").read_text("utf-8"))
    families = {re.sub(r"_seconds_(bucket|sum|count)$", "_seconds", name) for name in written}
    assert families == set(re.findall(r"`(atoll_[a-z_]+)`", text_of(ROOT / "docs" / "operate.md")))


def test_keys_of_an_aims_file_are_those_of_the_docs() -> None:
    """Each key that `atoll tune` reads stands in the example of docs/lab.md, which can be read."""
    from atoll.lab.aims import Aims, AimsFile, Level, Used

    example = (
        text_of(ROOT / "docs" / "lab.md")
        .partition("## Tuning")[2]
        .partition("```toml\n")[2]
        .partition("```")[0]
    )
    for struct in (AimsFile, Aims, Level, Used):
        for key in struct.__struct_fields__:
            assert re.search(rf"\b{key}\b", example), key
