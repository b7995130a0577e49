"""My games: what is kept of finished ones, for whom, and records that are watched."""

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from typing import Any

import privateers
import pytest

from atoll.core import records
from atoll.core.catalogue import find_game, games
from atoll.core.lessons import scripts_of
from atoll.core.types import Json
from atoll.web.pages.history_page import entry
from atoll.web.store.history import LONGEST
from atoll.web.table.history import results_of
from atoll.web.table.table import Table
from atoll.web.table.table_record import table_record
from atoll.web.table.timeline import Timeline
from atoll.web.table.watched_record import read_record, timeline_of
from atoll.web.translation import translator_for
from tests.web.conftest import Browser, QuietTable
from tests.web.test_undo import play_some

TableAt = Callable[[str], Table]


@pytest.fixture
def played(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> tuple[Browser, Browser, str]:
    """Two persons who have finished a game."""
    other = new_browser()
    path = browser.make_table("signs", players="2", seat1="friend")
    other.post(f"{path}/seats", {"seat": "1"})
    play_some(table_at(path), 10_000)
    return browser, other, path


def test_a_finished_game_is_listed_for_each_of_its_people_alone(
    played: tuple[Browser, Browser, str], new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    one, other, path = played
    over = table_at(path).timeline.over
    assert over is not None
    for seat, browser in enumerate((one, other)):
        [game] = browser.get("/history/export").json()["games"]
        assert game["points"] == over["points"]
        assert (game["place"] == 1) == (seat in over["winners"])
        assert (game["seat"], game["players"], game["game"]) == (seat, 2, "signs")
        assert "browser" not in game
        html = browser.get("/history").text
        assert f'href="{path}/back"' in html
        assert "Recent games" in html
    nobody = new_browser()
    assert nobody.get("/history/export").json()["games"] == []
    assert "Not played yet" in nobody.get("/history").text


def test_a_finished_lesson_is_listed_with_its_title(quiet_table: QuietTable) -> None:
    """It and what was played after its last step are one game."""
    table = quiet_table("karuba")
    play_some(table, 10_000)
    name, script = next(iter(scripts_of(table.game).items()))
    results = results_of(replace(table.row, lesson=name), table.seating, table.timeline)
    people = [one.seat for one in table.seating.seats if one.browser is not None]
    assert people
    assert [result.seat for result in results] == people
    listed = entry(results[0], translator_for("fr"), {results[0].table_id: name})
    assert listed["lesson"] == translator_for("fr", table.game.package)(script.lesson.title)
    assert entry(results[0], translator_for("fr"), {results[0].table_id: None})["lesson"] == ""
    assert results_of(replace(table.row, branched_from="other"), table.seating, table.timeline) == []


def test_results_are_counted_by_game_number_of_players_and_against_whom(
    played: tuple[Browser, Browser, str], new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    """Item 5: one's own wins beside each of the others with whom one played."""
    one, other, _ = played
    for browser, name in ((one, "Anna"), (other, "Ben")):
        browser.post("/name", {"name": name})
    third = one.make_table("signs", players="3", seat1="friend", seat2="friend")
    other.post(f"{third}/seats", {"seat": "1"})
    new_browser().post(f"{third}/seats", {"seat": "2"})
    play_some(table_at(third), 10_000)
    games = one.get("/history/export").json()["games"]
    won = [game["place"] == 1 for game in games]  # the latest first
    rivals = one.get("/history").text.partition('id="rivals"')[2].partition("</table>")[0]
    found = re.findall(r'<th scope="row">(?:<bdi>)?([^<]*)(?:</bdi>)?</th><td>(\d+)</td><td>(\d+)', rivals)
    assert set(found) == {
        ("Ben", "1", str(int(won[0]))),
        ("Yellow", "1", str(int(won[0]))),
        ("Blue", "1", str(int(won[1]))),  # as Ben was called before
    }


def test_it_stays_when_the_table_is_deleted_and_goes_when_its_person_says_so(
    played: tuple[Browser, Browser, str],
) -> None:
    one, other, path = played
    one.post(f"{path}/delete")
    assert "Rank" in one.get("/history").text or "Won" in one.get("/history").text
    assert f"{path}/back" not in one.get("/history").text, "which leads nowhere any more"
    assert len(one.get("/history/export").json()["games"]) == 1
    assert "deleted for good" in one.get("/history/forget").text
    assert len(one.get("/history/export").json()["games"]) == 1
    one.post("/history/forget")
    assert one.get("/history/export").json()["games"] == []
    assert len(other.get("/history/export").json()["games"]) == 1


def send(browser: Browser, content: str | bytes) -> Any:
    """Upload a record."""
    return browser.client.post("/records", files={"record": ("game.jsonl", content)})


def test_a_record_opens_at_the_moment_that_it_names(browser: Browser, table_at: TableAt) -> None:
    """At the position in which that decision is taken; at the beginning where it names none that there is."""
    path = browser.make_table("costa-ruana", players="2", seat1="friend")
    play_some(table_at(path), 10_000)
    text = browser.get(f"{path}/record").text
    for at, first in ((7, 6), (1, 0), (0, 0), (99_999, 0), ("7", 0), (True, 0)):
        page = send(browser, records.opened_at(text, at)).text  # type: ignore[arg-type]
        assert re.search(r'id="past-at"[^>]* value="(\d+)"', page)[1] == str(first)  # type: ignore[index]


def test_a_record_is_uploaded_and_watched_by_whoever_has_the_link(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    one, path = browser, browser.make_table("costa-ruana", players="2", seat1="friend")
    play_some(table_at(path), 10_000)
    answer = send(one, one.get(f"{path}/record").content)
    assert answer.status_code == 200
    assert str(answer.url.path).startswith("/records/")
    back = str(answer.url.path)
    for at in ("0", "3"):
        assert "data-past" in new_browser().get(f"{back}?at={at}&eyes=1").text
    assert new_browser().get(f"{back}?at=999").status_code == 404
    assert f'href="{back}"' in one.get("/history").text
    assert new_browser().get("/records/nothing/back").status_code == 404
    one.post("/history/forget")
    assert new_browser().get(back).status_code == 404


@pytest.mark.parametrize(
    ("content", "status", "said"),
    [
        ("", 422, "the file holds no record"),
        ("hello", 422, "line 1: is not JSON"),
        (b"\xff\xfe\x00", 422, "line 1: is not JSON"),
        ('{"atoll": 9}', 422, "this is format 9"),
        ("x" * (LONGEST + 1), 413, "has at most 60,000 bytes"),
    ],
)
def test_what_is_no_record_is_refused_with_a_sentence(
    browser: Browser, content: str | bytes, status: int, said: str
) -> None:
    answer = send(browser, content)
    assert answer.status_code == status
    assert said in answer.text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("hello", "ne peut pas être regardé\u202f: ligne 1\u202f: ce n’est pas du JSON"),
        ('{"atoll": 9}', "ligne 1\u202f: c’est le format 9\u202f; le format lisible est 1"),
    ],
)
def test_what_is_no_record_is_refused_in_the_readers_language(
    browser: Browser, content: str, said: str
) -> None:
    """The page speaks French, the sentence that it quotes too."""
    browser.client.cookies.set("atoll_language", "fr")
    assert said in send(browser, content).text


def test_a_crafted_record_is_refused(quiet_table: QuietTable, browser: Browser) -> None:
    """Each line is checked as `atoll replay` checks it."""
    table = quiet_table("costa-ruana")
    play_some(table, 10_000)
    lines = [json.loads(line) for line in table_record(table, None).splitlines()]
    for change in ({"player": 9}, {"move": {"do": "fly"}}):
        crafted = [lines[0], lines[1] | change, *lines[2:]]
        answer = send(browser, records.encode(crafted))
        assert answer.status_code == 422
        assert "line 2:" in answer.text
    lines[-1]["result"]["points"] = [99, 99]
    assert "the result is" in send(browser, records.encode(lines)).text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"player": 9}, "ligne 2 : il n’y a pas de place 9 : les places vont de 0 à 1"),
        ({"move": {"do": "fly"}}, "aucun coup ne s’appelle « fly » ; il y a : place native,"),
        ({"move": {"do": "place native"}}, "« place native » a les clés do, island, par exemple"),
        (
            {"move": {"do": "keep native"}},
            "le coup {'do': 'keep native'} n’est pas permis à ce moment ; coups permis : {'do': ",
        ),
    ],
)
def test_a_move_that_is_not_possible_is_refused_in_the_readers_language(
    browser: Browser, change: Json, said: str
) -> None:
    position = find_game("costa-ruana").start(2, 1)
    seat = position.to_act[0]
    line = {"player": seat, "move": next(iter(position.legal_moves(seat)))}
    assert said in said_in_french(browser, [records.header(position, ["a", "b"], 1), line | change])


