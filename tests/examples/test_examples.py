"""The examples, and a new game, do what every game must do."""

from importlib import import_module
from pathlib import Path

import goofspiel
import kuhn_poker
import lantern_bay
import privateers
import pytest

from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.testing import GameTests, wordcheck
from atoll.text.errors import AtollError
from atoll.text.translation import LANGUAGES
from tests.conftest import Run
from tests.examples.packages import EXAMPLES

reef: Game = import_module("reef").game
ALL = (goofspiel.game, kuhn_poker.game, lantern_bay.game, privateers.game, reef)


class TestExamples(GameTests):
    """The suite."""

    games = ALL
    compared = 1
    enumerated = 1


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_every_text_is_translated(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games(), game.name, game)
    for language in list(LANGUAGES)[1:]:
        assert [str(problem) for problem in wordcheck.problems(game.package, language)] == []


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda folder: folder.name)
def test_an_example_is_short(example: Path) -> None:
    lines = sum(len(file.read_text().splitlines()) for file in example.rglob("*.py"))
    assert 0 < lines <= (400 if list(example.rglob("*.jinja")) else 300)
    templates = sum(len(file.read_text().splitlines()) for file in example.rglob("*.jinja"))
    assert templates <= 150


def test_a_game_without_a_components_file_says_that_it_has_none(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`atoll components` printed nothing of it, and an empty page with --show."""
    monkeypatch.setitem(games(), kuhn_poker.game.name, kuhn_poker.game)
    monkeypatch.chdir(tmp_path)
    for asked in ((), ("--show",)):
        status, _, complaint = run("components", kuhn_poker.game.name, *asked)
        assert (status, complaint.count("\n")) == (2, 1)
        assert "has no components file" in complaint
    assert list(tmp_path.iterdir()) == []


def test_a_new_game_is_written_where_it_should_be(run: Run, tmp_path: Path) -> None:
    status, said, _ = run("new-game", "sand-castle", "--into", tmp_path)
    assert status == 0
    assert str(tmp_path / "sand-castle") in said.replace("\n", "")
    package = tmp_path / "sand-castle" / "src" / "sand_castle"
    assert "class SandCastleState(State):" in (package / "state.py").read_text()
    assert 'title="Sand castle"' in (package / "__init__.py").read_text()
    assert 'sand-castle = "sand_castle:game"' in (tmp_path / "sand-castle" / "pyproject.toml").read_text()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Reef", "lower-case words joined by hyphens, such as sand-castle; “Reef” cannot be one"),
        ("../reef", "lower-case words"),
        ("class", "“class” cannot be one"),
        ("email", "there is a Python package called “email” already"),
        ("shells", "is there already: take another name, or another folder with --into"),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_nothing_written(
    run: Run, tmp_path: Path, name: str, sentence: str
) -> None:
    (tmp_path / "shells").mkdir()
    status, _, complaint = run("new-game", name, "--into", tmp_path)
    assert status == 2
    assert sentence in complaint
    assert [file.name for file in tmp_path.iterdir()] == ["shells"]


def test_the_name_of_a_known_game_is_refused(run: Run, tmp_path: Path) -> None:
    known = next(iter(games()))
    assert f"there is a game called “{known}” already" in run("new-game", known, "--into", tmp_path)[2]


def test_a_game_without_components_refuses_a_file(tmp_path: Path) -> None:
    for name in ("other", "reconstruction"):
        with pytest.raises(AtollError, match=f"Reef has no components called “{name}”, only “none”"):
            reef.components(name)
    with pytest.raises(AtollError, match="Reef has no components file: it cannot be played with"):
        reef.read_components(tmp_path / "reef.toml")
