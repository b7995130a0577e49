"""Inference from the others' decisions in a round of Costa Ruana about the cards that they hold and have hidden: each
decision is undone, to see what the player chose from (`bots/beliefs.py`).

Once the cards are revealed only the hands are hidden, and no decision says anything about them.
"""

# mypy: disable-error-code="no-untyped-def"

from atoll.engine.compiling import compiled
from atoll.engine.hands import insert_card
from atoll.engine.records import copy_record
from atoll.games.costa_ruana import moves as mv
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.setup import clear_card


@compiled
def decisions(view):
    """A card face up by each player, one face down, and a native (CR-9 to CR-11), as many as were taken."""
    if view.phase < cr.FACE_UP or view.phase > cr.CONDITION:
        return 0
    return int(view.players) * (int(view.phase) - cr.FACE_UP) + int(view.turns)


@compiled
def shown(state, action):
    """What the others see of a move: of a card laid face down in front of whom it lies, whatever it is (CR-10)."""
    if state.phase == cr.FACE_DOWN:
        return mv.encode_play(0, mv.decode_play(action)[1])
    return action


@compiled
def before(state, parts, number, out):
    """Take back the decisions of the round from that of this number on; returns what it was."""
    copy_record(state, out)
    players = int(state.players)
    out.phase = cr.FACE_UP + number // players
    out.turns = number % players
    seat = (int(state.shaman) + int(out.turns)) % players
    out.to_act = 1 << seat
    action = take_back_natives(out, number - players * (cr.NATIVE - cr.FACE_UP), seat)
    if out.phase != cr.NATIVE:
        action = mv.encode_play(int(state.table_card[number]), int(state.table_front[number]))
        take_back_cards(out, number)
    return action


@compiled
def take_back_natives(out, first, seat):
    """The natives on cards go back to their owners' supplies, all but those of the `first` players; returns where
    `seat` had put its own.
    """
    action = mv.KEEP_NATIVE
    for turn in range(max(0, first), int(out.players)):
        owner = (int(out.shaman) + turn) % int(out.players)
        for k in range(out.table_count):
            if int(out.table_natives[k]) >> owner & 1:
                out.table_natives[k] = int(out.table_natives[k]) & ~(1 << owner)
                out.supply[owner] += 1
                if owner == seat:
                    action = mv.PUT_NATIVE_ON_CARD + k
    return action


@compiled
def take_back_cards(out, count):
    """All cards but the first `count` go back to the hands from which they were played."""
    for k in range(count, out.table_count):
        seat = int(out.table_player[k])
        insert_card(out, seat, int(out.hand_count[seat]), int(out.table_card[k]))
        out.hand_count[seat] += 1
        clear_card(out, k)
    out.table_count = count
