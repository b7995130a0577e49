"""The command line in the user's language: help, what is wrong with a command as written, and what commands refuse.

Typer has no catalogues: what it says by itself is recognized and said anew; what is not recognized stays as it is.
"""

import re
from ast import literal_eval
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from atoll.command_options import LANGUAGE, translator
from atoll.text.errors import AtollError
from atoll.text.files import reason_of
from atoll.text.messages import Message, quoted
from atoll.text.translation import Translator, texts

if TYPE_CHECKING:
    from typer._click.formatting import HelpFormatter
else:
    HelpFormatter = typer.Context.formatter_class

_WRITTEN = r"(?P<value>['\"].*['\"])"
"""What the user wrote, as Python would write it."""
_ERRORS = (
    (r"Missing (argument|option) (?P<name>.+?)\.", Message("%(name)s is missing; --help tells what it is")),
    (r"Invalid value for (?P<name>'.+?'): (?P<why>.+)", Message("%(name)s: %(why)s")),
    (rf"{_WRITTEN} is not a valid int( range)?\.", Message("%(value)s is not a whole number")),
    (rf"{_WRITTEN} is not a valid float( range)?\.", Message("%(value)s is not a number")),
    (
        r"(?P<value>.+) is not in the range (?P<range>.+)\.",
        Message("%(value)s is not in the range %(range)s"),
    ),
    (rf"{_WRITTEN} is not one of (?P<names>.+)\.", Message("%(value)s is none of %(names)s")),
    (r"No such option: (?P<name>\S+)", Message("there is no option %(name)s; --help tells which there are")),
    (
        r"No such option: (?P<name>\S+) \(Possible options: (?P<names>.+)\)",
        Message("there is no option %(name)s; perhaps %(names)s is meant"),
    ),
    (
        r"No such command (?P<name>'.+?')\.",
        Message("there is no command %(name)s; atoll --help tells which there are"),
    ),
    (
        r"No such command (?P<name>'.+?')\. Did you mean (?P<names>.+)\?",
        Message("there is no command %(name)s; perhaps %(names)s is meant"),
    ),
    (r"Got unexpected extra argument\(s\) \((?P<rest>.+)\)", Message("this is too much: %(rest)s")),
    (r"Option (?P<name>'.+') requires an argument\.", Message("%(name)s needs a value")),
    (r"Option (?P<name>'.+') does not take a value\.", Message("%(name)s takes no value")),
)
"""Typer's errors, whole, and how they are said here."""

_TYPES = {"int": "NUMBER", "float": "NUMBER", "str": "TEXT", "path": "FILE"}
"""Typer's names of types and the placeholders that stand for them here."""
PLACEHOLDERS = texts(
    "ADDRESS", "ARGS", "BOT", "COMMAND", "DIR", "FILE", "GAME", "ITERATIONS", "KEY", "MS", "NAME", "NUMBER", "OPTIONS",
    "TEXT", "VALUE", "WIDTH",
)  # fmt: skip
"""What stands in the help for something that the user names."""
HEADINGS = texts("Arguments:", "Options:", "Commands:")
"""What stands over the parts of the help."""


def error_said(message: str, translator: Translator) -> str:
    """One of Typer's errors in the language of the words."""
    for pattern, sentence in _ERRORS:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            parts = found.groupdict()
            for part in parts.keys() & {"name", "names"}:
                parts[part] = _placeholders_said(parts[part].replace("'", ""), translator)
            if "why" in parts:
                parts["why"] = error_said(parts["why"], translator)
            if parts.get("value", "").startswith(("'", '"')):
                parts["value"] = quoted(literal_eval(parts["value"])).said(translator)
            return translator(sentence.text, **parts)
    return message


def _placeholders_said(text: str, translator: Translator) -> str:
    """A piece of a usage line, its placeholders in the language of the words."""
    text = re.sub(r"<(\w+)(?: range)?>", lambda found: _TYPES.get(found[1], found[0]), text)
    return re.sub(r"\b[A-Z]{2,}\b", lambda found: translator(found[0]), text)


def _explanation_said(text: str, translator: Translator) -> str:
    """What the help says of one thing, in the language of the words."""
    if text == "Show this message and exit.":
        return translator("Show this help and stop.")
    text = re.sub(r"(?<=  \[)default: ", translator("default: "), text)
    return re.sub(r"(?<=[\[ ])required\]$", f"{translator('required')}]", text)


class SpokenHelp(HelpFormatter):
    """Help in the user's language."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, _placeholders_said(args, translator), prefix or translator("Usage: "))

    def write_heading(self, heading: str) -> None:
        self.write(f"{'':>{self.current_indent}}{translator(f'{heading}:')}\n")

    def write_dl(self, rows: Any, *args: Any, **settings: Any) -> None:
        said = [
            (_placeholders_said(name, translator), _explanation_said(about, translator))
            for name, about in rows
        ]
        super().write_dl(said, *args, **settings)


class SpokenContext(typer.Context):
    """Where a command's help is written."""

    formatter_class = SpokenHelp


def _problem(error: AtollError | OSError) -> Message:
    """What is wrong, with the file that it is about."""
    if isinstance(error, AtollError):
        return error.message
    why = reason_of(error)
    return Message("%(file)s: %(problem)s", file=error.filename, problem=why) if error.filename else why


def _words_of(context: typer.Context) -> Translator:
    """What says texts in the language for which the user of a command asks."""
    return Translator(context.meta.get(LANGUAGE, translator.language))


class Commands(TyperGroup):
    """The commands, each with the whole of its sentence in their list."""

    context_class = SpokenContext

    def invoke(self, ctx: Any) -> Any:
        """Carry out a command; raises AtollError, in the language for which the user asks."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # whoever read what is printed has gone: Typer ends without a word
            raise
        except typer.TyperException as error:
            raise AtollError(error_said(error.format_message(), _words_of(ctx))) from None
        except (AtollError, OSError) as error:
            raise AtollError(_problem(error).said(_words_of(ctx))) from None

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            command.context_class = SpokenContext
        return command

    def format_commands(self, ctx: Any, formatter: HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.commands[name].help or "") for name in self.list_commands(ctx)])
