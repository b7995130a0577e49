"""The workshop: components files changed, kept, played and exported in the browser."""

import gzip
import html
import io
import re
import tomllib
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from random import Random
from threading import Event

import msgspec
import pytest
import tomlkit
from anyio.to_thread import current_default_thread_limiter

from atoll.bots import find_bot
from atoll.commands.print_box import print_box
from atoll.core.catalogue import find_game, games
from atoll.core.component_sheets import ComponentSheets
from atoll.core.entries import differences
from atoll.engine.native import NativeRunner
from atoll.lab import comparison, simulate
from atoll.lab.comparison import compare as compare_sets
from atoll.lab.differences import Comparison
from atoll.lab.games_image import GamesImage
from atoll.lab.played import Setup
from atoll.text.spreadsheets import tables_of, workbook
from atoll.text.toml_text import with_data
from atoll.text.translation import LANGUAGES, Translator
from atoll.web.refusal import Refusal
from atoll.web.serving import finding_requests, workshop_requests
from atoll.web.serving.site import Site
from atoll.web.store.comparison_queue import ComparisonQueue, QueuedComparison
from atoll.web.workshop.comparisons import ComparisonRequest, compare
from atoll.web.workshop.findings import latest_findings
from atoll.web.workshop.results import findings
from tests import games_elsewhere
from tests.soak.mutated_components import mutated
from tests.web.conftest import Browser

GAME = "karuba"


def begin(browser: Browser, game: str = GAME, **fields: str) -> str:
    answer = browser.post(f"/games/{game}/workshop", {"name": "Mine", **fields})
    assert answer.status_code == 200, answer.text
    return str(answer.url.path)


def change(browser: Browser, path: str, at: str, revision: int = 0, do: str = "", **values: object):
    fields = {f"v:{at}.{name}": value for name, value in values.items()}
    return browser.post(f"{path}/change", {"revision": revision, "at": at, "do": do, **fields})


def exported(browser: Browser, path: str):
    return tomllib.loads(browser.get(f"{path}/file").text)


def test_a_number_is_changed_and_exported_with_the_comments(browser: Browser):
    path = begin(browser)
    assert change(browser, path, "game", crystal_points=3).status_code == 200
    text = browser.get(f"{path}/file").text
    before = find_game(GAME).components().data
    found = {(one.path, one.after) for one in differences(before, tomllib.loads(text))}
    assert found == {("game.crystal_points", 3), ("name", "Mine")}
    assert "# to each adventurer who comes by" in text


@pytest.mark.parametrize(("name", "file"), [("L’Île à plages, 2", "l-ile-a-plages-2"), ("島", "set")])
def test_an_exported_file_is_named_by_its_set_in_plain_letters(browser: Browser, name: str, file: str):
    path = begin(browser, name=name)
    disposition = browser.get(f"{path}/file").headers["Content-Disposition"]
    assert disposition == f'attachment; filename="{GAME}-{file}.toml"'


def test_what_is_out_of_range_is_said_beside_its_field_and_changes_nothing(browser: Browser):
    path = begin(browser)
    answer = change(browser, path, "cards[2]", crystals=999)
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.text
    assert "Write a whole number: 0 to 5." in answer.text
    assert 'value="999"' in answer.text
    assert exported(browser, path)["cards"][2]["crystals"] == 1


def test_what_does_not_go_together_is_kept_and_said_and_not_played(browser: Browser):
    path = begin(browser)
    index = next(
        i for i, card in enumerate(find_game(GAME).components().data["cards"]) if "adventurer" in card
    )
    answer = change(browser, path, f"cards[{index}]", do=f"remove:cards[{index}].adventurer")
    assert "This set cannot be played yet." in answer.text
    assert "exactly one card has this, not 0" in answer.text
    assert browser.post(f"{path}/play").status_code == 409


def test_the_checkers_sentence_stands_there_in_the_readers_language(browser: Browser):
    browser.client.cookies.set("atoll_language", "fr")
    path = begin(browser)
    index = next(i for i, card in enumerate(find_game(GAME).components().data["cards"]) if "temple" in card)
    answer = change(browser, path, f"cards[{index}]", do=f"remove:cards[{index}].temple")
    assert "exactement une carte doit avoir ceci, et non 0\u202f: Temple" in answer.text
    refused = browser.post(f"{path}/play")
    assert "ne peut pas encore être joué" in refused.text
    assert "exactement une carte" in refused.text
    assert (
        "Écrivez une à quatre des lettres N, E, S, W" in change(browser, path, "cards[2]", 1, exits="WN").text
    )


