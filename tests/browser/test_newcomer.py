"""From the start page to a move in a game with two friends, by presses on what the pages show alone: the host in
English, one friend at another computer, one at a phone in French. `python -m tests.soak newcomer` does the same from
`make play` on, each in a network of their own.
"""

from collections.abc import Sequence

from playwright.sync_api import Locator, Page, expect

from tests.browser.access import objections
from tests.browser.conftest import PHONE, Open

MOST_BEFORE_THE_LINK, MOST_OF_A_GUEST = 3, 1
GAME = "karuba"


class Presses:
    """Somebody who presses what they see, and counts it."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def press(self, what: Locator) -> None:
        """Press what is in sight."""
        expect(what).to_be_visible()
        what.click()
        self.count += 1


def invite(host: Presses) -> None:
    """From the start page to the invitation."""
    host.press(host.page.locator(f"#friends-{GAME}"))
    expect(host.page.get_by_role("heading", name="Invite your friends")).to_be_visible()
    assert host.count <= MOST_BEFORE_THE_LINK


def take_seats(host: Presses, guests: Sequence[Presses], link: str) -> None:
    """Make room for the guests, who open the link and sit down; the last one reads French. Then the game begins."""
    host.press(host.page.get_by_role("button", name=f"{1 + len(guests)} players"))
    expect(host.page.locator(".room-seats li")).to_have_count(1 + len(guests))
    for guest in guests:
        guest.page.goto(link)
        guest.press(guest.page.locator(".room-seats button.call").first)
        expect(guest.page.locator("#leave")).to_be_visible()
        assert guest.count <= MOST_OF_A_GUEST
    expect(guests[-1].page.locator("#waiting-room")).to_contain_text("Salle d’attente")
    host.press(host.page.locator("#start"))


def choose(player: Presses) -> None:
    """Make one's first move."""
    cards = player.page.locator(".hand-part .slot button.press")
    for number in range(2):
        player.press(cards.nth(number))
        expect(player.page.locator(".hand-part .slot.chosen")).to_have_count(number + 1)
    player.press(player.page.locator("#confirm"))


def have_moved(players: Sequence[Presses]) -> None:
    """Expect that everybody's page shows the moves of all."""
    for player in players:
        expect(player.page.locator("#waiting-room")).to_have_count(0)
        expect(player.page.locator(".hand-part .slot.chosen")).to_have_count(0)


def test_three_presses_to_the_link_and_one_to_a_seat(open_browser: Open) -> None:
    host = Presses(open_browser().new_page())
    host.page.goto("/")
    invite(host)
    assert not objections(host.page)
    phone = open_browser(PHONE, has_touch=True, locale="fr-FR").new_page()
    guests = [Presses(open_browser().new_page()), Presses(phone)]
    take_seats(host, guests, host.page.url)
    for player in (host, *guests):
        choose(player)
    have_moved((host, *guests))
