"""The timeline of a game at a table: its moves, replayed, which are the only source of its position."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from atoll.core.records import dealt_anew, play_line
from atoll.core.seen import ForAll, Seen, Trackers
from atoll.core.types import Json
from atoll.text.errors import IllegalMove
from atoll.text.translation import Translator
from atoll.web.refusal import Refusal
from atoll.web.store.store import Answer
from atoll.web.table.move_choice import Fields, find_move

if TYPE_CHECKING:
    from atoll.core.events import Event
    from atoll.core.game import Position, View


@dataclass
class TimelineRound:
    """The moves of one round: those from number `first` to before `last`, and the position after them.

    A round may begin in the middle of a move and end in the middle of another: `skipped` events of its first move came
    before it, and `kept` of its last move are its own, all of them if None. `number` is 0 before the first round.
    """

    number: int
    first: int
    last: int
    after: "Position"
    skipped: int = 0
    kept: int | None = None

    def events(self, moves_events: "Sequence[Sequence[Event]]") -> "list[Event]":
        """Its events, of those of every move."""
        moves = [list(events) for events in moves_events[self.first : self.last]]
        moves[-1] = moves[-1][: self.kept]
        moves[0] = moves[0][self.skipped :]
        return [event for events in moves for event in events]

    def events_before(self, moves_events: "Sequence[Sequence[Event]]", move: int) -> int:
        """How many of its events came before the move of that number."""
        if move <= self.first:
            return 0
        if move >= self.last:
            return len(self.events(moves_events))
        return sum(len(events) for events in moves_events[self.first : move]) - self.skipped


@dataclass(frozen=True)
class UndoneMoves:
    """Moves that a seat took back: `count` moves after the first `at`, by consent of the seats `agreed`."""

    seat: int
    at: int
    count: int
    agreed: tuple[int, ...] = ()


@dataclass(frozen=True)
class Redeal:
    """All that was hidden after the first `at` moves was dealt anew when somebody took that seat: by a key in
    hexadecimal digits, or as a record says. `told`: somebody has seen the key since. `number`: counted from 1, where
    the key follows from the table's.
    """

    seat: int
    at: int
    dealt: "str | Json"
    told: bool = False
    number: int | None = None

    def line(self, decision: int) -> Answer:
        """As it is stored: a line of its own, which is no move."""
        told = {"told": True} if self.told else {}
        number = {} if self.number is None else {"number": self.number}
        return Answer(self.seat, decision, {"redeal": self.dealt, **told, **number})


def is_undo(answer: Answer) -> bool:
    """Whether a line is an undo and not a move."""
    return "undo" in answer.move


def is_redeal(answer: Answer) -> bool:
    """Whether a line deals anew what is hidden."""
    return "redeal" in answer.move


def with_one_more(before: Sequence[UndoneMoves], latest: UndoneMoves) -> list[UndoneMoves]:
    """Merge an undo into the earlier ones: those of later moves stand at its place, and a seat's are added up."""
    entries, count = [], latest.count
    for entry in before:
        if entry.at < latest.at:
            entries.append(entry)
        elif (entry.seat, entry.agreed) == (latest.seat, latest.agreed):
            count += entry.count
        else:
            entries.append(replace(entry, at=latest.at))
    return [*entries, replace(latest, count=count)]


