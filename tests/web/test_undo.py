"""Taking moves back: what is allowed without asking, what others are asked for, and what of it is kept."""

import dataclasses
import json
import random
from collections.abc import Callable

import pytest

from atoll.core import records
from atoll.core.catalogue import games
from atoll.core.game import Position
from atoll.core.game_translator import GameTranslator
from atoll.text.errors import RecordError
from atoll.web.pages.log import log
from atoll.web.pages.players import seat_labels
from atoll.web.refusal import Refusal
from atoll.web.store.store import Answer, SeatRow
from atoll.web.table import undo
from atoll.web.table.move_choice import Fields, fields_of
from atoll.web.table.table import ATTEMPTS, Table
from atoll.web.table.table_record import table_record
from atoll.web.table.tables import Tables
from atoll.web.table.timeline import PastTimeline, Timeline
from atoll.web.translation import translator_for
from tests.web.conftest import Browser, QuietTable
from tests.web.test_guarding import refused_with

TableAt = Callable[[str], Table]


def play(table: Table, seat: int, chance: random.Random) -> None:
    """A random move of the seat."""
    move = fields_of(chance.choice(table.timeline.legal_moves(seat)))
    fields: Fields = {name: (text,) for name, text in move.items()}
    table.answer(seat, table.timeline.decision(seat), fields)


def play_some(table: Table, moves: int, seed: int = 3) -> None:
    """Random moves, so many."""
    chance = random.Random(seed)
    while len(table.timeline.answers) < moves and not table.timeline.is_over:
        play(table, chance.choice(table.timeline.to_act), chance)


def told(table: Table, seat: int | None = None) -> list[str]:
    """The log as a seat reads it."""
    translator = GameTranslator(translator_for("en", table.game.package), table.components)
    names = seat_labels(translator, table.seating, seat)
    return [
        line.text for part in log(table.timeline, seat, translator, names)["rounds"] for line in part["lines"]
    ]


def fresh(table: Table) -> Table:
    """The table as another process reads it."""
    return Tables(table.store).find(table.row.id)


@pytest.mark.parametrize("game", list(games()))
def test_what_is_taken_back_leaves_the_game_as_it_was_and_stands_in_log_and_record(
    quiet_table: QuietTable, game: str
) -> None:
    """Byte for byte, generator too; all people agree. What is read anew is the same, and a record says so."""
    table = quiet_table(game)
    play_some(table, 25)
    seat = table.timeline.answers[-1].seat
    target = undo.undo_target(table.timeline, table.seating, seat)
    assert target is not None
    then = PastTimeline.of(table.timeline, table.start(), target)
    count = len(table.timeline.answers) - target
    table.undo(seat, table.timeline.decision(seat))
    for other in range(table.row.players):
        if table.undo_request is not None and other != seat:
            table.answer_undo(other, "yes")
    for found in (table, fresh(table)):
        assert found.timeline.position.state.tobytes() == then.position.state.tobytes()
        assert found.timeline.answers == then.answers
        assert found.timeline.events == then.events
        assert [text for text in told(found) if f"takes back {count} move" in text]
    play_some(table, 1000 if game == "costa-ruana" else len(table.timeline.answers) + 4)
    assert fresh(table).timeline.position.state.tobytes() == table.timeline.position.state.tobytes()
    if not table.timeline.is_over:
        return
    [record] = records.read_records(table_record(table, None).splitlines())
    assert record.header["atoll"] == records.FORMAT
    assert [line["undo"] for line in record.decisions if "undo" in line] == [target]
    *_, last = records.replay(record)
    assert last.position.outcome == table.timeline.position.outcome


