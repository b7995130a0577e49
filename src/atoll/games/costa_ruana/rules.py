"""Costa Ruana, by Yuri Zhuravlev: five rounds of cards played openly and in secret, of natives that copy them and
of a Shaman who decides which cards count; then whoever has the most natives on an island, and no equal, takes a
treasure.

Every `CR-` number is a rule of this project's page of rules. Where the rulebook leaves something open:

- A card is active when its background is one of the two visible condition faces (CR-2).
- How many cards of each kind there are is data, `components.toml` (CR-4).
- The two islands that start with 4 treasures are the first two (CR-6): islands differ in nothing else.
- Cards of one kind that are alike, with the same owners' natives on them, resolve in the order in which they were
  played without a question (CR-14).
- Looking for the next Shaman starts at the old one's left-hand neighbour (CR-18).
- Players who tie on points and on treasures share the win (CR-22).
"""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.moves import all_of
from atoll.core.types import Components
from atoll.engine.compiling import compiled
from atoll.engine.records import scratch
from atoll.engine.seat_sets import highest
from atoll.games.costa_ruana import card_phases, effects, resolution, rounds
from atoll.games.costa_ruana import moves as mv
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.invariants import check
from atoll.games.costa_ruana.setup import SOURCES, go_round, pass_turn, start
from atoll.games.costa_ruana.state import MAX_PLAYERS
from atoll.games.costa_ruana.view import resample, reveal

__all__ = ["SOURCES", "check", "resample", "reveal", "start"]

MAX_LEGAL = 72
"""Taking any player's native from any island is the widest choice."""

MAX_EVENTS = 256
"""The last piece of a round: its card, then the whole collection, the discarding and the drawing."""


# End of the game


@compiled
def points_of(state, parts, seat):
    """A seat's points for treasures, and for natives in the supply (CR-22)."""
    treasures = int(state.hut[seat]) * int(parts.treasure_points)
    return treasures, int(state.supply[seat]) * int(parts.native_points)


@compiled
def result(state, parts, points):
    """Write each seat's points (CR-22); returns the bit set of the winners, 0 while the game runs."""
    ranks = scratch(MAX_PLAYERS, np.int32)
    for seat in range(state.players):
        treasures, natives = points_of(state, parts, seat)
        points[seat] = treasures + natives
        # Treasures break ties; there are fewer than 128.
        ranks[seat] = int(points[seat]) * 128 + int(state.hut[seat])
    return highest(ranks, state.players) if state.phase == cr.OVER else 0


# The phases: what may be done, and what doing it does


@compiled
def legal_actions(state, parts, seat, out):
    """Write the codes of the legal moves of `seat`, ascending, and return how many there are.

    `out` is int32 of shape (MAX_LEGAL,). A seat that has nothing to decide has none.
    """
    if not int(state.to_act) >> seat & 1:
        return 0
    phase = state.phase
    if phase == cr.FACE_UP or phase == cr.FACE_DOWN:
        return card_phases.cards_to_play(state, seat, out)
    if phase == cr.NATIVE:
        return card_phases.cards_for_native(state, seat, out)
    if phase == cr.CONDITION:
        return all_of(out, mv.TURN_CONDITION, len(cr.CONDITIONS))  # either, and no way round it (CR-12)
    if phase == cr.ORDER:
        return resolution.cards_to_resolve(state, seat, out)
    if phase == cr.TAKE_NATIVE:
        return effects.natives_to_take(state, parts, out)
    if phase == cr.RESIGN:
        return all_of(out, mv.APPOINT_SHAMAN, int(state.players))  # oneself or any other player (CR-21)
    return effects.islands_to_choose(state, parts, seat, out)


@compiled
def play(state, parts, seat, action, events):
    """Carry out a legal move of `seat` and all that follows without a decision; trusts its caller."""
    phase = state.phase
    if phase == cr.FACE_UP or phase == cr.FACE_DOWN:
        card, front = mv.decode_play(action)
        card_phases.play_card(state, seat, card, front, events)
    elif phase == cr.NATIVE:
        card_phases.place_native_on_card(state, seat, action, events)
    elif phase == cr.CONDITION:
        card_phases.turn_condition(state, seat, action - mv.TURN_CONDITION, events)
        resolution.resolve(state, parts, events)
    elif phase == cr.ORDER:
        resolution.begin_card(state, action - mv.RESOLVE_CARD, events)
        resolution.resolve(state, parts, events)
    elif phase == cr.RESIGN:
        rounds.appoint_shaman(state, seat, action - mv.APPOINT_SHAMAN, events)
    elif effects.carry_out(state, seat, action, events):
        if phase != cr.SETUP:
            resolution.finish_piece(state, parts, events)
        elif pass_turn(state, int(state.players) * int(parts.first_natives)):  # one native at a time (CR-8)
            go_round(state, cr.FACE_UP)


def max_decisions(components: Components, players: int) -> int:
    """Declared bound of a game's length, in decisions.

    In a round each player plays two cards and a native, 2n cards and n natives give at most 3n effects of at most
    3 decisions, and at most 2n questions of order; the Shaman turns a condition, and may resign.
    """
    parts = components.parts[0]
    return players * int(parts.first_natives) + int(parts.rounds) * (14 * players + 2)


def points_range(components: Components, players: int) -> tuple[int, int]:
    """Declared bounds of a seat's points: nothing at all, or every treasure and all natives at home."""
    parts = components.parts[0]
    most = int(parts.treasures[players].sum()) * int(parts.treasure_points)
    return 0, most + int(parts.natives) * int(parts.native_points)
