"""What happens: the pile of effects that wait, what actions, effects and answers do, and the questions in between.

An effect is a row of word, target and amount; EFFECTS has the function of each word. Rows lie on a pile in the state,
the next one on top; what a rule or a card makes a player do is put there, so that a question in the middle of it can
wait for its answer. A question is a phase with a row in QUESTIONS: the moves that answer it, whether a choice is
offered, and what it does. Where there is only one answer, it is given without asking.

`may_...` says whether a player may choose something, or whether it has an effect; places and meeples are checked in
`placement.py`.
"""

# mypy: disable-error-code="no-untyped-def"

from dataclasses import dataclass
from typing import Any

import numpy as np

from atoll.core.state import UNKNOWN
from atoll.engine.compiling import compiled, inlined
from atoll.engine.dispatching import dispatch
from atoll.engine.events import emit
from atoll.engine.lists import insert_at, remove_at
from atoll.engine.records import scratch
from atoll.games.cast_away import events as ev
from atoll.games.cast_away import goods, upkeep
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.effect_words import FUNCTIONS
from atoll.games.cast_away.moves import MOVES

MAX_ANSWERS = ca.MAX_TILES
YES = 0

# The pile


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
        time = int(parts.rows[row, 0])
        word = int(parts.rows[row, 1])
        if time == when:
            push(state, word, int(parts.rows[row, 2]), int(parts.rows[row, 3]))
        elif time == when + ca.OTHERWISE:
            push(state, word + ca.OTHERWISE_WORD, int(parts.rows[row, 2]), int(parts.rows[row, 3]))


@compiled
def add_bonuses(state, parts, owner, seat, sign):
    """What a card gives as long as one has it begins (sign 1) or ends (sign -1)."""
    first = int(parts.row_first[owner])
    for row in range(first, first + int(parts.row_count[owner])):
        if parts.rows[row, 0] == ca.ALWAYS:
            state.bonus[seat, int(parts.rows[row, 1])] += sign * int(parts.rows[row, 3])


# Start boosts


@inlined
def may_take_boosts(state, parts, seat, random):
    """The face-up one and one at random, or two at random; the last player leaves no face-up one (CA-5)."""
    if random:
        return state.boost_face_up == 0 or state.turn < state.players - 1
    return state.boost_face_up == 1


@compiled
def take_boosts(state, parts, seat, random, events):
    """Two boosts, applied as they are taken, the face-up one first (CA-5)."""
    draws = ca.BOOSTS_EACH if random else ca.BOOSTS_EACH - 1
    if not random:
        state.boost_face_up = 0
        state.first_player = seat
        emit(events, ev.BOOST_TAKEN, seat, ca.FIRST_PLAYER, ev.NO_PLACE, ev.NO_PLACE, 0)
    count = int(state.boost_count)
    for i in range(count - draws, count):
        push_rows(state, parts, ca.BOOST_ROWS + int(state.boost_pile[i]), ca.AT_ONCE)
    if not random:
        push_rows(state, parts, ca.BOOST_ROWS + ca.FIRST_PLAYER, ca.AT_ONCE)
    for _ in range(draws):
        top = int(state.boost_count) - 1
        boost = int(state.boost_pile[top])
        state.boost_pile[top] = UNKNOWN
        state.boost_left[boost] = 0
        state.boost_count = top
        emit(events, ev.BOOST_TAKEN, seat, boost, ev.NO_PLACE, ev.NO_PLACE, 0)


# Exploration


@compiled
def explore(state, parts, seat, resource, arrivals, events):
    """Resources of a spot, more for the first to arrive, then one more for a fruit (CA-14)."""
    goods.gain_from_stock(state, seat, resource, exploration_yield(parts, arrivals), events)
    extra = extra_for_fruit(state, parts, seat)
    if state.bonus[seat, ca.FREE_EXPLORATION] > 0:
        goods.gain_from_stock(state, seat, resource, extra, events)
    else:
        push(state, ca.QUESTION + ca.FRUIT_SPENT, resource, extra)


@inlined
def exploration_yield(parts, arrivals):
    """Resources of a spot, to which `arrivals` meeples came before (CA-14)."""
    return int(parts.exploration_first) if arrivals == 0 else int(parts.exploration_later)