def test_a_record_without_any_is_of_format_1(quiet_table: QuietTable) -> None:
    table = quiet_table("costa-ruana")
    play_some(table, 1000)
    [record] = records.read_records(table_record(table, None).splitlines())
    assert record.header["atoll"] == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"player": 0, "undo": 2}, "2 moves stand there, so undo cannot leave 2"),
        ({"player": 0, "undo": -1}, "2 moves stand there, so undo cannot leave -1"),
        ({"player": 0, "undo": True}, "2 moves stand there, so undo cannot leave True"),
        ({"player": 0, "undo": 0, "agreed": [9]}, "the player and those who agreed are seats' numbers"),
        ({"player": "x", "undo": 0}, "the player and those who agreed are seats' numbers"),
        ({"player": 0, "undo": 0, "move": {}}, "a decision has the keys"),
    ],
)
def test_a_wrong_line_is_refused(quiet_table: QuietTable, line: object, said: str) -> None:
    table = quiet_table("costa-ruana")
    position, chance = table.start(), random.Random(1)
    lines = [records.header(position, ["a", "b"], 1)]
    for _ in range(2):
        seat = position.to_act[0]
        move = chance.choice(list(position.legal_moves(seat)))
        before = position.copy()
        lines.append(records.decision(before, position, seat, move, position.play(seat, move)))
    text = records.encode([*lines, line])  # type: ignore[list-item]
    with pytest.raises(RecordError, match=f"line 4: {said}"):
        [list(records.replay(record)) for record in records.read_records(text.splitlines())]


def bots_move(table: Table, chance: random.Random) -> None:
    """Let the bots move at random until a person has to."""
    while table.bots.have_to_act:
        turn = table.bots.turn()
        assert turn is not None
        seat, decision, bot, view = turn
        table.move_bot(seat, decision, bot, int(chance.choice(view.legal_moves().actions)))


def test_alone_one_takes_back_as_far_as_one_likes(quiet_table: QuietTable) -> None:
    """One's own last move, and what bots did after it, again and again; the log says each time who did so."""
    table, chance = quiet_table("costa-ruana"), random.Random(1)
    table.store.sit(table.row.id, table.version, SeatRow(1, None, "random"))
    table.catch_up()
    while sum(answer.seat == 0 for answer in table.timeline.answers) < 5:
        bots_move(table, chance)
        play(table, 0, chance)
    bots_move(table, chance)
    stood = []
    while any(answer.seat == 0 for answer in table.timeline.answers):
        stood.append(len(table.timeline.answers))
        table.undo(0, table.timeline.decision(0))
        assert table.timeline.to_act == (0,)
    assert stood == sorted(set(stood), reverse=True)
    assert told(table, 0)[-1] == f"Red (you) takes back {stood[0] - len(table.timeline.answers)} moves."
    with pytest.raises(Refusal, match="nothing that you can take back"):
        table.undo(0, table.timeline.decision(0))


def test_who_plays_alone_goes_back_from_the_page_of_the_past(browser: Browser, table_at: TableAt) -> None:
    path = browser.make_table("signs", players="2", seat1="bot:random")
    table, chance = table_at(path), random.Random(1)
    with table.lock:
        for _ in range(2):
            bots_move(table, chance)
            play(table, 0, chance)
        bots_move(table, chance)
    [form] = [form for form in browser.page(f"{path}/back?at=0").forms if form.action == f"{path}/back/undo"]
    browser.post(form.action, form.data)
    assert table_at(path).timeline.answers == []
    assert "takes back 4 moves" in browser.get(path).text
    assert "takes back 4 moves" in browser.get(f"{path}/back").text


@pytest.fixture
def people(new_browser: Callable[..., Browser]) -> tuple[list[Browser], str]:
    """Three persons at a table of Costa Ruana."""
    browsers = [new_browser() for _ in range(3)]
    path = browsers[0].make_table("costa-ruana", players="3", seat0="me", seat1="friend", seat2="friend")
    for seat in (1, 2):
        browsers[seat].post(f"{path}/seats", {"seat": str(seat)})
    return browsers, path


