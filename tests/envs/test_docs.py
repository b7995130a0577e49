"""The examples in docs/envs.md run as they stand."""

import re
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import atoll.envs.gymnasium

DOCS = (Path(__file__).parents[2] / "docs" / "envs.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", DOCS, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text.split("\n")[0])
def test_an_example_runs(example: str) -> None:
    known: dict[str, Any] = {}
    exec(example, known)
    assert known.get("over") is not None or known["own"].shape[-1] > 1


def test_an_environment_is_found_by_the_name_of_its_module() -> None:
    assert atoll.envs.gymnasium.__name__ in DOCS
    made = gymnasium.make(re.findall(r'gymnasium.make\("(atoll\.\S+)"\)', DOCS)[0])
    assert made.unwrapped.spec is not None
