"""Gaining and spending, scoring, learning, and the pile of effects that wait to be carried out.

An effect is a row of word, target and amount. Rows lie on a pile in the state, the next one on top; what a rule
or a card makes a player do is put there, so that a question in the middle of it can wait for its answer.
"""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.events import emit
from atoll.core.state import UNKNOWN
from atoll.engine.chance import shuffle
from atoll.engine.compiling import compiled, inlined
from atoll.games.cast_away import events as ev
from atoll.games.cast_away import state as ca

# Piles


@compiled
def shuffle_left(left, pile, generator):
    """Make a shuffled pile of what is left: all that have a 1; returns how many."""
    count = 0
    for card in range(left.shape[0]):
        if left[card] == 1:
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
    taken = min(int(amount), int(state.stock[resource]))
    state.stock[resource] -= taken
    gain(state, seat, resource, taken, ev.STOCK, events)


@compiled
def spend(state, seat, resource, amount, target, events):
    """Resources leave a player."""
    if amount > 0:
        state.resources[seat, resource] -= amount
        emit(events, ev.SPENT, seat, resource, ev.NO_PLACE, target, amount)


# Prestige, happiness, experience


@compiled
def score(state, seat, prestige, cause, reached, events):
    """Prestige is the score (CA-3); a negative number is paid. `reached` is the level or point that it is for."""
    if prestige != 0:
        state.prestige[seat] += prestige
        emit(events, ev.SCORED, seat, cause, ev.NO_PLACE, reached, prestige)


@compiled
def be_happier(state, parts, seat, points, events):
    """Happiness rises, its thresholds score when reached, and what is above its end is lost (CA-2, CA-3)."""
    gained = happiness_gained(state, parts, seat, points)
    if gained <= 0:
        return
    before = int(state.happiness[seat])
    state.happiness[seat] += gained
    emit(events, ev.HAPPIER, seat, UNKNOWN, ev.NO_PLACE, before + gained, gained)
    for reached in range(before + 1, before + gained + 1):
        score(state, seat, int(parts.happiness_prestige[reached]), ev.FOR_HAPPINESS, reached, events)


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


# Effects


@compiled
def push(state, word, target, amount):
    """Put something to do on top of what waits."""
    top = int(state.todo_count)
    state.todo_word[top] = word
    state.todo_target[top] = target
    state.todo_amount[top] = amount
    state.todo_count = top + 1


@compiled
def push_rows(state, parts, owner, when):
    """Put a card's effects of that time on the pile, the first on top, with what comes instead of a level."""
    first = int(parts.row_first[owner])
    for row in range(first + int(parts.row_count[owner]) - 1, first - 1, -1):
        found = int(parts.rows[row, 0])
        word = int(parts.rows[row, 1])
        if found == when:
            push(state, word, int(parts.rows[row, 2]), int(parts.rows[row, 3]))
        elif found == when + ca.OTHERWISE:
            push(state, word + ca.OTHERWISE_WORD, int(parts.rows[row, 2]), int(parts.rows[row, 3]))


@compiled
def add_bonuses(state, parts, owner, seat, sign):
    """What a card gives as long as one has it begins (sign 1) or ends (sign -1)."""
    first = int(parts.row_first[owner])
    for row in range(first, first + int(parts.row_count[owner])):
        if parts.rows[row, 0] == ca.ALWAYS:
            state.bonus[seat, int(parts.rows[row, 1])] += sign * int(parts.rows[row, 3])


@compiled
def cover_slot(state, parts, seat, tile, events):
    """A tile goes on the next free slot, whose bonus is given; the last one ends the game (CA-4, CA-39)."""
    slot = int(state.slot_count[seat])
    state.slots[seat, slot] = tile
    state.slot_count[seat] = slot + 1
    push_rows(state, parts, ca.SLOT_ROWS + slot, ca.AT_ONCE)
    if slot + 1 == parts.slots and state.last_round == 0:
        state.last_round = 1
        emit(events, ev.LAST_ROUND, seat, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, 0)


@inlined
def has_free_slot(state, parts, seat):
    """Whether another tile finds a place on the player's board (CA-4)."""
    return state.slot_count[seat] < parts.slots


# What constructions cost


@inlined
def reduced_price(state, parts, seat, tile, resource):
    """A construction's price in a resource after the reductions of that resource (CA-15)."""
    return max(0, int(parts.tile_cost[tile, resource]) - int(state.bonus[seat, ca.REDUCTION + resource]))


@compiled
def can_pay_for(state, parts, seat, tile, discounts):
    """Whether a construction can be built: level, slot and price less so many free discounts (CA-15)."""
    if not is_within_reach(state, parts, seat, tile):
        return False
    return missing_for(state, parts, seat, tile) <= discounts and has_free_slot(state, parts, seat)


@inlined
def is_within_reach(state, parts, seat, tile):
    """Whether a construction is to be built, and the player's level suffices (CA-15)."""
    level = state.experience[seat, ca.CONSTRUCTION]
    return state.tile_owner[tile] == ca.NOBODY and parts.tile_level[tile] <= level


@inlined
def missing_for(state, parts, seat, tile):
    """How many resources the player lacks for a construction, free discounts apart (CA-15)."""
    missing = 0
    for resource in range(ca.BUILDING):
        price = reduced_price(state, parts, seat, tile, resource)
        missing += max(0, price - int(state.resources[seat, resource]))
    return missing


@inlined
def free_discounts(state, seat):
    """Resources spared at one's choice, the first arrival's apart (CA-15)."""
    return int(state.bonus[seat, ca.FREE_REDUCTION])


@compiled
def build_discounts(state, parts, seat):
    """Free discounts at the place for construction (CA-15)."""
    first = int(parts.construction_first_discount) if state.place_count[ca.CONSTRUCTION_PLACE] == 0 else 0
    return first + free_discounts(state, seat)
