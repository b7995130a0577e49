"""Heuristic advice for Cast Away: a number for each legal move; higher is better.

First food and water for the coming Feeding phase, early enough to be sure of them; then what brings prestige, now
or over the rounds that are left: studies, constructions and the materials for the next one, leisure, favours, the
mystery and the majority above the candle. Numbers are tenths of a point of prestige.
"""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.engine.compiling import compiled, inlined
from atoll.engine.records import scratch
from atoll.games.cast_away import effect_words as ew
from atoll.games.cast_away import effects, goods, upkeep
from atoll.games.cast_away import moves as mv
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.effects import FIRST_ANSWER
from atoll.games.cast_away.moves import WHERE

POINT = 10
GAINS = sum(
    1 << phase for phase in (ca.ACTION, ca.FAVOUR, ca.CUBE, ca.SPOT, ca.ORIENTATION, ca.DUGOUT, ca.TILE)
)
USUAL_ROUNDS = 12  # how long a game lasts
NEEDED_NOW = 100  # a unit of food or water without which this round's meal fails, when meeples run out
NEEDED_SOON = 40  # the same while there are meeples left
NEEDED_NEXT = 20  # for the round after
PLENTY = 2
MATERIAL = 7  # a building resource that the next construction lacks
SPARE_MATERIAL = 3
WHITE_FIRST = 3  # white meeples do what they may; own ones are kept for the rest

# What is known before the moves are compared.
(
    ROUNDS_LEFT,  # after this one
    LACKING_WATER,  # for this round's meal
    LACKING_FOOD,
    NEXT_WATER,  # for the next one too
    NEXT_FOOD,
    URGENT,  # 1 if every meeple left is needed for the meal
    TARGET,  # the construction to save for, or NOBODY
    GATHERED,  # fruit of a Gathering
    CAUGHT,  # food of a Fishing
    HUNGRY,  # 1 if the meeples left are not enough for the meal
) = range(10)
FACTS = 10
TILE_WORTH = FACTS  # + tile, of those that may be saved for
ALL_FACTS = TILE_WORTH + ca.MAX_TILES


@compiled
def advise(view, parts, moves, count, scores):
    """Write the worth of each move to the view's seat into `scores`, int32 of shape (count,)."""
    facts = scratch(ALL_FACTS, np.int64)
    for fact in range(ALL_FACTS):
        facts[fact] = 0
    look_around(view, parts, int(view.seat), facts)
    for i in range(count):
        scores[i] = worth(view, parts, int(view.seat), facts, int(moves[i]))


@inlined
def worth(view, parts, seat, facts, action):
    """The worth of one legal move."""
    phase = view.phase
    if phase == ca.ACTION:
        return worth_of_action(view, parts, seat, facts, action)
    choice = action - FIRST_ANSWER[phase]
    if phase == ca.FEEDING:
        return left_after_meal(view, parts, seat, choice)
    if phase == ca.FAVOUR:
        return worth_of_favour(view, parts, seat, facts, choice)
    if phase == ca.CUBE or phase == ca.DUGOUT:
        return worth_of_resource(view, parts, seat, facts, choice, 1)
    if phase == ca.SPOT:
        return worth_of_exploring(view, parts, seat, facts, choice, 0)
    if phase == ca.ORIENTATION:
        if choice == ca.NO_RESOURCE:
            return 0
        return worth_of_resource(view, parts, seat, facts, choice, int(view.lots[choice]))
    if phase == ca.DOMAIN:
        return worth_of_level(view, parts, seat, facts, choice)
    if phase == ca.DISCOUNT:
        return int(view.price[choice]) - int(view.resources[seat, choice])
    if phase == ca.TILE:
        return worth_of_tile(view, parts, seat, facts, choice)
    if phase == ca.MIRACLE:
        return rank_in_count(view, parts, seat, choice)
    if phase == ca.HEALTH:
        return facts[ROUNDS_LEFT] if choice > 0 else 2
    if phase == ca.FRUIT_SPENT:
        return 1 if (choice == 0) == (facts[NEXT_FOOD] < 0) else 0
    return FIRST_ANSWER[ca.BOOST] - action  # the first of what is left: taking what can be had


