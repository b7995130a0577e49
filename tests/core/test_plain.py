"""What follows from a game's declarations where it says nothing itself: pictures, sentences, what moves hide."""

import sys
from dataclasses import replace
from types import ModuleType
from typing import Any

import goofspiel
import numpy as np
import pytest
from kuhn_poker import game as kuhn
from privateers import game as privateers

from atoll.bots import find_bot
from atoll.core.events import MOVED, Event
from atoll.core.fields import UNKNOWN, Field, everybody, owner
from atoll.core.forms import Amounts, Grid, Named, OrNull, Subset, Truth
from atoll.core.game import Position
from atoll.core.plain_messages import PlainMessages, Shown, shown, shown_fields
from atoll.core.state import REFEREE, SPECTATOR, State
from atoll.core.types import Json, Line
from atoll.engine.chance import generator
from atoll.engine.derived import derive, resample, view
from atoll.testing.information_sets import could_be_another
from atoll.text.translation import Translator

game = goofspiel.game
NAMES = ["Red", "Blue", "Yellow"]


def field(declared: Any, key: str = "some_things") -> Field:
    """A field with a key."""
    found: Field = replace(declared, key=key)
    return found


@pytest.mark.parametrize(
    ("declared", "said", "hidden", "kind", "value"),
    [
        (everybody("a number"), 7, False, "value", "7"),
        (everybody("a word", names=("low", "high")), "high", False, "value", "high"),
        (everybody("yes or no", most=1, form=Truth()), True, False, "value", "yes"),
        (everybody("nothing there", form=OrNull(0)), None, False, "value", "–"),
        (everybody("a list", shape=3), [3, 1], False, "cards", ["3", "1"]),
        (everybody("some", shape=2, form=Subset(("a", "b"))), ["b"], False, "cards", ["b"]),
        (everybody("amounts", shape=2, form=Amounts(("a", "b"))), {"a": 1, "b": 0}, False, "counts", None),
        (everybody("lots", shape=(1, 2), form=Amounts("ab")), [{"a": 1}], False, "cards", ["{'a': 1}"]),
        (everybody("a board", shape=4, form=Grid(2)), [[1, 2], [3, None]], False, "grid", None),
        (owner("a hand", shape=(2, 3)), 3, True, "hidden", 3),
        (owner("a hand", shape=(2, 3)), [4], False, "cards", ["4"]),
        (owner("a card", shape=2), None, True, "hidden", 1),
        (owner("a card", shape=2, form=Named(("jack", "king"))), "king", False, "cards", ["king"]),
    ],
    ids=lambda given: str(given)[:20],
)
def test_a_field_is_drawn_by_what_it_is(
    declared: Any, said: Any, hidden: bool, kind: str, value: Any
) -> None:
    key = "players[].some_things" if declared.seen_by == "owner" else "some_things"
    found = shown(field(declared, key), said, Translator("en"), hidden=hidden)
    expected = {
        "counts": [("a", "1"), ("b", "0")],
        "grid": [["1", "2"], ["3", ""]],
    }.get(kind, value)
    assert found == Shown(key, "Some things", kind, expected)


def test_a_board_is_said_as_rows_and_read_back() -> None:
    board = field(everybody("a board", shape=6, most=9))
    form = Grid(3)
    said = form.say([1, 2, 3, 4, 5, 6])
    assert said == [[1, 2, 3], [4, 5, 6]]
    assert form.read(said, board) == [1, 2, 3, 4, 5, 6]
    for wrong in ([[1, 2, 3]], [[1, 2], [3, 4], [5, 6]], 3, [[1, 2, 3], 4]):
        with pytest.raises(ValueError, match="a list of 2 rows of 3"):
            form.read(wrong, board)
    with pytest.raises(ValueError, match="a whole number from 0 to 9"):
        form.read([[1, 2, 3], [4, 5, 10]], board)


def test_the_picture_shows_what_is_hidden_as_backs_only() -> None:
    position = kuhn.start(2, 3)
    translator = Translator("fr").with_package(kuhn.package)
    (own, *_), (other, *_) = shown_fields(position.game, position.view(0), translator, NAMES)[1]
    card = kuhn.declared.field("card").form.names[position.state.card[0]]  # type: ignore[union-attr]
    assert (own.label, own.kind, own.value) == ("Carte", "cards", [translator(card)])
    assert (other.kind, other.value) == ("hidden", 1)
    picture = kuhn.messages.picture(translator, ["Rouge", "Bleu"], position.view(0))
    assert picture.count("▒") == 1
    opened = shown_fields(position.game, position.opened(), translator, NAMES)[1][1][0]
    assert opened.kind == "cards"


def test_seats_and_cards_are_called_by_their_names() -> None:
    """Seats by who sits there, cards by the components file, in the reader's language; what is declared as bookkeeping
    is not shown, and a bound of rounds is no length.
    """
    position, translator = privateers.start(3, 1), Translator("fr").with_package(privateers.package)
    messages, view, cards = privateers.messages, position.view(0), privateers.components().data["cards"]
    hand = [cards[card - 1]["name"]["fr"] for card in position.state.hand[0, :4].tolist()]
    common, players = shown_fields(privateers, view, translator, NAMES)
    assert [field.label for field in common] == ["Vent", "Envoyés"]
    assert [(field.label, field.value) for field in players[0]] == [("Or", "12"), ("Main", hand)]
    move = next(iter(view.legal_moves()))
    assert messages.move_text(translator, NAMES, move, view, 0) == f"Envoyer {hand[0]} → Blue"
    assert messages.move_text(translator, NAMES, {**move, "after": None}, view, 0) == f"Envoyer {hand[0]}"
    line = messages.tell(translator, NAMES, position.play(0, move), view)[0].text
    assert line.startswith(f"Red\u202f: {hand[0]} ")
    assert messages.progress(translator, view).rounds == privateers.components().file.game.rounds
    assert game.messages.progress(translator, game.start(2, 1).view(0)).rounds == 0


