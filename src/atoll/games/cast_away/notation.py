"""Cast Away in the words of the record format: states, views, moves and what they hide."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.events import Event, grouped
from atoll.core.fields import Field
from atoll.core.forms import Form, Index, Named, OwnForm, Row, a_list
from atoll.core.invariants import flagged
from atoll.core.serialization import Wording, wrong_key
from atoll.core.state import REFEREE
from atoll.core.types import Components, Json, plain
from atoll.games.cast_away import events as ev
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.invariants import sums_of_lasting
from atoll.games.cast_away.state import CastAwayState, EventCardForm
from atoll.games.cast_away.upkeep import all_miracles, end_points, mystery_points, total_points
from atoll.text.errors import RecordError
from atoll.text.messages import Message, message_of, quoted

# States


class PileForm(OwnForm):
    """The cards of a pile, top first; in a view how many, or, where what is left is public, which, in their own order.

    Its fields begin with `name`: NAME_pile, NAME_count, and NAME_left where what is left is public.
    """

    def __init__(self, name: str, form: Form, *, public: bool = True) -> None:
        self.name = name
        self.form = form
        self.public = public

    def say(self, state: Any, index: Index) -> Any:
        cards = _top_first(state[f"{self.name}_pile"], state[f"{self.name}_count"])
        if state.seat != REFEREE:
            if not self.public:
                return len(cards)
            cards = flagged(state[f"{self.name}_left"].tolist())
        return [self.form.say(card) for card in cards]

    def read(self, state: Any, index: Index, value: Any) -> None:
        cards = Row(self.form, reverse=True).read(value, CastAwayState.field(f"{self.name}_pile"))
        state[f"{self.name}_count"] = len(cards)
        state[f"{self.name}_pile"][: len(cards)] = cards
        if self.public:
            state[f"{self.name}_left"][cards] = 1


class ConstructionsForm(OwnForm):
    """The constructions that can be built, by number: those of the components that cover no slot."""

    def say(self, state: CastAwayState, index: Index) -> Any:
        return [tile + 1 for tile in np.flatnonzero(state.tile_owner == ca.NOBODY).tolist()]

    def read(self, state: CastAwayState, index: Index, value: Any) -> None:
        # The slots tell who has others.
        tiles = Row().read(value, Field("", "everybody", shape=(ca.MAX_TILES,), least=1, most=ca.MAX_TILES))
        state.tile_owner[:] = ca.NOT_IN_GAME
        state.tile_owner[[tile - 1 for tile in tiles]] = ca.NOBODY
        for seat in range(state.players):
            for tile in state.slots[seat, : state.slot_count[seat]].tolist():
                if tile < ca.MIRACLE_SLOT:
                    if state.tile_owner[tile] != ca.NOT_IN_GAME:
                        raise ValueError(Message("constructions that cover no slot").of(__package__))
                    state.tile_owner[tile] = seat


class MysteryForm(OwnForm):
    """Tiles of the mystery: how many of each design, a list a storey; all players' lists have the same lengths."""

    def __init__(self, name: str) -> None:
        self.name = name

    def say(self, state: Any, index: Index) -> Any:
        counts = state[self.name][index] if index else state[self.name]
        return [
            counts[storey * ca.MAX_DESIGNS : storey * ca.MAX_DESIGNS + state.designs[storey]].tolist()
            for storey in range(ca.STOREYS)
        ]

    def read(self, state: Any, index: Index, value: Any) -> None:
        field = replace(CastAwayState.field(self.name), shape=(ca.MAX_DESIGNS,))
        if not isinstance(value, list) or len(value) != ca.STOREYS:
            raise ValueError(Message("a list of %(count)s lists", count=ca.STOREYS).of(__package__))
        counts = state[self.name][index] if index else state[self.name]
        for storey, tiles in enumerate(value):
            row = Row().read(tiles, field)
            if not index:
                state.designs[storey] = len(row)
            elif len(row) != state.designs[storey]:
                right = Message(
                    "as many designs of storey %(storey)s as are in the mystery", storey=storey + 1
                )
                raise ValueError(right.of(__package__))
            counts[storey * ca.MAX_DESIGNS : storey * ca.MAX_DESIGNS + len(row)] = row


