"""The page of a report: one file with everything in it, for a screen, a phone and paper, without a script.

`write_page` is all that others need. Pictures are SVG drawn here (`drawing.py`), which obeys the look of the page, is
sharp on paper and takes a few kilobytes; under each stands one sentence, and the table of its numbers can be unfolded.
"""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from atoll.lab.figures import Report
from atoll.lab.page.numbers import figure
from atoll.lab.page.parts import parts_of
from atoll.text.files import write_whole
from atoll.text.translation import Translator

HERE = Path(__file__).parent


@cache
def _environment() -> Environment:
    return Environment(loader=FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True)


def page(figures: Report, language: str) -> str:
    """The page in HTML."""
    translator = Translator(language)
    about = figures.about
    template = _environment().get_template("report.html.jinja")
    return template.render(
        _=translator,
        language=language,
        about=about,
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


def write_page(figures: Report, language: str, path: Path) -> None:
    """Write the page of a report, in English or French, to a file; the file is there whole or not at all."""
    write_whole(path, page(figures, language).encode())
