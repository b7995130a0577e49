"""A table as this process knows it: the timeline of its game, who sits there, and every change of both."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from atoll.bots import DEFAULT_BOT, Bot
from atoll.core.catalogue import find_game
from atoll.engine.commitments import deal_seed
from atoll.text.errors import AtollError, UnknownBot
from atoll.web.bounds import Allowance, AllowanceOf, alone
from atoll.web.refusal import NoSuchTable, Refusal, busy
from atoll.web.store.devices import browsers_of
from atoll.web.store.engine import aware
from atoll.web.store.store import Answer, Gone, Overtaken, SeatRow, Store, TableRow, now
from atoll.web.table.bots import Bots, bot_here, check_budget
from atoll.web.table.clocks import Clock, Times, awaited
from atoll.web.table.creation import PACES, again, check_maker, components_of
from atoll.web.table.daily import check_not_daily, is_todays
from atoll.web.table.foreknowledge import rule_for
from atoll.web.table.history import results_of
from atoll.web.table.lessons import Place, check_asked, place_in, scripted_move
from atoll.web.table.move_choice import Fields, fields_of
from atoll.web.table.premoves import next_premove, premove_offers
from atoll.web.table.seats import ABANDONED_AFTER, Seating, Viewer
from atoll.web.table.timeline import Timeline, is_undo
from atoll.web.table.undo import UndoRequest, agreed_by_all, check_far, is_alone, is_free, undo_target

if TYPE_CHECKING:
    from atoll.bots.search import Evaluation
    from atoll.core.game import Position
    from atoll.lab.reasons import Reason

ATTEMPTS = 20
"""How often a change is tried again when somebody else was first."""


class Table:
    """A table. Every use of it holds its `lock`, once, unless nobody else uses it.

    A change is written to the store first, for the version that is known here; whoever is overtaken reads what has
    changed and tries again. While it is written others may use the table, since a database that something else
    writes to makes it wait.
    """

    def __init__(self, store: Store, row: TableRow, allowance_of: AllowanceOf = alone) -> None:
        self.store = store
        self.row = row
        self.allowance_of = allowance_of
        self.lock = threading.Lock()
        self.game = find_game(row.game)
        if row.rules_version != self.game.rules_version:
            raise other_rules(row)
        self.components = components_of(self.game, row)
        self.hints = row.hints
        self.seating = Seating(row.maker, row.open_bots, ())
        self.timeline = Timeline(self.start())
        self._load()
        if self.row.to_act is None:
            to_act = bits(self.timeline.to_act)
            self.store.begin(self.row.id, to_act)
            self.row = replace(self.row, to_act=to_act)

    is_record = False
    """whether this is an uploaded record, of which everything may be seen"""
    opens_at = 0
    """of such a record: after how many moves it is shown first"""

    @property
    def address(self) -> str:
        """The table's page."""
        return f"/tables/{self.row.id}"

    def start(self) -> "Position":
        """The first position."""
        return self._start_of(self.row)

    def _start_of(self, row: TableRow) -> "Position":
        return self.game.start(row.players, int(row.seed, 16), self.components, row.options, keyed=row.keyed)

    @property
    def version(self) -> int:
        """Raised by every change."""
        return self.row.version

    @property
    def allowance(self) -> Allowance:
        """What may be asked of this table: what its maker may ask for."""
        return self.allowance_of(self.row.maker)

    @property
    def bots(self) -> Bots:
        """The bots, as the table is now."""
        held = self.undo_request is not None and self.undo_request.refused is None
        return Bots(self.timeline, self.seating, self.allowance, self.hints, held)

    @property
    def undo_request(self) -> UndoRequest | None:
        """What somebody has requested to take back since the last decision."""
        return UndoRequest.from_json(self.row.undo_asked)

    @property
    def lesson(self) -> Place | None:
        """Where the table stands in its lesson; None in a free game."""
        return place_in(self.game, self.row, self.timeline.answers)

    # Keeping to the store

    def catch_up(self, version: int | None = None) -> bool:
        """Replay what the store has and this process has not yet seen; returns whether there was something.

        `version` is the latest that the caller knows of: the store is not read if it is known here.
        """
        is_known = (
            self.store.version(self.row.id) == self.version if version is None else version <= self.version
        )
        if not is_known:
            self._load()
        return not is_known

    def _load(self) -> None:
        contents = self.store.read(self.row.id, len(self.timeline.lines))
        if contents is None:
            raise NoSuchTable
        dealt, self.row = (self.row.seed, self.row.players), contents.row
        if dealt != (self.row.seed, self.row.players):  # by what was added, or for another number of players
            self.timeline = Timeline(self.start())
        self.timeline.catch_up(contents.moves, contents.choices)
        row, seats = self.row, contents.seats
        self.seating = Seating(row.maker, row.open_bots, seats, row.waiting, row.ended, row.opened)
        self._note_seats()

    def _change(self, change: object, *values: object, after: Timeline | None = None, **also: Any) -> bool:
        """Make a change to the table as it is known here; False, and caught up, if somebody else was first.

        `after` is the timeline after the change, if known; it is read if not, or if the table was read meanwhile.
        `also` are columns of the table that change besides.
        """
        version, is_changed = self.version, False
        try:
            with self._lock_released():
                change(self.row.id, version, *values, **also)  # type: ignore[operator]
            is_changed = True
        except Overtaken:
            pass
        finally:
            if is_changed and after is not None and self.version == version:
                self._go_on(after)
                self.row = replace(self.row, **also)
                self._note_seats()
            else:
                self._load()
        return is_changed

    @contextmanager
    def _lock_released(self) -> Iterator[None]:
        """Release the lock meanwhile; who uses a table alone need not hold it."""
        held = self.lock.locked()
        if held:
            self.lock.release()
        try:
            yield
        finally:
            if held:
                self.lock.acquire()

    def _go_on(self, after: Timeline) -> None:
        undo_asked = self.row.undo_asked if len(after.lines) == len(self.timeline.lines) else None
        opened, to_act = self._opened_after(after), bits(after.to_act)
        self.timeline = after
        self.row = replace(
            self.row, version=self.version + 1, to_act=to_act, opened=opened, undo_asked=undo_asked
        )
        self.seating = replace(self.seating, opened=opened)

    def _opened_after(self, after: Timeline) -> int | None:
        """Whose hand a shared screen shows then: a curtain falls when its seat's turn is over."""
        return self.row.opened if self.row.opened in after.to_act else None

    def with_timeline(self, timeline: Timeline) -> "Table":
        """A copy of the table with that timeline."""
        copied = copy(self)
        copied.timeline = timeline
        return copied

    # The clock

    @property
    def clock(self) -> Clock | None:
        """The table's clock; None if it has none."""
        return None if self.row.clock is None else Clock(**self.row.clock)

    @property
    def times(self) -> Times | None:
        """What is left to each seat; None without a clock."""
        clock = self.clock
        return None if clock is None else Times.of(clock, self.row.players, self.row.clock_state)

    def _note_seats(self) -> None:
        """The log tells for whom a bot plays on."""
        self.timeline.seat_notes = Times.of(self.clock, self.row.players, self.row.clock_state).notes

    def _going_on(
        self,
        timeline: Timeline,
        seating: Seating | None = None,
        *,
        note: tuple[int, str] | None = None,
        **how: Sequence[int],
    ) -> dict[str, Any]:
        """Columns of the table's clock after a change that leads to this timeline and seating; `note`: a seat and
        what the log says of it, and `how` as in `Times.go_on`."""
        clock, after = self.clock, Times.of(self.clock, self.row.players, self.row.clock_state)
        if clock is None and note is None and not after.notes:
            return {}
        if clock is not None:
            running = awaited(timeline, seating or self.seating)
            after = after.go_on(clock, self.store.time.now(), running, **how)
        if note is not None:
            after = after.noting(len(timeline.answers), *note)
        after = after.back_to(len(timeline.answers))
        return {"clock_state": after.to_json(), "clock_due": after.next_due}

    def tick(self) -> None:
        """Let a bot play for who is out of time, and let the clock begin where it has not."""
        for _ in range(ATTEMPTS):
            clock, times = self.clock, self.times
            if clock is None or times is None:
                return
            out = [] if self.has_ended else times.out(self.store.time.now())
            if not out:
                also = self._going_on(self.timeline)
                if (also["clock_state"]["since"].keys(), also["clock_due"]) == (
                    (self.row.clock_state or {"since": {}})["since"].keys(),
                    self.row.clock_due,
                ) or self.change(**also):
                    return
                continue
            occupant = replace(self.seating.seats[out[0]], bot=clock.stand_in)
            seating = self.seating.with_seat(occupant)
            also = self._going_on(self.timeline, seating, note=(out[0], "out"))
            self._change(self.store.sit, occupant, **also)
        raise busy()

    # Who sits there

    def take_seat(self, seat: int, browser: str) -> None:
        """Let a browser sit in an open seat, or play itself again in its own."""
        self.change_seat(lambda: self.seating.taken_by(browser, seat, self.has_ended))
        if self.row.begins_at is not None:
            self.begin_by_itself(DEFAULT_BOT)

    def put_bot(self, seat: int, name: str, viewer: Viewer) -> None:
        """Let a bot play in a seat from now on; a person who has that seat keeps it and may play again."""
        check_not_daily(self.row)
        if not 0 <= seat < self.row.players:
            raise Refusal(404, "There is no such seat.")
        if seat not in (viewer.seat, *viewer.here) and not viewer.maker:
            raise Refusal(403, "Only the person who made the table can put a bot in a seat.")
        bot = self._bot_named(name, self.seating.seats[seat].browser or self.row.maker)
        resigns = seat in (viewer.seat, *viewer.here) and self.seating.people > 1
        self.change_seat(
            lambda: self.seating.with_bot(bot, seat, viewer, self.has_ended), "resigned" if resigns else "bot"
        )

    def _bot_named(self, name: str, browser: str) -> str:
        """The bot as seats name it; raises Refusal for one that does not play here, or not for who has that seat."""
        try:
            check_budget(name, self.allowance_of(browser))
            return bot_here(name, self.allowance).name
        except UnknownBot:
            raise Refusal(400, "There is no such bot.") from None

    def change_seat(self, changed_seat: Callable[[], SeatRow | None], left: str = "bot") -> None:
        """Change who sits in a seat or how: the seat as it is to be, None if it is so. `left` is what the log says of
        somebody for whom a bot plays from now on. Raises Refusal.
        """
        for _ in range(ATTEMPTS):
            occupant = changed_seat()
            if occupant is None:
                return
            redeal = rule_for(self.row, self.timeline, self.seating, occupant, self._browsers_of)
            if redeal is not None:
                if self._sit_and_redeal(occupant, redeal):
                    return
                continue
            before, after = self.seating.seats[occupant.seat], self.seating.with_seat(occupant)
            also = self._without_theirs(occupant)
            is_back = occupant.bot is None and before.bot is not None and before.browser == occupant.browser
            how = {"note": (occupant.seat, "back"), "back": (occupant.seat,)} if is_back else {}
            if occupant.bot is not None and before.bot is None and before.browser and not self.row.waiting:
                how = {"note": (occupant.seat, left)}
            also |= self._going_on(self.timeline, after, **how)  # type: ignore[arg-type]
            if self._change(self.store.sit, occupant, **also):
                return
        raise busy()

    def _browsers_of(self, browser: str) -> set[str]:
        return browsers_of(self.store.engine, browser)

    def _sit_and_redeal(self, occupant: SeatRow, redeal: Answer) -> bool:
        """Let somebody take a seat once what is hidden is dealt anew; False if somebody else was first."""
        after = self.timeline.copy(self.timeline.position)
        after.replay(redeal)
        also = self._going_on(after, self.seating.with_seat(occupant), anew=after.to_act)
        to_act, opened = bits(after.to_act), self._opened_after(after)
        line = occupant, len(self.timeline.lines), redeal
        return self._change(
            self.store.sit_and_redeal, *line, to_act=to_act, opened=opened, lesson=None, **also
        )

    def set_away(self, seat: int, until: str | None) -> None:
        """Say until which day the person in the seat is away; None: no longer."""
        self.change_seat(lambda: self.seating.away_from(seat, until))

    def give_feedback(self, seat: int, fun: int | None, confusing: str) -> None:
        """Keep what the person in the seat says of the game, in place of what was said before."""
        if not self.row.asks or not self.has_ended:
            raise Refusal(409, "Nobody is asked about this game.")
        feedback = {"fun": fun, "confusing": confusing}
        self.change_seat(lambda: self.seating.with_feedback(seat, feedback))

    def leave_seat(self, viewer: Viewer) -> None:
        """Get up again, before the game has begun."""
        self.change_seat(lambda: self.seating.left_by(viewer))

    def begin_game(self, viewer: Viewer, bot: str | None) -> None:
        """Leave the waiting room; bots of that name take the free seats."""
        if bot is not None:
            bot = self._bot_named(bot, self.row.maker)
        while self.row.waiting:
            filled = self.seating.begun_by(viewer, bot)
            due = None if self.row.clock is None else 0.0  # the clock is to begin
            self._change(self.store.begin_game, filled, clock_due=due, begins_at=None, **self._dealt())

    def begin_by_itself(self, bot: str) -> bool:
        """Begin the game if all seats are taken or its time has come, with bots in the free ones; False where nobody
        sits.
        """
        if self.row.begins_at is None or not any(one.browser for one in self.seating.seats):
            return self.row.begins_at is None
        if self.store.time.now() >= self.row.begins_at or not self.seating.free:
            self.begin_game(Viewer(None, maker=True), bot)
        return True

    def resize(self, viewer: Viewer, players: int) -> None:
        """Change the number of seats, before the game has begun."""
        try:
            self.game.check_players(players)
        except AtollError as error:
            raise Refusal(400, "This table cannot be made: %(why)s.", why=error.message) from None
        while True:
            origins = self.seating.resized_by(viewer, players)
            if len(origins) == self.row.players:
                return
            words, seats = self.row.contributions or [None] * self.row.players, self.seating.seats
            occupants = [
                SeatRow(seat) if origin is None else replace(seats[origin], seat=seat)
                for seat, origin in enumerate(origins)
            ]
            added = [None if origin is None else words[origin] for origin in origins]
            to_act = bits(self._start_of(replace(self.row, players=players)).to_act)
            contributions = added if any(added) else None
            self._change(self.store.resize, occupants, to_act=to_act, contributions=contributions)

    def _dealt(self) -> dict[str, Any]:
        """Columns of the table once what was added has gone into the deal."""
        key, contributions = self.row.key, self.row.contributions
        if key is None or not any(contributions or ()):
            return {}
        seed = deal_seed(key, contributions or ())
        after = replace(self.row, seed=seed)
        return {"seed": seed, "to_act": bits(self._start_of(after).to_act)}

    def contribute(self, viewer: Viewer, words: str | None) -> None:
        """Let a number or words of somebody who sits here go into the deal; None: nothing. At a shared screen they
        count for its first seat. Raises Refusal.
        """
        seats = viewer.here or (() if viewer.seat is None else (viewer.seat,))
        if not seats:
            raise Refusal(403, "You have no seat at this table.")
        while True:
            if self.row.key is None or not self.row.waiting:
                raise Refusal(409, "The game has begun: nothing more goes into its deal.")
            contributions = self.row.contributions or [None] * self.row.players
            if contributions[seats[0]] == words:
                return
            contributions = [words if seat == seats[0] else one for seat, one in enumerate(contributions)]
            self.change(contributions=contributions)

    def _without_theirs(self, occupant: SeatRow) -> dict[str, Any]:
        """Columns of the table if a seat is to be as `occupant` says: what its person added goes with them."""
        contributions, before = self.row.contributions, self.seating.seats[occupant.seat]
        is_another = None in (before.browser, occupant.browser) and before.browser != occupant.browser
        if not (self.row.waiting and is_another and contributions):
            return {}
        return {"contributions": [None if s == occupant.seat else one for s, one in enumerate(contributions)]}

    def open_hand(self, seat: int | None, viewer: Viewer, *, again: bool = False) -> None:
        """Show a seat's hand at the screen that it shares, for its turn, or `again` to choose anew; None: nobody's."""
        if not viewer.here:
            raise Refusal(409, "You have this screen for yourself.")
        if again and seat in viewer.here:
            self.take_back(seat)
        if seat is not None and (seat not in viewer.here or seat not in self.timeline.to_act):
            raise Refusal(409, "It is not that person’s turn.")
        self.check_begun()
        while seat != self.row.opened:
            self.change(opened=seat)

    def publish(self, public: bool, viewer: Viewer) -> None:
        """Show the table in the lobby, or no longer."""
        if not viewer.maker:
            raise Refusal(403, "Only the person who made the table can change this.")
        while public != self.row.public:
            self.change(public=public)

    def change(self, **values: Any) -> bool:
        """Change what the table's row says; False, and caught up, if somebody else was first."""
        return self._change(self.store.change, values)

    def continue_at(self, row: TableRow, occupant: "Sequence[SeatRow]") -> None:
        """Make the table at which the same is played again, unless somebody else was first. Raises Refusal where two of
        its people are one since, by one's device shown to the other.
        """
        sitting = {one.browser for one in occupant if one.browser is not None}
        if any(len(self._browsers_of(browser) & sitting) > 1 for browser in sitting):
            raise Refusal(409, "Two of these seats are on devices of the same person now: make a new table.")
        self._change(self.store.continue_at, row, occupant)

    def check_begun(self) -> None:
        """Raise Refusal while the game has not begun: who may still change seats must see no hand."""
        if self.row.waiting:
            raise Refusal(409, "The game has not begun yet.")

    def open_bots(self, open_bots: bool, viewer: Viewer) -> None:
        """Change whether who visits may take a bot's seat."""
        check_not_daily(self.row)
        if not viewer.maker:
            raise Refusal(403, "Only the person who made the table can change this.")
        while open_bots != self.row.open_bots:
            self.change(open_bots=open_bots)

    def set_pace(self, pace: str, viewer: Viewer) -> None:
        """Change how fast bots move."""
        if viewer.seat is None and not viewer.maker:
            raise Refusal(403, "Only players can change the pace.")
        if pace not in PACES:
            raise Refusal(400, "There is no such pace.")
        while pace != self.row.pace:
            self.change(pace=pace)

    def see(self, viewer: Viewer) -> None:
        """Note, now and then, that a player looked."""
        time = now()
        for seat in viewer.here or (() if viewer.seat is None else (viewer.seat,)):
            seen_at = self.seating.seats[seat].seen_at
            if seen_at is None or time - aware(seen_at) > ABANDONED_AFTER / 4:
                self.store.see(self.row.id, seat, time)
                self.seating = self.seating.seen(seat, time)

    # Deciding

    def answer(self, seat: int, decision: int, fields: Fields) -> None:
        """Carry out a move of `seat`, which answers that seat's decision number `decision`.

        The same move for the same decision again changes nothing; another one is refused, unless it replaces a
        choice that may be taken back.
        """
        for _ in range(ATTEMPTS):
            times = self.times
            if times is not None and seat in times.out(self.store.time.now()):
                self.tick()
                raise Refusal(409, "You are out of time, and a bot plays for you; take your seat back first.")
            answer = self._answer_of(seat, decision, fields)
            if answer is None or self._decide(answer):
                return
        raise busy()

    def _answer_of(self, seat: int, decision: int, fields: Fields) -> Answer | None:
        """What answers the decision with these parts of a move; None if it did before. Raises Refusal."""
        if self.timeline.is_answered(seat, decision, fields):
            return None
        self.check_begun()
        if self.row.ended is not None:
            raise Refusal(409, "This game has ended without a result.")
        if self.seating.has_stand_in(seat):
            raise stands_in()
        check_asked(self.lesson, self.game, seat, self.timeline.legal_moves(seat), fields)
        return self.timeline.answer(seat, decision, fields)

    def _decide(self, answer: Answer) -> bool:
        after, count = self.timeline.after(answer), len(self.timeline.lines)
        if len(after.lines) > count:
            return self.append(after, decided=[line.seat for line in after.lines[count:]])
        opened, also = self._opened_after(after), self._going_on(after)
        return self._change(self.store.choose, answer, bits(after.to_act), opened, after=after, **also)

    def append(self, after: Timeline, **how: Sequence[int]) -> bool:
        """Append the further lines of this timeline; `how` is for the clock (`Times.go_on`). False, and caught up, if
        somebody else was first."""
        count = len(self.timeline.lines)
        round_and_seat = after.rounds[-1].number if after.rounds else 0, self._opened_after(after)
        also = self._going_on(after, None, **how)  # type: ignore[arg-type]
        results = results_of(self.row, self.seating, after)
        change = (
            count,
            after.lines[count:],
            bits(after.to_act),
            *round_and_seat,
            results,
            bool(self.timeline.choices),
        )
        return self._change(self.store.append, *change, after=after, **also)

    def take_back(self, seat: int) -> None:
        """Forget what the seat has chosen, while not everybody has."""
        if self.seating.has_stand_in(seat):
            raise stands_in()
        while seat in self.timeline.choices:
            waiting = bits((*self.timeline.to_act, seat))
            without = self.timeline.copy(self.timeline.position)
            without.choices = {
                other: choice for other, choice in self.timeline.choices.items() if other != seat
            }
            self._change(self.store.take_back, seat, waiting, **self._going_on(without))

    def undo(self, seat: int, decision: int, to: int | None = None, *, asks: bool = False) -> None:
        """Take back the seat's last move, or all but the first `to` moves where it plays alone; or else request it of
        the other people, which is always done if it `asks`.

        Done twice it changes nothing: `decision` is the number of the line that takes back. Raises Refusal.
        """
        self.check_begun()
        check_not_daily(self.row)
        for _ in range(ATTEMPTS):
            request = self.undo_request
            if self._is_undone(seat, decision) or (request is not None and request.seat == seat):
                return
            target = undo_target(self.timeline, self.seating, seat)
            if target is None or request is not None:
                raise Refusal(409, "There is nothing that you can take back now.")
            if to is not None:
                target = check_far(self.timeline, self.seating, seat, to)
            request = UndoRequest(seat, target, len(self.timeline.answers) - target, (seat,))
            freely = not asks and (is_alone(self.seating, seat) or is_free(self.timeline, seat))
            if freely or agreed_by_all(self.seating, request):
                is_changed = self._undo(request, freely=freely)
            else:
                is_changed = self.change(undo_asked=request.to_json())
            if is_changed:
                return
        raise busy()

    def _is_undone(self, seat: int, decision: int) -> bool:
        """Whether the seat's decision of that number took something back; raises Refusal if it is not its next."""
        mine = [line for line in self.timeline.lines if line.seat == seat]
        if 0 <= decision < len(mine) and is_undo(mine[decision]):
            return True
        if decision != len(mine):
            raise Refusal(409, "The table has changed; here it is as it is now.")
        return False

    def answer_undo(self, seat: int, answer: str) -> None:
        """Agree ("yes") or not ("no") to what another requests to take back, or "withdraw" one's own request."""
        if answer not in ("yes", "no", "withdraw"):
            raise Refusal(400, "Something went wrong with that form: go back, reload the page and try again.")
        for _ in range(ATTEMPTS):
            request = self.undo_request
            if (
                request is None
                or request.refused is not None
                or (request.seat == seat) != (answer == "withdraw")
            ):
                raise Refusal(409, "Nobody asks you to take anything back now.")
            if answer == "withdraw":
                is_changed = self.change(undo_asked=None)
            elif answer == "no":
                is_changed = self.change(undo_asked=replace(request, refused=seat).to_json())
            else:
                request = replace(request, agreed=tuple(sorted({*request.agreed, seat})))
                if agreed_by_all(self.seating, request):
                    is_changed = self._undo(request, freely=False)
                else:
                    is_changed = self.change(undo_asked=request.to_json())
            if is_changed:
                return
        raise busy()

    def _undo(self, request: UndoRequest, *, freely: bool) -> bool:
        """Append the line that takes back; False if somebody else was first."""
        is_one = request.to == len(self.timeline.answers) - 1
        revealed = not (is_one and is_free(self.timeline, request.seat))
        move = {
            "undo": request.to,
            **({} if freely else {"agreed": list(request.agreed)}),
            **({} if revealed else {"revealed": False}),
        }
        after = self.timeline.copy(self.timeline.position.copy())
        after.replay(Answer(request.seat, self.timeline.decision(request.seat), move))
        return self.append(after, anew=after.to_act)

    # Premoves and hints

    def set_premove(self, seat: int, name: str | None) -> None:
        """Repeat a move for a seat from now on, or no longer (None). Raises Refusal."""
        premove = None
        if name is not None:
            self.check_begun()
            offers = premove_offers(self.timeline, seat)
            if self.row.lesson is not None or all(offer.name != name for offer in offers):
                raise Refusal(409, "That cannot be done again and again now.")
            premove = {"name": name, "since": len(self.timeline.answers)}

        def changed() -> SeatRow | None:
            occupant = self.seating.seats[seat]
            return None if occupant.program == premove else replace(occupant, program=premove)

        self.change_seat(changed)

    def end_premove(self, seat: int) -> None:
        """End the seat's premove if it would move now, since its person moves by hand."""
        if next_premove(self.timeline, self.seating.seats[seat]) is not None:
            self.set_premove(seat, None)

    def play_premove(self) -> bool:
        """Play the next premove; whether there was one."""
        turn = self.bots.premove()
        if turn is None:
            return False
        seat, decision, move = turn
        try:
            self.answer(seat, decision, {name: (text,) for name, text in fields_of(move).items()})
        except Refusal:  # the table has moved on, or time is out
            return False
        return True

    def keep_hint(
        self, seat: int, lines: int, best: "Sequence[Evaluation]", why: "Sequence[Sequence[Reason]]" = ()
    ) -> None:
        """Keep a hint for the position after so many lines, for all pages of the seat."""
        move_of = self.game.notation.move_of
        told = [[[one.part or one.seat, round(one.points, 2)] for one in reasons] for reasons in why]
        moves = [[move_of(one.action), one.wins] for one in best]
        hint = {"played": lines, "moves": moves, "why": told}
        self.change_seat(lambda: replace(self.seating.seats[seat], hint=hint))

    def move_bot(self, seat: int, decision: int, bot: Bot, action: int) -> None:
        """Carry out what a bot chose, unless the table has moved on or somebody else plays in its seat now."""
        if self.bots.may_move(seat, decision, bot, action):
            self._decide(Answer(seat, decision, self.game.notation.move_of(action)))

    def scripted(self, seat: int, decision: int) -> int | None:
        """The action that the table's lesson has a bot's seat take; None where it says nothing."""
        if decision != self.timeline.decision(seat):
            return None
        stands = sum(answer.seat == seat for answer in self.timeline.answers)
        move = scripted_move(self.game, self.row, self.timeline.answers, seat, stands)
        if move is None or move not in self.timeline.legal_moves(seat):
            return None
        return self.game.notation.action_of(move)

    @property
    def has_ended(self) -> bool:
        """Whether nothing is decided any more: the game is over, or was given up."""
        return self.timeline.is_over or self.row.ended is not None

    @property
    def tells_all(self) -> bool:
        """Whether everybody may know all of the game: it is over, and nobody else plays the same deal today."""
        return self.timeline.is_over and not is_todays(self.row)

    @property
    def search_next(self) -> bool:
        """Whether the next bot that has to decide searches for its move, which no lesson says."""
        turn = self.bots.turn() if self.row.lesson is not None else None
        scripted = turn is not None and self.scripted(turn[0], turn[1]) is not None
        return self.bots.search_next and not scripted

    def leave_lesson(self, viewer: Viewer) -> None:
        """Let the game be free."""
        if viewer.seat is None and not viewer.maker:
            raise Refusal(403, "Only the person who plays the lesson can leave it.")
        while self.row.lesson is not None:
            self.change(lesson=None)

    def play_again(self, viewer: Viewer, turn: int) -> str:
        """The table at which the same is played again, everybody `turn` seats further; made by the first who asks."""
        if not self.has_ended:
            raise Refusal(409, "The game is not over yet.")
        if viewer.seat is None and not viewer.here and not viewer.maker and self.row.next is None:
            raise Refusal(403, "Only players can start the next game.")
        while self.row.next is None:
            check_maker(self.store, self.allowance, self.row.maker)
            asking = viewer.here or (() if viewer.seat is None else (viewer.seat,))
            self.continue_at(*again(self.row, self.seating.seats, turn, asking))
        return self.row.next


def bits(seats: "Sequence[int]") -> int:
    """Seats as a bit set."""
    return sum(1 << seat for seat in seats)


def stands_in() -> Refusal:
    """Raised for somebody whose decisions a bot makes."""
    return Refusal(409, "A bot plays for you; take your seat back first.")


def other_rules(row: TableRow) -> Gone:
    """Raised where today's rules cannot replay the moves."""
    return Gone("This table was begun under older rules, which are no longer here.", row)
