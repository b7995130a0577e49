"""Tables: each is its list of moves, replayed, and who sits there."""

import re
import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary
from zlib import crc32

from atoll.bots import Bot, bot_names, find_bot
from atoll.bots.catalogue import SearchBot
from atoll.core.catalogue import find_game
from atoll.core.errors import AtollError, IllegalMove, UnknownBot
from atoll.core.game import Components, Game, Json, Line
from atoll.core.seeds import new_key
from atoll.core.words import Words
from atoll.web.pages.regions import Fragment, Kept
from atoll.web.refusal import Gone, Refusal
from atoll.web.serving.allowance import ALONE, Allowance
from atoll.web.store.store import KEY_DIGITS, Answer, Overtaken, SeatRow, Store, TableRow, now
from atoll.web.table.choosing import Fields, find_move

if TYPE_CHECKING:
    from atoll.bots.search import Evaluation
    from atoll.core.events import Event
    from atoll.core.position import Position, View

PACES = {"calm": 0.7, "fast": 0.2, "at once": 0.0}
"""Seconds that a bot's move stays visible before the next."""

HINTS = ("alone", "always", "never")
"""Who may ask for hints: a person who is alone against bots, everybody, nobody; the first unless said otherwise."""

ABANDONED_AFTER = timedelta(minutes=2)
"""A person who has not looked for so long can be replaced by a bot."""

TABLES_KEPT = 200
"""Tables whose positions stay in memory although nobody watches."""

SEARCH = re.compile(r"search:(?P<number>[0-9]{1,6})(?P<unit>ms|)")
MOST_ITERATIONS = 100_000
"""Iterations that a bot at a table may search, if there is time."""

FORESEEN = (
    "row",
    "choices",
    "answers",
    "events",
    "rounds",
    "position",
    "fragments",
    "parts",
    "told",
    "_hidden",
)
"""What differs between a table and what it would be after an answer."""

FORESEEN_KEPT = 16
"""Answers of which a table keeps what it would be after them."""

GUESSES = 8
"""Positions that are tried to see whether what an answer does hangs on what its seat does not know."""

ATTEMPTS = 20
"""How often a change is tried again when somebody else was first."""


@dataclass(frozen=True)
class Viewer:
    """Who looks: a seat, or None for somebody who watches; the one who made the table may do more."""

    seat: int | None
    maker: bool = False


@dataclass(frozen=True)
class Hint:
    """The best moves of a seat, the best first, each with its chance to win, after so many moves of the table."""

    played: int
    moves: tuple[tuple[Json, float], ...]


@dataclass
class Round:
    """The moves of one round: those from number `first` to before `last`, and the position after them."""

    number: int
    first: int
    last: int
    after: "Position"


