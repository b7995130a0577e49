"""Playing at the terminal, with what is typed given in advance."""

import io
import re

import pytest

from atoll.bots import Bot, find_bot
from atoll.commands import terminal
from atoll.commands.console import PlainConsole
from atoll.core.catalogue import find_game
from atoll.engine.chance import WORD
from atoll.text.errors import AtollError

BOTS = [find_bot("greedy"), find_bot("random")]


def typed_game(
    typed: str,
    monkeypatch: pytest.MonkeyPatch,
    *,
    players: int = 4,
    seat: int = 0,
    seed: int | None = 11,
    language: str = "en",
) -> str:
    """Everything that the terminal shows of a game in which this is typed."""
    shown = io.StringIO()
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    monkeypatch.setattr("sys.stdout", shown)
    console = PlainConsole(file=shown, width=100)
    game = find_game("costa-ruana")
    terminal.play_in_terminal(game, players, seat, BOTS, seed, language=language, console=console)
    return shown.getvalue()


@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_whole_game_is_played(players: int, monkeypatch: pytest.MonkeyPatch):
    shown = typed_game("1\n" * 500, monkeypatch, players=players)
    assert "The game is over: everyone lifts their hut." in shown
    assert re.search(r"(You win!|wins\.|share the win\.)\s*$", shown)


def test_a_whole_game_is_played_in_french(monkeypatch: pytest.MonkeyPatch):
    shown = typed_game("1\n" * 500, monkeypatch, language="fr")
    assert "La partie est finie" in shown
    assert re.search(r"(Vous gagnez\u202f!|gagne\.|se partagent la victoire\.)\s*$", shown)


def test_only_what_the_seat_may_know_is_shown(monkeypatch: pytest.MonkeyPatch):
    shown = typed_game("1\n" * 500, monkeypatch, seat=1)
    hiding = re.findall(r"· (\w+) plays (.*) face down", shown)
    assert len(hiding) == 4 * 5
    assert all(what == "a card" for name, what in hiding if name != "Blue")
    assert all(what != "a card" for name, what in hiding if name == "Blue")
    assert set(re.findall(r"(\w+) draws", shown)) == {"Blue", "Everyone"}


def test_the_end_of_the_input_ends_the_game_with_a_sentence(monkeypatch: pytest.MonkeyPatch):
    shown = typed_game("1\n1\n", monkeypatch)
    assert shown.endswith("No more input: the game stops here.\n")


def test_bad_input_is_asked_again_in_one_sentence(monkeypatch: pytest.MonkeyPatch):
    shown = typed_game("99\nisland\n\n0\n-1\n1\n", monkeypatch)
    assert shown.count("Please type a number from 1 to 7, or ? for help.") == 5


def test_leaving_is_asked_for_twice(monkeypatch: pytest.MonkeyPatch):
    shown = typed_game("q\nn\nq\ny\n1\n", monkeypatch)
    assert shown.count("Leave the game for good? (y/n)") == 2
    assert "No more input" not in shown
    assert "Red places" not in shown


def test_help_and_rules_are_there(monkeypatch: pytest.MonkeyPatch):
    shown = typed_game("?\nr\n", monkeypatch)
    assert "leave the game" in shown
    assert "Costa Ruana: the rules" in shown
    assert "<" not in shown


def test_many_moves_are_chosen_part_by_part(monkeypatch: pytest.MonkeyPatch):
    shown = typed_game("1\n1\n1\n1\nb\n2\n3\n", monkeypatch)
    _, _, after = shown.partition("Play a card face up in front of anyone.")
    cards = re.findall(r"\d  (Play .*\))\n", after)
    assert cards[:5] == cards[5:10]
    assert f"{cards[1]} in front of you" in after
    assert f"{cards[1]} in front of Yellow" in after
    assert f"· Red {cards[1].replace('Play', 'plays', 1)} in front of Yellow." in after


def test_without_a_seed_nobody_can_foretell_the_game(monkeypatch: pytest.MonkeyPatch):
    """It has a key, another each time."""
    keys = set()
    greet = terminal.TerminalTable.greet

    def note(self: terminal.TerminalTable) -> None:
        keys.add(tuple(self.position.state.generator[:WORD].tolist()))
        greet(self)

    monkeypatch.setattr(terminal.TerminalTable, "greet", note)
    for _ in range(3):
        typed_game("", monkeypatch, seed=None)
    assert len(keys) == 3
    assert (0, 0) not in keys


@pytest.mark.parametrize(("players", "seat", "bots"), [(9, 0, BOTS), (4, 4, BOTS), (4, 0, [])])
def test_what_cannot_be_is_refused(players: int, seat: int, bots: list[Bot]):
    with pytest.raises(AtollError):
        terminal.play_in_terminal(find_game("costa-ruana"), players, seat, bots, 1)
