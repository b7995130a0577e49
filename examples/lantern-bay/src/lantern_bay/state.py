"""What a position of Lantern Bay holds, and what its rules read of the components file."""

from typing import Any

from atoll.core.fields import Int8s, Int16s, Resource, everybody, owner
from atoll.core.forms import Named, OrNull, Row
from atoll.core.parts import Parts, part
from atoll.core.state import State
from atoll.text.translation import texts

MOST_PLAYERS, MOST_NIGHTS, MOST_PICKS, MOST_HAND, MOST_CARDS, NONE = 5, 6, 2, 6, 80, 0
MOST_GEAR = MOST_NIGHTS * MOST_PICKS
MOST_HAULS, MOST_DICE, MOST_SIDES = 6, 8, 8
MOST_GIFT = 6  # what a card gives of anything, and coins of a fish by itself
MOST_COINS = MOST_NIGHTS * (MOST_HAULS * MOST_DICE + 2) * MOST_GIFT * (MOST_GEAR + 1)
FACES = ("silver", "red", "blue", "moon", "squall")
FISH, SQUALL = FACES[:-1], len(FACES) - 1
GIFTS = (*FISH, "hull", "saves", "drum", "pearl")
HULL, SAVES, DRUM, PEARL = range(len(FISH), len(GIFTS))
OUTFITTING, AT_SEA = range(2)
PLANS = (None, "fish on", "sail home")
UNDECIDED, FISH_ON, SAIL_HOME = range(len(PLANS))
IN_HARBOUR, OUT, WRECKED = range(3)
COINS, ASCENDING = (Resource(*texts("coins")),), Row(ascending=True)
CARD: Any = {"least": 1, "most": MOST_CARDS, "empty": NONE, "of": "card", "within": "cards"}
LISTED: Any = {"of": "cards[]", "copies": "count", "shift": 1}
EACH: Any = {"shape": MOST_PLAYERS, "key": "players[]."}


class LanternBayParts(Parts):
    """The components; a card is its number, from 1, counted through all copies of the file's list."""

    nights: int = part("nights of a game", of="game", least=1, most=MOST_NIGHTS)
    hand: int = part("cards dealt to each player in a night", of="game", least=MOST_PICKS, most=MOST_HAND)
    picks: int = part("cards that each player keeps of them", of="game", least=1, most=MOST_PICKS)
    hull: int = part("squalls that every boat withstands in a night", of="game", most=MOST_GIFT)
    quay: int = part("coins that the quay pays for each boat still out", of="game", most=MOST_GIFT)
    dice: Int8s = part("dice of each haul", shape=MOST_HAULS, of="game", least=1, most=MOST_DICE)
    hauls: int = part("hauls of a night at most", counts="game.dice")
    die: Int8s = part("the faces of the die", shape=MOST_SIDES, of="game", names=FACES)
    sides: int = part("how many they are", counts="game.die")
    worth: Int8s = part("coins that each fish brings", shape=len(FISH), of="game", keys=FISH, most=MOST_GIFT)
    pearls: Int8s = part("coins for so many pearls at the end", shape=MOST_GEAR + 1, of="game", most=100)
    pearl_steps: int = part("how many numbers of pearls are told", counts="game.pearls")
    cards: int = part("how many cards there are", counts="cards", copies="count")
    gives: Int8s = part(
        "what a card gives its boat", shape=(MOST_CARDS + 1, len(GIFTS)), keys=GIFTS, most=MOST_GIFT, **LISTED
    )


class LanternBayState(State):
    """A position; the first axis of what belongs to players counts seats."""

    round_number: int = everybody("the night", least=1, most=MOST_NIGHTS, within="nights", key="round")
    phase: int = everybody("what the night has come to", names=("outfitting", "at sea"), key="phase")
    haul: int = everybody("hauls of this night", most=MOST_HAULS, within="hauls", key="haul")
    squalls: int = everybody("squalls of this night", most=MOST_HAULS * MOST_DICE, key="squalls")
    dice_count: int = everybody("dice of the last haul", most=MOST_DICE, counts="dice")
    dice: Int8s = everybody("the last haul", shape=MOST_DICE, most=SQUALL, key="dice", form=Row(Named(FACES)))
    boat: Int8s = everybody("where each boat is", names=("in harbour", "out", "wrecked"), **EACH)
    hold: Int16s = everybody("coins that the catch aboard is worth", "i2", most=MOST_COINS, **EACH)
    coins: Int16s = everybody("coins earned", "i2", most=MOST_COINS, resources=COINS, **EACH)
    gear_count: Int8s = everybody("of each boat", shape=MOST_PLAYERS, most=MOST_GEAR, counts="players[].gear")
    gear: Int8s = everybody("cards of boats", shape=(MOST_PLAYERS, MOST_GEAR), key="players[].gear", **CARD)
    hand_count: Int8s = everybody("of each hand", shape=MOST_PLAYERS, most=MOST_HAND, counts="players[].hand")
    hand: Int8s = owner(
        "cards to keep one of", shape=(MOST_PLAYERS, MOST_HAND), key="players[].hand", form=ASCENDING, **CARD
    )
    chosen: Int8s = owner("the card that each will keep", form=OrNull(NONE), **EACH, **CARD)
    plan: Int8s = owner("what each has decided", least=1, most=2, empty=UNDECIDED, form=Named(PLANS), **EACH)
