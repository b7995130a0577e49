"""Fresh seeds and keys of chance, from the operating system; what comes of them is in `chance.py`."""

import secrets

KEY_BITS = 128


def new_key() -> int:
    """A key that nobody knows, of KEY_BITS bits, not 0."""
    return secrets.randbits(KEY_BITS) or 1


def new_seed() -> int:
    """A seed below 10^12: not used before, and short enough to be typed again."""
    return secrets.randbelow(10**12)
