"""What holds in every position: no card is lost or made, islands are possible, and the cards agree with the round."""

from typing import Any

from atoll.core.invariants import require
from atoll.core.types import Components, plain
from atoll.games.karuba import state as ka


def check(state: ka.KarubaState, components: Components) -> None:
    """Raise AssertionError, naming it, if something does not hold that holds in every game."""
    fields, parts = plain(state), components.parts[0]
    check_round(fields, int(parts.rounds), int(parts.cards), int(parts.hand))
    for seat in range(fields.players):
        check_island(fields.island[seat], seat, int(parts.frame))
        check_choice(fields, seat)
    deciders = sum(1 << seat for seat in range(fields.players) if decides(fields, seat))
    require(fields.to_act == deciders, "who has to decide")
    require((deciders == 0) == (fields.phase == ka.OVER), "somebody has to decide until the end")


def check_island(island: list[int], seat: int, frame: int) -> None:
    """An island is in one piece, on its first card, and within a frame (KA-6)."""
    cells = {cell for cell, card in enumerate(island) if card != ka.NO_CARD}
    region, frontier = set[int](), cells & {ka.MIDDLE}
    while frontier:
        region |= frontier
        frontier = {other for cell in frontier for other in ka.NEIGHBOURS[cell].tolist()} & cells - region
    require(region == cells, f"the island of seat {seat} is in one piece")
    for lines in zip(*map(ka.place_of, cells), strict=True):
        require(max(lines) - min(lines) < frame, f"the width and height of the island of seat {seat}")


# The round


def check_round(state: Any, rounds: int, cards: int, hand_limit: int) -> None:
    """Everybody has used two cards in each round, and discarded at most one; somebody had to (KA-4 to KA-7)."""
    over = state.phase == ka.OVER
    require(state.round_number == rounds or (not over and state.round_number < rounds), f"{rounds} rounds")
    done = state.round_number - (not over)
    earlier = ka.CHOSEN_CARDS * (state.round_number - 1)
    hand = min(hand_limit, cards - earlier)
    discards = 0
    for seat in range(state.players):
        chosen_count = ka.CHOSEN_CARDS if over or any(state.chosen[seat]) else 0
        require(
            state.hand_count[seat] == hand - chosen_count, f"the number of cards in the hand of seat {seat}"
        )
        pile = cards - earlier - hand
        require(state.pile_count[seat] == pile, f"the number of cards in the pile of seat {seat}")
        before = state.discard_count[seat] - discarded_now(state, seat)
        require(before <= done, f"at most one discarded card of seat {seat} in each round")
        discards += before
    require(discards >= done, "somebody discards a card in every round")


def check_choice(state: Any, seat: int) -> None:
    """What a seat has chosen, and what of it is still to be laid, agree with the phase (KA-4 to KA-6)."""
    choice, to_lay = state.chosen[seat], state.to_lay[seat]
    require(choice == sorted(choice), f"a sorted choice of seat {seat}")
    require(all(choice) or not any(choice), f"seat {seat} chooses two cards or none")
    if state.phase in (ka.CHOOSE, ka.OVER):
        require(not to_lay, f"seat {seat} lays nothing before all have chosen, or after the end")
        require(state.phase == ka.CHOOSE or not any(choice), "a choice after the end")
        return
    require(any(choice), f"the choice of seat {seat}")
    on_island = sum(card in state.island[seat] for card in choice)
    discards, discard = seat in lowest(state), discarded_now(state, seat)
    require(on_island + discard + to_lay.bit_count() == ka.CHOSEN_CARDS, f"what seat {seat} has to lay")
    if state.phase == ka.DISCARD:
        require(not on_island, f"seat {seat} lays nothing before all have discarded")
        require(discards or not discard, f"seat {seat} does not discard: its sum is not the lowest")
    else:
        require(discards == discard, f"seat {seat} discards if its sum is the lowest")


def decides(state: Any, seat: int) -> bool:
    """Whether a seat has to decide: to choose, to discard as its sum is the lowest, or to lay (KA-4 to KA-6)."""
    match state.phase:
        case ka.CHOOSE:
            return not any(state.chosen[seat])
        case ka.DISCARD:
            return seat in lowest(state) and not discarded_now(state, seat)
        case _:
            return bool(state.to_lay[seat])


def lowest(state: Any) -> list[int]:
    """The seats with the lowest sum (KA-5)."""
    sums = [sum(state.chosen[seat]) for seat in range(state.players)]
    return [seat for seat in range(state.players) if sums[seat] == min(sums)]


def discarded_now(state: Any, seat: int) -> int:
    """How many of the cards chosen in this round the seat has discarded: none or one (KA-5)."""
    if state.phase not in (ka.DISCARD, ka.LAY) or not state.discard_count[seat]:
        return 0
    return int(state.discarded[seat][state.discard_count[seat] - 1] in state.chosen[seat])