def test_what_belongs_to_nobody_is_told_apart() -> None:
    common, _ = shown_fields(game, game.start(2, 1).view(SPECTATOR), Translator("en"), NAMES)
    assert [(field.label, field.kind) for field in common] == [
        ("At stake", "value"),
        ("Prizes", "cards"),
        ("Stock", "hidden"),
    ]


def test_a_choice_made_at_the_same_time_is_secret_until_all_have_chosen() -> None:
    position = game.start(3, 1)
    move = {"do": "bid", "card": 4}
    positions = [position.copy()]
    for seat in range(3):
        position.play(seat, move)
        positions.append(position.copy())
    first, second, third, next_round = positions

    def told(whose: int, before: Position, now: Position, seat: int) -> Json:
        return game.notation.hide_move(move, whose, before.view(seat), now.view(seat))

    assert told(0, first, second, 1) == told(0, first, third, SPECTATOR) == {"do": None}
    assert told(1, second, third, 2) == {"do": None}
    assert told(0, first, third, 0) == move
    assert told(0, first, next_round, 1) == told(2, third, next_round, 0) == move
    next_round.state.to_act = 1 << 1
    assert told(0, first, next_round, 1) == move


def test_moves_of_a_game_without_events_are_told_as_far_as_they_are_seen() -> None:
    position = kuhn.start(2, 1)
    [event] = position.play(0, {"do": "bet"})
    assert event == Event(MOVED, 0, 1, UNKNOWN, UNKNOWN, 0)
    for language, text in (("en", "Red: Bet"), ("fr", "Red\u202f: Miser")):
        translator = Translator(language).with_package(kuhn.package)
        assert kuhn.messages.tell(translator, NAMES, [event], position.view(1)) == [Line(text, 0)]
    secret = kuhn.notation.hide_event(event._replace(extra=1), 1)
    assert secret.piece == UNKNOWN
    told = kuhn.messages.tell(Translator("en"), NAMES, [secret], position.view(1))
    assert told == [Line("Red has chosen.", 0)]


class OpenState(State):
    """A state with nothing to hide but chance."""

    stones: int = everybody("stones left", key="stones")


def test_a_game_with_nothing_to_hide_needs_neither_view_nor_resample() -> None:
    truth, seen, drawn = (np.zeros(1, dtype=OpenState.dtype) for _ in range(3))
    truth[0].stones, truth[0].generator[:] = 5, generator(3)
    known = {"HIDDEN": OpenState.hidden}
    derive(view, "open.rules", **known)(truth[0], None, 1, seen[0])
    assert seen[0].stones == 5
    assert seen[0].seat == 1
    assert seen[0].generator.tobytes() == b"\xff" * 24
    derive(resample, "open.rules", **known)(seen[0], None, generator(4), drawn[0])
    assert drawn[0].stones == 5
    assert drawn[0].seat == REFEREE
    assert drawn[0].generator.tobytes() != truth[0].generator.tobytes()


def test_what_cannot_be_another_number_is_not_asked_to_be_one() -> None:
    """The last prize in the stock follows from the others."""
    position = game.start(2, 1)
    for left in range(11, 0, -1):
        for seat in range(2):
            position.play(seat, int(position.legal_moves(seat).actions[0]))
        assert position.state.left == left
        assert could_be_another(position, 0, ("stock", 0)) == (left > 1)


def test_greedy_without_advice_takes_what_wins_at_once() -> None:
    """Facing a bet, the king calls and the jack folds, whatever the other card is."""
    for card, action in ((2, "call"), (0, "fold")):
        position = next(p for p in (kuhn.start(2, seed) for seed in range(50)) if p.state.card[1] == card)
        position.play(0, {"do": "bet"})
        chosen = {find_bot("greedy").choose(position.view(1), seed) for seed in range(20)}
        assert [kuhn.moves.move_of(code)["do"] for code in chosen] == [action]


def test_what_a_module_has_is_kept_and_what_it_lacks_is_filled_in() -> None:
    own = ModuleType("goofspiel.messages")
    own.prompt = lambda *given: "mine"  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "goofspiel.messages", own)
        telling = replace(game).messages
    assert telling.prompt(None, None, None, None) == "mine"  # type: ignore[arg-type, comparison-overlap]
    assert telling.score(Translator("en"), ["Red"], [{"points": 3}]) == [["Player", "Points"], ["Red", "3"]]


def test_templates_say_what_a_game_has_in_its_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    """docs/adding-a-game.md: its functions whose first argument is `words`."""

    def card_name(translator: Translator, card: str) -> str:
        return f"{translator('Points')} {card}"

    package = "game_with_a_vocabulary"
    module = ModuleType(f"{package}.vocabulary")
    vars(module).update(
        card_name=card_name, Translator=Translator, cards_of=lambda view: [], SUITS={"hearts": "♥"}
    )
    monkeypatch.setitem(sys.modules, module.__name__, module)
    said = PlainMessages(replace(game, package=package), game.notation.move_of).bind(Translator("en"))
    assert said.card_name("7") == "Points 7"
    assert list(vars(said)) == ["card_name"]
    assert not vars(game.messages.bind(Translator("en")))
