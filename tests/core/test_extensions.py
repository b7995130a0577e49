"""The table of extension points against our games."""

import pytest

from atoll.core.catalogue import games
from atoll.core.extensions import EXTENSIONS, Extension


@pytest.mark.parametrize("extension", EXTENSIONS, ids=lambda extension: extension.module)
def test_each_extension_point_is_used_by_a_game_of_ours(extension: Extension[object]) -> None:
    users = [game.name for game in games().values() if game.has(extension.module)]
    assert users
    if extension.is_required:
        assert len(users) == len(games())


def test_what_a_module_has_to_hold_is_read_from_its_protocol() -> None:
    functions = {extension.module: extension.functions for extension in EXTENSIONS}
    assert functions["beliefs"] == {"decisions": "view", "before": "state, parts, number, out"}
    assert functions["messages"]["move_text"] == "translator, names, move, view, seat"
    assert functions["components"]["read"] == "path"
    assert "exists" not in functions["messages"]
