"""No text is fixed in code or templates: in the pseudo-language every word of every page has its accents."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest

from atoll.core.catalogue import find_game, games
from atoll.core.game import Position
from atoll.core.game_translator import GameTranslator
from atoll.testing.playing import walk
from atoll.testing.pseudo import NAME, PSEUDO, pseudo, pseudo_language
from atoll.text.translation import LANGUAGES, Translator
from tests.soak.sizes import LONG_NAME, Gallery

SAID = {"aria-label", "title", "alt", "placeholder", "data-busy", "label", "content"}
"""Attributes that are said or shown to people."""
UNSAID = {"script", "style", "code", "svg", "head", "time"}  # Babel says times
VOID = {"meta", "link", "br", "input", "img", "hr", "use", "path", "circle", "rect"}
WORD = re.compile(r"[A-Za-z]{2,}")
DRAWING = re.compile(r"<(svg|script|style)\b[^>]*>.*?</\1>", re.DOTALL)
"""Most of a page, and no words: left out before it is parsed."""


class Reader(HTMLParser):
    """The texts of a page that its language says: neither code nor what is marked to be in another language."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._open: list[tuple[str, bool]] = []

    @property
    def _counts(self) -> bool:
        return not any(skipped for _, skipped in self._open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        skipped = tag in UNSAID or said.get("lang", PSEUDO) != PSEUDO
        if self._counts and not skipped:
            self.texts += [text for name, text in attrs if name in SAID and text and tag != "meta"]
        if tag not in VOID:
            self._open.append((tag, skipped))

    def handle_endtag(self, tag: str) -> None:
        while self._open and tag not in VOID:
            if self._open.pop()[0] == tag:
                break

    def handle_data(self, data: str) -> None:
        if self._counts:
            self.texts.append(data)


ALLOWED = {
    "Atoll",
    "kaj",
    "https://",
    "atoll serve --host 0.0.0.0",
    PSEUDO.upper(),
    *LANGUAGES.values(),
    *(game.title for game in games().values()),
}
"""Names, a command, how an address begins and the code of the language, which no language translates, and its "and"."""


def fixed(page: str) -> set[str]:
    """The texts of a page that have no accents, names apart."""
    reader = Reader()
    reader.feed(DRAWING.sub("", page))
    names = sorted(ALLOWED, key=len, reverse=True)
    plain = re.compile("|".join(map(re.escape, names)))
    return {text.strip() for text in reader.texts if WORD.search(plain.sub("", text))}


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gallery]:
    """Pages in the pseudo-language. The tests' own game, which others may have brought in, is not translated."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(games(), "signs", raising=False)
        with pseudo_language(), Gallery(tmp_path_factory.mktemp("pseudo")) as found:
            yield found


@pytest.mark.parametrize("name", games())
def test_no_text_of_a_table_is_fixed(gallery: Gallery, name: str) -> None:
    """From the opening to the final score, each kind of decision as it is asked and as it is chosen."""
    for page, drawn in gallery.tables(name, find_game(name).seats[-1], PSEUDO).items():
        assert not fixed(drawn), page


def test_no_text_of_the_other_pages_is_fixed(gallery: Gallery) -> None:
    """Rules are written anew for each language: they stand in English, marked so, below a line that says so."""
    for page, drawn in gallery.others(PSEUDO).items():
        if "-workshop-" not in page:  # which names what a components file calls by name
            said = re.sub(r"31 Aŭgusto|\d+ \w+ \d{4}", "31", drawn)  # a day, as Babel says it
            said = re.sub(r'<span aria-hidden="true">\w*</span><span class="unseen">[^:<]*:', "<span>", said)
            said = re.sub(f"{LONG_NAME}M*", "1", said)  # what somebody calls themselves, or a set
            assert not fixed(said), page
        assert (pseudo("These rules are not yet written in this language.") in drawn) is ("-rules-" in page)


@pytest.mark.parametrize("name", games())
def test_no_text_of_a_lesson_is_fixed(gallery: Gallery, name: str) -> None:
    """Each step as it is asked, and after a wrong try."""
    for page, drawn in gallery.lessons(name, PSEUDO).items():
        if "-whole-" not in page:
            assert not fixed(drawn), page


@pytest.mark.parametrize("name", games())
def test_no_text_in_the_terminal_is_fixed(gallery: Gallery, name: str) -> None:
    """The picture, what is asked and the moves to choose from, through a game."""
    game = find_game(name)
    for number, position in walk(game, game.seats[0], seed=3):
        if number % 7 == 0:
            told = re.sub(r"\bkaj\b", "", " ".join(said(position)))
            assert not WORD.search(re.sub(r"\[/?[a-z_ #0-9]*\]", "", told)), told


def said(position: Position) -> Iterator[str]:
    """What a player in the terminal reads."""
    game = position.game
    translator = GameTranslator(Translator(PSEUDO).with_package(game.package), position.components)
    names = [NAME] * position.players
    for seat in position.to_act:
        view = position.view(seat)
        yield game.messages.picture(translator, names, view)
        yield game.messages.prompt(translator, names, view, seat).text
        yield from (
            game.messages.move_text(translator, names, move, view, seat) for move in view.legal_moves()
        )


def test_a_fixed_text_is_noticed() -> None:
    page = f'<p aria-label="Fixed">{pseudo("Good")}</p><p lang="en">English</p><code>make</code><p>Atoll 12 A</p>'
    assert fixed(page) == {"Fixed"}
    assert fixed(page + "<p>Round 3</p>") == {"Fixed", "Round 3"}


def test_the_pseudo_language_is_half_as_long_again_and_keeps_placeholders() -> None:
    assert len(pseudo("Construction")) == 18
    assert not WORD.search(pseudo("Construction"))
    kept = pseudo("Take %(resource)s &amp; <b>go</b>")
    assert kept == f"{pseudo('Take')} %(resource)s &amp; <b>{pseudo('go')}</b>"
