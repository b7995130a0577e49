"""A recorded game as one HTML file (`atoll replay --html`): the site's own pages, and nothing else is needed."""

import json
import re
from base64 import b64decode
from gzip import decompress
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, expect

from atoll.commands.recorded import record_in
from atoll.core.records import first_position, replay
from atoll.lab.continued import play_on
from atoll.lab.judge import Judge
from atoll.web.pages.guesses import GuessedDecision
from atoll.web.pages.replay_file import ReplayFile
from atoll.web.table.move_choice import Candidate
from tests.browser.access import objections
from tests.browser.conftest import PHONE
from tests.browser.test_replay import stands_at
from tests.conftest import Run

NAME = "<b>Ann"
OPENS = 4
"""The record names the decision after so many moves."""


def written(run: Run, folder: Path) -> tuple[Path, Path]:
    """A recorded game, in which a player has a name that looks like HTML, and its file."""
    record, html = folder / "game.jsonl", folder / "game.html"
    assert run("simulate", "karuba", "-n", 1, "--seed", 5, "--record", record)[0] == 0
    first, *rest = record.read_text().splitlines(keepends=True)
    header = json.loads(first)
    header |= {"players": [NAME, *header["players"][1:]], "at": OPENS + 1}
    record.write_text("".join([json.dumps(header) + "\n", *rest]))
    status, _, complaint = run("replay", record, "--html", html)
    assert (status, complaint) == (0, "")
    return record, html


def test_its_pages_are_those_of_the_site(run: Run, tmp_path: Path) -> None:
    record, html = written(run, tmp_path)
    file = ReplayFile(record_in(record, 1), "en")
    data = re.search(r'id="replay">([^<]*)<', html.read_text())
    assert data is not None
    held = json.loads(decompress(b64decode(data[1])))
    assert len(held["pages"]) == len(file.pages)
    for moves in file.pages[::10]:
        assert "".join(held["pieces"][number] for number in held["pages"][moves]) == file.page(moves)


def test_it_is_watched_without_a_site(chromium: Browser, run: Run, tmp_path: Path) -> None:
    """By buttons, keyboard, slider and by itself; it asks for nothing, and a link leads to a move."""
    _, html = written(run, tmp_path)
    context = chromium.new_context(viewport=PHONE)  # type: ignore[arg-type]
    page = context.new_page()
    asked, problems = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))
    page.goto(html.as_uri())
    stands_at(page, OPENS)
    page.goto(f"{html.as_uri()}#7")
    stands_at(page, 7)
    expect(page.locator("#table")).to_contain_text(NAME)
    page.keyboard.press("Home")
    stands_at(page, 0)
    start = page.locator("#main").inner_text()
    page.locator("#step-on").click()
    stands_at(page, 1)
    assert page.url.endswith("#1")
    page.locator("#past-at").fill("12")
    stands_at(page, 12)
    page.locator("#speed").select_option("600")
    page.locator("#playing").click()
    page.wait_for_function("() => document.getElementById('past-at').value > 13")
    page.locator("#step-first").click()
    page.keyboard.press("End")
    expect(page.locator(".end")).to_be_visible()
    page.keyboard.press("Home")
    stands_at(page, 0)
    expect(page.locator("#main")).to_have_text(start, use_inner_text=True)
    expect(page.locator(".when-still")).to_be_visible()
    assert objections(page) == []
    assert (asked, problems) == ([html.as_uri()], [])
    context.close()


