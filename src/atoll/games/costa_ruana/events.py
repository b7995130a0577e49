"""What happens in a game of Costa Ruana, and who learns it."""

from atoll.core.events import Events
from atoll.core.fields import UNKNOWN, everybody, owner
from atoll.games.costa_ruana import state as cr

# Origin and target are places:
ISLAND_PLACE = 0  # + island
CARD_PLACE = 20  # + index on the table
SUPPLY_PLACE = 40  # + seat
HUT_PLACE = 50  # + seat
HAND_PLACE = 60  # + seat
PILE_PLACE = 70
DISCARD_PLACE = 71
HELD_PLACE = 72  # in the hand of who is moving it


ISLAND_PLACES = range(ISLAND_PLACE, CARD_PLACE)
CARD_PLACES = range(CARD_PLACE, SUPPLY_PLACE)

TREASURE = UNKNOWN
"""Stands for the owner of a treasure where a native has a seat."""

_SEAT = cr.MAX_PLAYERS - 1
MOVER = everybody("who moved it; UNKNOWN where nobody chose", least=UNKNOWN, most=_SEAT)
PLAYER = everybody("who does it", most=_SEAT)
FRONT = everybody("in front of whom the card lies", most=_SEAT)
CARD = everybody("the card", most=cr.CARD_TYPES - 1)
OWN_CARD = owner("the card", most=cr.CARD_TYPES - 1)
ORIGIN = everybody("the place where it was", most=HELD_PLACE)
TARGET = everybody("the place where it is now", most=HELD_PLACE)
WHERE = everybody("in front of whom", most=_SEAT)
FACE = everybody("a background", most=cr.NIGHT)

EVENTS = Events()
NATIVE_MOVED = EVENTS.kind(
    "native moved", whose=MOVER, piece=everybody("its owner", most=_SEAT), origin=ORIGIN, target=TARGET
)
TREASURE_MOVED = EVENTS.kind("treasure moved", whose=MOVER, origin=ORIGIN, target=TARGET)
MOVING_PIECES = (NATIVE_MOVED, TREASURE_MOVED)
CARD_PLAYED = EVENTS.kind("card played", whose=PLAYER, piece=CARD, origin=ORIGIN, target=TARGET, extra=WHERE)
CARD_HIDDEN = EVENTS.kind(
    "card hidden", whose=PLAYER, piece=OWN_CARD, origin=ORIGIN, target=TARGET, extra=WHERE
)
NATIVE_KEPT = EVENTS.kind("native kept", "%(name)s puts no native on a card.", whose=PLAYER)
CONDITION_TURNED = EVENTS.kind(
    "condition turned", whose=PLAYER, piece=everybody("the condition", most=cr.TIME), origin=FACE, target=FACE
)
CARD_REVEALED = EVENTS.kind("card revealed", whose=FRONT, piece=CARD, origin=ORIGIN)
CARD_INACTIVE = EVENTS.kind("card inactive", whose=FRONT, piece=CARD, origin=ORIGIN)
CARD_BEGUN = EVENTS.kind("card begun", whose=FRONT, piece=CARD, origin=ORIGIN)
CARD_APPLIED = EVENTS.kind(
    "card applied",
    whose=everybody("to whom", most=_SEAT),
    piece=CARD,
    origin=ORIGIN,
    extra=everybody("pieces to move, 0 if none can", most=cr.MAX_NATIVES),
)
CARD_DONE = EVENTS.kind("card done", whose=FRONT, piece=CARD, origin=ORIGIN)
ARGUED = EVENTS.kind(
    "argued", piece=everybody("bit set of the seats", most=(1 << cr.MAX_PLAYERS) - 1), origin=ORIGIN
)
COLLECTED = EVENTS.kind("collected", whose=PLAYER, origin=ORIGIN)
CARD_DISCARDED = EVENTS.kind("card discarded", piece=CARD, origin=ORIGIN, target=TARGET)
SHAMAN_NEXT = EVENTS.kind(
    "shaman next",
    whose=everybody("the new Shaman", most=_SEAT),
    extra=everybody("treasures they collected", most=cr.MAX_TREASURES),
)
CARD_DRAWN = EVENTS.kind("card drawn", whose=PLAYER, piece=OWN_CARD, origin=ORIGIN, target=TARGET)
ROUND_BEGUN = EVENTS.kind(
    "round begun",
    "Round %(extra)s begins.",
    extra=everybody("the round", most=cr.MAX_ROUNDS),
    begins_round=True,
)
SHAMAN_KEPT = EVENTS.kind("shaman kept", "%(name)s keeps the role.", whose=PLAYER)
SHAMAN_APPOINTED = EVENTS.kind(
    "shaman appointed",
    "%(name)s hands the Shaman to %(piece)s.",
    whose=PLAYER,
    piece=everybody("the new Shaman", most=_SEAT, of="seat"),
)
GAME_OVER = EVENTS.kind("game over", "The game is over: everyone lifts their hut.")
