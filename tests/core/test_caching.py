"""What follows from components is found once."""

import pickle

import numpy as np

from atoll.core.components import cached_by_components, latest_by_components
from atoll.core.types import Components


def test_the_last_answers_stay_with_their_components() -> None:
    asked: list[tuple[str, str]] = []

    @latest_by_components(2)
    def find(components: Components, name: str) -> str:
        asked.append((components.name, name))
        return f"{name} of {components.name}"

    one, other = (Components(name, {}, "", False, np.zeros(1)) for name in ("one", "other"))
    assert [find(one, "a"), find(one, "a"), find(other, "a")] == ["a of one", "a of one", "a of other"]
    assert asked == [("one", "a"), ("other", "a")]
    for name in "bcbca":  # so that a is none of the last two
        find(one, name)
    assert asked[2:] == [("one", "b"), ("one", "c"), ("one", "a")]


def test_components_go_to_another_process_without_what_was_found() -> None:
    """It need not be of a kind that could go along."""
    components = Components("one", {}, "", False, np.zeros(1))
    find = cached_by_components(lambda components: lambda: components.name)
    assert find(components)() == "one"
    assert find(pickle.loads(pickle.dumps(components)))() == "one"
