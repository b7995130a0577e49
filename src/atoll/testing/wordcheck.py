"""Checks the translations: every text has one in every language, with its placeholders and its typography.

`python -m atoll.testing.wordcheck` names what is wrong. With `--update` it first brings the catalogues up to
date: it adds new texts untranslated and removes unused ones. With `--list` it writes a page of HTML with every text in
all languages side by side instead, to be read in one go.
"""

import ast
import html
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from atoll.core.catalogue import games
from atoll.core.entries import labels
from atoll.core.lessons import FILE, scripts_of
from atoll.core.plain_messages import plain_texts
from atoll.text.translation import LANGUAGES

ENGLISH = next(iter(LANGUAGES))
"""The language of the message ids."""

SITE = "atoll"
"""The package of everything that is no game."""

SINGULAR = {
    "words": 0,
    "translator": 0,
    "say": 0,
    "_": 0,
    "gettext": 0,
    "QuickBot": 0,
    "SearchBot": 0,
    "Refusal": 1,
    "Gone": 0,
    "Message": 0,
    "fault": 1,
    "Source": 1,
    "Ruling": 1,
}
"""What says a text, or carries it to be said later, and as which argument it takes it."""
SEVERAL = "texts"
"""What carries all its arguments to be said later."""
PLURAL = ("plural", "say_plural", "plurals", "ngettext", "counted")
"""What says one of two texts by a number."""

TEMPLATE_OPTIONS = {
    "extensions": "atoll.web.pages.regions.RegionTag",
    "trim_blocks": "true",
    "lstrip_blocks": "true",
    "newstyle_gettext": "true",
    "silent": "false",
}
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
LOOSE = re.compile(r"%(?!%|\(\w+\)s)")
"""A percent sign that stands for nothing, once doubled ones are taken out: filling a text in would fail there."""
NARROW = "\u202f"

IDLE_HEADERS = tuple(
    f'"{name}'.encode()
    for name in ("Project-Id", "Report-", "POT-", "PO-", "Last-", "Language-", "MIME-", "Generated-")
)
"""Lines of a catalogue's header that say nothing here."""

TextId = str | tuple[str, str]
"""A text's English, or its singular and plural."""


@dataclass(frozen=True)
class Problem:
    """What is wrong with a text."""

    package: str
    language: str
    text: str
    what: str

    def __str__(self) -> str:
        return f"{self.package}, {self.language}: {self.what}: {self.text!r}"


def packages() -> list[str]:
    """The packages that have a catalogue: the site, and each game."""
    return [SITE, *(game.package for game in games().values())]


def folder(package: str) -> Path:
    """The folder of a package."""
    return Path(str(resources.files(package)))


def catalogue_path(package: str, language: str) -> Path:
    """A package's catalogue in a language."""
    return folder(package) / "locale" / f"{language}.po"


def source_files(package: str) -> Iterator[Path]:
    """The Python files and templates that a package's catalogue speaks for."""
    root = folder(package)
    for path in sorted(root.rglob("*")):
        elsewhere = package == SITE and path.is_relative_to(root / "games")
        if path.suffix in (".py", ".jinja") and not elsewhere:
            yield path


def texts_of_file(path: Path) -> Iterator[TextId]:
    """The texts that a file says, as written in it."""
    return texts_of_template(path) if path.suffix == ".jinja" else texts_of_module(path)


def texts_of_template(path: Path) -> Iterator[TextId]:
    """The texts of a Jinja template."""
    entries = extract(
        "jinja2.ext:babel_extract",
        BytesIO(path.read_bytes()),
        keywords=dict.fromkeys(SINGULAR) | dict.fromkeys(PLURAL, (1, 2)),
        options=TEMPLATE_OPTIONS,
    )
    for _line, text, _comments, _context in entries:
        yield text if isinstance(text, str) else (text[0], text[1])


