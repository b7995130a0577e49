"""What goes to chat services is drawn as it stands by all of them."""

import re

import pytest

from atoll.web.people.chat_services import for_chat

ACTS = re.compile(
    r"[@#<>&*_~`|\[\]\\$/]"  # mentions, channels, entities, emphasis, code, links, escapes
    r"|\w:\S|:\w+:"  # addresses, emoji by name
    r"|\w\.\w"  # domains, which some services make links of
)


@pytest.mark.parametrize(
    "name",
    [
        "<!everyone>",
        "<@U123>",
        "@everyone",
        "@all",
        "*bold*",
        "__bold__",
        "~gone~",
        "`code`",
        "||hidden||",
        "[x](http://a.example)",
        "https://a.example/x",
        "a.example",
        "mailto:x",
        ":skull:",
        "&lt;!here&gt;",
        "# big",
        "/giphy",
        "\\*",
        "$x$",
    ],
)
def test_a_name_neither_calls_anybody_nor_is_a_link_nor_drawn_otherwise(name: str) -> None:
    assert ACTS.search(name)
    assert not ACTS.search(for_chat(name))
    assert len(for_chat(name)) == len(name)


@pytest.mark.parametrize(
    "name", ["Anna", "Zoë Müller", "O’Neil", "Jean-Luc", "דוד", "Dr. No", "À jouer\u202f: Ben", "5 %"]
)
def test_other_names_stay_as_they_are(name: str) -> None:
    assert for_chat(name) == name
