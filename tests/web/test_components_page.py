"""The page of everything in a components file, as the site shows it."""

import re
from html import unescape

import pytest

from atoll.core.catalogue import games
from atoll.testing.wordcheck import wrong_typography
from atoll.text.translation import LANGUAGES
from atoll.web.pages.components_page import components_page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games().values(), ids=games())
def test_the_sites_page_keeps_to_the_policy_and_to_the_typography(game, language: str) -> None:
    """No style and no script stands in it, as its Content-Security-Policy asks."""
    page = components_page(game, game.components(), language)
    assert "<style" not in page
    assert ' style="' not in page
    assert "</script>" not in re.sub(r"<script src=[^>]*></script>", "", page)
    own = unescape(re.sub(r'<span [^>]*lang="\w+">[^<]*</span>|<[^>]+>', " ", page))
    assert list(wrong_typography(own, language)) == []


def test_a_game_that_draws_no_page_of_its_own_is_told_in_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.site import FAKES

    monkeypatch.syspath_prepend(FAKES)
    from signs import game

    data = {
        "format": 1,
        "name": "mine",
        "rounds": 2,
        "signs": [{"name": "wave", "worth": 4}, {"name": "sun", "worth": 5}],
    }
    page = components_page(game, game.components_from("mine", data), "en", alone=True)
    assert "<h2>signs</h2>" in page
    assert [f"<td>{text}</td>" in page for text in ("wave", "4", "sun", "5")] == [True] * 4
