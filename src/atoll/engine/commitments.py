"""Commitments to keys of chance, and what is dealt by a key that was committed to.

Who deals draws a key and shows its SHA-256 before anybody sits down: so it cannot be exchanged later (a second key
with that digest would be a collision), and nobody learns it (it has 128 random bits). What the players add then goes
with the key into HMAC-SHA-256, a pseudorandom function: without the key nobody can foresee what their words do. Both
are computed by usual tools, as `printf %s KEY | sha256sum` and `openssl dgst -sha256 -hmac KEY`.
"""

import hashlib
import hmac
from collections.abc import Sequence

from atoll.engine.seeds import KEY_BITS

KEY_DIGITS = KEY_BITS // 4
"""Hexadecimal digits of a key as it is written."""


def written(key: int) -> str:
    """A key in hexadecimal digits."""
    return f"{key:0{KEY_DIGITS}x}"


def commitment(key: str) -> str:
    """The digest that is shown of a key, which is written in hexadecimal digits."""
    return hashlib.sha256(key.encode()).hexdigest()


def deal_seed(key: str, contributions: Sequence[str | None]) -> str:
    """What a game is dealt by, in hexadecimal digits: the key, and by seat what its player added.

    Contributions have no line breaks, so that different ones are different messages.
    """
    lines = (f"\n{seat}: {words}" for seat, words in enumerate(contributions) if words is not None)
    return _derived(key, "deal" + "".join(lines))


def redeal_seed(key: str, number: int) -> str:
    """What is hidden is dealt anew by this; `number` counts from 1."""
    return _derived(key, f"redeal {number}")


def _derived(key: str, message: str) -> str:
    return hmac.new(key.encode(), message.encode(), hashlib.sha256).hexdigest()[:KEY_DIGITS]