def test_among_people_by_consent_of_all(people: tuple[list[Browser], str], table_at: TableAt) -> None:
    """Asked, withdrawn, refused, and agreed by all; who decides on meanwhile ends the question."""
    browsers, path = people
    table = table_at(path)
    play_some(table, 2)
    first = table.timeline.answers[0].seat
    other, third = (seat for seat in range(3) if seat != first)
    ask = {"decision": str(table.timeline.decision(first))}
    browsers[first].post(f"{path}/undo", ask)
    assert "Withdraw the request" in browsers[first].get(path).text
    for seat in (other, third):
        assert "asks to take back 2 moves" in browsers[seat].get(path).text
    browsers[first].post(f"{path}/undo/answer", {"answer": "withdraw"})
    assert "asks to take back" not in browsers[other].get(path).text
    browsers[first].post(f"{path}/undo", ask)
    assert browsers[first].post(f"{path}/undo/answer", {"answer": "yes"}).status_code == 409
    browsers[other].post(f"{path}/undo/answer", {"answer": "yes"})
    browsers[third].post(f"{path}/undo/answer", {"answer": "no"})
    assert "did not agree: nothing is taken back" in browsers[first].get(path).text
    assert len(table_at(path).timeline.answers) == 2
    play_some(table_at(path), 3)
    assert table_at(path).undo_request is None
    browsers[first].post(f"{path}/undo", {"decision": str(table.timeline.decision(first))})
    for seat in (other, third):
        browsers[seat].post(f"{path}/undo/answer", {"answer": "yes"})
    back = table_at(path).timeline
    assert len(back.answers) < 3
    assert back.lines[-1].move["agreed"] == [0, 1, 2]


def test_asking_twice_changes_nothing_and_a_late_move_is_not_made_again(
    browser: Browser, table_at: TableAt
) -> None:
    """A decision that was taken back keeps its number."""
    path = browser.make_table("costa-ruana", players="2", seat1="friend")
    table = table_at(path)
    seat = table.timeline.to_act[0]
    move = table.timeline.legal_moves(seat)[0]
    fields: Fields = {name: (text,) for name, text in fields_of(move).items()}
    table.answer(seat, 0, fields)
    if seat == 0:
        table.undo(0, 1)
        table.undo(0, 1)
        assert table.timeline.answers == []
        table.answer(0, 0, fields)
        assert table.timeline.answers == []
        with pytest.raises(Refusal):
            table.undo(0, 0)


@pytest.fixture
def asked(quiet_table: QuietTable) -> tuple[Table, int, int]:
    """A table of two persons who have both moved; who moved first, and who would be asked to take both moves back."""
    table = quiet_table("costa-ruana")
    play_some(table, 2)
    first, other = (answer.seat for answer in table.timeline.answers)
    assert first != other
    return table, first, other


def ask(table: Table, seat: int) -> None:
    """Ask to take the seat's last move back."""
    table.undo(seat, table.timeline.decision(seat))


NOT_ASKED = "Nobody asks you to take anything back now."


def test_what_is_asked_is_kept_once_and_withdrawn_by_who_asked(asked: tuple[Table, int, int]) -> None:
    table, first, other = asked
    ask(table, first)
    assert fresh(table).undo_request == undo.UndoRequest(first, 0, 2, (first,))
    version = table.version
    ask(table, first)
    assert table.version == version
    with refused_with(409, "There is nothing that you can take back now."):
        ask(table, other)
    with refused_with(409, NOT_ASKED):
        table.answer_undo(other, "withdraw")
    table.answer_undo(first, "withdraw")
    assert fresh(table).undo_request is None
    for said in ("yes", "no", "withdraw"):
        with refused_with(409, NOT_ASKED):
            table.answer_undo(first, said)
    with refused_with(400, "Something went wrong with that form: go back, reload the page and try again."):
        table.answer_undo(other, "perhaps")


