"""Playing on another device, too: a code that works once lets a second browser be used by the first one's person."""

import secrets
from collections.abc import Mapping
from hashlib import sha256

from atoll.web.refusal import Refusal
from atoll.web.store.devices import Devices

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of a code: none that one takes for another."""
GROUPS, GROUP = 3, 4
"""A code of 12 letters has 59 random bits, and `CODES` bounds how many can be tried while it is good."""


def new_code(devices: Devices, person: str, settings: Mapping[str, str]) -> str:
    """A new code for another device of this person; an earlier one leads nowhere. `settings` go along."""
    groups = ("".join(secrets.choice(LETTERS) for _ in range(GROUP)) for _ in range(GROUPS))
    code = "-".join(groups)
    devices.make_code(person, digest(code), settings)
    return code


def use_here(devices: Devices, code: str, browser: str) -> dict[str, str]:
    """Let the code's person use a browser; returns the settings that go along. Raises Refusal.

    Nobody comes to know two hands of one game by it: whoever has a seat in a game with that person goes on in it first.
    """
    person = devices.owner(digest(code))
    if person is None:
        raise Refusal(
            404, "This code no longer works: it was used, or is older than ten minutes. Make another one."
        )
    if browser == person:
        raise Refusal(409, "You are on this device already: open the link on the other one.")
    if devices.person_of(browser) is not None or devices.person_of(person) is not None:
        raise Refusal(409, "This device shows somebody else’s games already: give it back first.")
    if devices.of(browser):
        raise Refusal(409, "Your games are shown on other devices, too: take them back there first.")
    if devices.meet(browser, person):
        raise Refusal(409, "Both devices play in the same game: finish it first.")
    settings = devices.use(digest(code), browser)
    if settings is None:
        raise Refusal(
            404, "This code no longer works: it was used, or is older than ten minutes. Make another one."
        )
    return settings


def digest(code: str) -> str:
    """What is kept of a code, however it was typed."""
    return sha256("".join(code.lower().split()).replace("-", "").encode()).hexdigest()
