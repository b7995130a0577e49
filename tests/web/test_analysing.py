"""The analysis of a finished game: who may have it, how it goes on, and what its page tells."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.websockets import WebSocketDisconnect

from atoll.core.game import Position, View
from atoll.core.records import read_records
from atoll.lab import judge, remote_engine
from atoll.lab.analysis import Analysis, Finding, analyse, steps_of
from atoll.web.bounds import Bounds, Visitor
from atoll.web.live import analysing as live
from atoll.web.live.analysing import Analysing, encoded
from atoll.web.pages.replay_page import draw_replay
from atoll.web.refusal import Refusal
from atoll.web.serving.site import Site
from atoll.web.store import analyses as stored_analyses
from atoll.web.store.analyses import Analyses
from atoll.web.store.migrations import migrate
from atoll.web.table.replay import look_of
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.table_record import table_record
from atoll.web.table.timeline import PastTimeline
from tests import judged_elsewhere
from tests.judged_elsewhere import Task, view_in
from tests.web.conftest import Browser, QuietTable
from tests.web.test_store import empty
from tests.web.test_undo import play_some

TableAt = Callable[[str], Table]
WORLDS = 20


@pytest.fixture
def quickly(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few worlds, and the site begins at once."""
    monkeypatch.setattr(site.analysing, "worlds", WORLDS)
    monkeypatch.setattr(judge, "ROUND", 16)
    monkeypatch.setattr(judge, "FEWEST", 2)
    monkeypatch.setattr(stored_analyses, "HEAD_START", -1.0)


@pytest.mark.usefixtures("quickly")
def test_a_finished_game_is_analysed_in_two_presses_and_its_analysis_goes_with_it(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt, site: Site
) -> None:
    path = browser.make_table("costa-ruana", players="2", seat1="friend")
    new_browser().post(f"{path}/seats", {"seat": "1"})
    play_some(table_at(path), 10_000)
    [press] = [form for form in browser.page(path).forms if form.id == "analyse"]
    asked = browser.post(press.action)
    assert asked.url.path == f"{path}/analysis"
    assert 'http-equiv="refresh"' in asked.text
    html = browser.wait_for(f"{path}/analysis", "What made the difference")
    assert 'http-equiv="refresh"' not in html
    assert f'href="{path}/back?at=' in html or "No big slips" in html
    stored = site.analysing.analyses.of(path[1:])
    assert stored is not None
    for part in msgspec.json.decode(stored.findings, type=Analysis).parts:
        values = (part.deal, part.chance, part.own, part.others)
        assert part.fair + sum(one.value for one in values) == pytest.approx(part.result, abs=1e-9)
    assert browser.post(press.action).url.path == f"{path}/analysis"
    assert site.analysing.analyses.of(path[1:]) == stored
    browser.get("/language?to=fr&back=/")
    assert "Ce qui a fait la différence" in browser.get(f"{path}/analysis").text
    browser.post(f"{path}/delete")
    assert site.analysing.analyses.of(path[1:]) is None


def test_a_game_that_is_not_over_is_analysed_by_no_way(browser: Browser, site: Site) -> None:
    path = browser.make_table("costa-ruana", players="2", seat1="friend")
    browser.post(f"{path}/start", {"bot": "random"})
    assert "/analysis" not in browser.get(path).text + browser.get(f"{path}/back").text
    for answer in (
        browser.get(f"{path}/analysis"),
        browser.post(f"{path}/analysis/begin"),
        browser.post(f"{path}/analysis/stop"),
    ):
        assert answer.status_code == 409
        assert "played to its end" in answer.text
    assert answers(browser, path, 9) == []
    assert site.analysing.analyses.of(path[1:]) is None
    with pytest.raises(Refusal, match="played to its end"):
        site.finished_record(path[1:])


def test_a_game_that_was_given_up_is_not_analysed(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt, site: Site
) -> None:
    path = browser.make_table("costa-ruana", players="2", seat1="friend")
    other = new_browser()
    other.post(f"{path}/seats", {"seat": "1"})
    for one in (browser, other):
        one.post(f"{path}/agree", {"about": "resign"})
    assert table_at(path).row.ended == "resigned"
    assert browser.get(f"{path}/analysis").status_code == 409
    assert browser.post(f"{path}/analysis/begin").status_code == 409
    assert answers(browser, path, 9) == []
    assert site.analysing.analyses.of(path[1:]) is None


