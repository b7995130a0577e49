"""Hints: who gets them, what they say, when they go; what a seat cannot know has its tests in test_secrecy.py."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from atoll.bots import hints
from atoll.core.catalogue import find_game, games
from atoll.engine.native import NativeRunner
from atoll.text.translation import Translator
from atoll.web.pages.table_page import hint_reason
from atoll.web.serving import hint_requests
from atoll.web.serving.site import Site
from atoll.web.store.store import Store
from atoll.web.table.table import Table
from atoll.web.table.tables import Tables
from tests.web.conftest import SCRIPT, Browser

TableAt = Callable[[str], Table]
HINTED = re.compile(r'id="hint-\d" aria-label="([^"]*), (\d+)% chance to win')


@pytest.fixture(autouse=True)
def short_search(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hint takes few iterations, and bots sit still."""
    monkeypatch.setattr(hints, "ITERATIONS", 60)
    monkeypatch.setattr(hints, "MILLISECONDS", None)
    monkeypatch.setattr(site.bots, "wake", lambda table: None)


def alone(browser: Browser, table_at: TableAt, **fields: str) -> str:
    """A table of one person against a bot at which the person has to decide."""
    while True:
        path = browser.make_table(players="2", **fields)
        if 0 in table_at(path).timeline.to_act:
            return path


def ask(browser: Browser, path: str) -> list[tuple[str, str]]:
    """Ask for a hint as a browser without scripts does: the moves that the page then names, and their chances."""
    form = next(form for form in browser.page(path).forms if form.id == "hint")
    answer = browser.post(form.action, form.data)
    assert answer.url.path == path
    return HINTED.findall(answer.text)


def test_a_hint_names_three_moves_with_their_chances(browser: Browser, table_at: TableAt) -> None:
    path = alone(browser, table_at)
    found = ask(browser, path)
    chances = [int(chance) for _, chance in found]
    assert len({move for move, _ in found}) == 3
    assert all(move.startswith("Place a native on island ") for move, _ in found)
    assert chances == sorted(chances, reverse=True)
    assert 0 <= chances[-1] <= chances[0] <= 100


def test_the_chance_is_the_share_of_the_win_in_the_search() -> None:
    game = find_game("costa-ruana")
    position = game.start(2, seed=1)
    view = position.view(position.to_act[0])
    found = hints.best_moves(view, seed=3)
    assert {one.action for one in found} <= set(view.legal_moves().actions.tolist())
    assert all(0 <= one.wins <= 1 for one in found)
    assert hints.best_moves(view, seed=3) == found


def test_a_hint_is_chosen_and_then_played(browser: Browser, table_at: TableAt) -> None:
    path = alone(browser, table_at)
    (move, _), *_ = ask(browser, path)
    hinted = next(form for form in browser.page(path).forms if form.id == "hint-1")
    page = browser.page(path, params=hinted.data)
    confirm = next(form for form in page.forms if form.id == "confirm")
    assert confirm.label == move
    assert (
        next(form for form in page.forms if form.id == "hint-1").fields == []
    )  # pressed again, it is given back
    browser.post(confirm.action, confirm.data)
    assert len(table_at(path).timeline.answers) == 1


def test_a_hint_goes_when_the_position_changes_and_stays_when_it_does_not(
    browser: Browser, table_at: TableAt
) -> None:
    path = alone(browser, table_at)
    ask(browser, path)
    browser.post(f"{path}/pace", {"pace": "fast"})
    page = browser.page(path)
    assert "hint" not in {form.id for form in page.forms}
    assert "hint-1" in {form.id for form in page.forms}
    browser.post(page.moves[0].action, page.moves[0].data)
    assert "Best moves" not in browser.get(path).text


def test_a_hint_is_told_to_the_seats_other_pages_by_any_process(browser: Browser, table_at: TableAt) -> None:
    """Processes share one socket, and an open page may hang at another than the one that was asked."""
    path = alone(browser, table_at)
    before = table_at(path)
    version, elsewhere = before.version, Tables(Store(before.store.engine)).find(before.row.id)
    assert ask(browser, path)
    with elsewhere.lock:
        elsewhere.catch_up()
        assert elsewhere.version > version
        assert elsewhere.bots.hint(0) == table_at(path).bots.hint(0) is not None
        assert elsewhere.bots.hint(1) is None