def texts_of_module(path: Path) -> Iterator[TextId]:
    """The texts of a Python module: what the functions of words are called with, f-strings included."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    for node in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        name = function_name(node)
        arguments = [part.value if isinstance(part, ast.Constant) else None for part in node.args]
        match arguments[SINGULAR.get(name, 0) :]:
            case [str(one), str(many), *_] if name in PLURAL:
                yield one, many
            case [*several] if name == SEVERAL:
                yield from (text for text in several if isinstance(text, str))
            case [str(text), *_] if name in SINGULAR:
                yield text


def function_name(call: ast.Call) -> str:
    """The last part of what is called."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def texts(package: str) -> dict[TextId, list[str]]:
    """Every text of a package, with the files that say it."""
    root = folder(package)
    files_by_text: dict[TextId, list[str]] = {}
    for path in source_files(package):
        for text in texts_of_file(path):
            files_by_text.setdefault(text, []).append(str(path.relative_to(root)))
    for game in games().values():
        if game.package == package:
            own_texts = [game.summary, *game.component_files, *game.component_help.values()]
            for text in own_texts + [text for option in game.options for text in (option.label, option.help)]:
                files_by_text.setdefault(text, []).append("__init__.py")
            for text in (text for script in scripts_of(game).values() for text in script.lesson.texts()):
                files_by_text.setdefault(text, []).append(FILE)
            for text in labels(game).values():
                files_by_text.setdefault(text, []).append("sheet.py")
            for text in plain_texts(game, game.notation.move_of):
                files_by_text.setdefault(text, []).append("events.py" if game.has("events") else "rules.py")
    return files_by_text


def to_translate(package: str, language: str) -> dict[TextId, list[str]]:
    """What a catalogue of the package has to hold: what it says, with the files that do.

    Beside the texts that are found where they are said, those of its constants that any catalogue translates, and
    the names that its components files do not give in this language.
    """
    files_by_text = texts(package)
    literals = constants(package)
    for other in list(LANGUAGES)[1:]:
        for message in read(package, other):
            text = id_of(message) if message.id else ""
            if text and text not in files_by_text and text in literals:
                files_by_text[text] = []
    for game in games().values():
        if game.package == package:
            for name, file in game.component_files.items():
                for text in names(game.components(name).data, language):
                    files_by_text.setdefault(text, []).append(file)
    return files_by_text


def names(value: Any, language: str) -> Iterator[str]:
    """The English of what the data of a components file names by language, where this language is not among them."""
    if isinstance(value, list):
        for entry in value:
            yield from names(entry, language)
    elif isinstance(value, dict):
        english = value.get(ENGLISH)
        if isinstance(english, str) and value.keys() <= LANGUAGES.keys():
            if language not in value:
                yield english
        else:
            for entry in value.values():
                yield from names(entry, language)


