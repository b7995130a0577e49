"""What happens in a game of Karuba, and who learns it."""

from atoll.core.events import Events
from atoll.core.fields import everybody, owner
from atoll.games.karuba.state import MAX_CARDS, MAX_PLAYERS

# Origin and target are places:
CELL_PLACE = 0  # + cell of the island of `whose`
HAND_PLACE = 60
CHOSEN_PLACE = 61
PILE_PLACE = 62
DISCARD_PLACE = 63

WHOSE = everybody("whose card it is", most=MAX_PLAYERS - 1)
CARD = everybody("the card", most=MAX_CARDS)
OWN_CARD = owner("the card", most=MAX_CARDS)
ORIGIN = everybody("the place where it was", most=DISCARD_PLACE)
TARGET = everybody("the place where it is now", most=DISCARD_PLACE)

EVENTS = Events()
CARD_CHOSEN = EVENTS.kind("card chosen", whose=WHOSE, piece=OWN_CARD, origin=ORIGIN, target=TARGET)
CARD_REVEALED = EVENTS.kind("card revealed", whose=WHOSE, piece=CARD, origin=ORIGIN)
SUM_LOWEST = EVENTS.kind("sum lowest", whose=WHOSE, extra=everybody("the sum that makes them discard"))
CARD_DISCARDED = EVENTS.kind(
    "card discarded",
    "%(name)s discards %(piece)s.",
    whose=WHOSE,
    piece=CARD,
    origin=ORIGIN,
    target=TARGET,
)
CARD_LAID = EVENTS.kind("card laid", whose=WHOSE, piece=CARD, origin=ORIGIN, target=TARGET)
CARD_DRAWN = EVENTS.kind("card drawn", whose=WHOSE, piece=OWN_CARD, origin=ORIGIN, target=TARGET)
ROUND_BEGUN = EVENTS.kind(
    "round begun", "Round %(extra)s begins.", extra=everybody("the round"), begins_round=True
)
GAME_OVER = EVENTS.kind("game over", "The game is over: the adventurers set out.")