# The situation


@inlined
def look_around(view, parts, seat, facts):
    """Fill in the facts."""
    facts[ROUNDS_LEFT] = 0 if view.last_round == 1 else max(1, USUAL_ROUNDS - int(view.round_number))
    health = int(view.health[seat]) - ca.LOWEST_HEALTH
    above = min(health + 1, int(parts.health_top) - ca.LOWEST_HEALTH)
    later = 1 if facts[ROUNDS_LEFT] > 0 else 0
    food = upkeep.food_held(view, parts, seat)
    water = int(view.resources[seat, ca.WATER])
    rest = int(view.rests[seat])
    facts[LACKING_WATER] = (1 - rest) * int(parts.water_need[health]) - water
    facts[LACKING_FOOD] = (1 - rest) * int(parts.food_need[health]) - food
    facts[NEXT_WATER] = facts[LACKING_WATER] + later * int(parts.water_need[above])
    facts[NEXT_FOOD] = facts[LACKING_FOOD] + later * (int(parts.food_need[above]) + 1)
    facts[GATHERED] = effects.gathering_yield(view, parts, seat)
    fish = 0
    for i in range(parts.fishing_cards):
        fish += effects.catch(view, parts, seat, int(parts.fishing_card[i]), 0)
    catch = fish * int(parts.fish_food) // int(parts.fishing_cards)
    facts[CAUGHT] = catch if view.experience[seat, ca.FIRE] > 0 else 0
    food_gap = max(0, facts[LACKING_FOOD])
    fishable = facts[CAUGHT] if view.place_count[ca.FISHING_PLACE] < parts.places[ca.FISHING_PLACE] else 0
    supply = max(fishable, min(facts[GATHERED], int(view.stock[ca.FRUIT])))
    meals = max(1, supply)
    demand = (max(0, facts[LACKING_WATER]) + int(parts.water_drawn) - 1) // int(parts.water_drawn)
    demand += (food_gap + meals - 1) // meals
    meeples = int(view.left_own[seat]) + int(view.left_white[seat])
    facts[URGENT] = 1 if demand >= meeples else 0
    facts[HUNGRY] = 1 if demand > meeples or (supply == 0 and food_gap > 0) else 0
    facts[TARGET] = ca.NOBODY
    if GAINS >> int(view.phase) & 1:
        facts[TARGET] = construction_to_save_for(view, parts, seat, facts)


@inlined
def construction_to_save_for(view, parts, seat, facts):
    """The construction that brings most for what it still lacks."""
    best = ca.NOBODY
    most = 0
    if not effects.has_free_slot(view, parts, seat) or view.experience[seat, ca.CONSTRUCTION] == 0:
        return best
    for tile in range(parts.tiles):
        if effects.is_within_reach(view, parts, seat, tile):
            missing = effects.missing_for(view, parts, seat, tile)
            value = worth_of_tile(view, parts, seat, facts, tile)
            facts[TILE_WORTH + tile] = value
            rate = 100 * value // (missing + 3)
            if rate > most:
                most = rate
                best = tile
    return best


# Gains


@inlined
def worth_of_food(facts, amount):
    """Fruit, or fish in fruit: first for this meal, then for the next."""
    now = max(0, min(amount, facts[LACKING_FOOD]))
    soon = max(0, min(amount, facts[NEXT_FOOD]) - now)
    each = NEEDED_NOW if facts[URGENT] == 1 else NEEDED_SOON
    return now * each + soon * NEEDED_NEXT + (amount - now - soon) * PLENTY


