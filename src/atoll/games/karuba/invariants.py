"""What holds in every position: no card is lost or made, islands are possible, and the cards agree with the round."""

from typing import Any

from atoll.core.game import Components
from atoll.core.invariants import plain, require
from atoll.games.karuba import state as ka

FREE = ("generator", "chosen")
"""The fields of which another value can be right while all others stay."""


def check(state: ka.KarubaState, components: Components) -> None:
    """Raise AssertionError, naming it, if something does not hold that holds in every game."""
    found, parts = plain(state), components.parts[0]
    require((found.to_act == 0) == (found.phase == ka.OVER), "somebody has to decide until the end")
    for seat in range(found.players):
        require(found.chosen[seat] == sorted(found.chosen[seat]), f"a sorted choice of seat {seat}")
        check_island(found.island[seat], seat, int(parts.frame))
    check_round(found, int(parts.rounds), int(parts.cards), int(parts.hand))
    checks = (check_choosing, check_discarding, check_laying, check_end)  # by phase
    checks[found.phase](found)


def check_island(island: list[int], seat: int, frame: int) -> None:
    """An island is in one piece, on its first card, and within a frame (KA-6)."""
    cells = {cell for cell, card in enumerate(island) if card != ka.NO_CARD}
    reached, fresh = set[int](), cells & {ka.MIDDLE}
    while fresh:
        reached |= fresh
        fresh = {other for cell in fresh for other in ka.NEIGHBOURS[cell].tolist()} & cells - reached
    require(reached == cells, f"the island of seat {seat} is in one piece")
    for lines in zip(*map(ka.place_of, cells), strict=True):
        require(max(lines) - min(lines) < frame, f"the width and height of the island of seat {seat}")


# The round


def check_round(state: Any, rounds: int, cards: int, hand_limit: int) -> None:
    """Everybody has used two cards in each round, and discarded at most one; somebody had to (KA-4 to KA-7)."""
    require(state.round_number <= rounds, f"at most {rounds} rounds")
    require(state.phase != ka.OVER or state.round_number == rounds, f"a game of {rounds} rounds")
    done = state.round_number - (0 if state.phase == ka.OVER else 1)
    earlier = ka.CHOSEN_CARDS * (state.round_number - 1)
    hand = min(hand_limit, cards - earlier)
    discards = 0
    for seat in range(state.players):
        chosen = state.chosen[seat][0] != ka.NO_CARD
        require(chosen == (state.chosen[seat][1] != ka.NO_CARD), f"seat {seat} chooses two cards or none")
        require(chosen or state.phase in (ka.CHOOSE, ka.OVER), f"the choice of seat {seat}")
        taken = ka.CHOSEN_CARDS if chosen or state.phase == ka.OVER else 0
        require(state.hand_count[seat] == hand - taken, f"the number of cards in the hand of seat {seat}")
        require(
            state.pile_count[seat] == cards - earlier - hand,
            f"the number of cards in the pile of seat {seat}",
        )
        before = state.discard_count[seat] - discarded_now(state, seat)
        require(before <= done, f"at most one discarded card of seat {seat} in each round")
        discards += before
    require(discards >= done, "somebody discards a card in every round")


def lowest(state: Any) -> list[int]:
    """The seats with the lowest sum (KA-5)."""
    sums = [sum(state.chosen[seat]) for seat in range(state.players)]
    return [seat for seat in range(state.players) if sums[seat] == min(sums)]


def discarded_now(state: Any, seat: int) -> int:
    """How many of the cards chosen in this round the seat has discarded: none or one (KA-5)."""
    if state.phase not in (ka.DISCARD, ka.LAY) or not state.discard_count[seat]:
        return 0
    return int(state.discarded[seat][state.discard_count[seat] - 1] in state.chosen[seat])


def check_choosing(state: Any) -> None:
    """Who has not chosen has to; nothing is to be laid before all have (KA-4)."""
    waiting = sum(1 << seat for seat in range(state.players) if state.chosen[seat][0] == ka.NO_CARD)
    require(state.to_act == waiting, "who has not chosen has to")
    require(not any(state.to_lay), "nothing is to be laid before all have chosen")


def check_discarding(state: Any) -> None:
    """The lowest sums discard one card each, and nobody lays before they have (KA-5)."""
    waiting = 0
    for seat in range(state.players):
        discards = seat in lowest(state)
        done = discarded_now(state, seat)
        waiting |= (discards and not done) << seat
        require(discards or not done, f"seat {seat} does not discard: its sum is not the lowest")
        require(state.to_lay[seat].bit_count() == ka.CHOSEN_CARDS - done, f"what seat {seat} has to lay")
    require(state.to_act == waiting, "whose sum is the lowest has to discard")


def check_laying(state: Any) -> None:
    """The lowest sums have discarded; who has cards to lay has to decide (KA-5, KA-6)."""
    waiting = sum(1 << seat for seat in range(state.players) if state.to_lay[seat])
    require(state.to_act == waiting, "who has cards to lay has to")
    for seat in range(state.players):
        require(
            discarded_now(state, seat) == (seat in lowest(state)),
            f"seat {seat} discards if its sum is the lowest",
        )
        kept = [card for i, card in enumerate(state.chosen[seat]) if not state.to_lay[seat] >> i & 1]
        laid = sum(card in state.island[seat] for card in kept)
        require(laid == len(kept) - discarded_now(state, seat), f"seat {seat} lays the cards that it chose")


def check_end(state: Any) -> None:
    """Nothing is chosen or to be laid."""
    require(not any(map(any, state.chosen)), "a choice after the end")
    require(not any(state.to_lay), "cards to lay after the end")
