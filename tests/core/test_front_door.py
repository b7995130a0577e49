"""What is public in Python: the page that shows it is run, and names what there is."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import atoll

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_the_page_about_python_is_true() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted > 10
    assert results.failed == 0


def test_the_page_names_what_is_public_and_nothing_else() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("| --- | --- |\n")[2]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("|")]
    assert sorted(name for cell in cells for name in re.findall(r"`(\w+)`", cell)) == sorted(atoll.__all__)
    for name in atoll.__all__:
        assert getattr(atoll, name) is not None


def test_the_games_are_there_before_and_after_one_is_imported() -> None:
    program = "import atoll\nbefore = atoll.games()\nimport atoll.games.karuba\nassert atoll.games() == before != {}\n"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_front_door_loads_what_is_asked_for_alone() -> None:
    program = (
        "import sys, atoll\n"
        "assert not any(name.startswith('atoll.') for name in sys.modules)\n"
        "from atoll import find_game\n"
        "assert find_game('karuba').title and 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