@inlined
def extra_for_fruit(state, parts, seat):
    """Resources that an Exploration brings more for a fruit (CA-14)."""
    return int(parts.exploration_extra) + int(state.bonus[seat, ca.EXPLORATION_BONUS])


@inlined
def may_choose_spot(state, parts, seat, resource):
    """A spot that has something in stock (CA-14)."""
    return state.stock[resource] > 0


@compiled
def choose_spot(state, parts, seat, resource, events):
    """An Exploration as first to arrive, without a place (CA-28)."""
    explore(state, parts, seat, resource, 0, events)


@compiled
def fruit_brings(state, seat, resource):
    """Whether a fruit would bring more of the resource (CA-14)."""
    return state.stock[resource] > 0 and state.resources[seat, ca.FRUIT] > 0


@inlined
def may_spend_fruit(state, parts, seat, choice):
    """Asked of the resource that is the target; the amount is how many a fruit brings (CA-14)."""
    return state.asked_amount > 0 and fruit_brings(state, seat, int(state.asked_target))


@compiled
def spend_fruit(state, parts, seat, choice, events):
    """One more of the resource for a fruit, or not (CA-14)."""
    if choice == YES:
        goods.spend(state, seat, ca.FRUIT, 1, ev.RESERVE, events)
        goods.gain_from_stock(state, seat, state.asked_target, state.asked_amount, events)


# Construction


@inlined
def has_free_slot(state, parts, seat):
    """Whether another tile finds a place on the player's board (CA-4)."""
    return state.slot_count[seat] < parts.slots


@inlined
def reduced_price(state, parts, seat, tile, resource):
    """A construction's price in a resource after the reductions of that resource (CA-15)."""
    return max(0, int(parts.tile_cost[tile, resource]) - int(state.bonus[seat, ca.REDUCTION + resource]))


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


@compiled
def can_pay_for(state, parts, seat, tile, discounts):
    """Whether a construction can be built: level, slot and price less so many free discounts (CA-15)."""
    if not is_within_reach(state, parts, seat, tile):
        return False
    return missing_for(state, parts, seat, tile) <= discounts and has_free_slot(state, parts, seat)


@inlined
def free_discounts(state, seat):
    """Resources spared at one's choice, the first arrival's apart (CA-15)."""
    return int(state.bonus[seat, ca.FREE_REDUCTION])


@compiled
def build_discounts(state, parts, seat):
    """Free discounts at the place for construction (CA-15)."""
    first = int(parts.construction_first_discount) if state.place_count[ca.CONSTRUCTION_PLACE] == 0 else 0
    return first + free_discounts(state, seat)


@compiled
def may_build(state, parts, seat, discounts):
    """Whether any construction can be built (CA-15)."""
    for tile in range(parts.tiles):
        if can_pay_for(state, parts, seat, tile, discounts):
            return True
    return False


@compiled
def begin_building(state, parts, seat, tile, discounts):
    """The price after reductions; what is spared freely comes next (CA-15)."""
    state.building = tile
    for resource in range(ca.BUILDING):
        state.price[resource] = reduced_price(state, parts, seat, tile, resource)
    push(state, ca.FINISH_BUILDING, 0, 0)
    push(state, ca.QUESTION + ca.DISCOUNT, 0, discounts)


@inlined
def may_build_free(state, parts, seat, tile):
    """A construction without its place (CA-28)."""
    return can_pay_for(state, parts, seat, tile, free_discounts(state, seat))


@compiled
def build_free(state, parts, seat, tile, events):
    """A construction without its place (CA-28)."""
    begin_building(state, parts, seat, tile, free_discounts(state, seat))


@compiled
def may_spare(state, parts, seat, resource):
    """Whether one of so many discounts may spare it: a price is left, and the tile stays payable (CA-15)."""
    if state.price[resource] == 0:
        return False
    missing = 0
    for other in range(ca.BUILDING):
        price = int(state.price[other]) - (1 if other == resource else 0)
        missing += max(0, price - int(state.resources[seat, other]))
    return missing < state.asked_amount


@compiled
def spare(state, parts, seat, resource, events):
    """One resource less to pay (CA-15)."""
    state.price[resource] -= 1


