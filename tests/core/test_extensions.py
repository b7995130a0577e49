"""The table of extension points against the page that describes them, and our games."""

import re
from pathlib import Path

import pytest

from atoll.core.catalogue import games
from atoll.core.extensions import EXTENSIONS, Extension

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"


def test_the_page_about_adding_a_game_has_every_extension_point() -> None:
    """Those that a game has to have are the page's subject; the others stand in its table."""
    table = PAGE.read_text(encoding="utf-8").partition("## What follows by itself")[2]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("|")]
    named = {name for row in rows for name in re.findall(r"`(\w+)\.py`", row)}
    assert named == {extension.module for extension in EXTENSIONS if not extension.is_required}


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