class Table:
    """A table as this process knows it. Every use of it holds its `lock`."""

    def __init__(self, store: Store, row: TableRow, allowance: Allowance = ALONE) -> None:
        self.store = store
        self.row = row
        self.allowance = allowance
        self.lock = threading.RLock()
        self.game = find_game(row.game)
        if not self.game.plays(row.rules_version):
            raise under_older_rules(row)
        self.components = self._components()
        self.seats: tuple[SeatRow, ...] = ()
        self.choices: dict[int, Answer] = {}
        self.answers: list[Answer] = []
        self.events: list[tuple[Event, ...]] = []
        self.rounds: list[Round] = []
        self.position = self.start()
        self.fragments: dict[object, Fragment] = {}
        self.parts: dict[object, Kept] = {}
        self.told: dict[object, list[Line]] = {}
        self._hints: dict[int, Hint] = {}
        self._hidden: dict[int | None, list[tuple[Event, ...]]] = {}
        self._foreseen: deque[tuple[Answer, Table]] = deque(maxlen=FORESEEN_KEPT)
        self._load()
        if self.row.to_act is None:
            self.store.begin(self.row.id, bits(self.to_act))
            self.row = replace(self.row, to_act=bits(self.to_act))

    def _components(self) -> Components:
        row = self.row
        if row.components_data is not None:
            return self.game.components_from(row.components_name, row.components_data)
        components = self.game.components(row.components_name)
        if components.sha256 != row.components_sha256:
            raise Gone("This table was begun with other components, which are no longer here.", row)
        return components

    def start(self) -> "Position":
        """The first position."""
        row = self.row
        return self.game.start(row.players, int(row.seed, 16), self.components, row.options, keyed=row.keyed)

    # Catching up

    @property
    def version(self) -> int:
        """Raised by every change."""
        return self.row.version

    def catch_up(self) -> None:
        """Replay what the store has and this process has not yet seen."""
        if self.store.version(self.row.id) != self.version:
            self._load()

    def _load(self) -> None:
        contents = self.store.read(self.row.id, len(self.answers))
        if contents is None:
            raise Refusal(404, "There is no such table.")
        for answer in contents.moves:
            self._replay(answer)
        self.row, self.seats = contents.row, contents.seats
        self.choices = {answer.seat: answer for answer in contents.choices}
        self.fragments.clear()
        self._foreseen.clear()

    def _replay(self, answer: Answer) -> None:
        if len(self.answers) >= self.position.most_decisions:
            raise self.game.endless(self.components, self.position.players)
        number = self._round_number()
        self.events.append(tuple(self.position.play(answer.seat, answer.move)))
        self.answers.append(answer)
        count = len(self.answers)
        if self.rounds and self.rounds[-1].number == number:
            self.rounds[-1].last = count
            self.rounds[-1].after = self.position.copy()
        else:
            self.rounds.append(Round(number, count - 1, count, self.position.copy()))

    def _round_number(self) -> int:
        return self.game.telling.progress(Words("en"), self.position.view()).round

    # Who sits there

    def viewer(self, browser: str) -> Viewer:
        """What a browser is here."""
        seat = next((sitting.seat for sitting in self.seats if sitting.browser == browser), None)
        return Viewer(seat, browser == self.row.maker)

    @property
    def free_seats(self) -> tuple[int, ...]:
        """Seats in which nobody plays."""
        return tuple(s.seat for s in self.seats if s.browser is None and s.bot is None)

    @property
    def open_seats(self) -> tuple[int, ...]:
        """Seats that anybody may take: free ones, then those of bots where the table allows it."""
        if self.position.is_over:
            return ()
        bots = [s.seat for s in self.seats if s.browser is None and s.bot is not None]
        return (*self.free_seats, *(bots if self.row.open_bots else ()))

    @property
    def away_seats(self) -> tuple[int, ...]:
        """Seats of persons who have not looked for a while."""
        return tuple(s.seat for s in self.seats if s.browser is not None and is_abandoned(s))

    def has_stand_in(self, seat: int | None) -> bool:
        """Whether a bot plays for the person who has the seat."""
        return seat is not None and self.seats[seat].bot is not None

    def replaceable_seats(self, viewer: Viewer) -> tuple[int, ...]:
        """Seats into which the viewer may put a bot: one's own; for the maker, also those of no person who is here."""
        if self.position.is_over:
            return ()
        away = self.away_seats
        return tuple(
            s.seat
            for s in self.seats
            if s.seat == viewer.seat or (viewer.maker and (s.browser is None or s.seat in away))
        )

    def take_seat(self, seat: int, browser: str) -> None:
        """Let a browser sit in an open seat, or play itself again in its own."""
        for _ in range(ATTEMPTS):
            mine = self.viewer(browser).seat
            if mine is None and seat not in self.open_seats:
                raise Refusal(409, "That seat is taken.")
            if mine is not None and mine != seat:
                raise Refusal(409, "You already have a seat at this table.")
            if mine == seat and not self.has_stand_in(seat):
                return
            if self._change(self.store.sit, SeatRow(seat, browser, None, now())):
                return
        raise busy()

    def put_bot(self, seat: int, name: str, viewer: Viewer) -> None:
        """Let a bot play in a seat from now on; a person who has that seat keeps it and may play again."""
        if viewer.seat != seat and not viewer.maker:
            raise Refusal(403, "Only the person who made the table can put a bot in a seat.")
        try:
            check_budget(name, self.allowance)
            bot = bot_here(name, self.allowance)
        except UnknownBot:
            raise Refusal(400, "There is no such bot.") from None
        for _ in range(ATTEMPTS):
            if not 0 <= seat < len(self.seats) or self.seats[seat].bot == bot.name:
                return
            if seat not in self.replaceable_seats(viewer):
                raise Refusal(409, "Somebody is playing in that seat.")
            if self._change(self.store.sit, replace(self.seats[seat], bot=bot.name)):
                return
        raise busy()

    def open_bots(self, open_bots: bool, viewer: Viewer) -> None:
        """Change whether who visits may take a bot's seat."""
        if not viewer.maker:
            raise Refusal(403, "Only the person who made the table can change this.")
        while open_bots != self.row.open_bots:
            self._change(self.store.open_bots, open_bots)

    def set_pace(self, pace: str, viewer: Viewer) -> None:
        """Change how fast bots move."""
        if viewer.seat is None and not viewer.maker:
            raise Refusal(403, "Only players can change the pace.")
        if pace not in PACES:
            raise Refusal(400, "There is no such pace.")
        while pace != self.row.pace:
            self._change(self.store.set_pace, pace)

    def see(self, viewer: Viewer) -> None:
        """Note, now and then, that a player looked."""
        if viewer.seat is None:
            return
        sitting = self.seats[viewer.seat]
        time = now()
        if sitting.seen_at is None or time - aware(sitting.seen_at) > ABANDONED_AFTER / 4:
            self.store.see(self.row.id, viewer.seat, time)
            fresh = replace(sitting, seen_at=time)
            self.seats = tuple(fresh if s.seat == viewer.seat else s for s in self.seats)

    def _change(self, change: object, *values: object, after: "Table | None" = None) -> bool:
        """Make a change to the table as it is known here; False, and caught up, if somebody else was first.

        `after` is what the table is then, if that is known; else it is read.
        """
        changed = False
        try:
            change(self.row.id, self.version, *values)  # type: ignore[operator]
            changed = True
        except Overtaken:
            pass
        finally:
            if changed and after is not None:
                self._become(after)
            else:
                self._load()
        return changed

    def _become(self, after: "Table") -> None:
        for name in FORESEEN:
            setattr(self, name, getattr(after, name))
        self._foreseen.clear()

    # Deciding

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that everybody waits for: they have to decide and have not chosen."""
        return tuple(seat for seat in self.position.to_act if seat not in self.choices)

    def decision(self, seat: int) -> int:
        """The number of the decision that the seat takes next, its own decisions counted from 0."""
        return sum(answer.seat == seat for answer in self.answers)

    def legal_moves(self, seat: int) -> list[Json]:
        """What the seat may do now."""
        return list(self.position.view(seat).legal_moves())

    def may_take_back(self) -> bool:
        """Whether what is chosen now can be taken back until the last has chosen."""
        return bool(self.game.rules.replaceable(self.position.state))

    def answer(self, seat: int, decision: int, fields: Fields) -> None:
        """Carry out a move of `seat`, which answers that seat's decision number `decision`.

        The same move for the same decision again changes nothing; another one is refused, unless it replaces a
        choice that may be taken back.
        """
        for _ in range(ATTEMPTS):
            answer = self._answer_of(seat, decision, fields)
            if answer is None or self._decide(answer):
                return
        raise busy()

    def _answer_of(self, seat: int, decision: int, fields: Fields) -> Answer | None:
        """What answers the decision with these parts of a move; None if it did before. Raises Refusal."""
        mine = [answer for answer in self.answers if answer.seat == seat]
        if 0 <= decision < len(mine):
            if find_move([mine[decision].move], fields) is not None:
                return None
            raise Refusal(409, "You have already decided this; here is the table as it is now.")
        if decision != len(mine):
            raise Refusal(409, "The table has changed; here it is as it is now.")
        if self.position.is_over:
            raise Refusal(409, "The game is over.")
        if seat not in self.position.to_act:
            raise Refusal(409, "It is not your turn.")
        if self.has_stand_in(seat):
            raise stands_in()
        move = find_move(self.legal_moves(seat), fields)
        if move is None:
            raise Refusal(422, "That move is not possible.")
        return Answer(seat, decision, move)

    def _decide(self, answer: Answer) -> bool:
        after = self._after(answer)
        moves = after.answers[len(self.answers) :]
        if not moves:
            return self._change(self.store.choose, answer, after.row.to_act, after=after)
        return self._change(self.store.append, len(self.answers), moves, after.row.to_act, after=after)

    def foresee(self, seat: int, decision: int, fields: Fields) -> "Table":
        """The table as `answer` would make it; what is drawn of it need not be drawn after that answer.

        Raises Refusal.
        """
        answer = self._answer_of(seat, decision, fields)
        return self if answer is None else self._after(answer)

    def expect(self, seat: int, decision: int, fields: Fields) -> "Table | None":
        """The table as the seat expects it after `answer`; None if it cannot know what comes of it.

        It is made of the seat's view alone: what is hidden from the seat is drawn anew several times, and what the
        seat would see after the answer must be the same each time. Raises Refusal.
        """
        answer = self._answer_of(seat, decision, fields)
        if answer is None:
            return None
        after = self._after(answer)
        if after.choices:
            return after
        if self.may_take_back():
            return None  # all moves are made at once, and the others' are hidden
        view = self.position.view(seat)
        seed = crc32(view.state.tobytes())
        guesses = (view.resample(seed + number) for number in range(GUESSES))
        if len({seen_after(guess, answer) for guess in guesses}) > 1:
            return None
        expected = self._copy(view.resample(seed))
        expected.parts = after.parts  # what is drawn for one need not be drawn for the other
        expected._replay(answer)
        expected.row = after.row
        return expected

    def _after(self, answer: Answer) -> "Table":
        """The table after an answer."""
        for known, after in self._foreseen:
            if known == answer:
                return after
        after = self._copy(self.position.copy())
        moves = {answer.seat: answer}
        if self.may_take_back():
            moves = self.choices | moves
            if any(seat not in moves for seat in self.position.to_act):
                after.choices, moves = moves, {}
        for seat in sorted(moves):
            after._replay(moves[seat])
        after.row = replace(self.row, version=self.version + 1, to_act=bits(after.to_act))
        self._foreseen.append((answer, after))
        return after

    def _copy(self, position: "Position") -> "Table":
        """A table that can go on by itself from this position, with its own copy of all that is in FORESEEN."""
        copied = copy(self)
        copied._foreseen = deque(maxlen=FORESEEN_KEPT)
        copied.position = position
        copied.choices = {}
        copied.events, copied.answers = list(self.events), list(self.answers)
        copied.rounds = [replace(part) for part in self.rounds]
        copied.fragments, copied.told = {}, dict(self.told)
        copied.parts = {viewer: dict(kept) for viewer, kept in self.parts.items()}
        copied._hidden = {seat: list(told) for seat, told in self._hidden.items()}
        return copied

    def take_back(self, seat: int) -> None:
        """Forget what the seat has chosen, while not everybody has."""
        if self.has_stand_in(seat):
            raise stands_in()
        while seat in self.choices:
            waiting = bits((*self.to_act, seat))
            self._change(self.store.take_back, seat, waiting)

    # Bots

    @property
    def bots_to_act(self) -> bool:
        """Whether a bot has to decide."""
        return any(self.seats[seat].bot is not None for seat in self.to_act)

    @property
    def search_to_act(self) -> bool:
        """Whether the next bot that has to decide searches."""
        turn = self._next_bot()
        return turn is not None and turn[1].searches

    def _next_bot(self) -> tuple[int, Bot] | None:
        for seat in self.to_act:
            name = self.seats[seat].bot
            if name is not None:
                return seat, bot_here(name, self.allowance)
        return None

    def bot_to_act(self) -> "tuple[int, int, Bot, View] | None":
        """The next decision of a bot: seat, decision, bot and what it may know."""
        turn = self._next_bot()
        if turn is None:
            return None
        seat, bot = turn
        return seat, self.decision(seat), bot, self.position.view(seat)

    def bot_moves(self, seat: int, decision: int, bot: Bot, action: int) -> None:
        """Carry out what a bot chose, unless the table has moved on or somebody else plays in its seat now."""
        moves = self.position.view(seat).legal_moves()
        sits = self.seats[seat].bot == bot.name and seat in self.to_act
        if sits and decision == self.decision(seat) and action in moves.actions:
            self._decide(Answer(seat, decision, self.game.notation.move_of(action)))

    # Hints

    def gives_hints(self, seat: int | None) -> bool:
        """Whether the person in the seat has to decide and may ask for a hint."""
        people = sum(sitting.browser is not None or sitting.bot is None for sitting in self.seats)
        allowed = self.row.hints == "always" or (self.row.hints == "alone" and people == 1)
        return allowed and seat in self.to_act and not self.has_stand_in(seat)

    def hint(self, seat: int | None) -> Hint | None:
        """The hint that the seat has asked for in this position."""
        found = None if seat is None else self._hints.get(seat)
        return found if found and found.played == len(self.answers) and self.gives_hints(seat) else None

    def keep_hint(self, seat: int, played: int, best: "Sequence[Evaluation]") -> None:
        """Keep a hint for the position after so many moves."""
        move_of = self.game.notation.move_of
        self._hints[seat] = Hint(played, tuple((move_of(one.action), one.wins) for one in best))

    # Playing again

    def play_again(self, viewer: Viewer, turn: int) -> str:
        """The table at which the same is played again, everybody `turn` seats further; made by the first who asks."""
        if not self.position.is_over:
            raise Refusal(409, "The game is not over yet.")
        if viewer.seat is None and not viewer.maker and self.row.next is None:
            raise Refusal(403, "Only players can start the next game.")
        while self.row.next is None:
            self.allowance.check_maker(self.store, self.row.maker)
            self._change(self.store.continue_at, *again(self.row, self.seats, turn))
        return self.row.next

    # What happened

    def history(self, seat: int | None) -> "list[tuple[Event, ...]]":
        """The events of every move since the start, as the seat (None: a spectator) may know them."""
        from atoll.core.state import SPECTATOR

        hide = self.game.notation.hide_event
        told = self._hidden.setdefault(seat, [])
        for events in self.events[len(told) :]:
            told.append(tuple(hide(event, SPECTATOR if seat is None else seat) for event in events))
        return told

    def since_last_look(self, seat: int | None) -> int:
        """The number of the first move that is new to the seat: its own last one, or the table's."""
        mine = [number for number, answer in enumerate(self.answers) if answer.seat == seat]
        return mine[-1] if mine else max(0, len(self.answers) - 1)

    def view(self, seat: int | None) -> "View":
        """What the seat (None: a spectator) may know."""
        return self.position.view() if seat is None else self.position.view(seat)


