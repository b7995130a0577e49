"""The file of a game's lessons: what is wrong in it is named."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from atoll.core.catalogue import find_game
from atoll.core.components import FileContent
from atoll.core.lessons import LessonsFile, scripts_from
from atoll.text.errors import ComponentError

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"


def on_the_page() -> dict[str, Any]:
    """The lessons that the documentation shows."""
    (block,) = re.findall(r"^```text\n(format = 1.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return tomllib.loads(block)


def test_the_lesson_on_the_page_is_one():
    FileContent("page", on_the_page()).checked(LessonsFile)


@pytest.mark.parametrize(
    ("key", "value", "what"),
    [
        ("players", 9, "is not for 9 players"),
        ("after", "none", "no lesson 'none' stands before it"),
        ("title", "", "lessons[0].title"),
        ("colour", "red", "there is no key “colour” here"),
        ("steps", [], "lessons[0].steps"),
    ],
)
def test_what_is_wrong_in_a_file_of_lessons_is_named(key: str, value: Any, what: str):
    data = on_the_page()
    data["lessons"][0][key] = value
    with pytest.raises(ComponentError, match=re.escape(what)):
        scripts_from(find_game("cast-away"), FileContent("lessons.toml", data))