def constants(package: str) -> set[str]:
    """Every text in a package's modules, whoever says it in the end."""
    return {
        node.value
        for path in source_files(package)
        if path.suffix == ".py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def read(package: str, language: str) -> Catalog:
    """A package's catalogue; empty if there is none yet."""
    path = catalogue_path(package, language)
    if not path.is_file():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def id_of(message: Message) -> TextId:
    """The text that a catalogue's entry translates."""
    return message.id if isinstance(message.id, str) else (message.id[0], message.id[1])


def strings_of(message: Message) -> list[str]:
    """An entry's translations: one, or one for each plural form."""
    return [message.string] if isinstance(message.string, str) else list(message.string or ())


def problems(package: str, language: str) -> Iterator[Problem]:
    """Everything that is wrong with a package's translations into a language."""
    catalogue = read(package, language)
    entries = {id_of(message): message for message in catalogue if message.id}
    files_by_text, literals = to_translate(package, language), constants(package)
    for text, files in files_by_text.items():
        if text not in entries:
            where = f" (said in {', '.join(sorted(set(files)))})" if files else ""
            yield Problem(package, language, str(text), f"missing{where}")
    for text in catalogue.obsolete:
        yield Problem(package, language, str(text), "obsolete")
    for text, message in entries.items():
        if text not in files_by_text and text not in literals:
            yield Problem(package, language, str(text), "said nowhere")
        filled = any(file.endswith(".jinja") for file in files_by_text.get(text, ()))
        for what in (*wrong_with(message, language), *wrong_percent(message, filled)):
            yield Problem(package, language, str(text), what)


def wrong_with(message: Message, language: str) -> Iterator[str]:
    """What is wrong with an entry by itself."""
    strings = strings_of(message)
    if not all(strings):
        yield "not translated"
        return
    if message.fuzzy:
        yield "fuzzy"
    ids = [message.id] if isinstance(message.id, str) else list(message.id)
    expected = set().union(*(PLACEHOLDER.findall(text) for text in ids))
    for string in strings:
        placeholders = set(PLACEHOLDER.findall(string))
        if placeholders - expected or (expected - placeholders) - {"num"}:
            yield f"has the placeholders {sorted(placeholders)} and not {sorted(expected)}"
    for string in strings:
        yield from wrong_typography(string, language)


def wrong_percent(message: Message, filled: bool) -> Iterator[str]:
    """Whether an entry that is filled in, as each of a template is (`newstyle_gettext`), has a percent sign alone."""
    ids = [message.id] if isinstance(message.id, str) else list(message.id)
    every = [*ids, *strings_of(message)]
    filled = filled or any(PLACEHOLDER.search(text) for text in every)
    if filled and any(LOOSE.search(text.replace("%%", "")) for text in every):
        yield "a percent sign alone, where %% or %(name)s is needed"


TYPOGRAPHY = {
    "a straight apostrophe": re.compile(r"\w'\w"),
    "three dots for an ellipsis": re.compile(r"\.\.\."),
}
"""Patterns that are wrong in every language."""

OWN_TYPOGRAPHY = {
    "fr": {
        "no narrow no-break space before : ; ! ? »": re.compile(r"[^\u202f!?](?=[;!?»]|:(?![\w/]))"),
        "no narrow no-break space after «": re.compile(r"«(?!\u202f)"),
        "straight quotation marks": re.compile(r'"'),
        "a narrow no-break space before another one": re.compile(r"\s\u202f|\u202f\s"),
    },
}
"""And those that are wrong in one of them."""


def wrong_typography(text: str, language: str) -> Iterator[str]:
    """Where a text breaks its language's typography."""
    rules = TYPOGRAPHY | OWN_TYPOGRAPHY.get(language, {})
    plain = PLACEHOLDER.sub("x", text)
    for what, pattern in rules.items():
        if pattern.search(plain):
            yield what


def update(package: str, language: str) -> None:
    """Bring a catalogue up to date with what the package says, keeping its translations."""
    before = read(package, language)
    old: dict[TextId, Any] = {id_of(message): message.string for message in before if message.id}
    new = Catalog(locale=language, charset="utf-8", fuzzy=False)
    new.mime_headers = [("Plural-Forms", before.plural_forms)]  # versions of Babel differ in what is usual
    new.header_comment = f"# {package}: {LANGUAGES[language]}"
    for text, files in to_translate(package, language).items():
        locations = [(file, 1) for file in sorted(set(files))]
        untranslated = "" if isinstance(text, str) else ("",) * new.num_plurals
        new.add(text, old.get(text, untranslated), locations=locations)
    path = catalogue_path(package, language)
    path.parent.mkdir(exist_ok=True)
    content = BytesIO()
    write_po(content, new, width=110, include_lineno=False)
    lines = content.getvalue().splitlines(keepends=True)
    path.write_bytes(b"".join(line for line in lines if not line.startswith(IDLE_HEADERS)))


def side_by_side() -> Iterator[str]:
    """The lines of a page of HTML: each catalogue's texts in all languages, with the files that say them."""
    others = list(LANGUAGES)[1:]
    yield f'<!doctype html><html lang="{ENGLISH}"><meta charset="utf-8"><title>Every text of Atoll</title>'
    yield "<style>body { font: 15px/1.4 sans-serif } table { border-collapse: collapse; width: 100% }"
    yield "td, th { border: 1px solid #bbb; padding: 4px 8px; text-align: start; vertical-align: top }"
    yield "td:last-child { color: #666; font-size: 12px; overflow-wrap: anywhere }</style>"
    for package in packages():
        translations = {
            language: {id_of(message): strings_of(message) for message in read(package, language)}
            for language in others
        }
        yield f"<h1>{package}</h1><table><tr>{''.join(f'<th>{LANGUAGES[one]}' for one in LANGUAGES)}<th>"
        for text, files in to_translate(package, others[0]).items():
            said = [[text] if isinstance(text, str) else list(text)]
            said += [translations[language].get(text, []) for language in others]
            cells = ["<br>".join(map(html.escape, forms)) for forms in said]
            yield f"<tr>{''.join(f'<td>{cell}' for cell in cells)}<td>{', '.join(sorted(set(files)))}"
        yield "</table>"


def main(arguments: list[str]) -> int:
    """Check, and update first if asked to; the number of problems decides the exit status."""
    if "--list" in arguments:
        print("\n".join(side_by_side()))
        return 0
    every_problem: list[Problem] = []
    for language in list(LANGUAGES)[1:]:
        for package in packages():
            if "--update" in arguments:
                update(package, language)
            every_problem += problems(package, language)
    for problem in every_problem:
        print(problem)
    return 1 if every_problem else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