def seen_after(position: "Position", answer: Answer) -> object:
    """Play an answer; returns all that its seat sees of it."""
    hide = position.game.notation.hide_event
    events = tuple(hide(event, answer.seat) for event in position.play(answer.seat, answer.move))
    return events, position.view(answer.seat).state.tobytes()


def bot_here(name: str, allowance: Allowance) -> Bot:
    """The bot of that name, if it is one that plays at tables; raises UnknownBot.

    What comes from a form never starts a program, and no search takes longer than the limit, whatever its name says.
    """
    if name not in bot_names() and not SEARCH.fullmatch(name):
        raise UnknownBot(f"no bot called {name[:20]!r} plays at tables; there are: {', '.join(bot_names())}")
    bot = find_bot(name)
    if not isinstance(bot, SearchBot):
        return bot
    return replace(bot, milliseconds=min(bot.milliseconds or allowance.milliseconds, allowance.milliseconds))


def check_budget(name: str, allowance: Allowance) -> None:
    """Raise Refusal if a bot is named that would search more than is allowed."""
    search = SEARCH.fullmatch(name)
    if search and int(search["number"]) > (allowance.milliseconds if search["unit"] else MOST_ITERATIONS):
        raise Refusal(
            400,
            "A bot may search for %(milliseconds)d milliseconds or %(iterations)d iterations here: choose one that "
            "searches less.",
            milliseconds=allowance.milliseconds,
            iterations=MOST_ITERATIONS,
        )