def test_a_copied_tile_has_a_number_of_its_own_and_the_counts_follow(browser: Browser):
    path = begin(browser, "cast-away")
    change(browser, path, "constructions[2]", do="copy:constructions[2]")
    data = exported(browser, path)
    assert data["counts"]["constructions"] == len(data["constructions"]) == 34
    ids = [tile["id"] for tile in data["constructions"]]
    assert len(set(ids)) == 34
    change(browser, path, "constructions[3]", revision=1, do="remove:constructions[3]")
    assert exported(browser, path) == find_game("cast-away").components().data | {"name": "Mine"}


def test_a_part_that_the_file_leaves_out_can_be_changed_and_stays_out_otherwise(browser: Browser):
    path = begin(browser, "cast-away")
    at = "start_prestige"
    page = browser.get(f"{path}?open={at}").text
    assert "Three players" in page
    assert f'name="v:{at}.three[0]"' in page
    change(browser, path, at, three="0")
    assert at not in exported(browser, path)
    much, little = ({"three[0]": number} for number in (21, 1))
    answer = change(browser, path, at, 0, "", **much)
    assert "Write a whole number: 0 to 20." in answer.text
    change(browser, path, at, 0, "", **little)
    data = exported(browser, path)
    given = {"source": "reconstructed", "two": [0, 0], "three": [1, 0, 0], "four": [0, 0, 0, 0]}
    assert data == find_game("cast-away").components().data | {"name": "Mine", at: given}
    assert "\n[start_prestige]\n" in browser.get(f"{path}/file").text
    assert "3 players" in browser.get(path).text


def test_what_is_left_out_of_such_a_part_is_added_with_as_many_entries_as_it_must_have(browser: Browser):
    data = find_game("cast-away").components().data | {"start_prestige": {"source": "reconstructed"}}
    path = str(upload(browser, tomlkit.dumps(data).encode(), "cast-away").url.path)
    browser.post(
        f"{path}/change",
        {"revision": 0, "at": "start_prestige", "do": "add", "add": "start_prestige.two"},
    )
    assert exported(browser, path)["start_prestige"]["two"] == [1, 1]


def test_the_table_that_is_opened_is_played_with_the_set(
    browser: Browser, new_browser: Callable[..., Browser], table_at
):
    path = begin(browser)
    change(browser, path, "game", nugget_points=5)
    answer = browser.post(f"{path}/play", {"players": "3", "bot": "easy"})
    assert answer.url.path.startswith("/tables/")
    table = table_at(answer.url.path)
    assert table.components.data["game"]["nugget_points"] == 5
    assert table.row.players == 3
    shown = new_browser().get(f"/games/{GAME}/components?table={table.row.id}").text
    assert "Mine" in shown


def test_a_table_that_is_refused_keeps_no_version(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
):
    path = begin(browser)
    change(browser, path, "game", nugget_points=5)

    def refuse(row: object, seats: object) -> None:
        raise Refusal(429, "This site has as many tables as it allows.")

    before = len(site.sets.versions(path.rpartition("/")[2]))
    monkeypatch.setattr(site, "make_table", refuse)
    assert browser.post(f"{path}/play", {"players": "3", "bot": "easy"}).status_code == 429
    assert len(site.sets.versions(path.rpartition("/")[2])) == before


def test_a_set_is_offered_where_a_table_is_made(browser: Browser, table_at):
    path = begin(browser)
    named = f"set:{path.rpartition('/')[2]}"
    assert f'value="{named}"' in browser.get("/").text
    assert table_at(browser.make_table(GAME, components=named)).components.name == "Mine"


