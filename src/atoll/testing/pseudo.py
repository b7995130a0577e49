"""A language that nobody speaks, to see what translations need: `with pseudo_language():`.

Each text is its English with every letter accented and half as many letters again: what stands on a page without an
accent is fixed in code or templates, and what is cut would be cut in other languages too.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from unittest.mock import patch

from atoll.core.catalogue import games
from atoll.testing import wordcheck
from atoll.text import translation
from atoll.text.translation import LANGUAGES, Catalogue, read_catalogue

PSEUDO = "eo"
"""Its code: that of a language whose plurals and lists are like English ones, and which Atoll does not speak."""
NAME = "Þšéûðõ"

PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
ACCENTED = "åƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ"
_ACCENTS = str.maketrans(PLAIN, ACCENTED)

_PIECES = re.compile(r"(%\(\w+\)s|%%|<[^>]*>|&\w+;)")
"""What is no word of a text: placeholders, and what HTML has of its own."""
_WORD = re.compile(r"[A-Za-z]+")


def pseudo(text: str) -> str:
    """A text in the pseudo-language."""
    pieces = _PIECES.split(text)
    return "".join(piece if i % 2 else _WORD.sub(_longer, piece) for i, piece in enumerate(pieces))


def _longer(word: re.Match[str]) -> str:
    """A word with every other letter twice, in accents."""
    letters = word[0].translate(_ACCENTS)
    return "".join(letter * (1 + i % 2) if i else letter for i, letter in enumerate(letters))


@cache
def pseudo_catalogue(package: str) -> Catalogue:
    """A translation of all that a package says: of what the catalogues translate, which `wordcheck` finds complete, and
    of the names that its components files give by language.
    """
    catalogue: Catalogue = {}
    for language in list(LANGUAGES)[1:]:
        for message in wordcheck.read(package, language) if language != PSEUDO else ():
            if isinstance(message.id, str):
                catalogue[message.id] = pseudo(message.id)
            else:
                catalogue[message.id[0]] = tuple(map(pseudo, message.id))
    for game in games().values():
        if game.package == package:
            for name in game.component_files:
                catalogue |= {
                    text: pseudo(text) for text in wordcheck.names(game.components(name).data, PSEUDO)
                }
    return catalogue


@contextmanager
def pseudo_language() -> Iterator[str]:
    """The pseudo-language is one of Atoll's languages; gives its code."""

    def catalogue(package: str, language: str) -> Catalogue:
        return pseudo_catalogue(package) if language == PSEUDO else read_catalogue(package, language)

    with patch.object(translation, "read_catalogue", catalogue), patch.dict(LANGUAGES, {PSEUDO: NAME}):
        yield PSEUDO