def is_abandoned(sitting: SeatRow) -> bool:
    """Whether the person in the seat has not looked for a while."""
    return sitting.seen_at is None or now() - aware(sitting.seen_at) > ABANDONED_AFTER


def aware(time: datetime) -> datetime:
    """A time from the store, which on SQLite comes without its zone."""
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def bits(seats: Sequence[int]) -> int:
    """Seats as a bit set."""
    return sum(1 << seat for seat in seats)


def stands_in() -> Refusal:
    """Who has left the decisions to a bot does not decide."""
    return Refusal(409, "A bot plays for you; take your seat back first.")


def under_older_rules(row: TableRow) -> Gone:
    """Today's rules cannot say what happened there."""
    return Gone("This table was begun under older rules, which are no longer here.", row)


def busy() -> Refusal:
    """Others change the table all the time."""
    return Refusal(503, "The table is busy; try again.")


class Tables:
    """All tables. Those that are used stay in memory, and of the others the latest."""

    def __init__(self, store: Store, allowance: Allowance = ALONE) -> None:
        self.store = store
        self.allowance = allowance
        self._used: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._latest: OrderedDict[str, Table] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, table_id: str) -> Table:
        """The table, as it was when this process last looked; raises Refusal if there is none."""
        with self._lock:
            table = self._used.get(table_id)
        if table is None:
            table = self._read(table_id)
        with self._lock:
            table = self._used.setdefault(table_id, table)
            self._latest[table_id] = table
            self._latest.move_to_end(table_id)
            while len(self._latest) > TABLES_KEPT:
                self._latest.popitem(last=False)
        return table

    def _read(self, table_id: str) -> Table:
        contents = self.store.read(table_id)
        if contents is None:
            raise Refusal(404, "There is no such table.")
        try:
            return Table(self.store, contents.row, self.allowance)
        except IllegalMove:
            raise under_older_rules(contents.row) from None
        except AtollError:
            raise Gone("This table was begun with a game that is no longer here.", contents.row) from None


