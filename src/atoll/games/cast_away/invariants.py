"""What holds in every position: nothing is lost or made, no limit is broken, and everything agrees with the round."""

from itertools import groupby, pairwise
from typing import Any

import numpy as np

from atoll.core.chance_sources import Source
from atoll.core.invariants import flagged, numbers, require
from atoll.core.types import Components, plain
from atoll.games.cast_away import effect_words as ew
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.parts import rows_of
from atoll.games.cast_away.state import CastAwayState

SOURCES = (
    Source("first", "who takes start boosts first", ("order", "actor", "to_act", "prestige", "happiness")),
    Source("boosts", "the order of the start boosts", ("boost_pile",)),
    Source("events", "the event pile", ("event_pile",)),
    Source("fishing", "the order of the fishing cards", ("fishing_pile",)),
)
"""What chance decides before the first decision (CA-5 to CA-8); who is first in order acts first, and prestige that a
file gives at the start goes by the order.
"""

_MOST = np.iinfo(np.int16).max // 2
"""Of what players can have of anything, so that what the rest of a game adds has room."""

_STAGES = {
    ca.BOOST: (ca.BOOSTING,),
    **dict.fromkeys((ca.BOOST_TILE, ca.MIRACLE, ca.CUBE, ca.DOMAIN), (ca.BOOSTING, ca.ACTING)),
    **dict.fromkeys(
        (ca.ACTION, ca.FRUIT_SPENT, ca.DISCOUNT, ca.FAVOUR, ca.SPOT, ca.TILE, ca.DOUBLE, ca.MARKER),
        (ca.ACTING,),
    ),
    ca.FIRST_CHOICE: (ca.CHOOSING_FIRST,),
    ca.ORIENTATION: (ca.ORIENTING,),
    ca.DUGOUT: (ca.TAKING_SINGLES,),
    **dict.fromkeys((ca.FEEDING, ca.HEALTH), (ca.FEEDING_ALL,)),
    ca.OVER: (ca.ENDED,),
}
"""The stages in which each phase can be."""

_LINED_UP = (ca.ORIENTING, ca.TAKING_SINGLES, ca.FEEDING_ALL)
_DONE_IN_ROUNDS = ("event", "lots", "arrivals", "held_count", "candle", "rests", "tribe", "favour", "gifts")
_BY_BOOSTS = ("experience", "resources", "slot_count", "mystery", "seen_count")
_OWN_PLACES = (ca.PRAYER_PLACE, ca.LEISURE_PLACE, ca.REST_PLACE, ca.STUDY_PLACE)


def check(state: CastAwayState, components: Components) -> None:
    """Raise AssertionError, naming it, if something does not hold that holds in every game."""
    fields, parts = plain(state), plain(components.parts[0])
    check_turn(fields)
    check_events(fields, parts)
    check_held_events(fields, parts)
    check_boosts(fields)
    check_fishing(fields, parts)
    check_constructions(fields, parts)
    check_mystery(fields, parts)
    check_meeples(fields, parts)
    check_places(fields)
    check_arrivals(fields, parts)
    check_compass(fields, parts)
    check_tracks(fields, parts)
    require(fields.bonus == sums_of_lasting(fields, parts), "sums of lasting effects")
    check_question(fields, parts)
    check_waiting(fields)
    if fields.stage == ca.BOOSTING:
        check_before_rounds(fields, parts)


# Whose turn it is


def check_turn(state: Any) -> None:
    """Who acts is the next in the order of the stage (CA-11, CA-29, CA-31)."""
    players, stage = state.players, state.stage
    require(stage in _STAGES[state.phase], f"the phase {ca.PHASES[state.phase]!r} in its part of the round")
    order = state.order[:players]
    require(sorted(order) == list(range(players)), "the turn order")
    if state.round_number == 1:
        require(order == [(order[0] + i) % players for i in range(players)], "a turn order clockwise")
    lined_up = stage in _LINED_UP
    queue = line(state) if lined_up else [ca.NOBODY] * players
    require(state.queue[:players] == queue, "the line at the compass")
    require(state.chooser == ca.NOBODY or lined_up, "who chooses first")
    if state.phase == ca.OVER:
        require((state.to_act, state.turn, state.actor) == (0, 0, 0), "nobody acts after the end")
        require(state.last_round == 1, "an end after the last round")
        return
    require(state.turn < players, "the turn")
    in_order = state.queue if stage in (ca.ORIENTING, ca.TAKING_SINGLES) else order
    require(state.actor == in_order[state.turn], "whose turn it is")
    require(state.to_act == 1 << state.actor, "whose turn it is has to decide")