def test_another_browser_sees_nothing_of_a_set(browser: Browser, new_browser: Callable[..., Browser]):
    path, other = begin(browser), new_browser()
    assert other.get(path).status_code == 404
    assert other.get(f"{path}/file").status_code == 404
    assert change(other, path, "game", crystal_points=3).status_code == 404
    answer = other.post("/tables", {"game": GAME, "components": f"set:{path.rpartition('/')[2]}"})
    assert answer.status_code == 400


def test_a_form_of_an_older_page_changes_nothing(browser: Browser):
    path = begin(browser)
    change(browser, path, "game", crystal_points=3)
    assert change(browser, path, "game", crystal_points=4).status_code == 409
    assert exported(browser, path)["game"]["crystal_points"] == 3


def test_versions_are_kept_compared_and_gone_back_to(browser: Browser):
    path = begin(browser)
    change(browser, path, "game", crystal_points=3)
    browser.post(f"{path}/keep", {"note": "dear crystals"})
    page = browser.get(f"{path}/differences?from=1&to=2").text
    assert "Points for a crystal" in page
    browser.post(f"{path}/restore", {"version": "1"})
    assert exported(browser, path)["game"]["crystal_points"] == 1
    assert "dear crystals" in browser.get(path).text


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_entry_of_every_game_can_be_opened(browser: Browser, language: str):
    browser.get(f"/language?to={language}")
    for game, entries in {
        "karuba": ("cards[0]", "game"),
        "costa-ruana": ("cards[1]", "treasures"),
        "cast-away": ("constructions[0]", "health", "events[0]", "slots"),
    }.items():
        path = begin(browser, game)
        for entry in entries:
            page = browser.get(f"{path}?open={entry}")
            assert page.status_code == 200
            assert f'name="at" value="{entry}"' in page.text


def upload(browser: Browser, content: bytes, game: str = GAME):
    files = {"file": ("mine.toml", content, "application/toml")}
    return browser.client.post(f"/games/{game}/workshop", data={"upload": "yes"}, files=files)


def test_a_file_is_opened_as_it_is(browser: Browser):
    text = "# mine\n" + find_game(GAME).folder.joinpath("components.toml").read_text()
    answer = upload(browser, text.encode())
    assert answer.url.path.startswith("/workshop/")
    assert browser.get(f"{answer.url.path}/file").text == text


def element(page: str, id: str) -> str:
    """The tag of an element, and the words within it."""
    found = re.search(rf'<\w+ [^>]*id="{id}"[^>]*>[^<]*', page)
    return html.unescape(found[0]) if found else ""


@pytest.mark.parametrize(("language", "said"), [("en", "“nonsense” here"), ("fr", "« nonsense » ici")])
def test_a_refused_file_leads_back_to_the_workshop_with_the_sentence_beside_its_field(
    browser: Browser, language: str, said: str
):
    """As a refused form for a new table does; what is wrong is told once, and of that form alone."""
    browser.client.cookies.set("atoll_language", language)
    begun = begin(browser)
    answer = upload(browser, b"nonsense = 1")
    assert answer.status_code == 400
    assert 'aria-invalid="true" autofocus' in element(answer.text, "ws-file")
    assert 'aria-describedby="ws-file-fault"' in element(answer.text, "ws-file")
    assert said in element(answer.text, "ws-file-fault").replace("\u202f", " ")
    assert "ws-new-name-fault" not in answer.text
    assert begun in answer.text, "one's sets are still there"


def test_a_refused_name_comes_back_as_it_was_typed(browser: Browser):
    fields = {"name": "x" * 61, "from": "dead-end temples"}
    answer = browser.post(f"/games/{GAME}/workshop", fields)
    assert answer.status_code == 400
    assert f'value="{fields["name"]}"' in element(answer.text, "ws-new-name")
    assert 'aria-invalid="true"' in element(answer.text, "ws-new-name")
    assert "more than 60 characters" in element(answer.text, "ws-new-name-fault")
    assert '<option value="dead-end temples" selected>' in answer.text
    assert "ws-file-fault" not in answer.text