def new_table(
    game: Game,
    players: int,
    options: dict[str, bool],
    pace: str,
    components: str | None,
    maker: str,
    open_bots: bool,
    hints: str,
) -> TableRow:
    """A table that nobody has moved at; raises AtollError for what the game does not offer."""
    game.check_players(players)
    chosen = game.components(components)
    return TableRow(
        id=secrets.token_urlsafe(9),
        version=0,
        made_at=now(),
        maker=maker,
        game=game.name,
        rules_version=game.rules_version,
        components_name=chosen.name,
        components_sha256=chosen.sha256,
        components_data=None if chosen.shipped else chosen.data,
        options=game.check_options(options),
        players=players,
        seed=f"{new_key():0{KEY_DIGITS}x}",
        pace=pace,
        open_bots=open_bots,
        hints=hints,
    )


def again(row: TableRow, sitting: Sequence[SeatRow], turn: int) -> tuple[TableRow, list[SeatRow]]:
    """The same table anew, everybody `turn` seats further."""
    fresh = replace(
        row,
        id=secrets.token_urlsafe(9),
        version=0,
        made_at=now(),
        seed=f"{new_key():0{KEY_DIGITS}x}",
        to_act=None,
        next=None,
    )
    count = len(sitting)
    moved = [replace(s, seat=(s.seat + turn) % count, seen_at=None) for s in sitting]
    return fresh, sorted(moved, key=lambda s: s.seat)
