"""First games in a real browser: pressing what is ringed leads to the end. `tests.soak lessons` plays all."""

import pytest

from atoll.core.catalogue import find_game
from atoll.core.lessons import scripts_of
from atoll.text.translation import Translator
from tests.browser.access import objections
from tests.browser.conftest import Open
from tests.browser.test_everyone import MOVING
from tests.soak.lessons import PRESS, WAYS, begin, step_of, steps


@pytest.mark.parametrize(
    ("game", "way", "language"),
    [("cast-away", "touch", "fr"), ("karuba", "mouse", "en"), ("costa-ruana", "keys", "fr")],
)
def test_a_first_game_is_played_left_and_resumed(open_browser: Open, game: str, way: str, language: str):
    """A wrong try at its first step says why and changes nothing; axe-core finds nothing in any step, and with reduced
    motion the arrow stands still.
    """
    settings = dict(WAYS[way])
    page = open_browser(settings.pop("viewport"), locale=language, **settings).new_page()
    script = next(iter(scripts_of(find_game(game)).values()))
    begin(page, game, 1)
    words, first = Translator(language).with_package(find_game(game).package), script.steps[0]
    wrong = page.locator("#main button.press[type=submit]:not(.asked)").first
    PRESS[way](page, wrong)
    page.locator(".reason").wait_for()
    reasons = {words(first.later), *(words(wrong.why) for wrong in first.wrong)}
    assert page.locator(".reason").inner_text() in reasons
    address, seen = page.url.partition("?")[0], []
    for name in steps(page, PRESS[way]):
        if name[:2] in seen:
            continue
        seen.append(name[:2])
        assert not objections(page)
        assert page.evaluate(MOVING) == []
        described = page.locator(".asked").first.get_attribute("aria-describedby") or ""
        assert "prompt" in described.split()
        if len(seen) == 4:
            page.goto("/")
            page.locator(f"#resume-{game}").click()
            page.wait_for_url(address)
            assert step_of(page).startswith("4/")
    assert len(seen) == len(script.steps)
    assert page.locator("#prompt").inner_text() == words(script.lesson.end)