@compiled
def finish_building(state, parts, seat, target, amount, events):
    """Pay, place the tile, take its slot's bonus and its effect (CA-4, CA-15)."""
    tile = int(state.building)
    state.building = ca.NOBODY
    emit(events, ev.TILE_BUILT, seat, tile, ev.NO_PLACE, state.slot_count[seat], 0)
    for resource in range(ca.BUILDING):
        goods.spend(state, seat, resource, int(state.price[resource]), ev.RESERVE, events)
        state.price[resource] = 0
    state.tile_owner[tile] = seat
    push_rows(state, parts, ca.TILE_ROWS + tile, ca.AT_ONCE)
    cover_slot(state, parts, seat, tile, events)
    add_bonuses(state, parts, ca.TILE_ROWS + tile, seat, 1)


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


# Gathering


@inlined
def gathering_yield(state, parts, seat):
    """Fruit of a Gathering, if the stock has so many (CA-16)."""
    more = int(state.experience[seat, ca.NATURE]) + int(state.bonus[seat, ca.GATHERING_BONUS])
    return int(parts.gathering_fruit) + more


# Fishing


@inlined
def catch(state, parts, seat, card, doubled):
    """Fish that a fishing card gives a player: by level, twice with event 6, and what holds always (CA-27)."""
    fish = int(parts.fish[card, int(state.experience[seat, ca.FISHING])])
    return fish * (1 + doubled) + int(state.bonus[seat, ca.FISHING_BONUS])


@inlined
def may_double(state, parts, seat, choice):
    """Event 6 is offered before a fishing card is drawn (CA-27)."""
    return state.bonus[seat, ca.DOUBLE_FISHING] > 0


@compiled
def double(state, parts, seat, choice, events):
    """Use event 6 for the card that is drawn next, or keep it (CA-27)."""
    if choice == YES:
        use_event(state, parts, seat, ca.DOUBLE_FISHING, events)
        state.doubled = 1


@compiled
def draw_fish(state, parts, seat, target, amount, events):
    """Turn over a fishing card: its fish by level, then its extra, then the arrow (CA-27)."""
    doubled = int(state.doubled)
    state.doubled = 0
    card = turn_over_fish(state, parts, seat, doubled, events)
    goods.gain(state, seat, ca.FISH, catch(state, parts, seat, card, doubled), ev.RESERVE, events)
    push_rows(state, parts, ca.FISHING_ROWS + card, ca.AT_ONCE)


@compiled
def turn_over_fish(state, parts, seat, doubled, events):
    """The top fishing card leaves the pile; with an arrow, or as the last one, it has all shuffled (CA-27)."""
    top = int(state.fishing_count) - 1
    card = int(state.fishing_pile[top])
    state.fishing_pile[top] = UNKNOWN
    state.fishing_count = top
    state.fishing_left[card] = 0
    emit(events, ev.FISH_DRAWN, seat, card, ev.NO_PLACE, ev.NO_PLACE, doubled)
    if parts.fishing_arrow[card] == 1 or top == 0:
        push(state, ca.SHUFFLE_FISHING, 0, 0)
    return card


@compiled
def shuffle_fishing(state, parts, seat, target, amount, events):
    """All fishing cards become the pile again (CA-27)."""
    make_fishing_pile(state, parts)
    emit(events, ev.FISHING_SHUFFLED, UNKNOWN, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, 0)


@compiled
def make_fishing_pile(state, parts):
    """All fishing cards as a shuffled pile (CA-8)."""
    for i in range(parts.fishing_cards):
        state.fishing_left[parts.fishing_card[i]] = 1
    state.fishing_count = goods.shuffle_left(state.fishing_left, state.fishing_pile, state.generator)


# Event


