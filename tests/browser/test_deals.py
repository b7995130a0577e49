"""The browser checks a deal: with what it has kept, by a SHA-256 of its own."""

import hashlib
import hmac
import json

from playwright.sync_api import Page, expect

from tests.browser.access import objections
from tests.browser.conftest import PHONE, Open
from tests.browser.table import fill_in_form

COMPUTED = """async ([url, key]) => {
    const { sha256, hmac } = await import(url);
    const text = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const message = (_, length) => Uint8Array.from({ length }, (_, place) => (7 * place) & 255);
    const messages = Array.from({ length: 200 }, message);
    return messages.map((message) => [text(sha256(message)), text(hmac(new TextEncoder().encode(key), message))]);
}"""


ASKED = """() => {
    document.getElementById("check-deal").click();
    return document.getElementById("deal-checked").textContent;
}"""


def add(page: Page, words: str) -> None:
    """Let words go into the deal."""
    folded = page.locator("#room-more:not([open]) > summary")
    if folded.count():
        folded.click()
    page.locator("#deal summary").click()
    page.locator("#words").fill(words)
    page.locator("#add-words").click()
    expect(page.locator("#deal li", has_text=words)).to_be_visible()


def check(page: Page) -> str:
    """What the page says once it is asked to check: again until its script is there and answers."""
    return str(page.wait_for_function(ASKED).json_value())


def change(page: Page, **facts: object) -> None:
    """Let the page say something else of the deal."""
    page.locator("#deal").evaluate(
        "(deal, facts) => deal.dataset.deal = JSON.stringify({ ...JSON.parse(deal.dataset.deal), ...facts })",
        facts,
    )


def test_a_deal_is_checked_where_it_was_seen(open_browser: Open) -> None:
    """Both have added something, without loading the page anew; a spectator comes late. Whatever a site would have to
    say otherwise is found: the key, the digest with it, what was added."""
    anna, ben = open_browser().new_page(), open_browser(PHONE, has_touch=True, locale="fr-FR").new_page()
    path = fill_in_form(anna, players=2, game="karuba", seat1="friend")
    ben.goto(path)
    ben.locator("#room-take-1").tap()
    add(anna, "7")
    add(ben, "héron bleu")
    assert not objections(anna)
    assert not objections(ben)
    anna.locator("#start").click()
    expect(ben.locator("#waiting-room")).to_have_count(0)
    for page, seat in ((anna, 0), (ben, 1)):
        assert page.request.post(f"{path}/bots", form={"seat": str(seat), "bot": "random"}).ok
    for page in (anna, ben):
        expect(page.locator("#table.over #check-deal")).to_have_count(1)
    assert check(anna).startswith("It is right")
    assert check(ben).startswith("C’est juste")
    late = open_browser().new_page()
    late.goto(path)
    assert "has kept no fingerprint" in check(late)

    facts = json.loads(str(anna.locator("#deal").get_attribute("data-deal")))
    other = "0123456789abcdef" * 2
    digest = hashlib.sha256(other.encode()).hexdigest()
    message = "deal\n0: 7\n1: héron bleu".encode()
    seed = hmac.new(other.encode(), message, hashlib.sha256).hexdigest()[:32]
    for page, wrong in (
        (late, {"key": other}),
        (late, {"seed": other}),
        (late, {"contributions": ["8", "héron bleu"]}),
        (anna, {"key": other, "commitment": digest, "seed": seed}),
        (anna, {"contributions": [None, "héron bleu"], "seed": facts["key"]}),
    ):
        change(page, **wrong)
        assert check(page).startswith("It is wrong"), wrong
        change(page, **facts)
        assert not check(page).startswith("It is wrong")
    message = b"deal\n1: 9"
    seed = hmac.new(facts["key"].encode(), message, hashlib.sha256).hexdigest()[:32]
    change(anna, contributions=[None, "9"], seed=seed)
    change(late, contributions=[None, "9"], seed=seed)
    assert check(anna).startswith("It is wrong")  # what she has added is not in it
    assert "has kept no fingerprint" in check(late)

    url = late.evaluate(
        "document.querySelector('link[rel=modulepreload]').href.replace(/[^/]*$/, 'later/deals.js')"
    )
    for length, (plain, keyed) in enumerate(late.evaluate(COMPUTED, [url, other])):
        content = bytes(7 * place & 255 for place in range(length))
        assert plain == hashlib.sha256(content).hexdigest()
        assert keyed == hmac.new(other.encode(), content, hashlib.sha256).hexdigest()
