"""People at tables: what they are called."""

import html as markup
import json
from collections.abc import Callable

import pytest

from atoll.text.translation import Translator, seat_names
from atoll.web.refusal import Refusal
from atoll.web.table.names import checked_name, distinct_names
from atoll.web.table.table import Table
from tests.web.conftest import Browser
from tests.web.test_tables import decide, entries

NewBrowser = Callable[..., Browser]
TableAt = Callable[[str], Table]
PERSONS = {"players": "2", "seat0": "me", "seat1": "friend"}


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("  Anna \t Li ", "Anna Li"),
        ("", None),
        ("Zoe\u0308", "Zo\u00eb"),
        ("李雷", "李雷"),
        ("100% {{x}}", "100% {{x}}"),
        (
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        ),  # Persian, with its half-space
        ("x\u0302\u0304\u0323", "x\u0323\u0302\u0304"),
        (
            "\U0001f468\u200d\U0001f469\u200d\U0001f467",
            "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        ),  # a family
        ("a\u202eb\u200b\u200dc\U000e0041", "abc"),
        ("\u2067Anna\u2069 \u3164", "Anna"),
        ("Botond", "Botond"),
        ("Youssef", "Youssef"),
    ],
)
def test_a_name_is_plain_text(said: str, kept: str | None) -> None:
    assert checked_name(said) == kept


@pytest.mark.parametrize(
    "said",
    [
        "x" * 25,
        "a\x1b[2J",
        "a\ue000",
        "\u3164",
        "\u2800",
        "\u200d\ufe0f",
        "...",
        "Anna (Red)",
        "bot: greedy",
        "Bot",
        "robot : facile",
        "\uff22\uff4f\uff54",
        "\u0412\u041e\u0422",  # in Cyrillic
        "B0t hard",
        "\uff08you\uff09",
        "You",
        "V\u043eus",
        "@all",
        "\uff20tous",
        "une personne",
    ],
)
def test_what_would_mislead_or_break_a_line_is_refused(said: str) -> None:
    """Escapes of terminals, marks of direction, what cannot be seen, what Atoll itself says beside a name."""
    with pytest.raises(Refusal):
        checked_name(said)


@pytest.mark.parametrize(
    ("names", "called"),
    [
        (["Anna", None], ["Anna", "Blue"]),
        (["Anna", "ANNA"], ["Anna (Red)", "ANNA (Blue)"]),
        (["Zoë", "Zoe"], ["Zoë (Red)", "Zoe (Blue)"]),
        (["Blue", None], ["Blue (Red)", "Blue"]),
        (["Anna", "\u0410nna"], ["Anna (Red)", "\u0410nna (Blue)"]),  # the first letter of another alphabet
        (["Anna", "\uff21\uff4e\uff4e\uff41"], ["Anna (Red)", "\uff21\uff4e\uff4e\uff41 (Blue)"]),
        (["Ian", "lan"], ["Ian (Red)", "lan (Blue)"]),
        (["Amy", "A rny"], ["Amy (Red)", "A rny (Blue)"]),
        (["B1ue", None], ["B1ue (Red)", "Blue"]),
        (
            ["\u0930\u093e\u092e", "\u0930\u092e\u093e"],
            ["\u0930\u093e\u092e", "\u0930\u092e\u093e"],
        ),  # Ram and Rama
    ],
)
def test_two_with_the_same_name_are_told_apart(names: list[str | None], called: list[str]) -> None:
    """Nobody passes for another, nor for the seat of another colour."""
    translator = Translator("en")
    assert distinct_names(translator, names, seat_names(translator)) == called


def test_a_name_is_asked_for_once_and_shown_everywhere(new_browser: NewBrowser, table_at: TableAt) -> None:
    """Table, log, announcements, lists, record; in what is open already from the next look on."""
    anna, ben = new_browser(), new_browser(headers={"Accept-Language": "fr"})
    assert anna.post("/name", {"name": "Anna"}).url.path == "/"
    path = anna.make_table(game="karuba", **PERSONS)
    ben.post(f"{path}/seats", {"seat": "1"})
    for _ in range(2):
        decide(table_at(path))
    assert "<bdi>Anna</bdi> (you)" in anna.get(path).text
    assert "Blue" in anna.get(path).text
    before = table_at(path).version
    ben.post("/name", {"name": "Benoît", "back": path})
    assert table_at(path).version > before, "open pages are told"
    for page in (anna.get(path).text, anna.get(f"{path}/back").text, ben.get(path).text):
        assert "Benoît" in page
    assert any("Benoît" in entry for entry in entries(anna.get(path).text))
    assert "You and <bdi>Benoît</bdi>" in anna.get("/").text
    assert "Anna" in ben.get("/").text
    header = json.loads(anna.get(f"{path}/record").text.splitlines()[0])
    assert header["players"] == ["Anna", "Benoît"]
    ben.post("/name", {"name": ""})
    assert "Benoît" not in anna.get(path).text


def test_a_name_is_escaped_wherever_it_stands(new_browser: NewBrowser, table_at: TableAt) -> None:
    anna, watching = new_browser(), new_browser()
    name = "%s & {{x}} 5%"
    assert anna.post("/name", {"name": name}).status_code == 200
    for game in ("karuba", "costa-ruana", "cast-away"):
        path = anna.make_table(game=game, **PERSONS)
        for _ in range(3):
            decide(table_at(path))
        for one, page in ((anna, path), (watching, path), (anna, "/"), (anna, f"/name?back={path}")):
            html = one.get(page).text
            assert markup.escape(name, quote=False) in html
            assert name not in html


def test_a_refused_name_changes_nothing(browser: Browser) -> None:
    browser.post("/name", {"name": "Anna"})
    answer = browser.post("/name", {"name": "a\x07"})
    assert answer.status_code == 400
    assert "characters that cannot be shown" in answer.text
    assert "You play as <bdi>Anna</bdi>." in browser.get("/").text


@pytest.mark.parametrize("back", ["//elsewhere.example", "https://elsewhere.example", "/\\elsewhere.example"])
def test_one_goes_back_to_this_site_alone(browser: Browser, back: str) -> None:
    answer = browser.post("/name", {"name": "Anna", "back": back}, follow_redirects=False)
    assert answer.headers["location"] == "/"
