"""What the games' checks of a position share.

Compiled rules trust a state: an index out of it reads or writes other memory. So a check runs before them, over
Python's own numbers and lists, which know their bounds; since a negative index counts from the end there too, the
declared ranges come first (`check_ranges` in `core/fields.py`).
"""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any


def require(holds: object, what: str) -> None:
    """Raise AssertionError, naming what is wrong, unless it holds; also where Python leaves `assert` out."""
    if not holds:
        raise AssertionError(what)


def plain(record: Any) -> Any:
    """The fields of a record as attributes: Python's ints and nested lists of them."""
    values = zip(record.dtype.names, record.item(), strict=True)
    return SimpleNamespace(
        **{name: value.tolist() if hasattr(value, "tolist") else value for name, value in values}
    )


def numbers(value: Any) -> Sequence[int]:
    """Every number in nested lists."""
    if not isinstance(value, list):
        return (value,)
    if value and isinstance(value[0], list):
        return [number for row in value for number in numbers(row)]
    return value


def check_unused(rows: Mapping[str, list[Any]], used: int, filler: Mapping[str, int] | None = None) -> None:
    """Raise AssertionError unless all beyond the first `used` of these lists is 0, or the `filler` of its name."""
    for name, row in rows.items():
        rest = (filler or {}).get(name, 0)
        require(all(number == rest for number in numbers(row[used:])), f"{name} beyond what is used")
