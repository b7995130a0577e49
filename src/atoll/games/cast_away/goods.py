"""Gaining and spending, scoring, learning and looking.

What a word of the components file does by itself takes an effect's target and amount: (state, parts, seat, target,
amount, events).
"""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.state import UNKNOWN
from atoll.engine.chance import shuffle
from atoll.engine.compiling import compiled, inlined
from atoll.engine.events import emit
from atoll.games.cast_away import events as ev

# Piles


@compiled
def shuffle_left(in_pile, pile, generator):
    """Make a shuffled pile of what is left: all that have a 1; returns how many."""
    count = 0
    for card in range(in_pile.shape[0]):
        if in_pile[card] == 1:
            pile[count] = card
            count += 1
    shuffle(pile, count, generator)
    return count


# Resources


@inlined
def gain(state, seat, resource, amount, origin, events):
    """Resources come to a player."""
    if amount > 0:
        state.resources[seat, resource] += amount
        emit(events, ev.GAINED, seat, resource, origin, ev.NO_PLACE, amount)


@compiled
def gain_from_stock(state, seat, resource, amount, events):
    """Resources from the board's stock, never more than it holds (CA-9, CA-14)."""
    count = min(int(amount), int(state.stock[resource]))
    state.stock[resource] -= count
    gain(state, seat, resource, count, ev.STOCK, events)


@compiled
def spend(state, seat, resource, amount, target, events):
    """Resources leave a player."""
    if amount > 0:
        state.resources[seat, resource] -= amount
        emit(events, ev.SPENT, seat, resource, ev.NO_PLACE, target, amount)


@compiled
def gain_by_effect(state, parts, seat, resource, amount, events):
    """Resources from the reserve."""
    gain(state, seat, resource, amount, ev.RESERVE, events)


@compiled
def pay(state, parts, seat, resource, amount, events):
    """Resources to the reserve, as the price of an effect."""
    spend(state, seat, resource, amount, ev.RESERVE, events)


# Prestige, happiness, experience


@compiled
def score(state, seat, prestige, cause, target, events):
    """Prestige is the score (CA-3); a negative number is paid. `target` is the level or point that it is for."""
    if prestige != 0:
        state.prestige[seat] += prestige
        emit(events, ev.SCORED, seat, cause, ev.NO_PLACE, target, prestige)


@compiled
def score_by_effect(state, parts, seat, target, amount, events):
    """Prestige."""
    score(state, seat, amount, ev.FOR_EFFECT, ev.NO_PLACE, events)


@compiled
def be_happier(state, parts, seat, target, points, events):
    """Happiness rises, its thresholds score when reached, and what is above its end is lost (CA-2, CA-3)."""
    gain = happiness_gained(state, parts, seat, points)
    if gain <= 0:
        return
    before = int(state.happiness[seat])
    state.happiness[seat] += gain
    emit(events, ev.HAPPIER, seat, UNKNOWN, ev.NO_PLACE, before + gain, gain)
    for step in range(before + 1, before + gain + 1):
        score(state, seat, int(parts.happiness_prestige[step]), ev.FOR_HAPPINESS, step, events)


@inlined
def happiness_gained(state, parts, seat, points):
    """How many of so many points of happiness there is room for (CA-2)."""
    return min(int(points), int(parts.happiness_top) - int(state.happiness[seat]))


@compiled
def learn(state, parts, seat, domain, levels, events):
    """Levels of a domain; its prestige at once; a level of a complete domain is lost (CA-2)."""
    state.learnt = 0
    for _ in range(levels):
        if state.experience[seat, domain] < parts.domain_top[domain]:
            level = int(state.experience[seat, domain]) + 1
            state.experience[seat, domain] = level
            state.learnt = 1
            emit(events, ev.LEVEL_GAINED, seat, domain, ev.NO_PLACE, level, 0)
            score(state, seat, int(parts.level_prestige[domain, level]), ev.FOR_LEVEL + domain, level, events)


# Events to come


@compiled
def look_at_events(state, parts, seat, target, amount, events):
    """A secret look at the next events (CA-23): from then on the seat knows them."""
    cards = min(amount, int(state.event_count))
    for depth in range(cards):
        card = state.event_pile[int(state.event_count) - 1 - depth]
        emit(events, ev.EVENT_SEEN, seat, card, depth, ev.NO_PLACE, 0)
    state.seen_count[seat] = max(cards, int(state.seen_count[seat]))