class PlacesForm(OwnForm):
    """The seats of the meeples on each place, by its name, in order of arrival; a construction with whose it is."""

    def say(self, state: CastAwayState, index: Index) -> Any:
        owners = [ca.NOBODY] * len(ca.PLACES) + state.tile_owner.tolist()
        arrivals = state.arrival_place[: state.arrivals].tolist()
        seats = zip(arrivals, state.arrival_seat.tolist(), strict=False)
        return grouped((place_name(place, owners[place]), seat) for place, seat in seats)

    def read(self, state: CastAwayState, index: Index, value: Any) -> None:
        owners = [ca.NOBODY] * len(ca.PLACES) + state.tile_owner.tolist()
        places = {
            place_name(place, owner): place
            for place, owner in enumerate(owners)
            if place < ca.TILE_PLACE or owner >= 0
        }
        if not isinstance(value, dict) or not value.keys() <= places.keys():
            right = Message("an object of places of the board and of constructions with their owner")
            raise ValueError(right.of(__package__))
        for name, seats in value.items():
            place = places[name]
            room = state.arrival_seat[state.arrivals :]
            row = Row().read(seats, Field("", "everybody", shape=room.shape, most=int(state.players) - 1))
            room[: len(row)] = row
            state.arrival_place[state.arrivals : state.arrivals + len(row)] = place
            state.arrivals += len(row)
            if place >= ca.TILE_PLACE:
                state.tile_used[place - ca.TILE_PLACE] = 1
            else:
                state.place_count[place] = min(len(row), 1) if place == ca.MYSTERY_PLACE else len(row)


class HeldEventsForm(OwnForm):
    """The event cards of a player, in the order taken, after those of the seats before."""

    def say(self, state: CastAwayState, index: Index) -> Any:
        holders = zip(state.held_event.tolist(), state.held_by.tolist(), strict=True)
        return [EVENT.say(card) for card, holder in holders if holder == index[0]]

    def read(self, state: CastAwayState, index: Index, value: Any) -> None:
        first = int(state.held_count)
        field = replace(CastAwayState.field("held_event"), shape=(ca.MAX_EVENT_CARDS - first,))
        cards = Row(EVENT).read(value, field)
        state.held_count = first + len(cards)
        state.held_event[first : state.held_count] = cards
        state.held_by[first : state.held_count] = index[0]


EVENT = EventCardForm()
WORDING = Wording(
    CastAwayState,
    {
        "event_pile": PileForm("event", EVENT, public=False),
        "boosts.pile": PileForm("boost", Named(ca.BOOSTS[: ca.FIRST_PLAYER])),
        "fishing_pile": PileForm("fishing", Form()),
        "constructions": ConstructionsForm(),
        "mystery": MysteryForm("mystery_left"),
        "places": PlacesForm(),
        "players[].events": HeldEventsForm(),
        "players[].mystery": MysteryForm("mystery"),
    },
)


def state_to_json(state: CastAwayState, options: Mapping[str, bool]) -> Json:
    """The state, or what a view shows of it: of piles whose order alone is hidden, the content in order."""
    words = WORDING.say(state)
    open_cards = flagged(state.event_turned.tolist())
    if gone := [EVENT.say(card) for card in open_cards if card not in _events_there(state)]:
        words["events_gone"] = gone
    if state.seat == REFEREE and state.seen_count.any():
        words["seen_counts"] = state.seen_count[: state.players].tolist()
    if state.seat >= 0:
        seen_count = int(state.seen_count[state.seat])
        words["seen"] = [
            EVENT.say(card) for card in _top_first(state.event_pile, state.event_count)[:seen_count]
        ]
    return words


def _events_there(state: CastAwayState) -> set[int]:
    """The event cards that were turned up and have not left the game."""
    return {int(state.event), *state.held_event[: state.held_count].tolist()} - {ca.NOBODY}


def place_name(place: int, owner: int) -> str:
    """A place of the board, or a construction and whose it is."""
    return (
        ca.PLACES[place] if place < ca.TILE_PLACE else f"construction {place - ca.TILE_PLACE + 1} of {owner}"
    )


def _top_first(pile: NDArray[np.int8], count: int) -> list[int]:
    cards: list[int] = pile[:count][::-1].tolist()
    return cards


# States from words


def hidden_from_json(words: Mapping[str, Any], components: Components) -> NDArray[Any]:
    """What these words say of what is hidden, in a state of shape (1,) in which nothing else counts."""
    return WORDING.read(words)


