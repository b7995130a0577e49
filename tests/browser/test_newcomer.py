"""From the start page to a move in a game with two friends, by presses on what the pages show alone: the host in
English, one friend at another computer, one at a phone in French.
"""

from playwright.sync_api import Locator, Page, expect

from tests.browser.access import objections
from tests.browser.conftest import PHONE, Open

MOST_BEFORE_THE_LINK, MOST_OF_A_GUEST = 3, 1


class Presses:
    """Somebody who presses what they see, and counts it."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def press(self, what: Locator) -> None:
        """Press what is in sight."""
        expect(what).to_be_visible()
        what.click()
        self.count += 1


def test_three_presses_to_the_link_and_one_to_a_seat(open_browser: Open) -> None:
    host = Presses(open_browser().new_page())
    host.page.goto("/")
    host.press(host.page.locator("#friends-karuba"))
    expect(host.page.get_by_role("heading", name="Invite your friends")).to_be_visible()
    assert host.count <= MOST_BEFORE_THE_LINK
    host.press(host.page.get_by_role("button", name="3 players"))
    expect(host.page.locator(".room-seats li")).to_have_count(3)
    assert not objections(host.page)

    phone = open_browser(PHONE, has_touch=True, locale="fr-FR").new_page()
    guests = [Presses(open_browser().new_page()), Presses(phone)]
    for guest in guests:
        guest.page.goto(host.page.url)
        guest.press(guest.page.locator(".room-seats button.call").first)
        expect(guest.page.locator("#leave")).to_be_visible()
        assert guest.count <= MOST_OF_A_GUEST
    expect(phone.locator("#waiting-room")).to_contain_text("Salle d’attente")
    host.press(host.page.locator("#start"))
    for player in (host, *guests):
        cards = player.page.locator(".hand-part .slot button.press")
        for number in range(2):
            player.press(cards.nth(number))
            expect(player.page.locator(".hand-part .slot.chosen")).to_have_count(number + 1)
        player.press(player.page.locator("#confirm"))
    for player in (host, *guests):
        expect(player.page.locator("#waiting-room")).to_have_count(0)
        expect(player.page.locator(".hand-part .slot.chosen")).to_have_count(0)