def said_in_french(browser: Browser, lines: list[Json]) -> str:
    """The page that refuses a record, with spaces for all spaces."""
    browser.client.cookies.set("atoll_language", "fr")
    answer = send(browser, records.encode(lines))
    assert answer.status_code == 422
    return " ".join(unescape(answer.text).split())


@pytest.mark.parametrize(
    ("game", "key", "value", "said"),
    [
        ("costa-ruana", "round", "x", "clé « round » de l’état : il faut un nombre entier de 1 à"),
        (
            "costa-ruana",
            "phase",
            "take treasure",
            "« take treasure » ne dit pas tout : rejouez depuis le début",
        ),
        ("costa-ruana", "phase", None, "la clé « phase » de l’état manque"),
        ("cast-away", "to_act", [], "la clé to_act de l’état doit nommer une place de l’ordre du tour"),
        ("karuba", "to_act", [9], "clé « to_act » de l’état : il faut une liste de places"),
    ],
)
def test_a_state_that_is_none_is_refused_in_the_readers_language(
    browser: Browser, game: str, key: str, value: object, said: str
) -> None:
    found = find_game(game)
    head = records.header(found.start(2, 1), ["a", "b"], 1)
    head["start"][key] = value
    if value is None:
        del head["start"][key]
    assert said in said_in_french(browser, [head])


