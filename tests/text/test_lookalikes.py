"""Texts that look alike, by Unicode's skeletons."""

import pytest

from atoll.text.lookalikes import prototypes, readings, skeleton


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("paypal", "\u0440\u0430\u0443\u0440\u0430l"),  # Cyrillic
        ("ABE", "\u0391\u0392\u0395"),  # Greek
        ("scope", "\u0455\u0441\u043e\u0440\u0435"),
        ("m", "rn"),
        ("lI1|", "llll"),
        ("Anna\u3164", "Anna"),
        ("e\u0301", "\u00e9"),
        ("\u05d5", "l"),  # a letter that is written from right to left
    ],
)
def test_what_looks_the_same_has_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


def test_a_skeleton_is_its_own_and_most_of_the_table_is_in_it() -> None:
    """UTS 39, 4: prototypes stand for themselves."""
    table = prototypes()
    assert len(table) > 6_000
    assert sum(skeleton(skeleton(character)) != skeleton(character) for character in table) < 20
    assert {"\u0430": "a", "m": "rn", "0": "O"}.items() <= table.items()


@pytest.mark.parametrize(
    ("one", "other"),
    [("Anna", "ANNA"), ("Zoe", "Zo\u00eb"), ("Ian", "lan"), ("BOT", "\u0412\u041e\u0422"), ("a1", "\uff21l")],
)
def test_what_is_hardly_told_apart_shares_a_reading(one: str, other: str) -> None:
    assert readings(one) & readings(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Anna", "Anne"), ("\u0930\u093e\u092e", "\u0930\u092e\u093e"), ("\u674e", "\u96f7")]
)
def test_what_is_told_apart_shares_none(one: str, other: str) -> None:
    assert not readings(one) & readings(other)