def test_hints_of_a_list_of_cards_are_chosen_on_the_cards(browser: Browser, table_at: TableAt) -> None:
    path = alone(browser, table_at, game="signs")
    ask(browser, path)
    hinted = next(form for form in browser.page(path).forms if form.id == "hint-1")
    html = browser.get(path, params=hinted.data).text
    pressed = re.findall(r'id="card-(\d+)"[^>]*aria-pressed="true"', html)
    assert f"[{','.join(pressed)}]" == dict(hinted.fields)["cards"]


def test_a_hint_is_for_the_seat_that_asked(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    path = alone(browser, table_at, game="signs", seat1="friend", hints="always")
    friend = new_browser()
    friend.post(f"{path}/seats", {"seat": "1"})
    ask(browser, path)
    assert "Best moves" not in friend.get(path).text
    assert "Best moves" not in new_browser().get(path).text
    assert "Best moves" not in friend.post(f"{path}/pace", {"pace": "fast"}, headers=SCRIPT).text


@pytest.mark.parametrize(
    ("wanted", "friends", "given"),
    [
        ("alone", 0, True),
        ("alone", 1, False),
        ("always", 1, True),
        ("never", 0, False),
    ],
)
def test_a_table_gives_hints_to_whom_its_maker_wanted(
    browser: Browser, table_at: TableAt, wanted: str, friends: int, given: bool
) -> None:
    path = alone(browser, table_at, hints=wanted, seat1="friend" if friends else "bot:easy")
    assert ("hint" in {form.id for form in browser.page(path).forms}) is given
    assert browser.post(f"{path}/hint").status_code == (200 if given else 409)


def test_only_who_has_to_decide_gets_a_hint(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    path = alone(browser, table_at, hints="always")
    assert new_browser().post(f"{path}/hint").status_code == 403
    browser.post(f"{path}/bots", {"seat": "0", "bot": "easy"})
    assert browser.post(f"{path}/hint").status_code == 409
    browser.post(f"{path}/seats", {"seat": "0"})
    form = browser.page(path).moves[0]
    browser.post(form.action, form.data)
    assert browser.post(f"{path}/hint").status_code == 409


def test_a_hint_is_found_off_the_event_loop_and_lets_others_use_the_table(
    browser: Browser, table_at: TableAt, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = alone(browser, table_at)
    table = table_at(path)
    seen: list[bool] = []

    def best_moves(view: Any, seed: int) -> Any:
        with pytest.raises(RuntimeError):
            asyncio.get_running_loop()
        seen.append(table.lock.acquire(blocking=False))
        table.lock.release()
        return hints.best_moves(view, seed)

    monkeypatch.setattr(hint_requests, "best_moves", best_moves)
    ask(browser, path)
    assert seen == [True]


# What the browser finds


def search(browser: Browser, path: str) -> dict[str, Any]:
    """What the browser is told of the search of a hint."""
    answer = browser.post(f"{path}/hint/search")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def test_what_the_browser_found_is_shown_and_the_server_does_not_search(
    browser: Browser, table_at: TableAt, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = alone(browser, table_at)
    monkeypatch.setattr(hint_requests, "best_moves", None)
    legal = table_at(path).timeline.position.view(0).legal_moves()
    one, other, *_ = legal.actions.tolist()
    found = {"played": search(browser, path)["played"], "found": f"[[{one},0.25],[{other},0.75]]"}
    shown = HINTED.findall(browser.post(f"{path}/hint", found).text)
    assert [chance for _, chance in shown] == ["75", "25"]
    assert browser.post(f"{path}/hint/search").status_code == 204  # there is a hint already


@pytest.mark.parametrize(
    ("found", "status"),
    [
        ("[[{legal},0.5],[{legal},0.5]]", 400),
        ("[[{legal},0.5],[9999,0.5]]", 400),
        ("[[-1,0.5]]", 400),
        ("[[{legal},1.5]]", 400),
        ("[[{legal},NaN]]", 400),
        ("[[{legal},1e999]]", 400),
        ("[]", 400),
        ("[[0,0],[1,0],[2,0],[3,0]]", 400),
        ("x", 400),
        ("[[{legal},0.5]]", 409),
    ],
)
def test_what_no_search_finds_is_refused(
    browser: Browser, table_at: TableAt, found: str, status: int
) -> None:
    path = alone(browser, table_at)
    legal = int(table_at(path).timeline.position.view(0).legal_moves().actions[0])
    played = search(browser, path)["played"] + (status == 409)
    form = {"played": str(played), "found": found.replace("{legal}", str(legal))}
    assert browser.post(f"{path}/hint", form).status_code == status
    assert table_at(path).bots.hint(0) is None


def test_a_search_is_described_to_whom_a_hint_is_given(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    path = alone(browser, table_at, hints="always", seat1="friend")
    friend = new_browser()
    friend.post(f"{path}/seats", {"seat": "1"})
    assert new_browser().post(f"{path}/hint/search").status_code == 403
    for who, status in ((browser, 200), (friend, 409)):
        assert who.post(f"{path}/hint/search").status_code == status
    never = alone(browser, table_at, hints="never")
    assert browser.post(f"{never}/hint/search").status_code == 409


def test_a_game_without_a_module_is_searched_by_the_server(
    browser: Browser, table_at: TableAt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(vars(games()["signs"]), "runner", NativeRunner(games()["signs"]))
    path = alone(browser, table_at, game="signs")
    assert browser.post(f"{path}/hint/search").status_code == 204
    assert ask(browser, path)


def test_modules_and_networks_are_kept_by_browsers(browser: Browser, table_at: TableAt) -> None:
    path = alone(browser, table_at, game="karuba")
    found = search(browser, path)
    for address in (found["module"], found["network"]["url"]):
        answer = browser.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        digest = re.search("[0-9a-f]{12}", address)
        assert digest is not None
        assert browser.get(address.replace(digest[0], "0" * 12)).status_code == 404
    network = found["network"]
    assert network["address"] + len(browser.get(network["url"]).content) == found["pieces"][0]["address"]
    plain = {"accept-encoding": "identity"}
    assert browser.get(network["url"], headers=plain).content == browser.get(network["url"]).content
    for wrong in ("players=1", "players=x", "players=2&components=x", "players=2&options=x"):
        assert browser.get(network["url"].partition("?")[0] + f"?{wrong}").status_code == 404
    assert browser.get("/modules/signs/000000000000.wasm").status_code == 404
    assert browser.get("/modules/costa-ruana/000000000000.network?players=2").status_code == 404


@pytest.mark.parametrize(
    ("chances", "said"),
    [
        ((0.6, 0.5), "The first wins 10 games in 100 more than the next."),
        ((0.5, 0.49), "The first two are about equally good."),
        ((0.5,), ""),
    ],
)
def test_a_hint_says_by_how_much_the_first_move_is_better(chances: tuple[float, ...], said: str) -> None:
    hint = SimpleNamespace(moves=[({}, chance) for chance in chances])
    assert hint_reason(SimpleNamespace(hint=hint), Translator("en")) == said  # type: ignore[arg-type]


def test_a_hint_says_what_each_move_brings(browser: Browser, table_at: TableAt) -> None:
    """In the words of the reader, to the seat that asked; a hint of a version before, which says nothing, is shown."""
    path = alone(browser, table_at)
    ask(browser, path)
    table = table_at(path)
    hint = table.seating.seats[0].hint
    assert hint is not None
    assert len(hint["why"]) == len(hint["moves"])
    for why, shown in (([[["Treasures", 2.04], [1, -1.0]], [], []], True), (None, False)):
        told = {**hint, "why": why} if why else {name: hint[name] for name in ("played", "moves")}
        with table.lock:
            table.change_seat(lambda told=told: replace(table.seating.seats[0], hint=told))  # type: ignore[misc]
        english = browser.get(path).text
        french = browser.get(path, headers={"Accept-Language": "fr"}).text
        assert ("Treasures +2 · Blue −1" in english) == shown
        assert ("Trésors +2 · Bleu −1" in french) == shown
        assert ("Points: compared with the others." in english) == shown
        assert len(HINTED.findall(english)) == 3