@pytest.mark.parametrize("game", [*games(), privateers.game.name])
def test_a_watched_record_is_the_game_as_it_was(
    quiet_table: QuietTable, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chance as the record says it, not as this machine's generator would have it; what was taken back is told."""
    if game == privateers.game.name:  # it is not installed; its wind is rolled in each turn
        monkeypatch.setitem(games(), game, privateers.game)
    table, chance = quiet_table(game), random.Random(1)
    play_some(table, 12)
    seat = table.timeline.answers[-1].seat
    table.undo(seat, table.timeline.decision(seat))
    for other in range(table.row.players):
        if table.undo_request is not None and other != seat:
            table.answer_undo(other, "yes")
    play_some(table, 30, seed=chance.randrange(9))
    position = table.start()
    lines = [records.header(position, ["a"] * table.row.players, 1)]
    stood = [position.copy()]
    for line in table.timeline.lines:
        if "undo" in line.move:
            lines.append(records.take_back(line.seat, line.move["undo"], line.move.get("agreed", ())))
            del stood[line.move["undo"] + 1 :]
        else:
            position = stood[-1].copy()
            events = position.play(line.seat, line.move)
            lines.append(records.decision(stood[-1], position, line.seat, line.move, events))
            stood.append(position)
    timeline: Timeline = timeline_of(read_record(records.encode(lines)))
    assert [(answer.seat, answer.move) for answer in timeline.answers] == [
        (answer.seat, answer.move) for answer in table.timeline.answers
    ]
    assert timeline.position.to_json() == table.timeline.position.to_json()
    assert timeline.undone == table.timeline.undone
