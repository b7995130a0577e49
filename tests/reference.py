"""Write the pages of docs that list what the code declares: `python -m tests.reference`.

docs/commands.md has the commands with their options, docs/http.md the site's addresses with the fields that they read,
docs/events.md the kinds of events of each game. tests/test_docs.py compares them with the code.
"""

import ast
import inspect
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, cast

ROOT = Path(__file__).parent.parent
WRITTEN = "Written by `python -m tests.reference`; a test compares it with the code."
FORMS = {"form", "fields", "query_params", "asked", "multi_items"}
"""What handlers call the fields of a form or an address."""
PARTS_OF_A_MOVE = "the parts of a move"


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


# Commands


@cache
def targets() -> dict[str, str]:
    """What the Makefile offers, with its help."""
    return dict(re.findall(r"^([a-z-]+):.*## (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


@cache
def options() -> dict[str, dict[str, str]]:
    """For each command its arguments and options, by how they are written, with their help."""
    import typer

    from atoll.commands.main import app

    group = cast(Any, typer.main.get_command(app))
    listed = {"": group, **_commands_of(group)}
    return {
        name: {
            ", ".join([*parameter.opts, *parameter.secondary_opts])
            if parameter.param_type_name == "option"
            else (parameter.metavar or parameter.name).upper(): parameter.help or ""
            for parameter in command.params
            if "--help" not in parameter.opts
        }
        for name, command in listed.items()
    }


def _commands_of(group: Any) -> dict[str, Any]:
    """The commands by name, with those that stand below another by both words."""
    return {
        name: command
        for first, own in group.commands.items()
        for name, command in (
            (first, own),
            *((f"{first} {second}", below) for second, below in getattr(own, "commands", {}).items()),
        )
    }


def commands_page() -> str:
    """docs/commands.md; the language of the process is that of the page."""
    import typer

    from atoll.commands.main import app

    group = cast(Any, typer.main.get_command(app))
    sections = [f"# Commands\n\n{WRITTEN} `atoll COMMAND --help` says the same.\n"]
    for name, rows in options().items():
        command = _commands_of(group).get(name, group)
        title = f"atoll {name}".strip()
        text = " ".join(inspect.cleandoc(command.callback.__doc__ if not name else command.help).split())
        sections.append(f"## {title}\n\n{text}\n")
        if rows:
            sections.append(
                table(["option", "meaning"], [[f"`{key}`", value] for key, value in rows.items()]) + "\n"
            )
    sections.append(options_of_games())
    made = [[f"`make {name}`", text] for name, text in targets().items()]
    sections.append(
        "## make\n\nFrom the folder of the sources.\n\n" + table(["target", "what it does"], made) + "\n"
    )
    return "\n".join(sections)


def options_of_games() -> str:
    """What `--option` and `--components` take by name, of each game."""
    from atoll.core.catalogue import games

    sets = [
        [f"`{name}`", f"`{shipped}`", "a set of components"]
        for name, game in sorted(games().items())
        for shipped in game.component_files
    ]
    options = [
        [f"`{name}`", f"`{option.name}`", f"{option.label}. {option.help}"]
        for name, game in sorted(games().items())
        for option in game.options
    ]
    about = (
        "By name: what `--option` turns on, and what `--components` and `--changes-from` take besides files."
    )
    return (
        f"## Options and sets of games\n\n{about}\n\n{table(['game', 'name', 'meaning'], options + sets)}\n"
    )


# The site's addresses


@cache
def tree_of(file: str) -> ast.Module:
    return ast.parse(Path(file).read_text("utf-8"))


def node_of(code: Any) -> ast.AST | None:
    """The definition of a function or a class, wherever it stands in its file."""
    file, name = inspect.getsourcefile(code), code.__name__
    first = inspect.getsourcelines(code)[1]
    for node in ast.walk(tree_of(str(file))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name == name:
            lines = [node.lineno, *(decorator.lineno for decorator in node.decorator_list)]
            if first in lines:
                return node
    return None


def text_of(node: ast.AST) -> str | None:
    """A key as it is written; N stands for what is filled in."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(text_of(value) or "N" for value in values)
    return None


def name_of(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=function):
            return name_of(function)
        case ast.Await(value=value):
            return name_of(value)
    return ""


def is_form(node: ast.AST) -> bool:
    """Whether an expression is a form, or an address's query."""
    if isinstance(node, ast.Call) and name_of(node) == "dict":
        return any("read_pairs" in ast.dump(argument) for argument in node.args)
    return name_of(node) in FORMS


def names_gone_through(node: ast.AST, scope: Mapping[str, Any]) -> dict[str, list[str]]:
    """What the variables of comprehensions go through, where that is names written out there or in the module."""
    names = {}
    for inner in ast.walk(node):
        match inner:
            case ast.comprehension(target=ast.Name(id=variable), iter=ast.Tuple(elts=elements)):
                names[variable] = [text for element in elements if (text := text_of(element))]
            case ast.comprehension(target=ast.Name(id=variable), iter=ast.Name(id=name)) if name in scope:
                names[variable] = list(scope[name])
    return names


def direct_fields(node: ast.AST, scope: Mapping[str, Any]) -> Iterator[str]:
    """The fields that a definition reads itself."""
    variables = names_gone_through(node, scope)

    def keys(key: ast.AST) -> list[str]:
        if isinstance(key, ast.Name):
            return variables.get(key.id, [])
        return [text] if (text := text_of(key)) else []

    for inner in ast.walk(node):
        match inner:
            case ast.Call(func=ast.Attribute(value=form, attr="get"), args=[key, *_]) if is_form(form):
                yield from keys(key)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="asked"), attr="number"), args=[key, *_]):
                yield from keys(key)
            case ast.Subscript(value=form, slice=key) if is_form(form):
                yield from keys(key)
            case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[form]) if is_form(form):
                yield from keys(key)
            case (
                ast.Attribute(value=ast.Name(id="asked"), attr="move")
                | ast.Call(func=ast.Name(id="as_fields"))
            ):
                yield PARTS_OF_A_MOVE


