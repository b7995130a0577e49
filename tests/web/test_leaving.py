"""People who resign, and the end of a game: what the log, the panel and the shared picture say."""

import re
from collections.abc import Callable

from atoll.core.types import Json
from atoll.web.pages.ending import score_line
from atoll.web.table.table import Table
from atoll.web.translation import translator_for
from tests.web.conftest import SCRIPT, Browser
from tests.web.test_replay import play_some
from tests.web.test_tables import entries

NewBrowser = Callable[..., Browser]
TableAt = Callable[[str], Table]


def test_who_resigns_is_told_in_the_log_without_a_clock_too(
    new_browser: NewBrowser, table_at: TableAt
) -> None:
    """Offered where two others stay; told to those as well, until the game is undone, and that they are back."""
    host, second, third = (new_browser() for _ in range(3))
    path = host.make_table("karuba", players="3", seat1="friend", seat2="friend")
    for guest, seat in ((second, 1), (third, 2)):
        assert 'id="resign"' not in host.get(path).text
        guest.post(f"{path}/seats", {"seat": str(seat)})
    assert table_at(path).clock is None
    form = next(form for form in host.page(path).forms if form.id == "resign")
    host.post(form.action, form.data)
    for looks in (second, third):
        assert any("Red resigned: a bot plays on." in line for line in entries(looks.get(path).text))
    assert 'id="resign"' not in second.get(path).text  # one other is left
    host.post(f"{path}/seats", {"seat": "0"})
    lines = entries(second.get(path).text)
    assert any("Red is back and plays on." in line for line in lines)
    stored = table_at(path).store.read(path.rpartition("/")[2])
    assert stored is not None
    assert [note[1:] for note in (stored.row.clock_state or {})["notes"]] == [[0, "resigned"], [0, "back"]]


def test_who_plays_alone_and_lets_a_bot_play_has_not_resigned(browser: Browser) -> None:
    path = browser.make_table("karuba", players="2")
    browser.post(f"{path}/bots", {"seat": "0", "bot": "random"})
    assert any("A bot plays on for Red" in line for line in entries(browser.get(path).text))


def test_the_end_is_shared_by_its_address_and_as_a_picture(
    browser: Browser, new_browser: NewBrowser, table_at: TableAt
) -> None:
    path = browser.make_table("karuba", players="2", seat1="friend")
    assert browser.get(f"{path}/picture").status_code == 409
    assert "save-picture" not in browser.get(f"{path}/invitation", headers=SCRIPT).text
    new_browser().post(f"{path}/seats", {"seat": "1"})
    table = table_at(path)
    with table.lock:
        play_some(table)
    shown = browser.get(path).text
    dialog = browser.get(f"{path}/invitation", headers=SCRIPT).text
    assert "Share the game" in dialog
    assert f'data-picture="{path}/picture"' in dialog
    assert "Invite others" not in dialog
    picture = new_browser().get(f"{path}/picture").text
    verdict = re.search(r'id="verdict-heading">(?:<bdi>)?([^<]+)', picture)
    assert verdict is not None
    assert ("You win!" in shown) == (verdict[1] == "Red wins")
    assert "<style>" in picture
    assert "<script" not in picture
    assert "<link" not in picture


def test_who_agreed_to_play_again_is_led_on_once_all_have(
    browser: Browser, new_browser: NewBrowser, table_at: TableAt
) -> None:
    friend, watcher = new_browser(), new_browser()
    path = browser.make_table("karuba", players="2", seat1="friend")
    friend.post(f"{path}/seats", {"seat": "1"})
    table = table_at(path)
    with table.lock:
        play_some(table)
    browser.post(f"{path}/again", {"turn": "0"})
    assert "data-follow" not in browser.get(path).text
    answer = friend.post(f"{path}/agree", {"about": "again"})
    following = table_at(path).row.next
    assert following is not None
    assert f'data-follow="/tables/{following}"' in browser.get(path).text
    assert "data-follow" not in watcher.get(path).text
    assert answer.url.path in (path, f"/tables/{following}")


def test_the_points_are_said_as_one_says_them() -> None:
    def said(points: list[int], winners: list[int]) -> Json:
        return score_line({"points": points, "winners": winners}, translator_for("en"))

    assert said([16, 18], [1]) == {"points": 18, "words": "to 16"}
    assert said([16, 21, 17], [1]) == {"points": 21, "words": "to 17 and 16"}
    assert said([9, 9], [0, 1]) == {"points": 9, "words": "each"}
    assert said([9, 3, 9], [0, 2]) == {"points": 9, "words": "each, to 3"}