def test_a_game_that_is_not_there_has_no_analysis(
    browser: Browser, new_browser: Callable[..., Browser]
) -> None:
    assert browser.get("/tables/none-such/analysis").status_code == 404
    assert browser.get("/records/none-such/analysis").status_code == 404
    assert new_browser().post("/records/none-such/analysis/begin").status_code == 404


def test_an_analysis_for_which_nobody_waits_rests_and_goes_on(
    quiet_table: QuietTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = quiet_table("costa-ruana")
    play_some(table, 10_000)
    record = table_record(table, None)
    folder = tmp_path / "other"
    folder.mkdir()
    engine = empty(folder)
    migrate(engine)
    analyses, game_of = Analyses(engine), f"tables/{table.row.id}"
    monkeypatch.setattr("atoll.web.live.analysing.BEAT", 0.0)
    monkeypatch.setattr(stored_analyses, "WAITED_FOR", 3600.0)
    monkeypatch.setattr(stored_analyses, "HEAD_START", -1.0)
    analysing = Analysing(analyses, Bounds(), lambda name: record)
    analysing.worlds = WORLDS

    def carry_out() -> None:
        claimed = analyses.claim(analysing._name)
        assert claimed is not None
        assert analyses.claim("another") is None
        analysing._carry_out(claimed, analysing._name)

    analyses.ask(game_of, "me")
    with monkeypatch.context() as later:
        claimed = analyses.claim(analysing._name)
        assert claimed is not None
        later.setattr(stored_analyses, "WAITED_FOR", -1.0)
        analysing._carry_out(claimed, analysing._name)
        assert analyses.claim("another") is None
    rests = analyses.of(game_of)
    assert rests is not None
    assert (rests.state, rests.done > 0) == ("waiting", True)
    analyses.stop(game_of)
    assert analyses.claim("another") is None
    analyses.ask(game_of, "me")
    carry_out()
    done = analyses.of(game_of)
    assert done is not None
    assert done.state == "done"
    first = msgspec.json.decode(rests.findings, type=list[Finding])[: rests.done]
    assert first == msgspec.json.decode(done.findings, type=Analysis).decisions[: rests.done]


# On the cores of the page of who asked


Tell = Callable[[Task], Any]


def answers(browser: Browser, path: str, most: int, tell: Tell = lambda told: told) -> list[Task]:
    """Let a browser's page answer so many tasks, or all, and close it; `tell` makes something else of its answers.
    Returns the tasks.
    """
    tasks = list[Task]()
    with (
        suppress(WebSocketDisconnect),
        browser.client.websocket_connect(f"{path}/analysis/cores?cores=2") as socket,
    ):
        site: Site = browser.client.app.state.site  # type: ignore[attr-defined]
        end = end_of(site, path)
        assert msgspec.json.decode(socket.receive_text())["module"].endswith(".wasm")
        while len(tasks) < most:
            tasks.append(msgspec.json.decode(socket.receive_text()))
            socket.send_text(msgspec.json.encode(tell(judged_elsewhere.answer(tasks[-1], end))).decode())
    return tasks


def end_of(site: Site, path: str) -> View:
    """The end of a finished game, as a spectator sees it."""
    return steps_of(next(read_records(site.finished_record(path[1:]).splitlines())))[1].view()


@pytest.fixture
def finished(
    browser: Browser,
    new_browser: Callable[..., Browser],
    table_at: TableAt,
    quickly: None,
    monkeypatch: pytest.MonkeyPatch,
) -> str:
    """The address of a table whose game is over, and which a page may analyse at its leisure."""
    monkeypatch.setattr(stored_analyses, "HEAD_START", 3600.0)
    path = browser.make_table("costa-ruana", players="2", seat1="friend")
    new_browser().post(f"{path}/seats", {"seat": "1"})
    play_some(table_at(path), 10_000)
    return path


def test_a_page_goes_on_where_another_left_and_finds_the_same_as_the_site(
    browser: Browser, new_browser: Callable[..., Browser], finished: str, site: Site
) -> None:
    analyses, game_of = site.analysing.analyses, finished[1:]
    assert answers(browser, finished, 9) == []
    browser.post(f"{finished}/analysis/begin")
    assert answers(new_browser(), finished, 9) == [], "it did not ask"
    assert len(answers(browser, finished, 90)) == 90
    stored = analyses.of(game_of)
    while (
        stored is not None and stored.state == "running"
    ):  # until the server has noticed that the page is closed
        stored = analyses.of(game_of)
    assert stored is not None
    assert stored.state == "waiting"
    assert "Waiting for its turn" in browser.get(f"{finished}/analysis").text or stored.done
    answers(browser, finished, 1_000_000)
    assert answers(browser, finished, 9) == [], "it is done"
    record = next(read_records(site.finished_record(game_of).splitlines()))
    stored = analyses.of(game_of)
    assert stored is not None
    assert (stored.state, stored.findings) == ("done", encoded(analyse(record, worlds=WORLDS)))


def test_a_page_that_lies_is_found_and_the_site_begins_anew(
    browser: Browser, finished: str, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "BEAT", 0.0)
    monkeypatch.setattr(remote_engine, "CHECKED", 8)
    browser.post(f"{finished}/analysis/begin")

    def always_second(told: Task) -> Task:
        return told | ({"winners": [2] * len(told["winners"])} if "winners" in told else {})

    assert len(answers(browser, finished, 1_000_000, always_second)) < 500
    stored = site.analysing.analyses.of(finished[1:])
    assert stored is not None
    assert (stored.state, stored.done, stored.findings) == ("waiting", 0, "[]")
    assert answers(browser, finished, 9) == [], "it is not believed any more"


def shown(browser: Browser, finished: str, site: Site) -> None:
    """The law: a page is given views of the game that anybody may look back at, and nothing else of it."""
    browser.post(f"{finished}/analysis/begin")
    tasks = [task for task in answers(browser, finished, 60) if "view" in task]
    record = next(read_records(site.finished_record(finished[1:]).splitlines()))
    steps, end = steps_of(record)
    views = {
        (max(0, view.seat), view.states.tobytes())
        for step in steps
        for view in (VIEW(step.before), *(VIEW(step.before, seat) for seat in range(end.players)))
    }
    assert len(tasks) > 40
    for task in tasks:
        assert (task["seat"], view_in(task, end.view()).states.tobytes()) in views


VIEW = Position.view


def test_a_page_is_given_views_and_a_leak_is_found(
    browser: Browser, finished: str, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown(browser, finished, site)
    browser.post(f"{finished}/analysis/stop")

    def leaking(position: Position, seat: int | None = None) -> View:
        view, states = VIEW(position) if seat is None else VIEW(position, seat), position.states.copy()
        states["seat"] = view.states["seat"]
        return View(view.game, view.components, view.options, states)

    monkeypatch.setattr(Position, "view", leaking)
    with pytest.raises(AssertionError):
        shown(browser, finished, site)


def test_a_browser_has_one_game_analysed_at_a_time(tmp_path: Path) -> None:
    engine = empty(tmp_path)
    migrate(engine)
    analyses, bounds = Analyses(engine), Bounds()
    analysing = Analysing(analyses, bounds, lambda name: "")

    def ask(name: str) -> None:
        import asyncio

        asyncio.run(analysing.ask(name, Visitor("me")))

    ask("tables/one")
    ask("tables/one")
    with pytest.raises(Refusal, match="still being analysed"):
        ask("tables/two")
    analyses.stop("tables/one")
    ask("tables/two")
    engine.dispose()


def test_a_moment_rings_the_better_move_and_nothing_can_be_played(quiet_table: QuietTable) -> None:
    table = quiet_table("karuba")
    play_some(table, 10_000)
    number, answer = next(
        (number, answer)
        for number, answer in enumerate(table.timeline.answers)
        if answer.move["do"] == "lay"
        and len(PastTimeline.of(table.timeline, table.start(), number).legal_moves(answer.seat)) > 1
    )
    past = PastTimeline.of(table.timeline, table.start(), number)
    better = next(move for move in past.legal_moves(answer.seat) if move != answer.move)
    look = look_of(table, Viewer(None), str(number), str(answer.seat), None)
    plain = str(draw_replay(table, look, "en", whole=False))
    shown = str(draw_replay(table, look, "en", whole=False, moment=(answer.move, better)))
    assert ' best"' not in plain
    assert ' best"' in shown
    assert "Better, and ringed: " in shown
    assert "/moves" not in shown
