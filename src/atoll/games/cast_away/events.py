"""What happens in a game of Cast Away, and who learns it.

A sentence is a line of the log or what is added to one (`log.py`), so it has no full stop.
"""

from atoll.core.events import Events
from atoll.core.fields import everybody, owner

# Where resources come from and go to:
RESERVE, STOCK, COMPASS, CANDLE = range(4)
NO_PLACE = -1

# What prestige is scored for; a domain's level is FOR_LEVEL + the domain:
FOR_EFFECT, FOR_HAPPINESS, FOR_NEEDS, FOR_HEALTH, FOR_EVENT, FOR_MAJORITY, RANSOM, FOR_LEVEL = range(8)

WHOSE = everybody("whose")
BOOST = everybody("the boost")
PLACE = everybody("the place of the board, or TILE_PLACE + the tile")
POSITION = everybody("the position of the compass, from 0", of="position")
GIFT = everybody("the resource, or NO_RESOURCE")
RESOURCE = everybody("the resource")
COUNT = everybody("how many", "i2")
ORIGIN = everybody("where from")
TARGET = everybody("where to")
DOMAIN = everybody("the domain", of="domain")
STEP = everybody("the step of divine favour", of="favour")
BEFORE, NOW = everybody("what it was"), everybody("what it is now")
TILE = everybody("the tile", of="construction")
MIRACLE = everybody("the miracle", of="miracle")
DESIGN = everybody("the design", of="design")
SLOT = everybody("the slot")
EVENT = everybody("the event card", of="event card")
SEEN_EVENT = owner("the event card; others see that one was looked at (CA-23)")
DEPTH = everybody("how deep in the pile, 0 is the top")
CARD = everybody("the fishing card")
TRUTH = everybody("1 for yes", most=1)

EVENTS = Events()
BOOST_TAKEN = EVENTS.kind("boost taken", whose=WHOSE, piece=BOOST)
MEEPLE_PLACED = EVENTS.kind(
    "meeple placed",
    whose=WHOSE,
    piece=everybody("OWN or WHITE"),
    target=PLACE,
    extra=everybody("the owner of the tile, if it is one", least=-1),
)
COMPASS_PLACED = EVENTS.kind(
    "compass placed", "%(name)s places the compass marker on %(target)s", whose=WHOSE, target=POSITION
)
TRIBE_MET = EVENTS.kind("tribe met", "%(name)s meets the tribe", whose=WHOSE, piece=GIFT)
TRIBE_LEFT = EVENTS.kind("tribe left", "%(name)s sends a white meeple back", whose=WHOSE, piece=GIFT)
GAINED = EVENTS.kind("gained", whose=WHOSE, piece=RESOURCE, origin=ORIGIN, extra=COUNT)
SPENT = EVENTS.kind("spent", whose=WHOSE, piece=RESOURCE, target=TARGET, extra=COUNT)
SCORED = EVENTS.kind(
    "scored",
    whose=WHOSE,
    piece=everybody("for what"),
    target=everybody("the level or point that was reached, if it is for one"),
    extra=everybody("prestige, below 0 if paid", "i2", least=-(1 << 15)),
)
HAPPIER = EVENTS.kind("happier", "happiness %(target)s", whose=WHOSE, target=NOW, extra=COUNT)
LEVEL_GAINED = EVENTS.kind("level gained", "%(piece)s %(target)s", whose=WHOSE, piece=DOMAIN, target=NOW)
FAVOUR_MOVED = EVENTS.kind("favour moved", whose=WHOSE, origin=BEFORE, target=NOW)
FAVOUR_TAKEN = EVENTS.kind("favour taken", "%(name)s takes favour %(piece)s", whose=WHOSE, piece=STEP)
TILE_BUILT = EVENTS.kind("tile built", "%(name)s builds %(piece)s", whose=WHOSE, piece=TILE, target=SLOT)
MIRACLE_TAKEN = EVENTS.kind("miracle taken", "miracle of %(piece)s", whose=WHOSE, piece=MIRACLE, target=SLOT)
MYSTERY_TAKEN = EVENTS.kind(
    "mystery taken", "%(name)s takes %(piece)s of the mystery", whose=WHOSE, piece=DESIGN
)
EVENT_TURNED = EVENTS.kind("event turned", "The event is %(piece)s", piece=EVENT)
LOT_ADDED = EVENTS.kind("lot added", piece=RESOURCE, extra=COUNT)
EVENT_TAKEN = EVENTS.kind("event taken", "%(name)s takes the event %(piece)s", whose=WHOSE, piece=EVENT)
EVENT_USED = EVENTS.kind("event used", "uses %(piece)s", whose=WHOSE, piece=EVENT)
EVENT_DISCARDED = EVENTS.kind("event discarded", piece=EVENT)
EVENT_SEEN = EVENTS.kind("event seen", whose=WHOSE, piece=SEEN_EVENT, origin=DEPTH)
FISH_DRAWN = EVENTS.kind("fish drawn", whose=WHOSE, piece=CARD, extra=TRUTH)  # 1 if doubled
FISHING_SHUFFLED = EVENTS.kind("fishing shuffled")
RESTED = EVENTS.kind("rested", whose=WHOSE)
FIRST_CHOSEN = EVENTS.kind("first chosen", whose=WHOSE, extra=TRUTH)
LOT_LEFT = EVENTS.kind("lot left", "%(name)s takes no lot", whose=WHOSE)
FED = EVENTS.kind(
    "fed",
    "%(name)s feeds",
    whose=WHOSE,
    piece=everybody("water"),
    origin=everybody("fruit"),
    target=everybody("fish"),
)
NOT_FED = EVENTS.kind("not fed", "%(name)s cannot feed", whose=WHOSE)
HEALTH_CHANGED = EVENTS.kind("health changed", "health %(target)s", whose=WHOSE, origin=BEFORE, target=NOW)
HEALTH_PAID = EVENTS.kind("health paid", "%(name)s pays to keep the health", whose=WHOSE, extra=COUNT)
MEEPLES_CHANGED = EVENTS.kind(
    "meeples changed", whose=WHOSE, extra=everybody("how many more, below 0 if lost", least=-128)
)
MEEPLE_CALLED = EVENTS.kind(  # an own one for a white one
    "meeple called", "one comes back from above the candle", whose=WHOSE
)
FISH_LOST = EVENTS.kind(
    "fish lost", "%(name)s loses %(extra)s", whose=WHOSE, extra=everybody("how many", "i2", of="fish")
)
MAJORITY = EVENTS.kind(
    "majority",
    "%(name)s has the majority above the candle",
    whose=WHOSE,
    nobody="Nobody has the majority above the candle",
)  # for a tie
ROUND_BEGUN = EVENTS.kind(
    "round begun", "Round %(extra)s begins", extra=everybody("the round"), begins_round=True
)
LAST_ROUND = EVENTS.kind(
    "last round",
    "covers the last slot: this is the last round",
    whose=WHOSE,
    nobody="The ship is in sight: this is the last round",
)
GAME_OVER = EVENTS.kind("game over", "The game is over")