@compiled
def take_event(state, parts, seat, events):
    """Take the round's card: what works at once is done, what is still to come stays with the player (CA-23)."""
    card = int(state.event)
    state.event = ca.NOBODY
    emit(events, ev.EVENT_TAKEN, seat, card, ev.NO_PLACE, ev.NO_PLACE, 0)
    if parts.event_kept[card] == 1:
        count = int(state.held_count)
        i = count
        while i > 0 and state.held_by[i - 1] > seat:
            i -= 1
        insert_at(state.held_event, count, i, card)
        insert_at(state.held_by, count, i, seat)
        state.held_count = count + 1
        add_bonuses(state, parts, ca.EVENT_ROWS + card, seat, 1)
    else:
        emit(events, ev.EVENT_DISCARDED, UNKNOWN, card, ev.NO_PLACE, ev.NO_PLACE, 0)
    goods.score(state, seat, int(state.bonus[seat, ca.EVENT_PRESTIGE]), ev.FOR_EVENT, ev.NO_PLACE, events)
    push_rows(state, parts, ca.EVENT_ROWS + card, ca.AT_ONCE)


@compiled
def use_event(state, parts, seat, word, events):
    """An event card that is used once leaves the game (CA-23): the first held that has this word."""
    index = ca.NOBODY
    for i in range(state.held_count):
        if index == ca.NOBODY and state.held_by[i] == seat:
            owner = ca.EVENT_ROWS + int(state.held_event[i])
            first = int(parts.row_first[owner])
            for row in range(first, first + int(parts.row_count[owner])):
                if parts.rows[row, 1] == word:
                    index = i
    card = int(state.held_event[index])
    add_bonuses(state, parts, ca.EVENT_ROWS + card, seat, -1)
    emit(events, ev.EVENT_USED, seat, card, ev.NO_PLACE, ev.NO_PLACE, 0)
    count = int(state.held_count)
    remove_at(state.held_event, count, index, UNKNOWN)
    remove_at(state.held_by, count, index, ca.NOBODY)
    state.held_count = count - 1


@compiled
def may_place_marker(state, parts, seat, choice):
    """Asked after the last meeple: now, before the next player's turn, or later, if there is another's turn (CA-13)."""
    if state.left_own[seat] + state.left_white[seat] > 0 or state.left_compass[seat] == 0:
        return False
    if choice == YES:
        return True
    for other in range(state.players):
        if other != seat and state.left_own[other] + state.left_white[other] + state.left_compass[other] > 0:
            return True
    return False


@compiled
def place_marker(state, parts, seat, choice, events):
    """Go on with the compass marker alone, or let the turn end (CA-13)."""
    if choice == YES:
        state.turn -= 1  # the next turn is the same player's


@inlined
def may_choose_first(state, parts, seat, choice):
    """Event 8 is offered before the Orientation phase (CA-29)."""
    return state.bonus[seat, ca.FIRST_IN_ORIENTATION] > 0


@compiled
def choose_first(state, parts, seat, choice, events):
    """Use event 8 now, or keep it (CA-29)."""
    emit(events, ev.FIRST_CHOSEN, seat, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, 1 - choice)
    if not choice:
        use_event(state, parts, seat, ca.FIRST_IN_ORIENTATION, events)
        state.chooser = seat


# Prayer, favours and miracles


@compiled
def pray(state, parts, seat, events):
    """Up by the level in faith, stopping at the last step; then a favour, or not (CA-19)."""
    before = int(state.favour[seat])
    after = min(before + prayer_steps(state, seat), int(parts.steps))
    state.favour[seat] = after
    emit(events, ev.FAVOUR_MOVED, seat, UNKNOWN, before, after, 0)
    push(state, ca.QUESTION + ca.FAVOUR, before, 0)


@inlined
def prayer_steps(state, seat):
    """Steps of divine favour that a Prayer takes (CA-19)."""
    return int(state.experience[seat, ca.FAITH]) + int(state.bonus[seat, ca.PRAYER_BONUS])


@compiled
def may_choose_favour(state, parts, seat, step):
    """To stay, 0, or a step passed or reached since the target; the last one again and again (CA-19)."""
    before = state.asked_target
    if step == 0:
        return True
    if step > state.favour[seat] or (step <= before and not (step == before and before == parts.steps)):
        return False
    return parts.step_miracle[step] == 0 or any_miracle(state, parts, seat)