@inlined
def worth_of_water(facts, amount):
    """Water, which is never short on the island: for this meal once it is urgent, else for the next."""
    now = max(0, min(amount, facts[LACKING_WATER]))
    soon = max(0, min(amount, facts[NEXT_WATER]) - now)
    each = NEEDED_NOW if facts[URGENT] == 1 else NEEDED_SOON // 2
    return now * each + soon * (NEEDED_NEXT - 2) + (amount - now - soon)


@compiled
def worth_of_resource(view, parts, seat, facts, resource, amount):
    """Some of a resource."""
    if resource == ca.FRUIT:
        return worth_of_food(facts, amount)
    if resource == ca.WATER:
        return worth_of_water(facts, amount)
    if resource == ca.FISH:
        if view.experience[seat, ca.FIRE] == 0:
            return amount
        return worth_of_food(facts, int(parts.fish_food) * amount)
    if facts[TARGET] == ca.NOBODY:
        return amount * SPARE_MATERIAL
    price = effects.reduced_price(view, parts, seat, int(facts[TARGET]), resource)
    shortage = max(0, min(amount, price - int(view.resources[seat, resource])))
    return shortage * MATERIAL + (amount - shortage) * SPARE_MATERIAL


@compiled
def worth_of_happiness(view, parts, seat, points):
    """What the next points of happiness score, and a part of what they bring nearer."""
    before = int(view.happiness[seat])
    gain = goods.happiness_gained(view, parts, seat, points)
    value = (11 if view.last_round == 0 else 3) * gain
    for step in range(before + 1, before + gain + 1):
        value += POINT * int(parts.happiness_prestige[step])
    return value