def line(state: Any) -> list[int]:
    """The seats in the order of the Orientation phase (CA-29)."""
    first = [state.chooser] if state.chooser != ca.NOBODY else []
    return first + [seat for seat in reversed(state.markers[: state.players]) if seat != state.chooser]


# Events, boosts, fishing cards


def check_events(state: Any, parts: Any) -> None:
    """A card is turned up in each round, all others are in the pile or in the box, and the Ship lies low (CA-7)."""
    cards = parts.event_card[: parts.event_cards]
    pile = state.event_pile[: state.event_count]
    open_cards = flagged(state.event_turned)
    rounds = 0 if state.stage == ca.BOOSTING else state.round_number
    require(len({*pile, *open_cards}) == len(pile) + len(open_cards), "event cards")
    require({*pile, *open_cards} <= set(cards), "event cards")
    require(len(cards) - len(pile) - len(open_cards) == parts.events_boxed, "event cards in the box")
    require(len(open_cards) == rounds, "an event card turned up in each round")
    low = parts.ship_cards
    require(ca.SHIP in open_cards or ca.SHIP in pile[:low], "the Ship among the lowest event cards")
    require(state.event == ca.NOBODY or state.event in open_cards, "the event of the round")
    require(ca.SHIP not in open_cards or state.event in (ca.SHIP, ca.NOBODY), "the Ship in the last round")
    if rounds:
        is_taken = state.place_count[ca.EVENT_PLACE] > 0
        require((state.event == ca.NOBODY) == is_taken, "an event that is there until somebody takes it")
    require(max(state.seen_count) <= state.event_count, "events that were looked at are in the pile")
    is_full = any(count == parts.slots for count in state.slot_count)
    require(state.last_round == (ca.SHIP in open_cards or is_full), "the last round")


def check_held_events(state: Any, parts: Any) -> None:
    """Players have cards that were turned up and are kept, by seat (CA-23)."""
    cards, holders = state.held_event[: state.held_count], state.held_by[: state.held_count]
    require(len(set(cards)) == len(cards), "event cards held")
    for card in cards:
        require(state.event_turned[card] and card != state.event, "event cards held were taken")
        require(parts.event_kept[card], "event cards held have an effect to come")
    require(holders == sorted(holders), "event cards held, by seat")


def check_boosts(state: Any) -> None:
    """Everybody in turn takes two boosts, the first player's among them once; then none is left (CA-5)."""
    pile, boosting = state.boost_pile[: state.boost_count], state.stage == ca.BOOSTING
    require(sorted(pile) == flagged(state.boost_left), "boosts")
    require(boosting or not state.boost_face_up, "the first player's boost after all have boosts")
    turns = state.turn + (state.phase != ca.BOOST)
    faceless = boosting and not state.boost_face_up
    count = ca.FIRST_PLAYER - ca.BOOSTS_EACH * turns + faceless if boosting else 0
    require(state.boost_count == count, "the number of boosts left")
    had_turn = state.order[:turns] if faceless else [ca.NOBODY]
    require(state.first_player in had_turn, "who took the first player's boost")
    if state.phase == ca.BOOST:
        require(state.boost_face_up and state.turn < state.players - 1, "boosts to choose from")


def check_fishing(state: Any, parts: Any) -> None:
    """The pile is never empty, and holds the cards with an arrow: they have all shuffled (CA-27)."""
    pile = state.fishing_pile[: state.fishing_count]
    cards = parts.fishing_card[: parts.fishing_cards]
    require(sorted(pile) == flagged(state.fishing_left), "fishing cards")
    require(set(pile) <= set(cards), "fishing cards")
    if ca.SHUFFLE_FISHING not in state.todo_word[: state.todo_count]:
        arrows = {card for card in cards if parts.fishing_arrow[card]}
        require(pile, "a fishing card to draw")
        require(arrows <= set(pile), "fishing cards with an arrow")
    if state.stage == ca.BOOSTING:
        require(len(pile) == len(cards), "all fishing cards in the pile before the first round")


# Tiles