class Timeline:
    """The moves that were played and those that are chosen and can be taken back, with all that follows from them.

    It is what differs between a table and what the table would be after an answer.
    """

    def __init__(self, position: "Position") -> None:
        self.position = position
        self.start = position.copy()
        """where the lines begin"""
        self.choices: dict[int, Answer] = {}
        """by seat"""
        self.lines: list[Answer] = []
        """everything that was decided: moves, undone ones too, and undos; and when what is hidden was dealt anew"""
        self.redeals: list[Redeal] = []
        self.undone: list[UndoneMoves] = []
        self.chance: dict[int, Json] = {}
        """outcomes of chance by the numbers of moves, where a record has them and the generator does not"""
        self.seat_notes: tuple[tuple[int, int, str], ...] = ()
        """number of moves, seat, and what the log says of it (`Times.notes`)"""
        self.answers: list[Answer] = []
        """the moves that stand"""
        self.events: list[tuple[Event, ...]] = []
        """of each answer"""
        self.beside: list[tuple[int, ...]] = []
        """of each answer the seats that chose at the same time, its own among them; none where it counted at once"""
        self.rounds: list[TimelineRound] = []
        self._events_seen: dict[int | None, list[tuple[Event, ...]]] = {}
        self._followed: dict[int | None, Trackers] = {}
        self._views: dict[int | None, View] = {}
        self._for_all: ForAll | None = None
        """of the position as it is now"""

    # Whose turn it is

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.position.is_over

    @property
    def over(self) -> Json | None:
        """Points, winners and breakdown, which everybody may know once the game has ended; None until then.

        They are plain values of the position and not of a view: they may follow from what is hidden to the end.
        """
        outcome = self.position.outcome
        if outcome is None:
            return None
        rows = self.position.breakdown()
        return {"points": list(outcome.points), "winners": list(outcome.winners), "breakdown": rows}

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that everybody waits for: they have to decide and have not chosen."""
        return tuple(seat for seat in self.position.to_act if seat not in self.choices)

    def decision(self, seat: int) -> int:
        """The number of the decision that the seat takes next, its own decisions counted from 0, those that were taken
        back and taking back included: so no decision has the number of an earlier one."""
        return sum(line.seat == seat for line in self.lines)

    def legal_moves(self, seat: int) -> list[Json]:
        """What the seat may do now."""
        return list(self.position.view(seat).legal_moves())

    def may_take_back(self) -> bool:
        """Whether what is chosen now can be taken back until the last has chosen."""
        return bool(self.position.game.rules.replaceable(self.position.state))

    @property
    def stays(self) -> int:
        """How many moves cannot be taken back, since what is hidden was dealt anew after them."""
        return self.redeals[-1].at if self.redeals else 0

    # Going on

    def replay(self, answer: Answer) -> None:
        """Carry out a line: a move, what takes moves back, or what deals anew."""
        self.lines.append(answer)
        if is_undo(answer):
            self._go_back(answer)
        elif is_redeal(answer):
            dealt, told = answer.move["redeal"], answer.move.get("told", False)
            self.redeal(Redeal(answer.seat, len(self.answers), dealt, told, answer.move.get("number")))
        else:
            self._play(answer)

    def redeal(self, redeal: Redeal) -> None:
        """Deal anew what is hidden. Done again in the position that it led to, it leads to the same."""
        self.redeals.append(redeal)
        self.position = dealt_anew(self.position, redeal.dealt)
        if self.rounds:
            self.rounds[-1].after = self.position.copy()
        self._forget_views()
        self._followed.clear()

    def redeal_after(self, at: int, redeals: "Sequence[Redeal]") -> None:
        """Deal anew as often as was done after so many moves."""
        for redeal in redeals:
            if redeal.at == at:
                self.redeal(redeal)

    def _go_back(self, line: Answer) -> None:
        """Restore the earlier position, with what is hidden and the state of the generator of chance."""
        at, count = line.move["undo"], len(self.answers)
        if not self.stays <= at < count:
            raise IllegalMove(f"the game cannot go back to after move {at} of {count}")
        then = PastTimeline.of(self, self.start, at)
        self.position = then.position
        self.answers, self.events, self.rounds = then.answers, then.events, then.rounds
        self.beside = then.beside
        self._forget_views()
        agreed = tuple(line.move.get("agreed", ()))
        self.undone = with_one_more(self.undone, UndoneMoves(line.seat, at, count - at, agreed))
        self._events_seen.clear()
        self._followed.clear()

    def _forget_views(self) -> None:
        self._views.clear()
        self._for_all = None

    def _play(self, answer: Answer) -> None:
        position = self.position
        if len(self.answers) >= position.most_decisions:
            raise position.game.endless(position.components, position.players)
        number = self._round()
        self.beside.append(position.to_act if self.may_take_back() else ())
        self._forget_views()
        if (decided := self.chance.get(len(self.answers))) is None:
            events = tuple(position.play(answer.seat, answer.move))
        else:
            events = tuple(
                play_line(position, {"player": answer.seat, "move": answer.move, "chance": decided})
            )
        self.events.append(events)
        self.answers.append(answer)
        self._extend(number)
        begins = position.game.events.begins_round
        for at in (at for at, event in enumerate(events) if begins(event)):
            self.rounds[-1].kept = at
            self._begin(self._round(), skipped=at + 1)

    def _round(self) -> int:
        return self.position.game.messages.progress(Translator("en"), self.position.view()).round

    def _extend(self, number: int) -> None:
        """The last move belongs to the round of that number."""
        if self.rounds and self.rounds[-1].number == number:
            self.rounds[-1].last = len(self.answers)
            self.rounds[-1].after = self.position.copy()
        else:
            self._begin(number)

    def _begin(self, number: int, skipped: int = 0) -> None:
        """A round begins in the last move, after so many of its events."""
        count = len(self.answers)
        if self.rounds and self.rounds[-1].number == number:
            self.rounds[-1].number = 0  # what came before the first round
        self.rounds.append(TimelineRound(number, count - 1, count, self.position.copy(), skipped))

    def catch_up(self, answers: Iterable[Answer], choices: Iterable[Answer]) -> None:
        """Carry out what was played elsewhere since; `choices` are all that stand now."""
        for answer in answers:
            self.replay(answer)
        self.choices = {answer.seat: answer for answer in choices}

    def is_answered(self, seat: int, decision: int, fields: Fields) -> bool:
        """Whether the seat has given this answer to this decision; raises Refusal if the decision is not its next."""
        mine = [line for line in self.lines if line.seat == seat]
        if 0 <= decision < len(mine):
            if find_move([mine[decision].move], fields) is not None:
                return True
            raise Refusal(409, "You have already decided this; here is the table as it is now.")
        if decision != len(mine):
            raise Refusal(409, "The table has changed; here it is as it is now.")
        if self.is_over:
            raise Refusal(409, "The game is over.")
        if seat not in self.position.to_act:
            raise Refusal(409, "It is not your turn.")
        return False

    def answer(self, seat: int, decision: int, fields: Fields) -> Answer:
        """The seat's answer with these parts of a move; raises Refusal if that is no legal move."""
        move = find_move(self.legal_moves(seat), fields)
        if move is None:
            raise Refusal(422, "That move is not possible.")
        return Answer(seat, decision, move)

    def after(self, answer: Answer) -> "Timeline":
        """The timeline after an answer."""
        after = self.copy(self.position.copy())
        moves = {answer.seat: answer}
        if self.may_take_back():
            moves = self.choices | moves
            if any(seat not in moves for seat in self.position.to_act):
                after.choices, moves = moves, {}
        for seat in sorted(moves):
            after.replay(moves[seat])
        return after

    def copy(self, position: "Position") -> "Timeline":
        """An independent copy that goes on from this position; nobody has chosen."""
        copied = Timeline(position)
        copied.start = self.start
        copied.seat_notes, copied.chance = self.seat_notes, self.chance
        copied.lines, copied.undone = list(self.lines), list(self.undone)
        copied.redeals = list(self.redeals)
        copied.events, copied.answers = list(self.events), list(self.answers)
        copied.beside = list(self.beside)
        copied.rounds = [replace(one) for one in self.rounds]
        copied._followed = {seat: dict(trackers) for seat, trackers in self._followed.items()}
        copied._events_seen = {seat: list(moves_events) for seat, moves_events in self._events_seen.items()}
        return copied

    # What a seat may know; None is a spectator

    def view(self, seat: int | None) -> "View":
        """The position."""
        if seat not in self._views:
            self._views[seat] = as_seen(self.position, seat)
        return self._views[seat]

    def view_after(self, round_: TimelineRound, seat: int | None) -> "View":
        """The position after a round."""
        return self.view(seat) if round_ is self.rounds[-1] else as_seen(round_.after, seat)

    def events_seen(self, seat: int | None) -> "list[tuple[Event, ...]]":
        """The events of every move since the start."""
        from atoll.core.state import SPECTATOR  # which imports NumPy

        hide = self.position.game.notation.hide_event
        moves_events = self._events_seen.setdefault(seat, [])
        for events in self.events[len(moves_events) :]:
            moves_events.append(tuple(hide(event, SPECTATOR if seat is None else seat) for event in events))
        return moves_events

    def seen(self, seat: int | None, names: Sequence[str]) -> Seen:
        """What the viewer's page is drawn from; `names` are those of the seats."""
        if self._for_all is None:
            self._for_all = ForAll(self.view(None))
        trackers = self._followed.setdefault(seat, {})
        return Seen(self.view(seat), self.events_by_look(seat), names, trackers, self._for_all)

    def events_by_look(self, seat: int | None) -> "list[tuple[Event, ...]]":
        """The same, where those since the seat's last look count as one move."""
        moves_events, since = self.events_seen(seat), self.since_last_look(seat)
        latest = tuple(event for events in moves_events[since:] for event in events)
        return [*moves_events[:since], latest] if moves_events else []

    def seen_moves(self, seat: int) -> int:
        """How many moves the seat has seen for certain: all up to its own last one."""
        return next(self.moves_of(seat), -1) + 1

    def since_last_look(self, seat: int | None) -> int:
        """The number of the first move that is new to the seat: its own last one, or the first of all; to those who
        watch, the last.
        """
        if seat is None:
            return max(0, len(self.answers) - 1)
        return next(self.moves_of(seat), 0)

    def moves_of(self, seat: int) -> Iterator[int]:
        """The numbers of a seat's moves, the last one first."""
        return (number for number in reversed(range(len(self.answers))) if self.answers[number].seat == seat)