@pytest.mark.parametrize(("game", "language"), [("karuba", "fr"), ("costa-ruana", "en")])
def test_moves_are_guessed_against_the_engine(
    chromium: Browser, run: Run, tmp_path: Path, game: str, language: str
) -> None:
    """On the table, in the list and by the keyboard; what is told is what the judge's playouts find here."""
    record, html = tmp_path / "game.jsonl", tmp_path / "game.html"
    assert run("simulate", game, "-n", 1, "-p", 2, "--seed", 5, "--record", record)[0] == 0
    assert run("replay", record, "--html", html, "--guess", 2, "--language", language)[0] == 0
    file = ReplayFile(record_in(record, 1), language, 1)
    first, second, *_ = file.decisions.values()
    context = chromium.new_context(viewport=PHONE, color_scheme="dark")  # type: ignore[arg-type]
    page = context.new_page()
    asked, problems = [], []
    page.on("request", lambda request: asked.append(request.url.partition(":")[0]))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))
    page.goto(html.as_uri())
    strip, rows, following = (page.locator(f"#guess{one}") for one in ("", " .hinted", "-next"))
    stands_at(page, first.at)
    assert objections(page) == []
    on_table = page.locator("#main form button.press").first
    parts = dict(pair for pair in on_table.evaluate(FIELDS) if pair[0] != "decision")
    left = [
        move for move in first.moves if Candidate(move).fits({name: (text,) for name, text in parts.items()})
    ]
    on_table.focus()
    page.keyboard.press("Enter")
    if len(left) > 1:  # a part of a move
        expect(rows.locator("visible=true")).to_have_count(len(left))
        page.keyboard.press("1")
    expect(following).to_be_visible()
    assert shown_shares(rows) == played_shares(
        first, int(re.findall(r"\d+", page.locator("#guess-about").inner_text())[0])
    )
    assert objections(page) == []
    page.keyboard.press("Enter")
    stands_at(page, second.at)
    rows.nth(second.moves.index(second.played)).click()
    expect(strip).to_contain_text({"fr": "votre choix, joué", "en": "your guess, as played"}[language])
    expect(following).to_be_focused()
    page.keyboard.press("End")
    expect(strip).to_have_count(0)
    assert (set(asked), problems) == ({"file", "blob"}, [])
    context.close()


FIELDS = "button => [...new FormData(button.form)]"


def shown_shares(rows: Locator) -> dict[int, int]:
    """The shares that are told, in percent, by the places of the moves."""
    told = rows.evaluate_all("rows => rows.map(row => [row.value, row.querySelector('b').textContent])")
    return {int(place): int(re.sub(r"\D", "", text)) for place, text in told}


def played_shares(decision: GuessedDecision, worlds: int) -> dict[int, object]:
    """The same found here, in the same worlds."""
    actions = decision.view.legal_moves().actions.tolist()
    parts = [
        play_on(decision.view, Judge(0).bot, decision.at * 200 + first, 25, actions).shares[
            :, :, decision.seat
        ]
        for first in range(0, worlds, 25)
    ]
    shares = np.concatenate(parts, axis=1).mean(axis=1)
    return {place: pytest.approx(100 * share, abs=0.51) for place, share in enumerate(shares)}


def test_what_is_guessed_is_as_the_seat_saw_it(run: Run, tmp_path: Path) -> None:
    """The engine is given the seat's view; and no page before the end shows a card that the seat does not see."""
    record = tmp_path / "game.jsonl"
    assert run("simulate", "costa-ruana", "-n", 1, "-p", 2, "--seed", 5, "--record", record)[0] == 0
    read = record_in(record, 1)
    file = ReplayFile(read, "en", 1)
    assert file.engine is not None
    positions = [first_position(read), *(step.position.copy() for step in replay(read))]
    for at, decision in file.engine["decisions"].items():
        assert decision["view"] == positions[at].view(1).states.tobytes()
        assert decision["view"] != positions[at].states.tobytes()
    at = min(file.decisions)
    other = positions[at].view(1).resample(3)
    assert other.states.tobytes() != positions[at].states.tobytes()
    assert file.page(at) != ReplayFile(read, "en").page(at)


def test_whose_moves_are_guessed_is_said(run: Run, tmp_path: Path) -> None:
    record, html = tmp_path / "game.jsonl", tmp_path / "game.html"
    assert run("simulate", "karuba", "-n", 1, "-p", 2, "--record", record)[0] == 0
    status, _, complaint = run("replay", record, "--html", html, "--guess", 3)
    assert (status, html.exists()) == (2, False)
    assert "the game has seats 1 to 2, not 3" in complaint
    for option in ("--guess", "--game"):
        status, _, complaint = run("replay", record, option, 1)
        assert (status, complaint) == (
            2,
            f"atoll: {option} goes with --html, which names the file to write.\n",
        )


def test_which_game_of_a_file_is_said(run: Run, tmp_path: Path) -> None:
    """A game that is not there, or that does not replay, is refused in a sentence, and nothing is written."""
    record, html = tmp_path / "games.jsonl", tmp_path / "game.html"
    assert run("simulate", "karuba", "-n", 2, "--record", record)[0] == 0
    status, _, complaint = run("replay", record, "--html", html, "--game", 3)
    assert status == 2
    assert "it holds 2 games, not 3" in complaint
    lines = record.read_text().splitlines(keepends=True)
    record.write_text(lines[0] + json.dumps({"player": 0, "move": "fly"}))
    status, _, complaint = run("replay", record, "--html", html)
    assert status == 2
    assert "games.jsonl: line 2" in " ".join(complaint.split())
    assert not html.exists()