def test_who_does_not_agree_ends_the_question(asked: tuple[Table, int, int]) -> None:
    table, first, other = asked
    ask(table, first)
    for said in ("yes", "no"):
        with refused_with(409, NOT_ASKED):
            table.answer_undo(first, said)
    table.answer_undo(other, "no")
    assert fresh(table).undo_request == undo.UndoRequest(first, 0, 2, (first,), other)
    for seat, said in ((other, "yes"), (first, "withdraw")):
        with refused_with(409, NOT_ASKED):
            table.answer_undo(seat, said)
    assert len(table.timeline.answers) == 2


def test_all_who_agree_stand_in_the_line_that_takes_back(asked: tuple[Table, int, int]) -> None:
    table, first, other = asked
    ask(table, first)
    table.answer_undo(other, "yes")
    assert (fresh(table).timeline.answers, fresh(table).undo_request) == ([], None)
    assert table.timeline.lines[-1] == Answer(first, 1, {"undo": 0, "agreed": [0, 1]})
    version = table.version
    table.undo(first, 1)
    assert table.version == version, "the same decision, asked for once more, took something else back"


def test_of_three_all_have_to_agree_and_those_for_whom_a_bot_plays_are_asked(quiet_table: QuietTable) -> None:
    table = quiet_table("costa-ruana")
    seated = dataclasses.replace(
        table.seating, seats=(SeatRow(0, "a"), SeatRow(1, "b", "random"), SeatRow(2, None, "random"))
    )
    assert undo.voters(seated) == (0, 1)
    one = undo.UndoRequest(0, 0, 2, (0,))
    assert not undo.agreed_by_all(seated, one)
    assert undo.agreed_by_all(seated, dataclasses.replace(one, agreed=(0, 1)))
    shared = dataclasses.replace(seated, seats=(SeatRow(0, "a"), SeatRow(1, "a"), SeatRow(2, "b")))
    assert not undo.agreed_by_all(shared, one)
    assert undo.agreed_by_all(shared, dataclasses.replace(one, agreed=(0, 2)))
    assert not undo.is_alone(seated, 0)
    alone = dataclasses.replace(seated, seats=(SeatRow(0, "a"), SeatRow(1, None, "random")))
    assert [undo.is_alone(alone, seat) for seat in (0, 1, None)] == [True, False, False]


def test_a_decision_that_is_not_the_next_takes_nothing_back(asked: tuple[Table, int, int]) -> None:
    table, first, _ = asked
    for decision in (-1, 0, 2):
        with refused_with(409, "The table has changed; here it is as it is now."):
            table.undo(first, decision)
    assert table.undo_request is None


def test_who_is_not_alone_goes_back_to_no_move_of_their_choice(asked: tuple[Table, int, int]) -> None:
    table, first, other = asked
    with refused_with(409, "You can go back this far only when you play alone against bots."):
        table.undo(first, 1, 0)
    table.store.sit(table.row.id, table.version, SeatRow(other, None, "random"))
    table.catch_up()
    for to in (-1, 2):
        with refused_with(409, "The game cannot go back there."):
            table.undo(first, 1, to)
    table.undo(first, 1, 0)
    assert table.timeline.answers == []
    assert table.timeline.lines[-1] == Answer(first, 1, {"undo": 0})