def test_hostile_files_are_refused_in_a_sentence_or_can_be_shown(browser: Browser):
    """As `python -m tests.soak mutations --kind components` mutates them."""
    game = find_game(GAME)
    text = game.folder.joinpath("components.toml").read_bytes()
    chance = Random(5)
    contents = [b"", b"\xff\xfe", b"[" * 5000, b"a." * 300 + b"a=1", b"x=" + b"9" * 5000, b"\x00", text[:500]]
    contents += [mutated(game, chance) for _ in range(25)]
    seen = set()
    for content in contents:
        answer = upload(browser, content)
        seen.add(answer.status_code)
        assert answer.status_code in (200, 400), answer.text
        if answer.status_code == 200:
            assert browser.get(f"{answer.url.path}?open=cards[0]").status_code == 200
            assert browser.get(f"{answer.url.path}/file").status_code == 200
    assert 400 in seen


def test_forms_that_are_not_ours_change_nothing(browser: Browser):
    path = begin(browser)
    for at, do, add in [
        ("nothing", "", ""),
        ("cards[99]", "", ""),
        ("cards", "remove:cards", ""),
        ("game", "remove:game.rounds", ""),
        ("game", "add", "game.format"),
        ("cards[0]", "copy:cards[1]", ""),
        ("cards[0].exits", "", ""),
        ("", "remove:", ""),
    ]:
        answer = browser.post(f"{path}/change", {"revision": 0, "at": at, "do": do, "add": add})
        assert answer.status_code in (200, 400, 409), (at, do)
    assert exported(browser, path) == find_game(GAME).components().data | {"name": "Mine"}


def test_text_is_written_back_whatever_the_change():
    game = find_game("cast-away")
    text = game.folder.joinpath("components.toml").read_text()
    data = tomllib.loads(text)
    del data["events"][3]
    data["constructions"].insert(2, data["constructions"][5] | {"id": 60})
    data["slots"]["bonuses"].append({"fire": 1})
    data["stock"]["bamboo"] = 9
    changed = with_data(text, data)
    assert tomllib.loads(changed) == data
    assert changed.count("#") == text.count("#")
    reordered = data | {"events": data["events"][::-1]}
    assert tomllib.loads(with_data(text, reordered)) == reordered


def test_a_comparison_finds_what_was_planted_and_nothing_where_nothing_was(games_for_tests: None):
    """Twice the points for crystals: more points, and the same length, since rounds are fixed."""
    data = find_game(GAME).components().data
    dearer = data | {"game": data["game"] | {"crystal_points": 2}}
    found = compare(ComparisonRequest(GAME, data, dearer, "1", "2", 4, 200), lambda done: None)["comparison"]
    by_key = {one["key"]: one for one in found["differences"]}
    assert by_key["points.mean"]["significant"]
    assert by_key["points.mean"]["change"]["low"] > 0
    assert by_key["length.decisions"]["change"]["value"] == 0
    renamed = ComparisonRequest(GAME, data, data | {"name": "Other"}, "1", "2", 4, 200)
    same = compare(renamed, lambda done: None)["comparison"]
    assert not any(one["significant"] or one["change"]["value"] for one in same["differences"])


def test_a_comparison_tells_how_far_it_is_and_the_sure_differences_come_first(
    games_for_tests: None, monkeypatch: pytest.MonkeyPatch
):
    """Deals that are done: 0 once all is compiled, and all at the end; it is what `atoll compare` finds."""
    monkeypatch.setattr(simulate, "CHUNK", 50)
    game = find_game(GAME)
    data = game.components().data
    dearer = data | {"game": data["game"] | {"crystal_points": 2}}
    done: list[int] = []
    found = compare(ComparisonRequest(GAME, data, dearer, "1", "2", 3, 120), done.append)["comparison"]
    assert done == [0, 50, 100, 120]
    sets = (game.components_from("", one) for one in (data, dearer))
    first, second = (Setup(game, one, 3, [find_bot(found["first"]["bots"][0])], 0) for one in sets)
    rows = msgspec.convert(found, Comparison)
    assert rows.differences == compare_sets(first, second, 120).differences
    backwards = msgspec.structs.replace(rows, differences=rows.differences[::-1])
    shown = [one["significant"] for one in findings(backwards, Translator("en"))]
    assert shown == sorted(shown, reverse=True)
    assert True in shown
    assert False in shown
    for language in LANGUAGES:
        said = " ".join(str(value) for one in findings(rows, Translator(language)) for value in one.values())
        assert "95\u202f%" in said
        assert " %" not in said  # no line ends between a number and its sign


