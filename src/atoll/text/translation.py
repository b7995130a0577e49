"""Texts in the reader's language: gettext catalogues, read as they stand in the repository.

English texts are the message ids. A catalogue is `locale/LANGUAGE.po` in the package that uses it. How a language is
added stands in `docs/translating.md`.
"""

from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from importlib import resources
from typing import Any, Self

from babel.core import Locale
from babel.messages.pofile import read_po

LANGUAGES = {"en": "English", "fr": "Français"}
"""Languages that are complete, with their own names; the first is the language of the message ids."""

Catalogue = dict[str, str | tuple[str, ...]]


@lru_cache
def read_catalogue(package: str, language: str) -> Catalogue:
    """The translations of a package's texts; empty where there is no catalogue (English)."""
    path = resources.files(package) / "locale" / f"{language}.po"
    if not path.is_file():
        return {}
    with path.open("rb") as file:
        catalogue = read_po(file, locale=language)
    translations: Catalogue = {}
    for message in catalogue:
        if message.id and message.string and not message.fuzzy:
            key = message.id if isinstance(message.id, str) else message.id[0]
            translations[key] = message.string if isinstance(message.string, str) else tuple(message.string)
    return translations


def texts(*english: str) -> tuple[str, ...]:
    """Texts that are said later: what a table of sentences is written with, so that the catalogues know them."""
    return english


def plurals(one: str, many: str) -> tuple[str, str]:
    """One or many, said later."""
    return one, many


@lru_cache
def merged_catalogues(packages: tuple[str, ...], language: str) -> Catalogue:
    """The translations of several packages; those of the first come first."""
    translations: Catalogue = {}
    for package in reversed(packages):
        translations |= {text: own for text, own in read_catalogue(package, language).items() if own}
    return translations


@lru_cache
def plural_forms(locale: Locale) -> tuple[str, ...]:
    """The categories of plurals that the language tells apart, in the order of a catalogue's forms."""
    told_apart = {*locale.plural_form.tags, "other"}
    return tuple(form for form in ("zero", "one", "two", "few", "many", "other") if form in told_apart)


class Translator:
    """The texts of some packages in one language.

    `words("Round %(round)s", round=3)` translates and fills in; `words.plural("%(num)s card", "%(num)s cards", 2)`
    chooses the plural by the language's own rule and fills in `num`.
    """

    def __init__(self, language: str, packages: Sequence[str] = ("atoll",)) -> None:
        self.language = language
        self.packages = tuple(packages)
        self.locale = Locale.parse(language)
        self._catalogue = merged_catalogues(self.packages, language)

    def with_package(self, package: str) -> Self:
        """The same language with a further package's texts, which come first."""
        translator = copy(self)
        translator.packages = (package, *(name for name in self.packages if name != package))
        translator._catalogue = merged_catalogues(translator.packages, self.language)
        return translator

    def find(self, text: str) -> str | tuple[str, ...]:
        """The translation as it stands in the catalogues, or the text itself."""
        return self._catalogue.get(text, text)

    def __call__(self, text: str, /, **values: Any) -> str:
        translation = self.find(text)
        template = translation if isinstance(translation, str) else translation[0]
        return template % values if values else template

    def plural(self, one: str, many: str, number: int, /, **values: Any) -> str:
        """One or many, by the language's rule; `%(num)s` is the number."""
        translation = self.find(one)
        values["num"] = number
        if isinstance(translation, str):
            return (one if number == 1 else many) % values
        form = self.plural_form(number)
        return translation[min(form, len(translation) - 1)] % values

    def plural_form(self, number: int) -> int:
        """The index of the plural form among those of the language, in gettext's order: French says 0 as it says 1."""
        return plural_forms(self.locale).index(self.locale.plural_form(number))

    def number(self, value: float, places: int = 0) -> str:
        """A number as the language writes it, with so many decimal places."""
        from babel.numbers import format_decimal  # not loaded for texts alone

        pattern = "#,##0" + ("." + "0" * places if places else "")
        return str(format_decimal(value, format=pattern, locale=self.locale))

    def both(self, items: Sequence[str]) -> str:
        """A list of things as it is said: "a, b and c"."""
        if len(items) < 2:
            return "".join(items)
        from babel.lists import format_list

        return format_list(list(items), locale=self.locale)


def capital(text: str) -> str:
    """The text with its first letter as at the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def seat_names(translator: Translator) -> list[str]:
    """What the seats are called where nobody has another name: by their colours, in seat order."""
    return [
        translator("Red"),
        translator("Blue"),
        translator("Yellow"),
        translator("Green"),
        translator("Purple"),
        translator("Black"),
    ]