def functions_in(endpoint: Any) -> Iterator[Any]:
    """A handler and the functions that it was made with."""
    yield endpoint
    for cell in getattr(endpoint, "__closure__", None) or ():
        if isinstance(cell.cell_contents, FunctionType):
            yield from functions_in(cell.cell_contents)


def reads_a_request(code: Any) -> bool:
    """Whether something is a function of the site that is given a request or a form."""
    if not isinstance(code, FunctionType) or not code.__module__.startswith("atoll.web."):
        return False
    return not {"form", "fields", "request", "connection", "socket", "asked"}.isdisjoint(
        inspect.signature(code).parameters
    )


def fields_of(code: Any, known: set[Any]) -> set[str]:
    """The fields that a handler reads, itself and in what it names of the site; drawing reads none."""
    if code in known or (node := node_of(code)) is None:
        return set()
    known.add(code)
    scope = vars(sys.modules[code.__module__])
    fields = set(direct_fields(node, scope))
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    for name in sorted(names):
        other = scope.get(name)
        is_page = isinstance(other, type) and other.__module__ == "atoll.web.serving.sockets"
        if not name.startswith("draw") and (is_page or reads_a_request(other)):
            fields |= fields_of(other, known)
    return fields


def address_rows() -> list[list[str]]:
    """Method, address, what it is for, and the fields that are read."""
    from starlette.routing import Route, WebSocketRoute

    from atoll.web.serving.app import create_app

    rows = []
    for route in create_app(cast(Any, None), measured=True).routes:
        if not isinstance(route, Route | WebSocketRoute):
            continue
        functions = list(functions_in(route.endpoint))
        fields = set().union(*(fields_of(function, set()) for function in functions))
        maker = vars(sys.modules[route.endpoint.__module__]).get(
            route.endpoint.__qualname__.partition(".")[0]
        )
        about = next(text for function in (*reversed(functions), maker) if (text := inspect.getdoc(function)))
        methods = ["GET", "POST"] if isinstance(route, WebSocketRoute) else sorted(route.methods or ())
        method = (
            "socket" if isinstance(route, WebSocketRoute) else ", ".join(m for m in methods if m != "HEAD")
        )
        shown = [f if f == PARTS_OF_A_MOVE else f"`{f}`" for f in sorted(fields)]
        rows.append(
            [f"`{route.path}`", method, " ".join(about.partition("\n\n")[0].split()), ", ".join(shown)]
        )
    return sorted(rows, key=lambda row: (row[0].strip("`"), row[1]))


def http_page() -> str:
    """docs/http.md."""
    about = (
        f"# The site's addresses\n\n{WRITTEN} Fields are those of the form or of the address; `N` stands for a "
        "number or a name, and an entry of a set brings its own keys besides. The parts of a move are those that "
        "[records](records.md) name. A form that carries out a move has `decision`, how many decisions this seat "
        "has made before, undone ones and undos included, so that sending it twice changes nothing. What is refused "
        "comes back with a sentence and the status 4xx, or 503 while the database cannot be written.\n"
    )
    return f"{about}\n{table(['address', 'method', 'what it does', 'fields'], address_rows())}\n"


# Events


def events_page() -> str:
    """docs/events.md."""
    from atoll.core.catalogue import games

    sections = [
        f"# Events\n\n{WRITTEN} An event is what a move tells: the log, the animations and the log of "
        "chance are made of it. It is a kind and five numbers; of each number that a kind uses this page "
        "says what it means, and who sees it where that is not everybody. Each game's `EVENTS` declares "
        "them (`core/events.py`).\n"
    ]
    for name, game in sorted(games().items()):
        kinds = game.events.kinds
        rows = [
            [
                f"`{kind.name}`",
                "; ".join(
                    (number if field.meaning == number else f"{number}: {field.meaning}")
                    + ("" if field.seen_by == "everybody" else f" ({field.seen_by})")
                    for number, field in kind.fields.items()
                ),
            ]
            for kind in kinds
        ]
        sections.append(f"## {name}\n\n{table(['kind', 'numbers'], rows)}\n")
    return "\n".join(sections)


PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands_page,
    "http.md": http_page,
    "events.md": events_page,
}


def page_in_english(name: str) -> str:
    """A page as a process writes it that speaks English, whatever language this one speaks."""
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"LC_ALL": "C", "ATOLL_HOME": home}
        command = [sys.executable, "-m", "tests.reference", name]
        return subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        ).stdout


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(PAGES[sys.argv[1]](), end="")
    else:
        for page in PAGES:
            (ROOT / "docs" / page).write_text(page_in_english(page), "utf-8")
