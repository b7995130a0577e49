"""Components that somebody brings, chosen where a table is made."""

import html
import json
from collections.abc import Callable
from typing import Any

import pytest

from atoll.core.catalogue import find_game
from atoll.core.components import parse_toml
from atoll.text.errors import AtollError
from atoll.web.table.table import Table
from tests.web.conftest import Browser

GAME = find_game("karuba")
TEXT = (GAME.folder / "components.toml").read_text(encoding="utf-8")


def bring(browser: Browser, text: str, name: str = "mine.toml") -> Any:
    """Make a table with a file."""
    fields = {"game": GAME.name, "pace": "at once"}
    return browser.client.post("/tables", data=fields, files={"file": (name, text.encode())})


def changed() -> str:
    """The shipped file with another number in it."""
    return TEXT.replace("nugget_points = 2", "nugget_points = 3")


def test_table_rules_and_record_carry_the_file(browser: Browser, table_at: Callable[[str], Table]) -> None:
    answer = bring(browser, changed())
    path = answer.url.path
    table = table_at(path)
    assert table.row.components_data == parse_toml("mine.toml", changed().encode())
    assert table.row.components_sha256 != GAME.components().sha256
    header = json.loads(browser.get(f"{path}/record").text.splitlines()[0])
    assert header["components"]["data"] == table.row.components_data
    own = browser.get(f"/games/{GAME.name}/components?table={table.row.id}").text
    assert own != browser.get(f"/games/{GAME.name}/components").text
    assert browser.get(f"/games/{GAME.name}/rules?table={table.row.id}").status_code == 200
    assert "Components of its own: <bdi>reconstruction</bdi>" in browser.get(path).text


@pytest.mark.parametrize(
    "text", ["tiles = 3", "not toml at all", TEXT.replace("nugget_points = 2", "nugget_points = -1")]
)
def test_a_file_is_refused_with_the_sentence_of_the_command_line(browser: Browser, text: str) -> None:
    with pytest.raises(AtollError) as error:
        GAME.components_from("mine.toml", parse_toml("mine.toml", text.encode()))
    answer = bring(browser, text)
    assert answer.status_code == 400
    said = html.unescape(answer.text)
    assert str(error.value) in said
    assert 'id="table-' not in browser.get("/").text, "nothing was made"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("not toml at all", "ce n’est pas un fichier TOML\u202f: ligne 1\u202f: après une clé"),
        (
            TEXT.replace("nugget_points = 2", "nugget_points = -1"),
            "game.nugget_points\u202f: il faut un nombre entier de 0 à 20, et non -1",
        ),
        (TEXT.replace('temple = "blue"\n', "", 1), "et non 0\u202f: Temple bleu"),
    ],
)
def test_a_file_is_refused_in_the_readers_language(browser: Browser, text: str, said: str) -> None:
    """The site speaks the page's language, the checker too."""
    browser.client.cookies.set("atoll_language", "fr")
    shown = html.unescape(bring(browser, text).text)
    assert said in shown


def test_without_a_file_the_form_plays_what_it_names(
    browser: Browser, table_at: Callable[[str], Table]
) -> None:
    answer = browser.client.post("/tables", data={"game": GAME.name}, files={"file": ("", b"")})
    assert table_at(answer.url.path).row.components_sha256 == GAME.components().sha256