def state_from_json(words: Mapping[str, Any], components: Components) -> NDArray[Any]:
    """The state, shape (1,), that these words describe; raises RecordError naming the key that is wrong.

    A state tells all in the phases `boost`, while the first player's boost lies there, `action` and `over`.
    """
    states = hidden_from_json(words, components)
    state, parts = states[0], components.parts[0]
    phase = int(state.phase)
    if phase not in (ca.BOOST, ca.ACTION, ca.OVER) or (phase == ca.BOOST and not state.boost_face_up):
        partial = Message(
            "a state in phase %(phase)s does not tell all: replay from the start",
            phase=quoted(words["phase"]),
        )
        raise RecordError(partial.of(__package__))
    state.stage = {ca.BOOST: ca.BOOSTING, ca.ACTION: ca.ACTING, ca.OVER: ca.ENDED}[phase]
    _restore_turn(state, words["to_act"])
    if "events_gone" in words:
        gone = _numbers("events_gone", EVENT, words["events_gone"], CastAwayState.field("held_event"))
        state.event_turned[[*gone, *_events_there(state)]] = 1
    else:
        _guess_events_gone(state, parts)
    if "seen_counts" in words:
        _restore_seen_counts(state, words["seen_counts"])
    state.bonus[:] = sums_of_lasting(plain(state), components.plain)
    return states


def _restore_turn(state: Any, to_act: list[int]) -> None:
    order = state.order[: state.players].tolist()
    if len(to_act) != (state.phase != ca.OVER) or not set(to_act) <= set(order):
        one = Message("the state's key to_act must name one seat in turn order, or none after the end")
        raise RecordError(one.of(__package__))
    for seat in to_act:
        state.turn = order.index(seat)
        state.actor = seat


def _guess_events_gone(state: Any, parts: Any) -> None:
    """As the state does not say so, any cards neither in the pile nor in play went back into the box."""
    pile = state.event_pile[: state.event_count].tolist()
    in_play = _events_there(state)
    cards = parts.event_card[: parts.event_cards].tolist()
    others = [card for card in cards if card not in in_play and card not in pile]
    boxed = [card for card in reversed(others) if card != ca.SHIP][: parts.events_boxed]
    for card in (*in_play, *others):
        state.event_turned[card] = card not in boxed


def _restore_seen_counts(state: Any, value: Any) -> None:
    players = int(state.players)
    field = Field("", "everybody", shape=(players,), most=int(state.event_count))
    counts = _numbers("seen_counts", Form(), value, field)
    if len(counts) != players:
        raise wrong_key("seen_counts", a_list(players, players))
    state.seen_count[:players] = counts


def _numbers(key: str, form: Form, value: Any, field: Field) -> list[int]:
    """The numbers of a list that is no field's."""
    try:
        return Row(form).read(value, field)
    except ValueError as error:
        raise wrong_key(key, message_of(error)) from None


# Chance and the end


def chance_of(events: Sequence[Event], state: CastAwayState) -> Json | None:
    """The new order of the fishing cards, if they were shuffled."""
    if any(event.what == ev.FISHING_SHUFFLED for event in events):
        return {"fishing_pile": _top_first(state.fishing_pile, state.fishing_count)}
    return None


def apply_chance(state: CastAwayState, chance: Mapping[str, Any]) -> None:
    """Set the order of the fishing cards; raises RecordError if it is of other cards than those in the pile."""
    pile = chance.get("fishing_pile") if isinstance(chance, Mapping) else None
    count = int(state.fishing_count)
    if (
        not isinstance(pile, list)
        or any(type(card) is not int for card in pile)
        or sorted(pile) != sorted(state.fishing_pile[:count].tolist())
    ):
        pile_said = Message("chance has the key fishing_pile: the cards of the new pile, top first")
        raise RecordError(pile_said.of(__package__))
    state.fishing_pile[:count] = pile[::-1]


def breakdown(state: CastAwayState, components: Components) -> list[Json]:
    """Each seat's points in their parts (CA-40)."""
    parts = components.parts[0]
    rows = []
    for seat in range(state.players):
        tiles = state.slots[seat, : state.slot_count[seat]].tolist()
        built = [tile for tile in tiles if tile < ca.MIRACLE_SLOT]
        rows.append(
            {
                "prestige": int(state.prestige[seat]),
                "constructions": sum(int(parts.tile_prestige[tile]) for tile in built),
                "effects": sum(int(end_points(state, parts, seat, tile)) for tile in built),
                "miracles": int(all_miracles(state, parts, seat)),
                "mystery": int(mystery_points(state, parts, seat)),
                "points": int(total_points(state, parts, seat)),
            }
        )
    return rows