def check_constructions(state: Any, parts: Any) -> None:
    """Constructions are on the players' boards, from the first slot on, or to be built (CA-4, CA-15)."""
    for seat in range(state.players):
        slots, count = state.slots[seat], state.slot_count[seat]
        tiles = [tile for tile in slots[:count] if tile < ca.MIRACLE_SLOT]
        property = [tile for tile, owner in enumerate(state.tile_owner) if owner == seat]
        require(sorted(tiles) == property, f"the constructions of seat {seat}")
        level = state.experience[seat][ca.CONSTRUCTION]
        require(all(parts.tile_level[tile] <= level for tile in tiles), f"what seat {seat} could build")
    for tile, owner in enumerate(state.tile_owner):
        require((owner == ca.NOT_IN_GAME) == (parts.tile_there[tile] == 0), "the constructions in the game")
        usable = owner >= 0 and parts.tile_use[tile] != ca.NOBODY
        require(usable or not state.tile_used[tile], "meeples on constructions that take some")


def check_mystery(state: Any, parts: Any) -> None:
    """A player has each design once, a storey after the whole one below it unless any is open (CA-18)."""
    require(state.designs == parts.designs, "the designs of the mystery")
    for storey in range(ca.STOREYS):
        for design in range(ca.MAX_DESIGNS):
            index = storey * ca.MAX_DESIGNS + design
            copies = parts.copies[storey] if design < parts.designs[storey] else 0
            tiles = state.mystery_left[index] + sum(designs[index] for designs in state.mystery)
            require(tiles == copies, "mystery tiles")
    firsts = range(0, ca.DESIGNS, ca.MAX_DESIGNS)
    for designs in state.mystery:
        storeys = [designs[first : first + count] for first, count in zip(firsts, parts.designs, strict=True)]
        for below, above in pairwise(storeys):
            is_open = all(below) or parts.any_storey
            require(is_open or not any(above), "mystery tiles above storeys that are complete")


# Meeples


def check_meeples(state: Any, parts: Any) -> None:
    """No meeple is lost or made; in the action phase each is placed or left to place (CA-10, CA-24, CA-25)."""
    require(state.white_left + sum(state.white) == parts.white, "white meeples")
    require(state.white == state.candle, "as many white meeples as own ones above the candle")
    for seat in range(state.players):
        meeples, above = state.meeples[seat], state.candle[seat]
        require(meeples == parts.meeples[state.health[seat] - ca.LOWEST_HEALTH], "meeples by health")
        require(above <= meeples, "meeples above the candle")
        own, white = state.left_own[seat], state.left_white[seat]
        require(own <= meeples - above, f"own meeples that seat {seat} has left")
        require(white <= state.white[seat], f"white meeples that seat {seat} has left")
        on_board = state.arrival_seat.count(seat)
        if state.stage in (ca.ACTING, ca.CHOOSING_FIRST, ca.ORIENTING, ca.TAKING_SINGLES):
            require(on_board + own + white == meeples, f"the meeples that seat {seat} has placed")
            require(state.tribe[seat] != ca.MET or above, f"what seat {seat} did with the tribe")
        if state.stage == ca.ACTING:
            require(own_arrivals(state, parts, seat) <= meeples - above - own, "own meeples placed")
        elif state.stage != ca.BOOSTING:
            require(own == white == 0, "no meeples left after the action phase")
    if state.phase == ca.ACTION:
        reserves = (state.left_own, state.left_white, state.left_compass)
        require(any(counts[state.actor] for counts in reserves), "something left to place")


def own_arrivals(state: Any, parts: Any, seat: int) -> int:
    """How many meeples of a seat stand where only own ones do (CA-19, CA-21, CA-22, CA-26)."""
    count = 0
    for place, whose in zip(state.arrival_place[: state.arrivals], state.arrival_seat, strict=False):
        use = parts.tile_use[place - ca.TILE_PLACE] if place >= ca.TILE_PLACE else ca.NOBODY
        count += whose == seat and (place in _OWN_PLACES or use == ca.ACTIVATED_OWN)
    return count


def check_places(state: Any) -> None:
    """As many meeples on each place as have arrived there (CA-12)."""
    arrivals = state.arrival_place[: state.arrivals]
    for place, count in enumerate(state.place_count):
        number = arrivals.count(place)
        expected = min(1, number) if place == ca.MYSTERY_PLACE else number
        require(count == expected, f"meeples at {ca.PLACES[place]!r}")
    for tile, count in enumerate(state.tile_used):
        require(count == arrivals.count(ca.TILE_PLACE + tile), f"meeples on construction {tile + 1}")


