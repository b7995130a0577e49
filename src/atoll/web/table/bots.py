"""The bots that play at a table, and the hints for the people who do."""

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from atoll.bots import Bot, bot_names, find_bot
from atoll.bots.bot import SearchBot
from atoll.core.types import Json
from atoll.text.errors import UnknownBot
from atoll.text.messages import Message, quoted
from atoll.web.bounds import Allowance
from atoll.web.refusal import Refusal
from atoll.web.table.premoves import next_premove
from atoll.web.table.seats import Seating
from atoll.web.table.timeline import Timeline

if TYPE_CHECKING:
    from atoll.core.game import View

SEARCH = re.compile(r"search:(?P<number>[0-9]{1,6})(?P<unit>ms|)")
MOST_ITERATIONS = 100_000
"""Iterations that a bot at a table may search, if there is time."""


@dataclass(frozen=True)
class Hint:
    """The best moves of a seat, the best first, each with its chance to win. `why` has for each what it brings more
    than the others: the part of the own score, named in English, or another seat, and points.
    """

    moves: tuple[tuple[Json, float], ...]
    why: tuple[tuple[tuple[str | int, float], ...], ...] = ()


@dataclass(frozen=True)
class Bots:
    """What the bots of a table have to do, and what they advise."""

    timeline: Timeline
    seating: Seating
    allowance: Allowance
    hints: str
    """who may ask for hints, one of HINTS"""
    held: bool = False
    """whether bots wait, since people are asked whether something is taken back"""

    @property
    def have_to_act(self) -> bool:
        """Whether a bot has to decide, or a premove is to be played."""
        return self._next() is not None or self.premove() is not None

    def premove(self) -> tuple[int, int, Json] | None:
        """The next premove: the seat, the number of its decision, the move."""
        if self.held or self.seating.waiting or self.seating.ended is not None:
            return None
        for seat in self.timeline.to_act:
            move = next_premove(self.timeline, self.seating.seats[seat])
            if move is not None:
                return seat, self.timeline.decision(seat), move
        return None

    @property
    def search_next(self) -> bool:
        """Whether the next bot that has to decide searches."""
        turn = self._next()
        return turn is not None and turn[1].searches

    def _next(self) -> tuple[int, Bot] | None:
        if self.held or self.seating.waiting or self.seating.ended is not None:
            return None
        for seat in self.timeline.to_act:
            name = self.seating.seats[seat].bot
            if name is not None:
                return seat, bot_here(name, self.allowance)
        return None

    def turn(self) -> "tuple[int, int, Bot, View] | None":
        """The next decision of a bot: seat, decision, bot and what it may know."""
        turn = self._next()
        if turn is None:
            return None
        seat, bot = turn
        return seat, self.timeline.decision(seat), bot, self.timeline.view(seat)

    def may_move(self, seat: int, decision: int, bot: Bot, action: int) -> bool:
        """Whether what a bot chose can be carried out: the table has not moved on, and it still plays in its seat."""
        sits = self.seating.seats[seat].bot == bot.name and seat in self.timeline.to_act
        legal = self.timeline.view(seat).legal_moves()
        return sits and not self.held and decision == self.timeline.decision(seat) and action in legal.actions

    def give_hints(self, seat: int | None) -> bool:
        """Whether the person in the seat has to decide and may ask for a hint."""
        if self.seating.waiting or self.seating.ended is not None:
            return False
        alone = self.hints == "alone" and self.seating.people == 1
        allowed = self.hints == "always" or alone
        return allowed and seat in self.timeline.to_act and not self.seating.has_stand_in(seat)

    def hint(self, seat: int | None) -> Hint | None:
        """The hint that the seat has asked for in this position."""
        hint = None if seat is None else self.seating.seats[seat].hint
        if hint is None or hint["played"] != len(self.timeline.lines) or not self.give_hints(seat):
            return None
        why = tuple(tuple((what, points) for what, points in told) for told in hint.get("why", ()))
        return Hint(tuple((move, wins) for move, wins in hint["moves"]), why)


def bot_here(name: str, allowance: Allowance) -> Bot:
    """The bot of that name, if it is one that plays at tables; raises UnknownBot.

    What comes from a form never starts a program, and no search takes longer than the limit, whatever its name says.
    """
    if name not in bot_names() and not SEARCH.fullmatch(name):
        raise UnknownBot(
            Message(
                "no bot called %(name)s plays at tables; there are: %(known)s",
                name=quoted(name),
                known=", ".join(bot_names()),
            )
        )
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