@compiled
def worth_of_level(view, parts, seat, facts, domain):
    """A level in a domain, by what it is for and how many rounds are left to use it."""
    level = int(view.experience[seat, domain])
    if level == parts.domain_top[domain]:
        return 0
    rounds = int(facts[ROUNDS_LEFT])
    value = POINT * int(parts.level_prestige[domain, level + 1])
    if domain == ca.FIRE:
        return value + 5 * rounds
    if domain == ca.NATURE:
        return value + (6 - level) * rounds
    if domain == ca.CONSTRUCTION:
        return value + (8 if level == 0 else 4) * max(0, rounds - 1)
    if domain == ca.FISHING:
        return value + ((1 + int(view.players) // 2) if view.experience[seat, ca.FIRE] > 0 else 1) * rounds
    return value + (3 if level < 2 else 2) * max(0, rounds - 2)


WORTH_EACH = np.zeros(ca.QUESTION + len(ca.PHASES), dtype=np.int64)
"""What each of a word is worth in all positions, by its code."""
for _word in ew.WORDS:
    WORTH_EACH[_word.code] = _word.worth


@compiled
def worth_of_rows(view, parts, seat, facts, owner, times):
    """What the effects of a card at these times, a bit set, are worth."""
    value = 0
    rounds = int(facts[ROUNDS_LEFT])
    first = int(parts.row_first[owner])
    for row in range(first, first + int(parts.row_count[owner])):
        when = int(parts.rows[row, 0])
        if not times >> when & 1:
            continue
        word = int(parts.rows[row, 1])
        target = int(parts.rows[row, 2])
        amount = int(parts.rows[row, 3])
        if when == ca.AT_END:
            value += min(POINT * amount * (ew.count_of(word, view, seat) + 1), POINT * target)
        elif when == ca.ALWAYS:
            value += worth_of_lasting(word, amount) * rounds
        elif word == ew.GAIN:
            value += worth_of_resource(view, parts, seat, facts, target, amount)
        elif word == ca.PAY:
            value -= PLENTY * NEEDED_NEXT * amount
        elif word == ew.HAPPINESS:
            value += worth_of_happiness(view, parts, seat, amount)
        elif word == ew.LEVEL:
            value += worth_of_level(view, parts, seat, facts, target)
        elif word == ca.QUESTION + ca.DOMAIN:
            value += amount * 3 * rounds
        elif word == ca.QUESTION + ca.MIRACLE:
            value += 4 * POINT
        elif word == ca.CARRY_OUT:
            value += worth_of_carrying_out(view, parts, seat, facts, target)
        else:
            value += WORTH_EACH[word] * amount
    return value


@inlined
def worth_of_lasting(word, amount):
    """What holds always, a round."""
    if word < ca.INCOME + len(ca.RESOURCES):
        return 6 * amount
    if word < ca.GATHERING_BONUS:
        return 4 * amount
    return 3 * min(amount, 2)


@compiled
def worth_of_carrying_out(view, parts, seat, facts, action):
    """An action without its place."""
    if action == ca.REST:
        return worth_of_rest(facts)
    if action == ca.BUILD:
        return 4 * POINT if effects.may_build(view, parts, seat, effects.free_discounts(view, seat)) else 0
    if action == ca.EXPLORE:
        return 3 * MATERIAL
    return POINT + POINT // 2


@inlined
def worth_of_tile(view, parts, seat, facts, tile):
    """A construction: its prestige, its effects, its slot."""
    value = POINT * int(parts.tile_prestige[tile]) + 2 * int(view.slot_count[seat])
    if view.slot_count[seat] + 1 == parts.slots:
        value += 2 * POINT
    times = 1 << ca.ALWAYS | 1 << ca.AT_END
    if view.phase != ca.ACTION:
        times |= 1 << ca.AT_ONCE
    value += worth_of_rows(view, parts, seat, facts, tile, times)
    if parts.tile_use[tile] != ca.NOBODY:
        value += 4 * int(facts[ROUNDS_LEFT])
    return value


# Actions


@inlined
def worth_of_action(view, parts, seat, facts, action):
    """A placement, an exchange with the tribe or the compass marker."""
    if action < mv.SOLVE:
        place, white = int(WHERE[action, 0]), int(WHERE[action, 1])
        if place == ca.FISHING_PLACE and facts[CAUGHT] == 0:
            return 1
        return worth_of_place(view, parts, seat, facts, place, action) + WHITE_FIRST * white
    if action < mv.ACTIVATE_WITH:
        storey, _, _, white_solvers = mv.decode_solve(action)
        return worth_of_solving(parts, storey, white_solvers)
    if action < mv.MEET_TRIBE:
        tile = mv.decode_activate(action)[0]
        return worth_of_rows(view, parts, seat, facts, tile, 1 << ca.ACTIVATED)
    if action < mv.LEAVE_TRIBE:
        return worth_of_meeting(view, parts, seat, facts, action - mv.MEET_TRIBE)
    if action < mv.PLACE_COMPASS:
        return -POINT
    return worth_of_position(view, facts, action - mv.PLACE_COMPASS)


@inlined
def worth_of_place(view, parts, seat, facts, place, action):
    """A placement on the board."""
    if place < ca.CONSTRUCTION_PLACE:
        return worth_of_exploring(view, parts, seat, facts, place, int(view.place_count[place]))
    if place == ca.CONSTRUCTION_PLACE:
        tile = mv.decode_build(action)[0]
        value = facts[TILE_WORTH + tile]
        value += worth_of_rows(view, parts, seat, facts, tile, 1 << ca.AT_ONCE)
        return value + (4 if view.place_count[ca.CONSTRUCTION_PLACE] == 0 else 0)
    if place == ca.GATHERING_PLACE:
        return worth_of_food(facts, min(int(facts[GATHERED]), int(view.stock[ca.FRUIT])))
    if place == ca.WATER_PLACE:
        return worth_of_water(facts, int(parts.water_drawn))
    if place == ca.FISHING_PLACE:
        return worth_of_food(facts, int(facts[CAUGHT]))
    if place == ca.EVENT_PLACE:
        owner = ca.EVENT_ROWS + int(view.event)
        return worth_of_rows(view, parts, seat, facts, owner, 1 << ca.AT_ONCE | 1 << ca.ALWAYS)
    if place == ca.PRAYER_PLACE:
        return 3 * effects.prayer_steps(view, seat) + 8
    if place == ca.LEISURE_PLACE:
        return worth_of_happiness(view, parts, seat, int(parts.leisure_happiness))
    if place == ca.REST_PLACE:
        return worth_of_rest(facts)
    return worth_of_level(view, parts, seat, facts, action - mv.STUDY) - 2


@compiled
def worth_of_exploring(view, parts, seat, facts, resource, arrivals):
    """The resources of a spot, with what a fruit that can be missed brings."""
    amount = effects.exploration_yield(parts, arrivals)
    if view.bonus[seat, ca.FREE_EXPLORATION] > 0 or facts[LACKING_FOOD] < 0:
        amount += effects.extra_for_fruit(view, parts, seat)
    amount = min(amount, int(view.stock[resource]))
    return worth_of_resource(view, parts, seat, facts, resource, amount)


@compiled
def worth_of_rest(facts):
    """Resting saves a meal that would fail."""
    return 3 * NEEDED_NOW if facts[HUNGRY] == 1 and facts[LACKING_WATER] + facts[LACKING_FOOD] > 0 else 1


@compiled
def worth_of_solving(parts, storey, white):
    """A tile of the mystery and its share of the storey, for each meeple."""
    gain = POINT * (int(parts.mystery_prestige) + 1)
    gain += POINT * int(parts.storey_prestige[storey]) // max(1, int(parts.designs[storey]))
    return gain // int(parts.solvers[storey]) + white % 2


@compiled
def worth_of_meeting(view, parts, seat, facts, gift):
    """A meeple above the candle, if it wins the majority; the gift is what one has most of."""
    most = 0
    for other in range(view.players):
        if other != seat:
            most = max(most, int(view.candle[other]))
    if view.candle[seat] != most or most > 1:
        return -POINT
    value = POINT * int(parts.majority) * min(3, int(facts[ROUNDS_LEFT]) + 1) // 2
    if gift == ca.NO_RESOURCE:
        return value
    supply = int(view.resources[seat, gift])
    if (gift == ca.WATER and facts[LACKING_WATER] >= 0) or (gift == ca.FRUIT and facts[LACKING_FOOD] >= 0):
        return -POINT
    if gift == ca.FISH and view.experience[seat, ca.FIRE] > 0 and facts[LACKING_FOOD] >= -1:
        return -POINT
    return value - 8 + min(supply, 5)


@compiled
def worth_of_position(view, facts, position):
    """The marker last of all: behind for a lot of food, in front when there is enough."""
    is_short = facts[NEXT_FOOD] > 0 or facts[NEXT_WATER] > 0
    return 2 + (position if is_short else int(view.players) - position)


# Other choices


@compiled
def worth_of_favour(view, parts, seat, facts, step):
    """A favour against staying for a higher one."""
    if step == 0:
        return 2 * POINT if facts[ROUNDS_LEFT] > 1 and view.favour[seat] < parts.steps else 0
    return worth_of_rows(view, parts, seat, facts, ca.STEP_ROWS + step - 1, 1 << ca.AT_ONCE)


@compiled
def rank_in_count(view, parts, seat, miracle):
    """How far ahead one is in what a miracle counts."""
    what = int(parts.miracle_counts[miracle])
    most = 0
    for other in range(view.players):
        if other != seat:
            most = max(most, ew.count_of(what, view, other))
    return ew.count_of(what, view, seat) - most


@compiled
def left_after_meal(view, parts, seat, fish):
    """The food that is left after a meal and does not rot."""
    fruit = upkeep.fruit_beside(view, parts, seat, fish)
    leftover = min(int(view.resources[seat, ca.FISH]) - fish, upkeep.fish_limit(view, parts, seat))
    return int(view.resources[seat, ca.FRUIT]) - fruit + int(parts.fish_food) * leftover