def test_a_version_is_not_compared_with_itself(browser: Browser, site: Site):
    path = begin(browser)
    answer = browser.post(f"{path}/trial", {"against": "1", "games": "200", "players": "2"})
    assert answer.status_code == 409
    assert "Nothing has changed since version 1." in answer.text
    assert 'id="ws-ask"' in answer.text, "on the page of the set, where something can be changed"
    gone_back_to = browser.get(f"{path}/trial")
    assert gone_back_to.status_code == 405
    assert "There is no such page." in gone_back_to.text
    assert "Back to the set" in gone_back_to.text
    assert site.comparisons.queue.of(path.rpartition("/")[2]) is None


def test_a_refused_name_is_said_on_the_page_of_the_set(browser: Browser):
    path = begin(browser)
    answer = browser.post(f"{path}/rename", {"name": " ", "revision": "0"})
    assert answer.status_code == 400
    assert "This name is not possible" in answer.text
    assert 'id="ws-name"' in answer.text


def test_what_is_not_drawn_is_listed_with_its_names_and_values(browser: Browser):
    """As everything of a game without a sheet."""
    path = browser.post("/games/signs/workshop", {"name": "Mine"}).url.path
    html = browser.get(path).text
    listed = dict(re.findall('<b dir="auto">([^<]*)</b> <span class="ws-text" dir="auto">(.*?)</span>', html))
    assert listed == {"rounds": str(find_game("signs").components().data["rounds"])}
    opened = browser.get(f"{path}?open=rounds").text
    assert re.search(
        '<label for="([^"]*)">rounds</label>\\s*<input id="\\1" name="v:rounds" type="number"', opened
    )
    browser.post(f"{path}/change", {"revision": "0", "at": "rounds", "v:rounds": "5", "do": "done"})
    assert '<span class="ws-text" dir="auto">5</span>' in browser.get(path).text


@pytest.fixture
def played(site: Site, monkeypatch: pytest.MonkeyPatch) -> SimpleQueue[QueuedComparison]:
    """Where each comparison is put that the site's process has played, and kept what came of it."""
    over, play = SimpleQueue[QueuedComparison](), site.comparisons._play

    def tell(running: QueuedComparison) -> None:
        try:
            play(running)
        finally:
            over.put(running)

    monkeypatch.setattr(site.comparisons, "_play", tell)
    monkeypatch.setattr(site.comparisons, "niceness", 0)  # other tests keep all cores busy
    return over


def test_a_comparison_runs_in_the_background_and_stands_on_the_page(
    browser: Browser, played: SimpleQueue[QueuedComparison]
):
    path = begin(browser)
    change(browser, path, "game", crystal_points=3)
    browser.post(f"{path}/trial", {"against": "1", "games": "200", "players": "2"})
    played.get()
    page = browser.get(path).text
    assert "ws-findings" in page
    assert "Version 1 → Version 2" in page
    assert "Points of a player" in page
    assert "95\u202f% sure. Sure differences" in page


def test_a_comparison_that_is_cancelled_is_ended(
    browser: Browser, site: Site, played: SimpleQueue[QueuedComparison]
):
    path = begin(browser)
    change(browser, path, "game", crystal_points=3)
    browser.post(f"{path}/trial", {"against": "1", "games": "20000", "players": "2"})
    again = browser.post(f"{path}/trial", {"against": "1", "games": "200", "players": "2"})
    assert (again.status_code, "still under way" in again.text) == (429, True)
    browser.wait_for(path, "of 20,000 deals")
    browser.post(f"{path}/trial/cancel")
    assert "ws-progress" not in browser.get(path).text
    set_id = played.get().set_id
    assert (site.comparisons.queue.of(set_id), site.sets.trials(set_id)) == (None, [])