def check_arrivals(state: Any, parts: Any) -> None:
    """Arrivals are grouped by place, and all of them are possible (CA-18, CA-26, CA-28)."""
    arrivals = state.arrival_place[: state.arrivals]
    require(len(list(groupby(arrivals))) == len(set(arrivals)), "arrivals by place")
    solvers = []
    for place, seat in zip(arrivals, state.arrival_seat, strict=False):
        if place == ca.MYSTERY_PLACE:
            solvers.append(seat)
        if place == ca.REST_PLACE:
            require(state.rests[seat], f"the rest of seat {seat}")
        tile = place - ca.TILE_PLACE
        if tile >= 0 and state.tile_owner[tile] != seat:
            require(parts.tile_use[tile] == ca.ACTIVATED, "meeples on constructions of others")
    if solvers:
        require(len(solvers) in parts.solvers and len(set(solvers)) == 1, "meeples at the mystery")
        require(any(state.mystery[solvers[0]]), "a mystery tile of who solved it")


def check_compass(state: Any, parts: Any) -> None:
    """Who has not placed the marker has it left; lots are of the events that were turned up (CA-10, CA-13)."""
    markers = [seat for seat in state.markers if seat != ca.NOBODY]
    reserve = [seat for seat in range(state.players) if state.left_compass[seat]]
    require(sorted(markers + reserve) == list(range(state.players)), "compass markers")
    may_be_left = state.stage in (ca.BOOSTING, ca.ACTING)
    require(may_be_left or not reserve, "no compass markers left after the action phase")
    for resource, name in enumerate(ca.RESOURCES):
        most = sum(parts.event_lots[card][resource] for card in flagged(state.event_turned))
        require(state.lots[resource] <= most, f"lots of {name} on the compass")


# Players


def check_tracks(state: Any, parts: Any) -> None:
    """What players have stays within bounds, and divine favour needs faith (CA-3, CA-19)."""
    require(state.round_number <= parts.event_cards - parts.events_boxed, "a round for each event card")
    for name in ("prestige", "resources", "gifts"):
        require(max(numbers(getattr(state, name))) <= _MOST, f"{name} of at most {_MOST}")
    for seat in range(state.players):
        require(state.experience[seat][ca.FAITH] or not state.favour[seat], f"the faith of seat {seat}")


def check_before_rounds(state: Any, parts: Any) -> None:
    """While boosts are taken nobody has placed anything, and who has taken none has nothing but the prestige and the
    happiness of the start (CA-5, CA-6).
    """
    require(state.round_number == 1 and state.stock == parts.stock, "the board before the first round")
    require(all(owner < 0 for owner in state.tile_owner), "nothing built before the first round")
    blank = plain(CastAwayState.blank[0])
    for name in _DONE_IN_ROUNDS:
        require(getattr(state, name) == getattr(blank, name), f"{name} before the first round")
    rest = state.order[state.turn + (state.phase != ca.BOOST) : state.players]
    for name in ("prestige", "happiness"):
        start = getattr(parts, f"start_{name}")[state.players]
        for seat, head_start in zip(state.order[: state.players], start, strict=False):
            boosts = getattr(state, name)[seat] - head_start
            require(boosts >= 0 and (boosts == 0 or seat not in rest), f"the {name} of seat {seat}")
    for seat in range(state.players):
        require(state.health[seat] == parts.health, f"the health of seat {seat}")
        require(state.left_own[seat] == state.meeples[seat], f"the meeples of seat {seat}")
        require(state.left_compass[seat] == 1, f"the compass marker of seat {seat}")
        had = [number for name in _BY_BOOSTS for number in numbers(getattr(state, name)[seat])]
        require(seat not in rest or not any(had), f"what seat {seat} has before its boosts")


def sums_of_lasting(state: Any, parts: Any) -> list[list[int]]:
    """The sums of lasting effects from the tiles and cards that players have, as `bonus` holds them (CA-23, CA-26);
    of a state and parts as `plain` gives them.
    """
    sums = [[0] * ca.MAX_LASTING for _ in range(ca.MAX_PLAYERS)]
    holdings = zip(state.held_by[: state.held_count], state.held_event, strict=False)
    owners = [(seat, ca.EVENT_ROWS + card) for seat, card in holdings]
    owners += [(seat, tile) for tile, seat in enumerate(state.tile_owner) if seat >= 0]
    for seat, owner in owners:
        for when, word, _, amount in rows_of(parts, owner):
            if when == ca.ALWAYS:
                sums[seat][word] += amount
    return sums


# Questions, and what waits

