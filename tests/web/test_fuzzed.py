"""Whatever is sent to whatever address: no error of the server, and no change to a game of others.

The addresses are taken from the application itself, so that a new one is tried without a line here.
"""

from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.routing import Mount, Route, WebSocketRoute

from atoll.core.catalogue import games
from atoll.web.serving.site import Site
from atoll.web.store.store import Answer, Contents
from atoll.web.table.move_choice import fields_of
from tests.web.conftest import Browser

ODD_WORDS = [
    *(
        "",
        "0",
        "-1",
        "1",
        "999999999999999999999",
        "\x00",
        "٣",
        "../../etc/passwd",
        "[1,2]",
        "{}",
        "null",
        "yes",
    ),
    *("<script>", "%00", "\ud7ff", "me", "friend", "random", "search:1", "cmd:ls", "decision:60", "a" * 3000),
]
ODD = st.one_of(st.text(max_size=20), st.sampled_from(ODD_WORDS))
FIELD_NAMES = [
    *(
        "game",
        "players",
        "seat",
        "seat0",
        "seat1",
        "decision",
        "do",
        "cards",
        "island",
        "bot",
        "open",
        "public",
    ),
    *(
        "turn",
        "name",
        "back",
        "text",
        "phrase",
        "until",
        "answer",
        "pace",
        "at",
        "list",
        "revision",
        "from",
        "to",
    ),
    *(
        "clock",
        "stand_in",
        "components",
        "hints",
        "version",
        "against",
        "games",
        "note",
        "move",
        "step",
        "eyes",
    ),
]
FIELDS = st.sampled_from(FIELD_NAMES)
FORMS = st.dictionaries(st.one_of(FIELDS, ODD), ODD, max_size=6)
LATIN = st.text(st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f"), max_size=30)
COOKIES = st.one_of(
    st.sampled_from(["", "atoll=x.y", "atoll=", "a=b; ; =", "atoll_language=xx; atoll_pressing=?"]),
    st.tuples(st.sampled_from(["atoll", "atoll_language", "atoll_pressing", "x"]), LATIN).map("=".join),
)
HEADERS = st.dictionaries(
    st.sampled_from(
        [
            *("accept-language", "accept-encoding", "origin", "referer", "range", "if-none-match"),
            *("atoll-fragment", "sec-fetch-site", "x-forwarded-for", "x-forwarded-proto", "content-type"),
        ]
    ),
    LATIN,
    max_size=3,
)
MANY = settings(
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def addresses(app: Starlette) -> list[tuple[str, str]]:
    """Every method and address of the application, sockets left out."""
    found = []
    for route in app.routes:
        if isinstance(route, Route):
            found += [(method, route.path) for method in sorted((route.methods or set()) - {"HEAD"})]
        elif isinstance(route, Mount):
            found.append(("GET", f"{route.path}/{{path}}"))
    return found


def test_every_address_is_known(running: Any) -> None:
    """As many as there are, none by hand."""
    app = running.app
    kinds = {type(route) for route in app.routes}
    assert kinds <= {Route, Mount, WebSocketRoute}
    assert len(addresses(app)) > 60


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


def filled(path: str, table: str, odd: list[str]) -> str:
    """An address with its parts: the table's, a game's, or what is odd."""
    for number, name in enumerate(part.split("}")[0] for part in path.split("{")[1:]):
        name = name.partition(":")[0]
        odd_one = quote(odd[number % len(odd)], safe="") or "x"
        known = {"table": table, "game": next(iter(games()))}.get(name, odd_one)
        value = odd_one if odd[-1] == "odd" else known
        path = path.replace("{" + name + "}", value, 1).replace("{" + name + ":path}", value, 1)
    return path


def test_no_request_fails_or_changes_a_game_of_others(
    new_browser: Callable[..., Browser], running: Any, site: Site, others_table: str
) -> None:
    stranger = new_browser(follow_redirects=False)
    ways, before = addresses(running.app), game_of(kept(site, others_table))

    @settings(MANY, max_examples=3)
    @given(st.lists(ODD, min_size=1, max_size=3), st.booleans(), FORMS, FORMS, st.none() | COOKIES, HEADERS)
    def check_all(odd: list[str], all_odd: bool, query: Any, form: Any, cookie: Any, also: Any) -> None:
        headers = {name.encode(): value.encode("latin-1") for name, value in also.items()}
        if cookie is not None:
            headers[b"cookie"] = cookie.encode("latin-1")
        for method, path in ways:
            table = others_table.rpartition("/")[2]
            address = filled(path, table, [*odd, "odd" if all_odd else ""])
            check(method, address, query, form, headers)

    def check(method: str, address: str, query: Any, form: Any, headers: Any) -> None:
        answer = stranger.client.request(
            method,
            address,
            params={
                name.encode("utf-8", "replace"): value.encode("utf-8", "replace")
                for name, value in query.items()
            },
            data=form if method == "POST" else None,
            headers=headers,
        )
        assert answer.status_code != 500, (method, address)
        assert "Traceback" not in answer.text
        assert game_of(kept(site, others_table)) == before, (method, address, form)

    check_all()


def test_no_message_of_a_socket_fails_or_changes_a_game_of_others(
    new_browser: Callable[..., Browser], site: Site, others_table: str
) -> None:
    stranger, before = new_browser(), game_of(kept(site, others_table))
    legal = fields_of(site.tables.find(others_table.rpartition("/")[2]).timeline.legal_moves(0)[0])
    words = st.sampled_from(
        ["0", "1", "7", "-1", "moves", "take-back", "undo", "?", "decision=0", str(legal)]
    )
    said = st.one_of(st.text(max_size=40), st.lists(st.one_of(words, ODD), max_size=5).map(" ".join))

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
        way for method, way in addresses(running.app) if method == "POST" and "/tables/{table}/" in way
    ]
    nearly = st.sampled_from(legal).map(lambda move: {"decision": "0", **fields_of(move)})
    forms = st.one_of(
        FORMS, nearly, st.builds(lambda move, odd: move | odd, nearly, FORMS).map(lambda form: dict(form))
    )
    words = st.sampled_from(["moves", "take-back", "undo", "undo/answer", "seats", "?"])

    @settings(MANY, max_examples=150)
    @given(st.sampled_from(changes), words, st.booleans(), forms, st.lists(ODD, min_size=1, max_size=2))
    def check(way: str, name: str, by_socket: bool, form: Any, odd: list[str]) -> None:
        if by_socket:
            with player.client.websocket_connect(f"{path}/live?version=99999") as socket:
                socket.send_text(f"7 0 {name}?{urlencode(form, doseq=True, errors='replace')}")
                assert socket.receive_text().startswith("7\n")
        else:
            address = filled(way, path.rpartition("/")[2], [*odd, ""])
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
        ODD,
    )
    def check(content: bytes, field: str, name: str) -> None:
        sent = {field: (name.encode("ascii", "replace").decode() or "x", content)}
        answer = stranger.client.post(address, files=sent, data={"game": "karuba", "upload": "1"})
        assert answer.status_code < 500
        assert "Traceback" not in answer.text

    check()
