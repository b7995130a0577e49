"""Whatever is sent to whatever address: no error of the server, and no change to a game of others.

The addresses are taken from the application itself, so that a new one is tried without a line here.
"""

import asyncio
import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from starlette.routing import Route

from atoll.web.serving import app, people_requests
from atoll.web.serving.site import Site
from atoll.web.store.store import Answer, Contents
from atoll.web.table.move_choice import fields_of
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from tests.soak.fuzz import Fuzzing, fuzzing
from tests.soak.odd_requests import ODD, names_of_fields
from tests.web.conftest import Browser

WORDS = st.one_of(st.text(max_size=20), st.sampled_from(ODD))
Fuzzed = Callable[[int], Fuzzing]
FIELDS = st.sampled_from(names_of_fields())
FORMS = st.dictionaries(st.one_of(FIELDS, WORDS), WORDS, max_size=6)
MANY = settings(
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture
def fuzzed(games_for_tests: None, tmp_path: Path) -> Fuzzed:
    """Sends so many requests to sites of its own; returns the faults and what was sent."""

    def fuzz(requests: int) -> Fuzzing:
        async def run() -> Fuzzing:
            async with fuzzing(tmp_path, 1, ["signs"]) as sites:
                async for _ in sites.run(requests):
                    pass
                return sites

        return asyncio.run(run())

    return fuzz


def test_no_request_fails_or_writes_what_it_must_not(fuzzed: Fuzzed) -> None:
    """In short: `python -m tests.soak fuzz --requests 100000`."""
    sites = fuzzed(800)
    assert sites.faults == []
    assert len(sites.odd.asked) > 80, "routes, of those that the application has"
    assert sites.answered[200] > 80


def plant_failing_route(patch: pytest.MonkeyPatch) -> None:
    """A form that fails for what it does not expect."""
    patch.setattr(people_requests, "checked_name", int)


def plant_log(patch: pytest.MonkeyPatch) -> None:
    """A failure that is logged and not shown."""

    def log_of(*_: Any) -> str:
        logging.getLogger("atoll").error("this is wrong")
        return "/"

    patch.setattr(app, "return_address", log_of)


def plant_write(patch: pytest.MonkeyPatch) -> None:
    """Looking at a table writes for a browser without a cookie."""
    look = Table.see

    def seen(table: Table, viewer: Viewer) -> None:
        look(table, viewer)
        table.store.change(table.row.id, table.version, {"pace": "slow"})

    patch.setattr(Table, "see", seen)


@pytest.mark.parametrize(
    ("plant", "said"),
    [
        (plant_failing_route, "ValueError"),
        (plant_log, "this is wrong"),
        (plant_write, "written without"),
    ],
)
def test_what_is_planted_is_found(
    fuzzed: Fuzzed, plant: Callable[[pytest.MonkeyPatch], None], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert any(said in fault for fault in fuzzed(600).faults)


@pytest.fixture
def others_table(new_browser: Callable[..., Browser]) -> str:
    """A table of two other people, with a game under way."""
    maker, friend = new_browser(), new_browser()
    path = maker.make_table(game="signs", players="2", seat1="friend")
    friend.post(f"{path}/seats", {"seat": "1"})
    return path


def kept(site: Site, path: str) -> Contents:
    """What is kept of a table."""
    found = site.store.read(path.rpartition("/")[2])
    assert found is not None
    return found


def game_of(contents: Contents) -> tuple[object, ...]:
    """What only those who play may change."""
    seats = tuple((s.seat, s.browser, s.bot) for s in contents.seats)
    return contents.moves, contents.choices, seats, contents.row.ended, contents.row.seed


def test_no_message_of_a_socket_fails_or_changes_a_game_of_others(
    new_browser: Callable[..., Browser], site: Site, others_table: str
) -> None:
    stranger, before = new_browser(), game_of(kept(site, others_table))
    legal = fields_of(site.tables.find(others_table.rpartition("/")[2]).timeline.legal_moves(0)[0])
    words = st.sampled_from(
        ["0", "1", "7", "-1", "moves", "take-back", "undo", "?", "decision=0", str(legal)]
    )
    said = st.one_of(st.text(max_size=40), st.lists(st.one_of(words, WORDS), max_size=5).map(" ".join))

    @settings(MANY, max_examples=100)
    @given(st.lists(said, min_size=1, max_size=4), FORMS)
    def check(messages: list[str], query: Any) -> None:
        asked = urlencode({"version": "99999", **query}, errors="replace")
        with stranger.client.websocket_connect(f"{others_table}/live?{asked}") as socket:
            for message in messages:
                socket.send_text(message)
            socket.send_text("7 0 ?")
            while not (answer := socket.receive_text()).startswith("7\n"):
                assert "Traceback" not in answer
        assert game_of(kept(site, others_table)) == before

    check()


def test_a_player_changes_nothing_but_by_a_legal_move_of_their_own(
    new_browser: Callable[..., Browser], running: Any, site: Site
) -> None:
    """By forms and by the socket, with what is nearly a move: others' seats and choices, and what was played, stay."""
    maker, player = new_browser(), new_browser(follow_redirects=False)
    path = maker.make_table(game="signs", players="2", seat1="friend")
    take_a_seat = {"seat": "1"}
    player.post(f"{path}/seats", take_a_seat)
    legal = site.tables.find(path.rpartition("/")[2]).timeline.legal_moves(1)
    before = kept(site, path)
    chosen: list[Answer] = []
    changes = [
        route.path
        for route in running.app.routes
        if isinstance(route, Route) and "POST" in (route.methods or ())
        if route.path.startswith("/tables/{table}/")
    ]
    nearly = st.sampled_from(legal).map(lambda move: {"decision": "0", **fields_of(move)})
    forms = st.one_of(
        FORMS, nearly, st.builds(lambda move, odd: move | odd, nearly, FORMS).map(lambda form: dict(form))
    )
    words = st.sampled_from(["moves", "take-back", "undo", "undo/answer", "seats", "?"])

    @settings(MANY, max_examples=150)
    @given(st.sampled_from(changes), words, st.booleans(), forms, st.lists(WORDS, min_size=1, max_size=2))
    def check(way: str, name: str, by_socket: bool, form: Any, odd: list[str]) -> None:
        if by_socket:
            with player.client.websocket_connect(f"{path}/live?version=99999") as socket:
                socket.send_text(f"7 0 {name}?{urlencode(form, doseq=True, errors='replace')}")
                assert socket.receive_text().startswith("7\n")
        else:
            parts = {"{table}": path.rpartition("/")[2], "{link}": quote(odd[0], safe="") or "x"}
            address = "".join(parts.get(part, part) for part in re.split(r"({\w+})", way))
            assert player.post(address, form).status_code != 500, (address, form)
        after = kept(site, path)
        assert (after.moves, after.row.seed, after.row.ended) == (before.moves, before.row.seed, None)
        assert (after.seats[0].browser, after.seats[0].bot) == (before.seats[0].browser, None)
        assert all(choice.seat == 1 and choice.move in legal for choice in after.choices)
        chosen.extend(after.choices)
        player.post(f"{path}/seats", take_a_seat)

    check()
    assert chosen, "no legal move was ever made"


@pytest.mark.parametrize("address", ["/records", "/tables", "/games/karuba/workshop"])
def test_no_file_that_is_sent_fails(new_browser: Callable[..., Browser], address: str) -> None:
    """A record, or components: whatever the bytes."""
    stranger = new_browser()

    @settings(MANY, max_examples=40)
    @given(
        st.one_of(
            st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))
        ),
        st.sampled_from(["file", "upload", "components", "record"]),
        WORDS,
    )
    def check(content: bytes, field: str, name: str) -> None:
        sent = {field: (name.encode("ascii", "replace").decode() or "x", content)}
        answer = stranger.client.post(address, files=sent, data={"game": "karuba", "upload": "1"})
        assert answer.status_code < 500
        assert "Traceback" not in answer.text

    check()
