"""The site's translators, one per language and game."""

from functools import cache

from atoll.text.translation import Translator


@cache
def translator_for(language: str, package: str | None = None) -> Translator:
    """Translates the site's texts, and with a game's package also that game's."""
    translator = Translator(language)
    return translator.with_package(package) if package else translator
