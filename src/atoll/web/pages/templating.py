"""Templates: the site's by bare name, a game's below its package's name. One environment for each language and game."""

import contextlib
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2
from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, PrefixLoader
from jinja2.bccache import Bucket
from jinja2.loaders import BaseLoader, ChoiceLoader
from markupsafe import Markup, escape

from atoll.core.game import Game
from atoll.text import folders
from atoll.text.translation import LANGUAGES, Translator
from atoll.web import TEMPLATES
from atoll.web.pages import regions, template_code
from atoll.web.pages.isolation import isolated, with_elements
from atoll.web.pages.scripts import modules, scripts_url
from atoll.web.pages.template_code import TemplateCodeGenerator
from atoll.web.translation import translator_for


class TemplateCache(FileSystemBytecodeCache):
    """Cache of compiled templates on disk, since compiling them takes most of the time of the first page.

    They are compiled again when Jinja, our own tags or the code generator change.
    """

    def __init__(self) -> None:
        folder = folders.cache_folder() / "templates"
        folder.mkdir(exist_ok=True)
        super().__init__(str(folder), "%s.cache")
        ours = [Path(file).read_text(encoding="utf-8") for file in (regions.__file__, template_code.__file__)]
        self._compilers = jinja2.__version__ + "".join(ours)

    def get_source_checksum(self, source: str) -> str:
        """The key of a compiled template."""
        return super().get_source_checksum(self._compilers + source)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store a compiled template, unless the disk is full."""
        with contextlib.suppress(OSError):
            super().dump_bytecode(bucket)


_has_special = re.compile("[&<>\"']").search


def escaped(value: Any) -> str:
    """The same as markupsafe's `escape`, but faster for values with nothing to escape."""
    if type(value) is Markup:
        return value
    if type(value) is str:
        return escape(value) if _has_special(value) else value
    return str(value) if type(value) is int else escape(value)


def as_markup(text: str) -> Markup:
    """Text that needs no escaping, without markupsafe's check for `__html__`."""
    return str.__new__(Markup, text)


class Templates(Environment):
    """Jinja's environment, with the functions that `TemplateCodeGenerator` calls."""

    code_generator_class = TemplateCodeGenerator
    texts: "Texts"
    escaped = staticmethod(escaped)

    def make_globals(self, d: Any) -> dict[str, Any]:
        """The globals of a template as a plain dict, which each rendering copies."""
        return {**self.globals, **(d or {})}

    def attribute(self, of: Any, name: str) -> Any:
        """`of.name` in a template, for names that are no attributes of dicts: a dict's entry, without Jinja's attempt
        to get an attribute first."""
        if type(of) is dict:
            return of[name] if name in of else self.undefined(obj=of, name=name)
        return self.getattr(of, name)


class Texts(dict[str, Markup]):
    """Cache of escaped texts without placeholders, in one language."""

    def __init__(self, translator: Translator) -> None:
        self._translator = translator

    def __missing__(self, text: str) -> Markup:
        self[text] = markup = fill_in(catalogue_text(self._translator, text), {})
        return markup


class Gettext:
    """Gettext for templates in one language; the texts are escaped."""

    def __init__(self, translator: Translator) -> None:
        self._translator = translator
        self.texts = Texts(translator)

    def one(self, text: str, /, **values: Any) -> Markup:
        """A text, filled in."""
        return fill_in(catalogue_text(self._translator, text), values) if values else self.texts[text]

    def plural(self, one: str, many: str, number: int, /, **values: Any) -> Markup:
        """One or many, filled in; `num` is the number."""
        forms = self._translator.find(one)
        if isinstance(forms, str):
            template = one if number == 1 else many
        else:
            template = forms[min(self._translator.plural_form(number), len(forms) - 1)]
        return fill_in(template, {"num": number, **values})


def catalogue_text(translator: Translator, text: str) -> str:
    """A text's translation, before values are filled in."""
    entry = translator.find(text)
    return entry if isinstance(entry, str) else entry[0]


def fill_in(template: str, values: dict[str, Any]) -> Markup:
    """A text with its placeholders filled in; values are escaped."""
    if not values and "%" not in template:
        return as_markup(template)
    return as_markup(template % {name: escaped(value) for name, value in values.items()})


once = lru_cache(1024, typed=True)
"""Caches a macro's output by its arguments. For macros of templates that are imported without context."""


def short_name(game: Game) -> str:
    """The last part of a game's package, by which its templates are named."""
    return game.package.rpartition(".")[2]


@cache
def environment(language: str, package: str | None = None, folder: str | None = None) -> Environment:
    """The environment of a language; with a game's package and folder also of its templates."""
    translator = translator_for(language, package)
    loaders: list[BaseLoader] = [FileSystemLoader(TEMPLATES)]
    if package and folder:
        loaders.append(PrefixLoader({package.rpartition(".")[2]: FileSystemLoader(folder)}))
    templates = Templates(
        loader=ChoiceLoader(loaders),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,  # no limit: a dict, which needs no lock
        bytecode_cache=TemplateCache(),
        extensions=[regions.RegionTag],
    )
    gettext = Gettext(translator)
    templates.texts = gettext.texts
    templates.globals |= {
        "_": gettext.one,
        "ngettext": gettext.plural,
        "figure": translator.number,
        "once": once,
    }
    templates.filters["isolated"] = isolated
    templates.globals |= {"language": language, "scripts": scripts_url(), "modules": modules()}
    return templates


def draw(name: str, language: str, owner: Game | None = None, /, **context: Any) -> str:
    """Render a template; `owner` is the game whose templates and texts it uses."""
    folder = str(owner.folder) if owner else None
    package = owner.package if owner else None
    context["languages"] = [
        {
            "code": code,
            "label": label,
            "current": code == language,
            "url": f"/language?to={code}&back={quote(context.get('here', '/'), safe='/?=')}",
        }
        for code, label in LANGUAGES.items()
    ]
    return with_elements(environment(language, package, folder).get_template(name).render(context))
