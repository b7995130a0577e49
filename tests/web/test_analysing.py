"""The analysis of a finished game: who may have it, how it goes on, and what its page tells."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from atoll.lab.analysis import Analysis, Finding
from atoll.web.bounds import Bounds, Visitor
from atoll.web.live.analysing import Analysing
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
from tests.web.conftest import Browser, QuietTable
from tests.web.test_store import empty
from tests.web.test_undo import play_some

TableAt = Callable[[str], Table]
WORLDS = 20


@pytest.fixture
def quickly(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few worlds."""
    monkeypatch.setattr(site.analysing, "worlds", WORLDS)


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
