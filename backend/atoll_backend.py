"""Builds Atoll's packages: as Flit does, with the examples in the package, where `atoll examples` finds them."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flit_core import buildapi
from flit_core.buildapi import *  # noqa: F403

EXAMPLES, PACKAGED = Path("examples"), Path("src/atoll/examples")


@contextmanager
def examples_in_the_package() -> Iterator[None]:
    """Examples lie in the package for a while; they do already where an archive of sources is unpacked."""
    if PACKAGED.exists():
        yield
        return
    shutil.copytree(EXAMPLES, PACKAGED, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    try:
        yield
    finally:
        shutil.rmtree(PACKAGED)


def build_wheel(*arguments, **settings):
    with examples_in_the_package():
        return buildapi.build_wheel(*arguments, **settings)


def build_sdist(*arguments, **settings):
    with examples_in_the_package():
        return buildapi.build_sdist(*arguments, **settings)
