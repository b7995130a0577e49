"""Programmed moves: made whenever they can be, until what was named happens, and stopped by a press."""

import asyncio
import random
from collections.abc import Callable

import pytest

from atoll.core.catalogue import find_game, games
from atoll.core.premoves import has_ended, next_move
from atoll.web.refusal import Refusal
from atoll.web.serving.site import Site
from atoll.web.table.move_choice import fields_of
from atoll.web.table.premoves import active_premove, next_premove, premove_offers
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from tests.web.conftest import Browser, QuietTable

PROGRAMMED = [(game.name, program.name) for game in games().values() for program in game.premoves]


def play_until_offered(table: Table, name: str, chance: random.Random) -> int:
    """Play at random until somebody is offered that program; returns the seat."""
    while not table.timeline.is_over:
        seat = table.timeline.to_act[0]
        if any(program.name == name for program in premove_offers(table.timeline, seat)):
            return seat
        move_by_hand(table, seat, chance)
    raise AssertionError(f"{name} was never offered")


def move_by_hand(table: Table, seat: int, chance: random.Random) -> None:
    """Let a seat make any legal move."""
    fields = fields_of(chance.choice(table.timeline.legal_moves(seat)))
    table.end_premove(seat)
    table.answer(seat, table.timeline.decision(seat), {name: (text,) for name, text in fields.items()})


@pytest.mark.parametrize(("game", "name"), PROGRAMMED)
def test_a_program_moves_until_what_was_named_has_happened(
    quiet_table: QuietTable, game: str, name: str
) -> None:
    """Of all decisions it takes those alone in which its move is legal; the person takes the others."""
    table, chance = quiet_table(game), random.Random(3)
    seat = play_until_offered(table, name, chance)
    table.set_premove(seat, name)
    program = active_premove(table.timeline, table.seating.seats[seat])
    assert program is not None
    since, made = len(table.timeline.answers), 0
    while (still := active_premove(table.timeline, table.seating.seats[seat])) is not None:
        before = len(table.timeline.answers)
        could = seat in table.timeline.to_act and next_move(program, table.timeline.legal_moves(seat))
        assert table.play_premove() == bool(could)
        made += bool(could)
        if could:
            assert table.timeline.answers[before].seat == seat
            assert table.timeline.answers[before].move == dict(program.move)
        else:
            others = table.timeline.to_act[0]
            fields = fields_of(chance.choice(table.timeline.legal_moves(others)))
            decision = table.timeline.decision(others)
            table.answer(others, decision, {key: (text,) for key, text in fields.items()})
        if table.timeline.is_over:
            return
    assert made
    assert still is None
    heard = table.timeline.events_seen(seat)[since:]
    assert has_ended(program, heard)
    assert not has_ended(program, heard[:-1])
    assert not table.play_premove()


@pytest.fixture
def passing(quiet_table: QuietTable) -> tuple[Table, int]:
    """A table at which a seat has programmed to pass, and the seat."""
    table = quiet_table("costa-ruana")
    seat = play_until_offered(table, "keep natives", random.Random(3))
    table.set_premove(seat, "keep natives")
    return table, seat


def test_a_press_stops_it(passing: tuple[Table, int]) -> None:
    table, seat = passing
    table.set_premove(seat, None)
    assert next_premove(table.timeline, table.seating.seats[seat]) is None
    assert not table.play_premove()


def test_who_moves_by_hand_goes_on_by_hand(passing: tuple[Table, int]) -> None:
    table, seat = passing
    move_by_hand(table, seat, random.Random(1))
    assert active_premove(table.timeline, table.seating.seats[seat]) is None


def test_it_waits_while_a_bot_plays_and_while_people_are_asked(passing: tuple[Table, int]) -> None:
    table, seat = passing
    table.put_bot(seat, "random", Viewer(seat))
    assert table.bots.premove() is None
    table.take_seat(seat, str(seat))
    assert table.bots.premove() is not None
    asked = {"seat": 1 - seat, "to": 0, "count": 1, "agreed": [1 - seat]}
    table.change(undo_asked=asked)
    assert table.bots.premove() is None


def test_what_was_taken_back_to_before_it_is_programmed_no_longer(passing: tuple[Table, int]) -> None:
    table, seat = passing
    sitting = table.seating.seats[seat]
    assert sitting.program is not None
    from dataclasses import replace

    later = replace(sitting, program={**sitting.program, "since": len(table.timeline.answers) + 1})
    assert active_premove(table.timeline, sitting) is not None
    assert active_premove(table.timeline, later) is None


def test_what_is_not_offered_is_refused(quiet_table: QuietTable) -> None:
    table = quiet_table("costa-ruana")
    assert find_game("costa-ruana").premoves
    with pytest.raises(Refusal):
        table.set_premove(table.timeline.to_act[0], "keep natives")
    with pytest.raises(Refusal):
        table.set_premove(table.timeline.to_act[0], "x")


@pytest.mark.parametrize(("language", "said"), [("en", "Stop: Put no natives"), ("fr", "Arrêter")])
def test_the_bar_and_the_menu_offer_it_and_stop_it(
    new_browser: Callable[..., Browser], site: Site, language: str, said: str
) -> None:
    """Carried out by the site itself, as bots move."""
    browser = new_browser(headers={"Accept-Language": language})
    path = browser.make_table(players="2", seat0="me", seat1="bot:random", pace="at once")
    table = site.tables.find(path.rpartition("/")[2])
    chance = random.Random(2)
    while True:
        browser.wait_for(path, 'class="bar mine')
        form = next((f for f in browser.page(path).forms if f.action.endswith("/program")), None)
        if form is not None:
            break
        seat_moves = table.timeline.legal_moves(0)
        move = fields_of(chance.choice(seat_moves))
        browser.post(f"{path}/moves", {"decision": str(table.timeline.decision(0)), **move})
    decision = table.timeline.decision(0)
    assert browser.post(form.action, form.data).status_code == 200
    browser.wait_for(path, said)
    asyncio.run(kept_by(table, decision))
    stop = next(f for f in browser.page(path).forms if f.id == "program")
    browser.post(stop.action, stop.data)
    assert said not in browser.get(path).text


async def kept_by(table: Table, decision: int) -> None:
    """Wait until the site has made the programmed decision."""
    async with asyncio.timeout(60):
        while table.timeline.decision(0) == decision:
            await asyncio.sleep(0.01)
    made = [answer for answer in table.timeline.answers if answer.seat == 0][-1]
    assert made.move == {"do": "keep native"}