def test_what_another_process_of_the_site_plays_is_shown_and_cancelled_here(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
):
    """Processes share one socket, and a request may reach any of them (docs/operate.md)."""
    elsewhere = ComparisonQueue(site.store.engine)
    monkeypatch.setattr(site.comparisons.queue, "claim", lambda worker: None)
    path = begin(browser)
    change(browser, path, "game", crystal_points=3)
    browser.post(f"{path}/trial", {"against": "1", "games": "20000", "players": "2"})
    assert "Waiting for its turn" in browser.get(path).text
    running = elsewhere.claim("elsewhere")
    assert running is not None
    assert elsewhere.note(running, "elsewhere", "playing", 40)
    assert "Playing: 40 of 20,000 deals" in browser.get(path).text
    browser.post(f"{path}/trial/cancel")
    assert not elsewhere.note(running, "elsewhere", "playing", 41)


def test_a_browser_plays_what_it_asks_for_and_the_figures_are_the_servers(
    browser: Browser, new_browser: Callable[..., Browser], site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison, "MOST_IN_CHUNK", 80)
    path = begin(browser)
    assert browser.get(f"{path}/trial/games").status_code == 409
    change(browser, path, "game", crystal_points=3)
    asked = {"against": "1", "games": "200", "players": "2", "here": "yes"}
    assert "data-games" in browser.post(f"{path}/trial", asked).text
    running = site.comparisons.queue.of(path.rpartition("/")[2])
    assert running is not None
    told = browser.get(f"{path}/trial/games").json()
    assert (told["id"], told["games"], told["done"], told["seed"]) == (running.id, 200, 0, 0)
    assert browser.get(told["module"]).status_code == 200
    assert new_browser().get(f"{path}/trial/games").status_code == 404
    sets = msgspec.convert(told["sets"], list[GamesImage])
    content = games_elsewhere.compare(find_game(GAME), sets, 0, 0)

    def send(content: bytes, first: int, name: str = running.id, by: Browser = browser) -> int:
        answer = by.client.post(f"{path}/trial/games", params={"id": name, "first": first}, content=content)
        return int(answer.status_code)

    assert send(content, 0, by=new_browser()) == 404
    for broken in (b"", b"no", content[:-1], gzip.compress(b""), gzip.compress(bytes(10**7))):
        assert send(broken, 0) == 400
    assert [send(content, 80), send(content, 0, "another"), send(content, -1)] == [409] * 3
    assert site.comparisons.queue.of(running.set_id) == running, "nothing has changed"
    assert [send(content, 0), send(content, 0)] == [204, 409]
    assert "Playing: 80 of 200 deals" in browser.get(path).text
    for first in (80, 160):
        assert send(games_elsewhere.compare(find_game(GAME), sets, 0, first), first) == 204
    assert "ws-findings" in browser.get(path).text
    found = site.sets.trials(running.set_id)[0].result
    question = msgspec.convert(running.question, ComparisonRequest)
    assert found == compare(question, lambda done: None)
    assert send(content, 200) == 409


def test_a_browser_may_cancel_what_it_plays(browser: Browser, site: Site) -> None:
    path = begin(browser)
    change(browser, path, "game", crystal_points=3)
    browser.post(f"{path}/trial", {"against": "1", "games": "200", "players": "2", "here": "yes"})
    browser.post(f"{path}/trial/cancel")
    assert browser.get(f"{path}/trial/games").status_code == 409
    assert browser.post(f"{path}/trial/games?first=0").status_code == 409


