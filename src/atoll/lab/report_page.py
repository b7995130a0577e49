"""The page of a report: one file with everything in it, for a screen, a phone and paper, without a script.

Pictures are SVG drawn here (`page/drawing.py`), which obeys the look of the page, is sharp on paper and takes a few
kilobytes; under each stands one sentence, and the table of its numbers can be unfolded.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader

from atoll.lab import page as page_folder
from atoll.lab.figures import Provenance
from atoll.lab.page.numbers import figure
from atoll.lab.page.pictures import PagePart, Picture
from atoll.lab.report import GameReport
from atoll.lab.sections import (
    causes,
    choices,
    examples,
    findings,
    flows,
    lead,
    length,
    luck,
    people,
    seats,
    strategies,
    usage,
)
from atoll.text.files import write_whole
from atoll.text.translation import Translator, texts

HERE = Path(page_folder.__file__).parent


class PageSection(NamedTuple):
    """A part of the page: the field of a report with its figures, its title, and what draws them."""

    field: str
    title: tuple[str, ...]
    pictures: Callable[[Any, Translator, Provenance], Iterator[Picture]]


SECTIONS = (
    PageSection("findings", texts("What to change next"), findings.pictures),
    PageSection("people", texts("People’s games"), people.pictures),
    PageSection("length", texts("Length"), length.pictures),
    PageSection("seats", texts("Seats and fairness"), seats.pictures),
    PageSection("course", texts("Course of the game"), lead.pictures),
    PageSection("choice", texts("Choices"), choices.pictures),
    PageSection("flows", texts("Flows"), flows.pictures),
    PageSection("luck", texts("Luck and skill"), luck.pictures),
    PageSection("things", texts("What things do"), usage.pictures),
    PageSection("causes", texts("Causes"), causes.pictures),
    PageSection("strategies", texts("Strategies"), strategies.pictures),
    PageSection("examples", texts("Games to look at"), examples.pictures),
)
"""The parts of the page, in order."""
STOPPED = {
    field: text
    for fields, (text,) in (
        (("seats",), texts("Missing: the run was stopped before other numbers of players were played.")),
        (("findings", "luck", "causes"), texts("Missing: the run was stopped before this was measured.")),
        (("strategies",), texts("Missing: the run was stopped before restricted players had played.")),
    )
    for field in fields
}
"""What stands in a section of which something was asked for that is missing."""


def parts_of(report: GameReport, translator: Translator) -> Iterator[PagePart]:
    """The parts of the page, of what was measured."""
    for section in SECTIONS:
        figures = getattr(report, section.field)
        pictures = [] if figures is None else list(section.pictures(figures, translator, report.about))
        note = translator(STOPPED[section.field]) if section.field in report.about.missing else ""
        if pictures or note:
            yield PagePart(section.field, translator(section.title[0]), pictures, note)


def caution(about: Provenance, translator: Translator) -> str:
    """What is to be known of the bots before the figures are read; empty if they plan ahead."""
    if not about.weak:
        return ""
    return translator.plural(
        "%(bots)s is a weak bot: it does not plan ahead. What needs a plan or pays late looks worse here than it is "
        "between good players, and what the bot’s habits favour looks better; seats, luck, leads and lengths may "
        "differ, too. Look again between bots that search (--bots search:100) before changing the game.",
        "%(bots)s are weak bots: they do not plan ahead. What needs a plan or pays late looks worse here than it is "
        "between good players, and what the bots’ habits favour looks better; seats, luck, leads and lengths may "
        "differ, too. Look again between bots that search (--bots search:100) before changing the game.",
        len(about.weak),
        bots=translator.both(about.weak),
    )


def section_titles(names: Iterable[str], translator: Translator) -> list[str]:
    """What sections of a report are called on its page."""
    return [translator(section.title[0]) for section in SECTIONS if section.field in set(names)]


@cache
def _environment() -> Environment:
    return Environment(loader=FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True)


def page(figures: GameReport, language: str) -> str:
    """The page in HTML."""
    translator = Translator(language)
    about = figures.about
    template = _environment().get_template("report.html.jinja")
    return template.render(
        _=translator,
        language=language,
        about=about,
        caution=caution(about, translator),
        lead=translator.plural(
            "What %(games)s game between bots shows.",
            "What %(games)s games between bots show. Where a range is given, the true value lies in it in 95 of 100 "
            "such reports.",
            about.games,
            games=figure(about.games, "count", translator),
        ),
        parts=list(parts_of(figures, translator)),
        style=(HERE / "report.css").read_text(encoding="utf-8"),
    )


def write_page(figures: GameReport, language: str, path: Path) -> None:
    """Write the page of a report, in English or French, to a file; the file is there whole or not at all."""
    write_whole(path, page(figures, language).encode())
