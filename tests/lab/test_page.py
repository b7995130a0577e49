"""The page of a report: of every game, in every language, one file that asks for nothing else."""

import re
from base64 import b64decode
from html.parser import HTMLParser
from pathlib import Path

import pytest

from atoll.core.catalogue import games
from atoll.core.words import LANGUAGES
from atoll.lab.figures import Report, read_report
from atoll.lab.page import write_page
from tests.conftest import Run

RECORD = "data:application/x-ndjson;base64,"
"""How the link of a record begins."""


class Page(HTMLParser):
    """What a page holds: its elements with their attributes, and what is said under the pictures of each section."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.sentences: dict[str, list[str]] = {}
        self.is_sentence = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "section":
            self.sentences[str(dict(attrs)["id"])] = []
        self.is_sentence = tag == "figcaption"

    def handle_endtag(self, tag: str) -> None:
        self.is_sentence = False

    def handle_data(self, data: str) -> None:
        if self.is_sentence:
            self.sentences[list(self.sentences)[-1]].append(data)


@pytest.mark.parametrize("game", games())
def test_a_report_makes_figures_and_a_page_in_every_language(game: str, run: Run, tmp_path: Path):
    """`atoll report` of a few games says every section that was measured."""
    json = tmp_path / "report.json"
    file = tmp_path / "en.html"
    status, _, complaint = run(
        "report", game, "--games", 40, "--deals", 2, "--seed", 1, "--workers", 1, "--json", json, "-o", file
    )
    assert (status, complaint) == (0, "")
    figures = read_report(json)
    assert figures.about.games == 40
    assert file.is_file()
    for language in LANGUAGES:
        path = tmp_path / f"{language}.html"
        write_page(figures, language, path)
        check_page(path.read_text("utf-8"), figures, language)
    assert not list(tmp_path.glob(".*")), "the file is there whole, and nothing else"


def test_the_page_of_all_that_can_be_asked_for_has_every_section(run: Run, tmp_path: Path):
    """Forced swaps and restricted players, too."""
    json, file = tmp_path / "report.json", tmp_path / "report.html"
    asked = ("--deals", 2, "--swaps", 35, "--restricted", 20, "--only", "move/discard/card/7")
    status, _, complaint = run(
        *("report", "karuba", "--players", 2, "--games", 100, "--seed", 1, "--workers", 1, *asked),
        *("--json", json, "-o", file, "--language", "fr"),
    )
    assert (status, complaint) == (0, "")
    figures = read_report(json)
    assert [name for name in figures.__struct_fields__ if getattr(figures, name) is None] == []
    assert figures.causes is not None
    assert len(figures.causes.causes) == 1
    check_page(file.read_text("utf-8"), figures, "fr")


def check_page(text: str, figures: Report, language: str) -> None:
    """Nothing is loaded, every section is there, and a sentence says its number as the language writes it."""
    assert set(re.findall(r"https?://[^\s\"'<>)]+", text)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"@import|url\(", text)
    page = Page(text)
    assert ("html", {"lang": language}) in page.elements
    for tag, attributes in page.elements:
        assert tag not in ("script", "link", "img", "iframe", "object", "embed", "image", "use", "base"), tag
        assert not {"src", "srcset", "data", "background"} & attributes.keys(), tag
        assert not [name for name in attributes if name.startswith("on")], tag
        assert str(attributes.get("href", "#")).startswith(("#", RECORD)), attributes
    measured = [name for name in figures.__struct_fields__[2:] if getattr(figures, name) is not None]
    assert {"length", "seats", "course", "choice", "luck", "things", "strategies", "examples"}.issubset(
        measured
    )
    assert list(page.sentences) == measured
    links = [str(attributes["href"]) for tag, attributes in page.elements if tag == "a"]
    assert links[1 : len(measured) + 1] == [f"#{name}" for name in measured]
    assert figures.examples is not None
    kept = [b64decode(link.removeprefix(RECORD)).decode() for link in links[len(measured) + 1 :]]
    assert kept == [one.record for one in figures.examples.examples]
    assert not re.search(r">[^<]{600,}<", text.partition("</style>")[2]), "no cell is as wide as a book"
    assert all(page.sentences.values())
    assert figures.length is not None
    decisions = figures.length.decisions.value
    mark = "," if language == "fr" else "."
    digits = 0 if decisions >= 100 else 1
    said = f"{decisions:.{digits}f}".replace(".", mark)
    assert any(re.search(rf"(?<![\d.,]){re.escape(said)}(?!\d)", one) for one in page.sentences["length"]), (
        said
    )
