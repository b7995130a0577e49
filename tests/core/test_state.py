"""Records of states: fields that can be read as attributes, compiled and uncompiled."""

import pytest

from atoll.core.errors import AtollError
from atoll.core.state import GENERATOR_WORDS, HEADER, record_dtype


@pytest.mark.parametrize(
    "name",
    ["size", "round", "take", "choose", "view", "shape", "sort", "copy", "put", "fill", "item", "T", "data"],
)
def test_a_field_like_an_attribute_of_numpys_records_is_refused(name: str) -> None:
    """engine-notes.md: `s.size` would silently read NumPy's."""
    with pytest.raises(AtollError, match=f"cannot be called '{name}'"):
        record_dtype([*HEADER, (name, "i1")])


def test_the_fields_of_a_record_are_its_attributes() -> None:
    import numpy as np

    dtype = record_dtype([*HEADER, ("round_number", "i1"), ("cards", "i1", (3,))])
    states = np.zeros(1, dtype=dtype)
    states[0].round_number = 4
    states[0].cards[1] = 5
    assert states["round_number"].tolist() == [4]
    assert states["cards"].tolist() == [[0, 5, 0]]
    assert dtype.itemsize == 8 * GENERATOR_WORDS + 1 + 1 + 1 + 1 + 3