@compiled
def choose_favour(state, parts, seat, step, events):
    """Stay, or take a favour and go back below A (CA-19)."""
    if step > 0:
        emit(events, ev.FAVOUR_TAKEN, seat, step, ev.NO_PLACE, ev.NO_PLACE, 0)
        emit(events, ev.FAVOUR_MOVED, seat, UNKNOWN, state.favour[seat], 0, 0)
        state.favour[seat] = 0
        push_rows(state, parts, ca.STEP_ROWS + step - 1, ca.AT_ONCE)


@inlined
def may_take_miracle(state, parts, seat, miracle):
    """A miracle that is left, and a free slot (CA-19, CA-20)."""
    return has_free_slot(state, parts, seat) and state.miracle_left[miracle] == 1


@compiled
def any_miracle(state, parts, seat):
    """Whether any miracle can be taken (CA-19)."""
    for miracle in range(len(ca.MIRACLES)):
        if may_take_miracle(state, parts, seat, miracle):
            return True
    return False


@compiled
def take_miracle(state, parts, seat, miracle, events):
    """A miracle of one's choice covers a slot (CA-4, CA-20)."""
    state.miracle_left[miracle] = 0
    emit(events, ev.MIRACLE_TAKEN, seat, miracle, ev.NO_PLACE, state.slot_count[seat], 0)
    cover_slot(state, parts, seat, ca.MIRACLE_SLOT + miracle, events)


# Study


@inlined
def may_learn(state, parts, seat, domain):
    """A domain that is not complete (CA-21)."""
    return state.experience[seat, domain] < parts.domain_top[domain]


@compiled
def may_study(state, parts, seat):
    """Whether any domain is not complete (CA-21)."""
    for domain in range(len(ca.DOMAINS)):
        if may_learn(state, parts, seat, domain):
            return True
    return False


@compiled
def learn(state, parts, seat, domain, events):
    """A level of a domain of one's choice."""
    goods.learn(state, parts, seat, domain, 1, events)


# Island mystery


@compiled
def may_take_design(state, parts, seat, storey, design):
    """A design that is left and that one does not have, above complete storeys unless any may be taken (CA-18)."""
    index = storey * ca.MAX_DESIGNS + design
    if state.mystery_left[index] == 0 or state.mystery[seat, index] == 1:
        return False
    if parts.any_storey == 1:
        return True
    for below in range(storey):
        if not upkeep.storey_complete(state, parts, seat, below):
            return False
    return True


@compiled
def may_take_lowest(state, parts, seat, design):
    """A design of the first storey (CA-18); as a boost's the first that can be had, if that is chosen (CA-5)."""
    if design >= parts.designs[0] or not may_take_design(state, parts, seat, 0, design):
        return False
    if parts.boost_of_first_design == 1 and state.stage == ca.BOOSTING:
        for earlier in range(design):
            if may_take_design(state, parts, seat, 0, earlier):
                return False
    return True


@compiled
def take_design(state, parts, seat, index, events):
    """A tile of the mystery; those of the first storey come first."""
    state.mystery_left[index] -= 1
    state.mystery[seat, index] = 1
    emit(events, ev.MYSTERY_TAKEN, seat, index, ev.NO_PLACE, ev.NO_PLACE, 0)


# Cubes of one's choice


@inlined
def may_take_cube(state, parts, seat, resource):
    """One of the first resources; the target is how many of them."""
    return resource < state.asked_target


@compiled
def take_cube(state, parts, seat, resource, events):
    """One of the resource from the reserve."""
    goods.gain(state, seat, resource, 1, ev.RESERVE, events)


# Actions on their place, and without it


@compiled
def act_at(state, parts, seat, place, arrivals, events):
    """What a meeple does on a place of the board, to which `arrivals` came before it; to build and to study is more."""
    if place < ca.CONSTRUCTION_PLACE:
        explore(state, parts, seat, place - ca.EXPLORATION_PLACE, arrivals, events)
    elif place == ca.GATHERING_PLACE:
        goods.gain_from_stock(
            state, seat, ca.FRUIT, gathering_yield(state, parts, seat), events
        )  # CA-9, CA-16
    elif place == ca.WATER_PLACE:
        goods.gain(state, seat, ca.WATER, int(parts.water_drawn), ev.RESERVE, events)  # CA-17
    elif place == ca.FISHING_PLACE:  # CA-27: event 6 is offered, then a card is drawn
        push(state, ca.DRAW_FISH, 0, 0)
        push(state, ca.QUESTION + ca.DOUBLE, 0, 0)
    elif place == ca.EVENT_PLACE:
        take_event(state, parts, seat, events)
    elif place == ca.PRAYER_PLACE:
        pray(state, parts, seat, events)
    elif place == ca.LEISURE_PLACE:
        goods.be_happier(state, parts, seat, 0, int(parts.leisure_happiness), events)  # CA-22
    elif place == ca.REST_PLACE:  # CA-22: no Feeding in this round
        state.rests[seat] = 1
        emit(events, ev.RESTED, seat, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, 0)


