"""A recorded game as one HTML file (`atoll replay --html`): the site's own pages, and nothing else is needed."""

import json
import re
from base64 import b64decode
from gzip import decompress
from pathlib import Path

from playwright.sync_api import Browser, expect

from atoll.commands.recorded import record_in
from atoll.web.pages.replay_file import ReplayFile
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
    stands_at(page, 0)
    expect(page.locator("#main")).to_have_text(start, use_inner_text=True)
    expect(page.locator(".when-still")).to_be_visible()
    assert objections(page) == []
    assert (asked, problems) == ([html.as_uri()], [])
    context.close()


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
