"""The rules of Goofspiel: the highest bid takes the prize; equal highest bids leave it for the next round."""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.events import Events
from atoll.core.fields import everybody
from atoll.core.invariants import require
from atoll.core.moves import Kind, Moves, Part
from atoll.core.state import UNKNOWN
from atoll.engine.chance import draw_below, fork_generator, shuffle
from atoll.engine.compiling import compiled
from atoll.engine.events import emit
from atoll.engine.hiding import unhide
from atoll.engine.positions import begin_game, most_points
from goofspiel.state import CARDS, MOST_PLAYERS, MOST_POINTS, NONE, GoofspielState

HIDDEN = GoofspielState.hidden

MOVES = Moves(Kind("bid", Part("card", range(1, CARDS + 1), of="card", least=1)))
MAX_LEGAL = CARDS
MAX_EVENTS = MOST_PLAYERS + 2

EVENTS = Events()
BID = EVENTS.kind("bid", "%(name)s bids %(piece)s.", whose=everybody("who bids"), piece=everybody("the card"))
WON = EVENTS.kind("won", "%(name)s scores %(extra)s.", whose=everybody("who wins"), extra=everybody("points"))
TIED = EVENTS.kind("tied", "Equal highest bids: %(extra)s stays at stake.", extra=everybody("points"))
TURNED_UP = EVENTS.kind("turned up", "The next prize is %(piece)s.", piece=everybody("the prize"))


@compiled
def start(state, parts, players, generator):
    """Write the first position into `state`: all hands whole, the prizes shuffled, the first one turned up."""
    begin_game(state, players, generator)
    for seat in range(players):
        for i in range(CARDS):
            state.hand[seat, i] = 1
    for i in range(CARDS):
        state.stock[i] = i + 1
    shuffle(state.stock, CARDS, state.generator)
    state.left = CARDS
    turn_up(state)


@compiled
def turn_up(state):
    """Begin a round: the next prize is at stake, and everybody has to bid."""
    state.left -= 1
    prize = state.stock[state.left]
    state.stock[state.left] = NONE
    state.prizes[state.shown] = prize
    state.shown += 1
    state.at_stake += prize
    state.round_number += 1
    state.to_act = (1 << state.players) - 1


@compiled
def legal_actions(state, parts, seat, out):
    """Write the action codes that `seat` may choose, ascending; returns how many: the cards in its hand."""
    if not state.to_act >> seat & 1:
        return 0
    count = 0
    for i in range(CARDS):
        if state.hand[seat, i] == 1:
            out[count] = i
            count += 1
    return count


@compiled
def play(state, parts, seat, action, events):
    """Carry out a legal action: a card is laid face down, and all are turned up once everybody has bid."""
    state.bid[seat] = action + 1
    state.to_act ^= 1 << seat
    if state.to_act == 0:
        compare(state, events)
        if state.left > 0:
            turn_up(state)
            emit(events, TURNED_UP, -1, state.prizes[state.shown - 1], -1, -1, 0)


@compiled
def compare(state, events):
    """The highest bid takes what is at stake, if it is alone; every card that was bid is gone."""
    highest = 0
    winner = -1
    for seat in range(state.players):
        card = state.bid[seat]
        emit(events, BID, seat, card, -1, -1, 0)
        state.hand[seat, card - 1] = 0
        state.last_bid[seat] = card
        state.bid[seat] = NONE
        if card > highest:
            highest = card
            winner = seat
        elif card == highest:
            winner = -1
    if winner >= 0:
        state.points[winner] += state.at_stake
        emit(events, WON, winner, -1, -1, -1, state.at_stake)
        state.at_stake = 0
    else:
        emit(events, TIED, -1, -1, -1, -1, state.at_stake)


@compiled
def reveal(state, parts, seat, out):
    """Show who has not bid yet: there is no card that could be hidden."""
    for other in range(state.players):
        if state.bid[other] == NONE:
            out.bid[other] = NONE


@compiled
def resample(view, parts, generator, out):
    """Write into `out` a full state drawn uniformly from those that agree with `view`.

    Nobody has seen the stock: any order is as likely. A bid that is hidden is any card of that hand.
    """
    unhide(view, out, HIDDEN)
    count = 0
    for card in range(1, CARDS + 1):
        seen = False
        for i in range(view.shown):
            seen |= view.prizes[i] == card
        if not seen:
            out.stock[count] = card
            count += 1
    shuffle(out.stock, count, generator)
    for seat in range(view.players):
        if view.bid[seat] == UNKNOWN:
            out.bid[seat] = any_card(view, seat, generator)
    fork_generator(generator, out.generator)


@compiled
def any_card(view, seat, generator):
    """A card of a hand, each equally likely."""
    count = 0
    found = 0
    for i in range(CARDS):
        if view.hand[seat, i] == 1:
            count += 1
            if draw_below(generator, count) == 0:
                found = i + 1
    return found


@compiled
def result(state, parts, points):
    """Write each seat's points; returns the bit set of the winners, 0 while the game runs."""
    for seat in range(state.players):
        points[seat] = state.points[seat]
    return most_points(state, points)


def max_decisions(components, players):
    """Declared bound of a game's length, and always reached."""
    return CARDS * players


def points_range(components, players):
    """Declared bounds of a seat's points."""
    return 0, MOST_POINTS


def check(state, components):
    """Raise AssertionError, naming it, if a prize is lost or made, or a bid is not from its hand."""
    prizes = [*state.prizes[: state.shown].tolist(), *state.stock[: state.left].tolist()]
    require(sorted(prizes) == list(range(1, CARDS + 1)), "every prize is in one place")
    for seat in range(state.players):
        require(state.bid[seat] == NONE or state.hand[seat, state.bid[seat] - 1] == 1, "a bid is in the hand")
