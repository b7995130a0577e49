"""Python's garbage collection, kept from what is loaded for good."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loaded_for_good() -> Iterator[None]:
    """What is loaded meanwhile stays until the program ends, and is never looked through: that would take a fifth of
    the time until the site is there."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
