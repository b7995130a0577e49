"""Templates: the site's own by bare name, a game's below its package's name; one environment a language and game."""

import contextlib
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2
from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, PrefixLoader
from jinja2.bccache import Bucket
from jinja2.loaders import BaseLoader, ChoiceLoader

from atoll.core import places
from atoll.core.game import Game
from atoll.core.words import LANGUAGES, Words
from atoll.web import TEMPLATES
from atoll.web.pages import regions
from atoll.web.pages.scripts import modules, scripts_url


class TemplateCache(FileSystemBytecodeCache):
    """Compiled templates, kept on disk: compiling them is most of what the first table of a start takes to draw.

    What another version of Jinja or of our own tag has compiled is compiled anew.
    """

    def __init__(self) -> None:
        folder = places.cache_folder() / "templates"
        folder.mkdir(exist_ok=True)
        super().__init__(str(folder), "%s.cache")
        self._compilers = jinja2.__version__ + Path(regions.__file__).read_text(encoding="utf-8")

    def get_source_checksum(self, source: str) -> str:
        """What has to be the same for a template not to be compiled anew."""
        return super().get_source_checksum(self._compilers + source)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template, if the disk has room for it."""
        with contextlib.suppress(OSError):
            super().dump_bytecode(bucket)


def short_name(game: Game) -> str:
    """What a game's templates call their own package: its last part."""
    return game.package.rpartition(".")[2]


@cache
def words_for(language: str, package: str | None = None) -> Words:
    """The site's texts, and those of a game's package."""
    words = Words(language)
    return words.with_package(package) if package else words


@cache
def environment(language: str, package: str | None = None, folder: str | None = None) -> Environment:
    """The templates in one language; with a game's package and folder, its own as well."""
    words = words_for(language, package)
    loaders: list[BaseLoader] = [FileSystemLoader(TEMPLATES)]
    if package and folder:
        loaders.append(PrefixLoader({package.rpartition(".")[2]: FileSystemLoader(folder)}))
    found = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=TemplateCache(),
        extensions=["jinja2.ext.i18n", regions.RegionTag],
    )

    def gettext(text: str) -> str:
        translated = words.find(text)
        return translated if isinstance(translated, str) else translated[0]

    def ngettext(one: str, many: str, number: int) -> str:
        translated = words.find(one)
        if isinstance(translated, str):
            return one if number == 1 else many
        return translated[min(words.plural_form(number), len(translated) - 1)]

    found.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]
    found.globals |= {"language": language, "scripts": scripts_url(), "modules": modules()}
    return found


def draw(name: str, language: str, owner: Game | None = None, /, **context: Any) -> str:
    """A template filled in; `owner` is the game whose own templates and words it uses."""
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
    return environment(language, package, folder).get_template(name).render(context)