PLACE_OF = np.array(
    (
        *(ev.NO_PLACE, ev.NO_PLACE, ca.GATHERING_PLACE, ca.WATER_PLACE),
        *(ca.FISHING_PLACE, ca.PRAYER_PLACE, ca.LEISURE_PLACE, ca.REST_PLACE),
    ),
    dtype=np.int64,
)
"""The place of the board of each action, but for EXPLORE and BUILD, which ask for more."""


@compiled
def may_carry_out(state, parts, seat, action):
    """Whether an action without its place would do anything (CA-28)."""
    if action == ca.EXPLORE:
        return state.stock[ca.BAMBOO] + state.stock[ca.LIANA] + state.stock[ca.PALM] > 0
    if action == ca.BUILD:
        return may_build(state, parts, seat, free_discounts(state, seat))
    if action == ca.GATHER:
        return state.stock[ca.FRUIT] > 0
    if action == ca.PRAY:
        return state.experience[seat, ca.FAITH] > 0
    return True


@compiled
def carry_out(state, parts, seat, action, amount, events):
    """An action without its place (CA-28): an Exploration asks for the spot, a Construction for the tile."""
    if action == ca.EXPLORE:
        push(state, ca.QUESTION + ca.SPOT, 0, 0)
    elif action == ca.BUILD:
        push(state, ca.QUESTION + ca.TILE, 0, 0)
    elif action != ca.PRAY or state.experience[seat, ca.FAITH] > 0:
        act_at(state, parts, seat, int(PLACE_OF[action]), 0, events)


# Constructions that are activated


@compiled
def may_activate(state, parts, seat, tile):
    """What a tile's effect needs: its price, an incomplete domain, an action that is possible (CA-28)."""
    first = int(parts.row_first[tile])
    for row in range(first, first + int(parts.row_count[tile])):
        if parts.rows[row, 0] == ca.ACTIVATED:
            word = parts.rows[row, 1]
            target = int(parts.rows[row, 2])
            if word == ca.PAY and state.resources[seat, target] < parts.rows[row, 3]:
                return False
            if word == ca.QUESTION + ca.DOMAIN and not may_study(state, parts, seat):
                return False
            if word == ca.CARRY_OUT and not may_carry_out(state, parts, seat, target):
                return False
    return True


# The tables

EFFECTS = (finish_building, draw_fish, shuffle_fishing, carry_out, goods.pay, *FUNCTIONS)
"""What is carried out without asking, by word: what rules put on the pile, actions and prices, then the words' own."""
take_effect = dispatch(
    "take_effect", __name__, ("state", "parts", "seat", "target", "amount", "events"), EFFECTS
)


@dataclass(frozen=True)
class QuestionRow:
    """A question: its phase, the word of the moves that answer it, and two compiled functions of a choice, from 0.

    `offer(state, parts, seat, choice)` says whether a seat may choose it, `answer(state, parts, seat, choice, events)`
    does what it is for. They find target and amount of the question in the state.
    """

    phase: int
    word: str
    offer: Any
    answer: Any