class PastTimeline(Timeline):
    """A timeline after fewer moves, for replays. Nothing in it is new but its last move.

    `opened`: everything is shown, whoever looks; for games that are over.
    """

    def __init__(self, position: "Position", opened: bool = False) -> None:
        super().__init__(position)
        self.opened = opened

    @classmethod
    def of(cls, timeline: Timeline, start: "Position", number: int, opened: bool = False) -> "PastTimeline":
        """A timeline after its first `number` moves; `start` is its first position."""
        whole = [one for one in timeline.rounds if one.last <= number]
        while whole and whole[-1].kept is not None:  # the next round begins in the same move
            whole.pop()
        past = cls(whole[-1].after.copy() if whole else start.copy(), opened)
        count = whole[-1].last if whole else 0
        past.rounds = [replace(one) for one in whole]
        past.start, past.chance = start, timeline.chance
        past.answers, past.events = timeline.answers[:count], timeline.events[:count]
        past.beside = timeline.beside[:count]
        past.lines = list(past.answers)
        past.redeals = [one for one in timeline.redeals if one.at < count]
        for at in range(count, number + 1):
            past.redeal_after(at, timeline.redeals)
            if at < number:
                past.replay(timeline.answers[at])
        past.undone = [entry for entry in timeline.undone if entry.at <= number]
        past.seat_notes = tuple(note for note in timeline.seat_notes if note[0] <= number)
        return past

    def view(self, seat: int | None) -> "View":
        """The position."""
        return self.position.opened() if self.opened else super().view(seat)

    def view_after(self, round_: TimelineRound, seat: int | None) -> "View":
        """The position after a round."""
        return round_.after.opened() if self.opened else super().view_after(round_, seat)

    def events_seen(self, seat: int | None) -> "list[tuple[Event, ...]]":
        """The events of every move since the start."""
        return list(self.events) if self.opened else super().events_seen(seat)

    def seen_moves(self, seat: int) -> int:
        """All moves."""
        return len(self.answers)

    def since_last_look(self, seat: int | None) -> int:
        """The number of the last move."""
        return max(0, len(self.answers) - 1)


def as_seen(position: "Position", seat: int | None) -> "View":
    """A position as the seat may know it."""
    return position.view() if seat is None else position.view(seat)


def seen_after(position: "Position", mover: int, action: int, seat: int) -> object:
    """Play a legal action of `mover`; returns all that `seat` sees of it."""
    return as_it_looks(position, position.play_action(mover, action), seat)


def as_it_looks(position: "Position", events: "Sequence[Event]", seat: int) -> object:
    """All that a seat sees of a move: its events, and the position after it."""
    return shown(position.view(seat), events, seat)


def shown(view: "View", events: "Sequence[Event]", seat: int) -> object:
    """The same, where the seat's view of the position is known."""
    hide = view.game.notation.hide_event
    return tuple(hide(event, seat) for event in events), view.states.tobytes()
