"""Hands of cards that stay sorted: rows of a state's `hand`, with the number of cards of each in `hand_count`."""

# mypy: disable-error-code="no-untyped-def"

from atoll.engine.compiling import compiled


@compiled
def insert_card(state, seat, count, card):
    """Put a card into a sorted hand of `count` cards; `hand_count` stays as it is."""
    i = count
    while i > 0 and state.hand[seat, i - 1] > card:
        state.hand[seat, i] = state.hand[seat, i - 1]
        i -= 1
    state.hand[seat, i] = card


@compiled
def take_from_hand(state, seat, card, empty):
    """Take one such card out of a hand; `empty` is what stands in unused places."""
    last = int(state.hand_count[seat]) - 1
    i = 0
    while state.hand[seat, i] != card:
        i += 1
    while i < last:
        state.hand[seat, i] = state.hand[seat, i + 1]
        i += 1
    state.hand[seat, last] = empty
    state.hand_count[seat] = last


@compiled
def pass_hands(state):
    """Give every hand to the next seat, the last one's to the first. All hold as many cards."""
    for i in range(state.hand_count[0]):
        last = state.hand[state.players - 1, i]
        for seat in range(state.players - 1, 0, -1):
            state.hand[seat, i] = state.hand[seat - 1, i]
        state.hand[0, i] = last
