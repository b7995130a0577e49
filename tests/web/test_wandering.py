"""Whatever is pressed on whatever page: no error of the server, and no link or form that leads nowhere."""

import random
from collections.abc import Callable
from itertools import islice

import pytest

from atoll.core.catalogue import games
from tests.soak.crawler import FRIENDS, STRANGERS, wander
from tests.web.conftest import Browser

STEPS = 80


@pytest.mark.parametrize("game", list(games()))
def test_whatever_is_pressed_is_answered(new_browser: Callable[..., Browser], game: str) -> None:
    """Friends, a bot and strangers at a table (`python -m tests.soak crawler` wanders for longer)."""
    clients = [new_browser(raise_server_exceptions=False).client for _ in range(FRIENDS + STRANGERS)]
    wrong = islice(wander(clients, [game], random.Random(game)), STEPS)
    assert [fault for fault in wrong if fault is not None] == []