_BY_BONUS = {ca.FIRST_CHOICE: ca.FIRST_IN_ORIENTATION, ca.DOUBLE: ca.DOUBLE_FISHING}
"""The phases that ask who has a card for it."""
_NO_AMOUNT = (ca.FINISH_BUILDING, ca.DRAW_FISH, ca.SHUFFLE_FISHING)
"""What waits and is simply done."""
_TARGETS = {ca.FRUIT_SPENT: ca.BUILDING, ca.CUBE: ca.CUBES + 1, ca.FAVOUR: ca.MAX_STEPS + 1}
"""How many targets a question may have; those that are not here have one."""


def check_question(state: Any, parts: Any) -> None:
    """Target and amount fit the question; without a question both are 0."""
    phase, seat, target, amount = state.phase, state.actor, state.asked_target, state.asked_amount
    require(0 <= target < _TARGETS.get(phase, 1), "what is asked")
    require(phase != ca.FAVOUR or target <= state.favour[seat], "a favour that was passed")
    with_amount = (ca.DISCOUNT, ca.MIRACLE, ca.CUBE, ca.DOMAIN, ca.DUGOUT, ca.FRUIT_SPENT, ca.BOOST_TILE)
    require((amount > 0) == (phase in with_amount), "how much is asked")
    require(phase != ca.DUGOUT or amount <= state.bonus[seat][ca.SINGLES], "single resources to take")
    has_bonus = phase not in _BY_BONUS or state.bonus[seat][_BY_BONUS[phase]]
    require(has_bonus, f"a card for the phase {ca.PHASES[phase]!r}")
    if phase == ca.MARKER:
        require(parts.free_compass and state.left_compass[seat], "a compass marker to place now or later")
        require(state.left_own[seat] == state.left_white[seat] == 0, "no meeple left beside the marker")
    if phase in (ca.FEEDING, ca.HEALTH):
        require(not state.rests[seat], "who rests does not feed")
        require(can_feed(state, parts, seat) == (phase == ca.FEEDING), "who can feed does")
    if phase == ca.HEALTH:
        require(state.health[seat] == ca.LOWEST_HEALTH + 1, "who can go down to the lowest health")
        require(state.prestige[seat] >= parts.ransom, "who can pay for health")
    if phase != ca.DISCOUNT:
        require(state.building == ca.NOBODY and not any(state.price), "nothing is being built")
        return
    require(state.building >= 0 and state.tile_owner[state.building] == ca.NOBODY, "what is being built")
    full = parts.tile_cost[state.building]
    require(all(map(int.__le__, state.price, full)), "the price of what is being built")


def can_feed(state: Any, parts: Any, seat: int) -> bool:
    """Whether a player has the water and the food for the own level of health (CA-31)."""
    level = state.health[seat] - ca.LOWEST_HEALTH
    food = parts.food_need[level]
    fish = state.resources[seat][ca.FISH] if state.experience[seat][ca.FIRE] else 0
    meal = min(fish * parts.fish_food, food)
    has_water = state.resources[seat][ca.WATER] >= parts.water_need[level]
    return bool(has_water and food - meal <= state.resources[seat][ca.FRUIT])


def check_waiting(state: Any) -> None:
    """What waits can be carried out; nothing waits outside questions, and nothing was learnt."""
    count = state.todo_count
    if ca.ACTING not in _STAGES[state.phase] or state.phase == ca.ACTION:
        require(count == 0, "nothing waits")
    require(state.doubled == 0, "fish that are doubled are drawn at once")
    require(state.learnt == 0 or state.phase not in (ca.BOOST, ca.ACTION, ca.OVER), "nothing was learnt")
    targets = dict.fromkeys((ew.GAIN, ca.PAY), len(ca.RESOURCES))
    targets |= {ew.LEVEL: len(ca.DOMAINS), ca.CARRY_OUT: len(ew.ACTIONS)}
    targets |= {ca.QUESTION + phase: count for phase, count in _TARGETS.items()}
    building = state.phase == ca.DISCOUNT
    words = state.todo_word[:count]
    require(words.count(ca.FINISH_BUILDING) == building, "a construction is finished once it is paid")
    require(words.count(ca.DRAW_FISH) == (state.phase == ca.DOUBLE), "a fishing card is drawn once")
    for word, target, amount in zip(words, state.todo_target, state.todo_amount, strict=False):
        plain_word = word % ca.OTHERWISE_WORD
        is_known = (
            plain_word in range(ca.FIRST_WORD + len(ew.FUNCTIONS))
            or ca.QUESTION <= plain_word < ca.QUESTION + ca.OVER
        )
        require(is_known and 0 <= target < targets.get(plain_word, 1), "what waits")
        require(plain_word in _NO_AMOUNT or plain_word >= ca.QUESTION or amount > 0, "how much of what waits")
