"""Text that others wrote: what is seen of it stays, as people write it, and the rest goes."""

import pytest

from atoll.text.visible import INVISIBLE, visible


@pytest.mark.parametrize(
    "text",
    [
        "Zo\u00eb",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian with its half-space
        "\u0915\u094d\u200d\u0937",  # Hindi, a half letter
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # Sinhala
        "\u1019\u103c\u103d\u103e\u1031\u102c\u1004\u1037\u103a",  # Burmese, five marks on a letter
        "\u05e9\u05b8\u05bc\u05c1",  # Hebrew, three
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family
        "\U0001f469\U0001f3fd\u200d\U0001f680",  # an astronaut with a colour of skin
        "\u2764\ufe0f\u200d\U0001f525",  # a heart on fire
        "1\ufe0f\u20e3",  # a keycap
        "\u8fbb\U000e0100",  # a form of a Japanese surname
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # Scotland
    ],
)
def test_what_is_seen_stays(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Zoe\u0308", "Zo\u00eb"),
        ("a\u200d\u200cb", "ab"),  # joiners between letters that are not joined
        ("\u0645\u200c", "\u0645"),  # nor at the end
        ("\U0001f467\u200da", "\U0001f467a"),
        ("a\u202e\u2066b\u061c", "ab"),
        ("a\U000e0062\U000e007f", "a"),  # tags without a flag
        ("a\ufe0f\ufe0f", "a\ufe0f"),
        ("\u3164\u115f\u2060\ufeff", ""),
        ("a\u2800b", "a b"),
        ("Z\u0336\u0335\u0334\u0333\u0332\u0331", "Z\u0336\u0335\u0334\u0333"),
        ("o\u0324\u0324\u0324", "o\u0324"),
    ],
)
def test_the_rest_goes(text: str, kept: str) -> None:
    assert visible(text) == visible(kept) == kept


def test_of_a_long_text_of_joiners_little_is_looked_at() -> None:
    assert visible("\u0645\u200c" * 5_000) == "\u0645" + "\u200c\u0645" * 4_999
    assert visible("\u0378\u200c\u0378") == "\u0378\u0378", "beside what is not assigned"


def test_marks_of_direction_and_tags_are_invisible() -> None:
    assert all(map(INVISIBLE.match, "\u200e\u202a\u2069\U000e0001\U000e01ef"))
    assert not any(map(INVISIBLE.match, "a \u00a0\u0301\u06dd\U0001f600"))