def test_what_cannot_be_kept_is_tried_again_and_again_and_then_refused(
    asked: tuple[Table, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, first, other = asked
    tried: list[object] = []

    def fail(*_: object, **values: object) -> bool:
        tried.append(values)
        return False

    with monkeypatch.context() as patch:
        patch.setattr(table, "change", fail)
        with refused_with(503, "The table is busy; try again."):
            ask(table, first)
    assert tried == [{"undo_asked": undo.UndoRequest(first, 0, 2, (first,)).to_json()}] * ATTEMPTS
    ask(table, first)
    monkeypatch.setattr(table, "append", fail)
    with refused_with(503, "The table is busy; try again."):
        table.answer_undo(other, "yes")
    assert tried[ATTEMPTS:] == [{"anew": (first,)}] * ATTEMPTS


def test_nothing_is_taken_back_where_there_is_nothing_and_not_without_end(
    quiet_table: QuietTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = quiet_table("costa-ruana")
    seat = table.timeline.to_act[0]
    assert [undo.undo_target(table.timeline, table.seating, who) for who in (seat, None)] == [None, None]
    play(table, seat, random.Random(1))
    assert undo.undo_target(table.timeline, table.seating, seat) == 0
    assert undo.undo_target(table.timeline, table.seating, 1 - seat) is None
    seats = [SeatRow(number, str(number), "random" if number == seat else None) for number in range(2)]
    stand_in = dataclasses.replace(table.seating, seats=tuple(seats))
    assert undo.undo_target(table.timeline, stand_in, seat) is None
    monkeypatch.setattr(undo, "MOST_UNDOS", 1)
    ask(table, seat)
    play(table, seat, random.Random(1))
    assert undo.undo_target(table.timeline, table.seating, seat) is None


def test_what_is_asked_is_read_as_it_was_kept() -> None:
    for one in (undo.UndoRequest(1, 3, 2, (0, 1)), undo.UndoRequest(1, 3, 2, (1,), 0)):
        kept = json.loads(json.dumps(one.to_json()))
        assert kept == {"seat": 1, "to": 3, "count": 2, "agreed": [*one.agreed], "refused": one.refused}
        assert undo.UndoRequest.from_json(kept) == one
    assert undo.UndoRequest.from_json(None) is None


def test_what_shows_nothing_is_free_until_another_decides(quiet_table: QuietTable) -> None:
    """Costa Ruana's first natives (CR-5) are placed openly, without chance."""
    table = quiet_table("costa-ruana")
    chance = random.Random(1)
    seat = table.timeline.to_act[0]
    play(table, seat, chance)
    assert undo.is_free(table.timeline, seat)
    table.undo(seat, table.timeline.decision(seat))
    assert table.timeline.answers == []
    play(table, seat, chance)
    play(table, table.timeline.to_act[0], chance)
    assert not undo.is_free(table.timeline, seat)


def test_a_card_is_not_taken_back_once_the_others_have_seen_it(quiet_table: QuietTable) -> None:
    """A card laid face up (CR-9) was hidden in the hand; one laid face down (CR-10) shows nothing yet."""
    table = quiet_table("costa-ruana")
    chance = random.Random(2)
    found: dict[str, bool] = {}
    while len(found) < 2:
        phase = table.timeline.position.to_json()["phase"]
        seat = table.timeline.to_act[0]
        play(table, seat, chance)
        if phase in ("face up", "face down") and table.timeline.to_act != ():
            found.setdefault(phase, undo.is_free(table.timeline, seat))
    assert found == {"face up": False, "face down": True}


def test_chance_ends_it(quiet_table: QuietTable) -> None:
    """Wherever the generator moved nothing is taken back without asking, whoever saw what came of it."""
    table = quiet_table("cast-away")
    chance = random.Random(4)
    used = 0
    while used < 1 and not table.timeline.is_over:
        seat = chance.choice(table.timeline.to_act)
        generator = table.timeline.position.state.generator.tobytes()
        play(table, seat, chance)
        if table.timeline.position.state.generator.tobytes() != generator:
            used += 1
            assert not undo.is_free(table.timeline, seat)
    assert used


def test_what_all_chose_at_once_is_taken_back_together(quiet_table: QuietTable) -> None:
    """Else who chooses anew would know what the others chose; and it was shown, so all are asked."""
    table = quiet_table("karuba")
    play_some(table, 2)
    for seat in range(2):
        assert undo.undo_target(table.timeline, table.seating, seat) == 0
        assert not undo.is_free(table.timeline, seat)
    play_some(table, 30)
    for number, answer in enumerate(table.timeline.answers):
        first = undo.together(table.timeline, number)
        assert first == (number - answer.seat if answer.move["do"] == "choose" else number)


@pytest.mark.parametrize("game", list(games()))
def test_whether_it_is_free_says_nothing_that_the_seat_cannot_know(
    quiet_table: QuietTable, game: str
) -> None:
    """It is the same where all that is hidden from the seat is drawn anew; a leak that looks at the truth is found."""
    table = quiet_table(game)
    chance, compared, leaks = random.Random(5), 0, 0

    def truly(timeline: Timeline) -> int:
        """What the answer would be if it looked at the truth."""
        return sum(before_last(timeline).state.tobytes())

    while compared < 12 and not table.timeline.is_over:
        seat = chance.choice(table.timeline.to_act)
        play(table, seat, chance)
        if not table.timeline.answers or table.timeline.answers[-1].seat != seat or table.timeline.is_over:
            continue
        other = elsewhere(table.timeline, seat, compared)
        if other is None:
            continue
        compared += 1
        assert undo.is_free(table.timeline, seat) == undo.is_free(other, seat)
        leaks += truly(table.timeline) != truly(other)
    assert leaks or not compared


def before_last(timeline: Timeline) -> Position:
    """The position before the last move."""
    return PastTimeline.of(timeline, timeline.start, len(timeline.answers) - 1).position


def elsewhere(timeline: Timeline, seat: int, seed: int) -> Timeline | None:
    """The last move in another world: what the seat did not know before it is drawn anew, and it saw the same of the
    move; None if no such world is found."""
    for number in range(20):
        other = Timeline(before_last(timeline).view(seat).resample(100 * seed + number))
        other.replay(timeline.answers[-1])
        same = other.view(seat).state.tobytes() == timeline.view(seat).state.tobytes()
        if same and other.events_seen(seat)[-1] == timeline.events_seen(seat)[-1]:
            return other
    return None


def test_bots_wait_while_people_are_asked(quiet_table: QuietTable) -> None:
    table = quiet_table("costa-ruana")
    play_some(table, 2)
    first = table.timeline.answers[0].seat
    table.undo(first, table.timeline.decision(first))
    bots = dataclasses.replace(
        table.bots,
        seating=dataclasses.replace(
            table.seating,
            seats=tuple(dataclasses.replace(sitting, bot="random") for sitting in table.seating.seats),
        ),
    )
    assert not bots.have_to_act
    assert bots.turn() is None
    assert dataclasses.replace(bots, held=False).have_to_act


def test_a_redacted_record_shows_of_what_was_taken_back_what_could_be_known_then(
    quiet_table: QuietTable,
) -> None:
    """A card laid face down and taken back was never revealed, though its round is over."""
    table = quiet_table("costa-ruana")
    chance = random.Random(2)
    while table.timeline.position.to_json()["phase"] != "face down":
        play(table, table.timeline.to_act[0], chance)
    seat = table.timeline.to_act[0]
    play(table, seat, chance)
    table.undo(seat, table.timeline.decision(seat))
    number = len(table.timeline.lines) - 2
    round_number = table.timeline.rounds[-1].number
    while table.timeline.rounds[-1].number == round_number:
        play(table, table.timeline.to_act[0], chance)
    lines = [json.loads(line) for line in table_record(table, 1 - seat).splitlines()]
    assert lines[0]["atoll"] == records.FORMAT
    assert lines[1 + number]["move"]["card"] is None
    assert lines[2 + number] == {"player": seat, "undo": number}
    own = [json.loads(line) for line in table_record(table, seat).splitlines()]
    assert own[1 + number]["move"]["card"] is not None


def test_an_impossible_line_in_the_store_is_refused(quiet_table: QuietTable) -> None:
    table = quiet_table("costa-ruana")
    table.store.append(table.row.id, 0, 0, [Answer(0, 0, {"undo": 3})], 1)
    with pytest.raises(Refusal):
        fresh(table)