def test_the_server_plays_games_that_have_no_module(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(vars(games()["signs"]), "runner", NativeRunner(games()["signs"]))
    path = browser.post("/games/signs/workshop", {"name": "Mine"}).url.path
    browser.post(f"{path}/change", {"revision": "0", "at": "rounds", "v:rounds": "5", "do": "done"})
    html = browser.post(f"{path}/trial", {"against": "1", "games": "200", "players": "2", "here": "yes"}).text
    assert "data-running" in html
    assert "data-games" not in html
    browser.post(f"{path}/trial/cancel")


def test_what_a_finding_proposes_is_tried_by_one_press_and_can_be_gone_back_from(
    browser: Browser,
    new_browser: Callable[..., Browser],
    site: Site,
    played: SimpleQueue[QueuedComparison],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A card of Karuba that is worth too much, the games in which it is used, and the change that mends it."""
    monkeypatch.setattr(finding_requests, "GAMES", 600)
    monkeypatch.setattr(finding_requests, "USUAL_SIZE", 200)
    path = begin(browser)
    set_id = path.rpartition("/")[2]
    added = {"revision": 0, "at": "cards[2]", "do": "add", "add": "cards[2].nuggets"}
    browser.post(f"{path}/change", added)
    change(browser, path, "cards[2]", 1, nuggets=5)
    assert "data-running" in browser.post(f"{path}/findings", {"players": "2"}).text
    played.get()
    html = browser.get(path).text
    found = latest_findings(site.sets.trials(set_id))
    assert found is not None
    assert (found.version, found.games, f"in version {found.version}" in html) == (2, 600, True)
    places = [place for place, one in enumerate(found.findings.findings, 1) if one.change is not None]
    proposed = found.findings.findings[places[0] - 1].change
    assert proposed is not None
    assert (proposed.path, proposed.before) == ("cards[2].nuggets", 5)
    assert f"Cards · 3 · Nuggets = {proposed.after} instead of 5" in html

    watch = {"found": found.id, "finding": places[0], "moment": 2}
    watched = browser.post(f"{path}/findings/watch", watch)
    assert watched.status_code == 200
    assert watched.url.path.startswith("/records/")
    moment = found.findings.findings[places[0] - 1].moments[1]
    record = site.history.uploaded(watched.url.path.split("/")[2])
    assert record is not None
    assert f'"at":{moment.decision}' in record.text.partition("\n")[0]
    assert browser.post(f"{path}/findings/watch", watch | {"moment": 9}).status_code == 404

    press = {"revision": 2, "found": found.id, "finding": places[0]}
    none = next(place for place in range(1, 8) if place not in places)
    for wrong in ({"revision": 1}, {"found": "another"}, {"finding": none}, {"finding": 99}):
        assert browser.post(f"{path}/findings/try", press | wrong).status_code in (404, 409)
    assert new_browser().post(f"{path}/findings/try", press).status_code == 404
    assert exported(browser, path)["cards"][2]["nuggets"] == 5
    assert browser.post(f"{path}/findings/try", press).status_code == 200
    assert exported(browser, path)["cards"][2]["nuggets"] == proposed.after
    played.get()
    html = browser.get(path).text
    assert "Version 2 → Version 3" in html
    assert "This was changed since." in html
    assert 'name="finding" value="1" aria-label="Try it' not in html
    again = browser.post(f"{path}/findings/try", press | {"revision": 3})
    assert (again.status_code, "changed meanwhile" in again.text) == (409, True)
    browser.post(f"{path}/restore", {"version": "2"})
    assert exported(browser, path)["cards"][2]["nuggets"] == 5
    assert ">Try it<" in browser.get(path).text


def sheet_of(browser: Browser, path: str, form: str) -> bytes:
    answer = browser.get(f"{path}/sheet/{form}")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].endswith(f'.{form}"')
    return bytes(answer.content)


@pytest.mark.parametrize("form", ["xlsx", "ods"])
def test_a_set_goes_to_a_spreadsheet_and_comes_back_changed(browser: Browser, form: str):
    path = begin(browser)
    before = exported(browser, path)
    sheets = ComponentSheets(find_game(GAME), "en")
    tables = tables_of(f"a.{form}", sheet_of(browser, path, form), sheets.headings())
    tables[0].rows[3] = ["reconstructed", "NEW", None, None, 1, 3]
    file = ("mine." + form, workbook(tables, "." + form), "application/octet-stream")
    answer = browser.post(f"{path}/sheet", {"revision": 0}, files={"file": file})
    assert answer.status_code == 200, answer.text
    changes = [(one.path, one.after) for one in differences(before, exported(browser, path))]
    assert changes == [("cards[2].nuggets", 3)]
    tables[0].rows[3][1] = "WENS"
    file = ("mine." + form, workbook(tables, "." + form), "application/octet-stream")
    refused = browser.post(f"{path}/sheet", {"revision": 1}, files={"file": file})
    assert refused.status_code == 400
    assert "Cards!B4: must be one to four of the letters" in html.unescape(refused.text)


def test_cells_are_pasted_and_a_set_is_begun_from_a_list_alone(browser: Browser):
    path = begin(browser)
    with zipfile.ZipFile(io.BytesIO(sheet_of(browser, path, "zip"))) as archive:
        cards = archive.read("Cards.csv").decode("utf-8-sig")
    pasted = cards.replace(",", "\t").replace("Exits (N\t E\t S\t W)", "Exits (N, E, S, W)").replace('"', "")
    pasted = pasted.replace("reconstructed\tNESW", "reconstructed\tNS", 1)
    answer = browser.post(f"{path}/sheet", {"revision": 0, "list": "cards", "cells": pasted})
    assert answer.status_code == 200, answer.text
    assert exported(browser, path)["cards"][0] == {"source": "reconstructed", "exits": "NS"}
    nothing = browser.post(f"{path}/sheet", {"revision": 1, "list": "cards", "cells": " "})
    assert (nothing.status_code, "paste some cells" in nothing.text) == (400, True)
    file = ("Cards.csv", pasted.encode(), "text/csv")
    begun = browser.post(f"/games/{GAME}/workshop", {"upload": "yes"}, files={"file": file})
    assert begun.status_code == 200, begun.text
    assert exported(browser, str(begun.url.path)) == find_game(GAME).components().data | {
        "cards": exported(browser, path)["cards"]
    }


def test_a_set_is_printed_and_what_changed_since_a_version(browser: Browser):
    path = begin(browser)
    nothing = browser.post(f"{path}/print", {"from": "1"})
    assert (nothing.status_code, "nothing that is printed differs" in nothing.text) == (409, True)
    pdf = browser.post(f"{path}/print", {"paper": "letter", "ink": "grey", "sides": "fold"})
    assert (pdf.status_code, pdf.headers["content-type"], pdf.content[:5]) == (
        200,
        "application/pdf",
        b"%PDF-",
    )
    assert browser.post(f"{path}/print", {"paper": "a0"}).status_code == 400
    assert browser.post(f"{path}/print", {"from": "9"}).status_code == 404


def test_from_a_changed_cell_to_paper_and_a_table_in_one_command(
    browser: Browser, table_at, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Whoever opens the table first takes the seat, and plays with what stands in the spreadsheet."""
    sheets = ComponentSheets(find_game(GAME), "en")
    tables = sheets.tables(find_game(GAME).components().data)
    tables[0].rows[3] = ["reconstructed", "NEW", None, None, 1, 3]
    (tmp_path / "mine.xlsx").write_bytes(workbook(tables, ".xlsx"))
    print_box(GAME, tmp_path / "mine.xlsx", only="aids", out=tmp_path / "box.pdf", table=True, language="en")
    told = capsys.readouterr().out
    assert (tmp_path / "box.pdf").read_bytes().startswith(b"%PDF-")
    address = told.partition("At the site here ")[2].partition(" is")[0]
    assert f'action="{address}/seats"' in browser.get(address).text
    browser.post(f"{address}/seats", {"seat": "0"})
    table = table_at(address)
    assert table.components.data["cards"][2]["nuggets"] == 3
    with table.lock:
        assert 0 in table.timeline.to_act
        assert len(table.timeline.legal_moves(0))


def test_a_browser_that_prints_holds_no_thread_of_the_pages(
    browser: Browser, new_browser: Callable[..., Browser], monkeypatch: pytest.MonkeyPatch
):
    """Pages have one thread left here; whoever prints waits without it, and asks for one print at a time."""
    begun, ended = Event(), Event()

    def slow(page: str) -> bytes:
        begun.set()
        assert ended.wait(60)
        return b"%PDF-"

    monkeypatch.setattr(workshop_requests, "pdf_of", slow)
    path, other, again = begin(browser), new_browser(), new_browser()
    again.client.cookies.update(browser.client.cookies)
    assert browser.client.portal is not None
    threads = browser.client.portal.call(current_default_thread_limiter)
    usual, threads.total_tokens = threads.total_tokens, 1
    try:
        with ThreadPoolExecutor() as presses:
            printing = presses.submit(browser.client.post, f"{path}/print")
            assert begun.wait(60)
            assert presses.submit(other.get, "/").result(30).status_code == 200
            assert presses.submit(again.client.post, f"{path}/print").result(30).status_code == 429
            ended.set()
            assert printing.result(30).content == b"%PDF-"
    finally:
        ended.set()
        threads.total_tokens = usual