QUESTIONS = (
    QuestionRow(ca.BOOST, "take boosts", may_take_boosts, take_boosts),
    QuestionRow(ca.BOOST_TILE, "take mystery tile", may_take_lowest, take_design),
    QuestionRow(ca.FRUIT_SPENT, "spend fruit", may_spend_fruit, spend_fruit),
    QuestionRow(ca.DISCOUNT, "spare", may_spare, spare),
    QuestionRow(ca.FAVOUR, "choose favour", may_choose_favour, choose_favour),
    QuestionRow(ca.MIRACLE, "take miracle", may_take_miracle, take_miracle),
    QuestionRow(ca.CUBE, "take cube", may_take_cube, take_cube),
    QuestionRow(ca.DOMAIN, "learn", may_learn, learn),
    QuestionRow(ca.SPOT, "choose spot", may_choose_spot, choose_spot),
    QuestionRow(ca.TILE, "choose tile", may_build_free, build_free),
    QuestionRow(ca.DOUBLE, "double fishing", may_double, double),
    QuestionRow(ca.MARKER, "place compass now", may_place_marker, place_marker),
    QuestionRow(ca.FIRST_CHOICE, "choose first", may_choose_first, choose_first),
    QuestionRow(ca.ORIENTATION, "take lot", upkeep.may_take_lot, upkeep.take_lot),
    QuestionRow(ca.DUGOUT, "take single", upkeep.may_take_single, upkeep.take_single),
    QuestionRow(ca.FEEDING, "eat fish", upkeep.is_meal, upkeep.feed),
    QuestionRow(ca.HEALTH, "go down", upkeep.may_go_down, upkeep.go_down),
)
ROW, FIRST_ANSWER, MOST_ANSWERS = np.zeros((3, len(ca.PHASES)), dtype=np.int64)
"""Of each phase that asks: its row in QUESTIONS, the first action code of its answers, and how many codes there are."""
for _row, _question in enumerate(QUESTIONS):
    _kind = MOVES.kind_of(MOVES.first(_question.word))
    ROW[_question.phase], FIRST_ANSWER[_question.phase] = _row, _kind.first
    MOST_ANSWERS[_question.phase] = _kind.count
is_offered = dispatch(
    "is_offered",
    __name__,
    ("state", "parts", "seat", "choice"),
    [row.offer for row in QUESTIONS],
    inline=True,
)
choose = dispatch(
    "choose", __name__, ("state", "parts", "seat", "choice", "events"), [row.answer for row in QUESTIONS]
)


# Carrying on


@compiled
def carry_on(state, parts, events):
    """Carry out the next thing that waits; True if it is a question that has to be answered."""
    top = int(state.todo_count) - 1
    word = int(state.todo_word[top])
    target = int(state.todo_target[top])
    amount = int(state.todo_amount[top])
    state.todo_count = top
    state.todo_word[top] = 0
    state.todo_target[top] = 0
    state.todo_amount[top] = 0
    if word >= ca.OTHERWISE_WORD:
        if state.learnt == 1:
            return False
        word -= ca.OTHERWISE_WORD
    if word >= ca.QUESTION:
        return ask(state, parts, word - ca.QUESTION, target, amount, events)
    take_effect(word, state, parts, int(state.actor), target, amount, events)
    return False


@compiled
def ask(state, parts, phase, target, amount, events):
    """Put a question to the actor; True if it has to be answered, since there are several answers."""
    seat = int(state.actor)
    state.phase = phase
    if phase == ca.DOMAIN:
        state.learnt = 0
    state.asked_target = target
    state.asked_amount = amount
    options = scratch(MAX_ANSWERS, np.int32)
    count = legal_answers(state, parts, seat, options)
    if count > 1:
        state.to_act = 1 << seat
        return True
    if count == 1:
        answer(state, parts, seat, int(options[0]), events)
    return False


@compiled
def legal_answers(state, parts, seat, out):
    """Write the codes of the answers to the question that the phase is; returns how many."""
    phase = int(state.phase)
    count = 0
    for choice in range(MOST_ANSWERS[phase]):
        if is_offered(ROW[phase], state, parts, seat, choice):
            out[count] = FIRST_ANSWER[phase] + choice
            count += 1
    return count


@compiled
def answer(state, parts, seat, action, events):
    """Carry out an answer; what comes of it may wait on the pile, and so do further things to choose."""
    phase = int(state.phase)
    if state.asked_amount > 1 and phase != ca.FRUIT_SPENT:  # one of so many
        push(state, ca.QUESTION + phase, state.asked_target, int(state.asked_amount) - 1)
    choose(ROW[phase], state, parts, seat, action - FIRST_ANSWER[phase], events)
