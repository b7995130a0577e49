"""People are told that it is their turn: what is sent where, to whom, how often; and what never leaves the site."""

import asyncio
import json
import os
import socket
import stat
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from py_vapid.utils import b64urlencode

from atoll.text import folders
from atoll.text.errors import AtollError
from atoll.web.bounds import CHALLENGES, NOTIFIED, SENDING, Bounds, visitor_at
from atoll.web.people import outbound as outgoing_requests
from atoll.web.people.notifier import GRACE, Notification, Notifier
from atoll.web.people.outbound import NotSent, OutboundRequests, is_public
from atoll.web.people.push import Push, key_path, read_key
from atoll.web.refusal import Refusal
from atoll.web.serving.site import Site
from atoll.web.store.notifications import MOST_FAILURES, NotificationChannels, NotificationStore
from atoll.web.store.people import People
from atoll.web.store.store import Answer
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.tables import Tables
from tests.web.conftest import Browser, QuietTable
from tests.web.test_tables import decide

KEYS = json.dumps({"p256dh": "B" * 87, "auth": "a" * 22})
TWO = {"players": "2", "seat0": "me", "seat1": "friend"}


class Receiver:
    """A server that takes requests: a push service and a chat in one. `answers` are its next statuses."""

    def __init__(self) -> None:
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: list[int] = []
        self.body = b""
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.got.append((self.path, dict(self.headers.items()), body))
                self.send_response(receiver.answers.pop(0) if receiver.answers else 201)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", str(len(receiver.body)))
                self.end_headers()
                self.wfile.write(receiver.body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.address = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver on this machine."""
    found = Receiver()
    yield found
    found.server.shutdown()
    found.server.server_close()


class Clock:
    """A clock that the test turns."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Told:
    """A table of two persons, "0" and "1", on no site, and what tells them."""

    def __init__(self, table: Table, receiver: Receiver) -> None:
        self.table, self.clock = table, Clock()
        self.notifications = NotificationStore(table.store.engine)
        self.notifier = self.again(receiver)
        self.ways = NotificationChannels("en", "https://play.example.org", None, f"{receiver.address}/0")
        table.store.changed.clear()

    def again(self, receiver: Receiver) -> Notifier:
        """What tells them after the site has started anew: nothing is remembered but what is kept."""
        tables = Tables(self.table.store)
        tables._used[self.table.row.id] = self.table
        opened = OutboundRequests([("127.0.0.1", receiver.port)])
        self.notifier = Notifier(
            NotificationStore(self.table.store.engine), tables, opened, Bounds(self.clock), self.clock
        )
        self.notifier.retry_after = 0
        return self.notifier

    def later(self) -> list[Notification]:
        """What is to be said once everybody has had time to see it."""
        assert not self.notifier.look(), "nobody is told at once"
        self.clock.now += GRACE
        return self.notifier.look()

    def send(self, messages: list[Notification]) -> None:
        """Send them."""

        async def all_of_them() -> None:
            for message in messages:
                await self.notifier.send(message)

        asyncio.run(all_of_them())

    def pass_turn(self) -> int:
        """Play on until somebody else has to decide; returns that seat."""
        before = self.table.timeline.to_act
        while self.table.timeline.to_act == before:
            decide(self.table)
        return self.table.timeline.to_act[0]


@pytest.fixture
def told(quiet_table: QuietTable, receiver: Receiver) -> Told:
    """The table."""
    return Told(quiet_table("costa-ruana"), receiver)


# When


def test_a_turn_is_told_once_to_whom_it_is_and_to_nobody_else(told: Told) -> None:
    for browser in ("0", "1"):
        told.notifications.keep(
            browser, NotificationChannels("en", "https://x", None, f"https://chat.example.org/{browser}")
        )
    seat = told.pass_turn()
    said = told.later()
    assert [message.ways.webhook for message in said] == [f"https://chat.example.org/{seat}"]
    assert said[0].title == "Your turn at Costa Ruana"
    told.table.store.changed.add(told.table.row.id)  # by a message in the chat, say
    assert not told.later()


def test_a_table_that_cannot_be_played_on_keeps_nobody_elses_turn_back(told: Told) -> None:
    """A process with other rules has played there, say, since it was read here."""
    for browser in ("0", "1"):
        told.notifications.keep(browser, told.ways)
    store = told.table.store
    store.make_table(replace(told.table.row, id="other"), told.table.seating.seats)
    other = told.notifier.tables.find("other")
    store.append("other", other.version, 1, [Answer(0, 0, {"do": "give up"})], 1)
    told.pass_turn()
    assert "other" in store.changed
    assert [message.table_id for message in told.later()] == [told.table.row.id]


def test_nobody_is_told_what_a_page_in_sight_has_shown(told: Told) -> None:
    for browser in ("0", "1"):
        told.notifications.keep(browser, told.ways)
    seat = told.pass_turn()
    told.notifier.seen(told.table, Viewer(seat))
    assert not told.later()
    told.notifier.seen(told.table, Viewer(seat))  # who looks away now knows it
    other = told.pass_turn()
    told.notifier.seen(told.table, Viewer(None))  # who watches is not who plays
    assert [message.table_id for message in told.later()] == [told.table.row.id], other


def test_another_process_knows_what_was_seen_here(told: Told, receiver: Receiver) -> None:
    told.notifications.keep("0", told.ways)
    told.notifications.keep("1", told.ways)
    seat = told.pass_turn()
    told.notifier.seen(told.table, Viewer(seat))
    told.notifier.notifications.keep_notes()
    told.again(receiver)
    assert not told.later()


def test_a_turn_that_came_while_the_site_was_down_is_told_at_the_start_and_once(
    told: Told, receiver: Receiver
) -> None:
    told.notifications.keep("0", told.ways)
    told.notifications.keep("1", told.ways)
    told.pass_turn()
    told.table.store.changed.clear()  # killed before it was told
    for expected in (1, 0):
        told.again(receiver).awaken()
        assert len(told.later()) == expected


def test_who_has_a_bot_and_who_is_done_is_not_told(told: Told) -> None:
    told.notifications.keep("0", told.ways)
    told.notifications.keep("1", told.ways)
    seat = told.pass_turn()
    told.table.put_bot(seat, "random", Viewer(seat))
    assert not told.later()
    told.table.take_seat(seat, str(seat))
    told.table.change(ended="resigned", to_act=0)
    assert not told.later()


def test_a_tables_webhook_says_who_has_to_play_in_its_language(told: Told, receiver: Receiver) -> None:
    hook = f"{receiver.address}/table"
    told.notifications.keep_for_table(
        told.table.row.id, NotificationChannels("fr", "https://play.example.org", None, hook)
    )
    seat = told.pass_turn()
    told.send(told.later())
    [(path, headers, body)] = receiver.got
    said = json.loads(body)
    address = f"https://play.example.org/tables/{told.table.row.id}"
    assert path == "/table"
    assert headers["Content-Type"] == "application/json"
    assert (
        said["text"] == said["content"] == f"À {['Rouge', 'Bleu'][seat]} de jouer à Costa Ruana – {address}"
    )
    assert said["allowed_mentions"] == {"parse": []}


def test_a_webhook_gets_names_that_no_chat_service_acts_upon(told: Told, receiver: Receiver) -> None:
    """As a site before this one kept them."""
    seat = told.pass_turn()
    People(told.table.store.engine).rename(str(seat), "<!all> *x* @all http://x.y")
    hook = NotificationChannels("en", "https://play.example.org", None, f"{receiver.address}/table")
    told.notifications.keep_for_table(told.table.row.id, hook)
    told.table.catch_up()
    told.pass_turn()
    while seat not in told.table.timeline.to_act:
        told.pass_turn()
    told.send(told.later())
    text, _, address = json.loads(receiver.got[-1][2])["text"].partition(" – ")
    assert text == "‹!all› ∗x∗ ＠all http꞉∕∕x․y to play at Costa Ruana"
    assert address == f"https://play.example.org/tables/{told.table.row.id}"


# What is sent


def subscription(receiver: Receiver, key: ec.EllipticCurvePrivateKey) -> dict[str, Any]:
    """A browser's subscription at the receiver's push service."""
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    keys = {"p256dh": b64urlencode(point), "auth": b64urlencode(b"0123456789abcdef")}
    return {"endpoint": f"{receiver.address}/push/abc", "keys": keys}


def test_a_push_arrives_encrypted_for_the_browser_and_signed_by_the_site(
    told: Told, receiver: Receiver
) -> None:
    """RFC 8291 and 8292: only the browser's key opens it, and its service can tell from whom it comes."""
    key = ec.generate_private_key(ec.SECP256R1())
    for browser in ("0", "1"):
        ways = NotificationChannels("fr", "https://play.example.org", subscription(receiver, key))
        told.notifications.keep(browser, ways)
    told.pass_turn()
    told.send(told.later())
    [(path, headers, body)] = receiver.got
    assert path == "/push/abc"
    assert told.table.row.id.encode() not in body
    opened = http_ece.decrypt(body, private_key=key, auth_secret=b"0123456789abcdef", version="aes128gcm")
    said = json.loads(opened)
    assert said["title"] == "À vous de jouer à Costa Ruana"
    assert said["url"] == f"/tables/{told.table.row.id}"
    assert said["body"] in ("Avec Rouge", "Avec Bleu")
    headers = {name.lower(): value for name, value in headers.items()}
    assert headers["content-encoding"] == "aes128gcm"
    assert int(headers["ttl"]) > 0
    assert (told.notifier.push.public_key or "none") in headers["authorization"]
    assert Vapid02.verify(headers["authorization"])


def test_the_sites_key_is_made_once_and_is_its_owners_alone(told: Told) -> None:
    first = Push(OutboundRequests()).public_key
    assert stat.S_IMODE(os.stat(key_path()).st_mode) == 0o600
    assert key_path().parent == folders.data_folder()
    assert Push(OutboundRequests()).public_key == first


def test_a_damaged_key_takes_push_from_the_page_and_nothing_else(told: Told) -> None:
    """The log says what to do (`Notifier.run`); the page offers what works without it."""
    read_key()
    whole = key_path().read_bytes()
    key_path().write_bytes(whole[: len(whole) // 2])
    try:
        assert Push(OutboundRequests()).public_key is None
        with pytest.raises(AtollError, match="no whole key of Web Push: put a backup's in its place"):
            read_key()
    finally:
        key_path().write_bytes(whole)


def test_a_subscription_that_is_over_is_forgotten(told: Told, receiver: Receiver) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    for browser in ("0", "1"):
        told.notifications.keep(
            browser,
            NotificationChannels("en", "https://x.example.org", subscription(receiver, key), "https://x"),
        )
    told.pass_turn()
    receiver.answers = [410]
    message = told.later()[0]
    told.send(
        [Notification(NotificationChannels("en", "https://x.example.org", message.ways.push), "t", "", "")]
    )
    ways = told.notifications.of("0")
    assert ways is not None
    assert ways.push is None
    assert ways.webhook == "https://x"


def test_a_webhook_that_fails_is_asked_once_more_and_after_a_while_no_longer(
    told: Told, receiver: Receiver
) -> None:
    told.notifications.keep("0", told.ways)
    message = Notification(told.ways, "t", "Your turn", "")
    receiver.answers = [503, 200]
    told.send([message])
    assert len(receiver.got) == 2
    assert told.notifications.of("0") == told.ways
    receiver.answers = [404] * 20
    told.send([message] * (MOST_FAILURES - 1))
    ways = told.notifications.of("0")
    assert ways is not None
    assert ways.failed == MOST_FAILURES - 1
    told.send([message])
    sent, ways = len(receiver.got), told.notifications.of("0")
    assert ways is not None
    told.send([Notification(ways, "t", "Your turn", "")])
    assert len(receiver.got) == sent


def test_one_host_gets_so_many_messages_of_one_sender_and_so_many_of_all(
    told: Told, receiver: Receiver
) -> None:
    """Whatever addresses of it they name."""

    def messages(count: int, sender: str) -> list[Notification]:
        ways = [replace(told.ways, webhook=f"{receiver.address}/{sender}/{n}") for n in range(count)]
        return [Notification(way, "t", "Your turn", "", sender) for way in ways]

    most = NOTIFIED.browser or 0
    told.send(messages(most + 5, "somebody"))
    assert len(receiver.got) == most
    told.notifier.bounds.note(visitor_at("fresh", "8.8.8.8"))
    told.notifier.bounds.note(visitor_at("another", "8.8.8.8"))
    told.notifier.bounds.note(visitor_at("third", "8.8.8.8"))
    for sender in ("fresh", "another", "third"):
        told.send(messages(most, sender))
    assert len(receiver.got) == most + (NOTIFIED.address or 0)
    told.clock.now += NOTIFIED.within
    told.send(messages(1, "somebody"))
    assert len(receiver.got) == most + (NOTIFIED.address or 0) + 1


def test_a_redirect_is_not_followed(told: Told, receiver: Receiver) -> None:
    receiver.answers = [302]
    told.notifications.keep("0", told.ways)
    told.send([Notification(told.ways, "t", "Your turn", "")])
    assert [path for path, *_ in receiver.got] == ["/0"]
    ways = told.notifications.of("0")
    assert ways is not None
    assert ways.failed == 1


# Where nothing is sent


@pytest.mark.parametrize(
    "address",
    [
        "http://chat.example.org/x",
        "https://127.0.0.1/",
        "https://localhost/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[64:ff9b:1::808:808]/",
        "https://[::ffff:0:10.0.0.1]/",
        "https://[2001:4860::5efe:10.0.0.1]/",
        "https://169.254.169.254/latest/meta-data",
        "https://192.168.1.1/",
        "https://100.64.0.1/",
        "https://2130706433/",
        "https://router/",
        "https://user:secret@chat.example.org/",
        "https://chat.example.org:x/",
        "https://chat.example.org/\r\nHost: other",
        "https://" + "x" * 600 + ".org/",
        "ftp://chat.example.org/",
        "file:///etc/passwd",
        "",
    ],
)
def test_what_leads_into_a_network_of_the_sites_own_is_refused(address: str) -> None:
    with pytest.raises(Refusal):
        OutboundRequests().check(address)
    with pytest.raises(NotSent):
        OutboundRequests().post(address, b"", {})


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        ("10.1.2.3", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("2002:7f00:1::", False),
        ("::ffff:127.0.0.1", False),
        ("64:ff9b::808:808", True),
        ("64:ff9b:1:2::808:808", False),
        ("::10.0.0.1", False),
        ("::ffff:0:127.0.0.1", False),
        ("2606:4700::5efe:192.168.1.1", False),
        ("2606:4700::200:5efe:192.168.1.1", False),
        ("2001:0:808:808::f5ff:fffe", False),
    ],
)
def test_public_addresses_are_told_from_others(address: str, public: bool) -> None:
    assert is_public(ip_address(address)) == public


def test_a_public_name_of_a_private_machine_leads_nowhere(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS rebinding: the name is resolved once, and all it stands for is checked before anything is connected."""
    asked: list[str] = []

    def resolve(host: str, port: int, **_: object) -> list[Any]:
        asked.append(host)
        addresses = ["93.184.216.34", "127.0.0.1"]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with pytest.raises(NotSent, match="not a public machine"):
        OutboundRequests().post(f"https://chat.example.org:{receiver.port}/x", b"", {})
    assert asked == ["chat.example.org"]
    assert not receiver.got


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    where: list[Any] = []

    def connect(address: Any, *_: object) -> socket.socket:
        where.append(address)
        raise OSError("nobody is there")

    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(NotSent):
        OutboundRequests().post("https://chat.example.org/x", b"", {})
    assert where == [("93.184.216.34", 443)]


def test_who_never_answers_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte in time, and never done: the whole has a deadline, too."""
    monkeypatch.setattr(outgoing_requests, "PATIENCE", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        done = threading.Event()

        def drip() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 200 OK\r\n")
                while not done.wait(0.05):
                    try:
                        connection.sendall(b"x: y\r\n")
                    except OSError:
                        return

        thread = threading.Thread(target=drip)
        thread.start()
        try:
            with pytest.raises(NotSent):
                OutboundRequests([("127.0.0.1", port)]).post(f"http://127.0.0.1:{port}/", b"", {})
        finally:
            done.set()
            thread.join()


# The page


@pytest.fixture
def opened(site: Site, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """The site may reach the receiver."""
    monkeypatch.setattr(site.notifier, "outbound", OutboundRequests([("127.0.0.1", receiver.port)]))


def test_a_webhook_is_named_tried_and_forgotten(
    browser: Browser, receiver: Receiver, site: Site, opened: None
) -> None:
    hook = f"{receiver.address}/mine"
    asked = browser.post("/telling/webhook", {"webhook": hook})
    assert 'name="code"' in asked.text
    assert hook not in browser.get("/telling").text, "nothing is sent there before it has proved itself"
    code = json.loads(receiver.got[0][2])["challenge"]
    assert code in json.loads(receiver.got[0][2])["text"]
    wrong = browser.post("/telling/webhook", {"webhook": hook, "code": "ABCD-EFGH"})
    assert wrong.status_code == 400
    assert "not the code" in wrong.text
    assert browser.post("/telling/webhook", {"webhook": f"{hook}2", "code": code}).status_code == 400
    assert hook not in browser.get("/telling").text
    browser.post("/telling/webhook", {"webhook": hook, "code": f" {code.lower().replace('-', ' ')} "})
    assert hook in browser.get("/telling").text
    assert "was taken" in browser.post("/telling/webhook", {"webhook": hook, "test": "yes"}).text
    assert json.loads(receiver.got[1][2])["text"].startswith("Atoll tells you here")
    assert json.loads(browser.get("/history/export").content)["told"]["webhook"] == hook
    receiver.answers = [404]
    refused = browser.post("/telling/webhook", {"webhook": f"{hook}2"})
    assert refused.status_code == 400
    assert "did not take" in refused.text
    assert hook in browser.get("/telling").text
    browser.post("/history/forget")
    assert hook not in browser.get("/telling").text


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_private_webhook_is_refused_in_ones_language(
    new_browser: Callable[..., Browser], language: str
) -> None:
    browser = new_browser(headers={"Accept-Language": language})
    answer = browser.post("/telling/webhook", {"webhook": "https://10.0.0.7/x"})
    assert answer.status_code == 400
    assert {"en": "public machine", "fr": "machine publique"}[language] in answer.text
    assert 'value="https://10.0.0.7/x"' in answer.text, "what was typed can be corrected"
    assert "10.0.0.7" not in browser.get("/telling").text


def test_a_webhook_that_answers_with_the_code_has_proved_itself(
    browser: Browser, receiver: Receiver, site: Site, opened: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program's; nobody has to read it there."""
    monkeypatch.setattr("atoll.web.serving.notification_requests.challenge_code", lambda *_: "ABCD-EFGH")
    receiver.body = b'{"challenge": "ABCD-EFGH"}'
    browser.post("/telling/webhook", {"webhook": f"{receiver.address}/program"})
    assert f"{receiver.address}/program" in browser.get("/telling").text


def test_first_messages_to_a_host_are_few_whoever_asks_for_them(
    new_browser: Callable[..., Browser],
    receiver: Receiver,
    site: Site,
    opened: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The site is no relay: by fresh browsers, and from many networks."""
    monkeypatch.setattr(site, "bounds", Bounds())
    monkeypatch.setattr(site.notifier, "bounds", site.bounds)

    def flood(count: int, *addresses: str) -> int:
        before = len(receiver.got)
        for number in range(count):
            for address in addresses:
                one = new_browser(client=(address, 80))
                one.post("/telling/webhook", {"webhook": f"{receiver.address}/{address}/{number}"})
        return len(receiver.got) - before

    one = new_browser(client=("7.7.7.7", 80))
    for number in range(10):
        answer = one.post("/telling/webhook", {"webhook": f"{receiver.address}/{number}"})
    assert answer.status_code == 429
    assert "ten minutes" in answer.text
    assert len(receiver.got) == CHALLENGES.browser
    assert flood(12, "8.8.8.8") == CHALLENGES.address
    assert flood(12, "9.9.9.8", "9.9.9.9") == (CHALLENGES.host or 0) - len(receiver.got[:15])


def test_webhooks_that_do_not_answer_hold_no_page_up(
    new_browser: Callable[..., Browser], site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """150 at once, as many as would have taken every thread that draws pages; the sender waits no longer than said."""
    monkeypatch.setattr("atoll.web.people.notifier.DEADLINE", 0.2)
    monkeypatch.setattr(site, "bounds", Bounds())
    monkeypatch.setattr(site.notifier, "bounds", site.bounds)
    released = threading.Event()
    hung: list[str] = []

    class Hanging(OutboundRequests):
        def post(self, address: str, body: bytes, headers: Any) -> Any:
            hung.append(address)
            assert released.wait(60)
            raise NotSent("nobody is there")

    monkeypatch.setattr(site.notifier, "outbound", Hanging([("127.0.0.1", 1)]))
    one = new_browser(client=("8.8.8.8", 80))

    async def ask_often() -> list[int]:
        async def ask(number: int) -> int:
            reply = await site.notifier.send_webhook(
                visitor_at(one.name if number % 2 else f"fresh {number}", "8.8.8.8"),
                f"http://127.0.0.1:1/{number}",
                {},
            )
            return 400 if reply is None else 200

        asked = await asyncio.gather(*(ask(number) for number in range(150)), return_exceptions=True)
        return [answer.status if isinstance(answer, Refusal) else answer for answer in asked]  # type: ignore[misc]

    portal = one.client.portal
    assert portal is not None
    answers = portal.call(ask_often)
    assert sorted(set(answers)) == [400, 429]
    assert len(hung) == answers.count(400) == SENDING.address
    assert one.get("/").status_code == 200
    assert one.post("/telling/webhook", {"webhook": "http://127.0.0.1:1/x"}).status_code == 429
    released.set()


def test_only_the_maker_sees_and_changes_a_tables_webhook(
    new_browser: Callable[..., Browser], receiver: Receiver, site: Site, opened: None
) -> None:
    maker, guest = new_browser(), new_browser()
    path = maker.make_table(**TWO)
    guest.post(f"{path}/seats", {"seat": "1"})
    hook, page = f"{receiver.address}/group", f"/telling?table={path.rpartition('/')[2]}"
    assert guest.post(f"{path}/webhook", {"webhook": hook}).status_code == 403
    named = f"{path}/webhook?table={path.rpartition('/')[2]}"
    assert maker.post(named, {"webhook": hook}).status_code == 200
    code = json.loads(receiver.got[0][2])["challenge"]
    assert guest.post("/telling/webhook", {"webhook": hook, "code": code}).status_code == 400
    assert maker.post(named, {"webhook": hook, "code": code}).status_code == 200
    assert hook in maker.get(page).text
    assert hook not in guest.get(page).text
    assert hook not in guest.get(path).text
    maker.post(f"{path}/delete")
    assert site.notifications.of_table(path.rpartition("/")[2]) is None


@pytest.mark.parametrize(
    "said",
    [
        "x",
        "[]",
        '{"endpoint": "https://push.example.org/x"}',
        f'{{"endpoint": "https://10.0.0.1/x", "keys": {KEYS}}}',
        '{"endpoint": "https://push.example.org/x", "keys": {"p256dh": "B", "auth": "a"}}',
    ],
)
def test_what_is_no_subscription_is_refused(browser: Browser, said: str) -> None:
    assert browser.post("/telling/push", {"subscription": said}).status_code == 400


def test_a_browser_subscribes_once_its_service_takes_a_message_and_stops(
    browser: Browser, site: Site, receiver: Receiver, opened: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RFC 8030, 5: a push service answers 201, as hardly anything else does to what it does not know."""
    monkeypatch.setattr(site.notifier, "_push", None)
    key = ec.generate_private_key(ec.SECP256R1())
    said = json.dumps({**subscription(receiver, key), "expirationTime": None})
    receiver.answers = [200, 404]
    for _ in range(2):
        refused = browser.post("/telling/push", {"subscription": said})
        assert refused.status_code == 400
        assert "did not take a first notification" in refused.text
    assert "This device gets notifications" in browser.post("/telling/push", {"subscription": said}).text
    assert "This device gets notifications" not in browser.post("/telling/push").text


def test_without_the_extra_the_page_names_the_command(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("serving.notification_requests", "people.notifier"):
        monkeypatch.setattr(f"atoll.web.{module}.is_installed", lambda: False)
    assert "make push" in browser.get("/telling").text
    assert browser.post("/telling/push", {"subscription": "{}"}).status_code == 409


def test_the_start_page_and_a_table_say_what_else_waits(new_browser: Callable[..., Browser]) -> None:
    red, blue = new_browser(), new_browser()
    paths = []
    for _ in range(2):
        paths.append(red.make_table(game="karuba", **TWO))
        blue.post(f"{paths[-1]}/seats", {"seat": "1"})
    assert "Your move in 2 games" in red.get("/").text
    assert "Your move in 2 games" in red.get("/lobby").text
    assert "1 other table waits for you" in red.get(paths[0]).text
    first, second = (path.rpartition("/")[2] for path in paths)
    assert f"/tables/{first}" in red.get(f"/next?table={second}").text
    assert "waits" not in new_browser().get("/next").text


def test_a_page_that_says_it_is_out_of_sight_notes_nothing(
    new_browser: Callable[..., Browser],
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[int | None] = []
    monkeypatch.setattr(site.notifier, "seen", lambda table, viewer: seen.append(viewer.seat))
    red = new_browser()
    path = red.make_table(game="karuba", **TWO)
    del seen[:]
    with red.client.websocket_connect(f"{path}/live?version=-1&hidden=") as socket:
        socket.receive_text()
        assert not seen
        socket.send_text("look")
        socket.send_text("7 0 ?")
        while not socket.receive_text().startswith("7"):
            pass
        assert set(seen) == {0}
        socket.send_text("look away")
        del seen[:]
        socket.send_text("8 0 ?")
        while not socket.receive_text().startswith("8"):
            pass
        assert not seen


def test_the_site_can_be_installed_and_says_that_the_server_is_away(browser: Browser) -> None:
    found = json.loads(browser.get("/manifest.json").content)
    sizes = {icon["sizes"] for icon in found["icons"]}
    assert {"192x192", "512x512"} <= sizes
    for icon in found["icons"]:
        assert browser.get(icon["src"]).status_code == 200
    worker = browser.get("/service_worker.js")
    assert worker.headers["content-type"].startswith("text/javascript")
    assert worker.headers["content-security-policy"]
    assert "The server is not answering" in browser.get("/offline").text
    assert "ne répond pas" in browser.get("/offline", headers={"Accept-Language": "fr"}).text
