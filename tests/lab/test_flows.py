"""Flows: gains, spendings and losses are what single games say, seen from outside of compiled code."""

from collections import defaultdict

import numpy as np
import pytest
from numpy.typing import NDArray

from atoll.bots import find_bot
from atoll.core.catalogue import find_game
from atoll.core.fields import Resource, everybody
from atoll.core.game import Position
from atoll.core.state import State
from atoll.lab import report_builder
from atoll.lab.played import Setup, game_seed
from atoll.lab.simulate import seat_bots, step_game
from atoll.text.errors import AtollError

GAMES = 12


def held(position: Position, fields: list[str]) -> NDArray[np.int64]:
    """What each seat has of each resource."""
    rows = [np.array(position.state[field])[: position.players] for field in fields]
    return np.concatenate([row.reshape(position.players, -1) for row in rows], axis=1).astype(np.int64)


@pytest.mark.parametrize(
    ("name", "players", "fields"),
    [("cast-away", 3, ["resources"]), ("costa-ruana", 4, ["supply", "hut"])],
)
def test_flows_are_those_of_single_games(name: str, players: int, fields: list[str]):
    """Every stream by round and seat, what is left, and rounds in which a seat never has a choice."""
    game = find_game(name)
    played = Setup(game, game.components(), players, [find_bot("greedy"), find_bot("random")], 4)
    totals = report_builder.empty(played)
    report_builder.play_and_count(played, GAMES, totals)
    flows = report_builder.report(played, totals).flows
    assert flows is not None

    streams: dict[tuple[str, int, int, int], list[int]] = defaultdict(lambda: [0] * GAMES)
    left: dict[int, list[NDArray[np.int64]]] = defaultdict(list)
    reached: dict[int, set[int]] = defaultdict(set)
    choices: dict[tuple[int, int], dict[int, bool]] = defaultdict(dict)
    lost_by = {kind.name: kind.code for kind in game.events.kinds}.get("fish lost")
    for index in range(GAMES):
        position = game.start(players, game_seed(played.seed, index), played.components)
        begins = position.to_act[0] if len(position.to_act) == 1 else 0
        seated = seat_bots(played.bots, players, played.seed, index)
        before = held(position, fields)
        at = int(position.state.round_number)
        for step in step_game(position, seated):
            after = held(position, fields)
            reached[at].add(index)
            could = choices[at, (step.seat - begins) % players]
            could[index] = could.get(index, False) or len(step.legal) > 1
            lost = np.zeros(after.shape, dtype=np.int64)
            for event in step.events:
                if event.what == lost_by:
                    lost[event.whose, -1] += event.extra
            for seat, place in np.ndindex(after.shape):
                change = int(after[seat, place] - before[seat, place])
                who = (seat - begins) % players
                streams["gained", at, who, place][index] += max(0, change)
                streams["lost", at, who, place][index] += int(lost[seat, place])
                streams["spent", at, who, place][index] += max(0, -change) - int(lost[seat, place])
            before, at = after, int(position.state.round_number)
        for seat in range(players):
            left[(seat - begins) % players].append(before[seat])

    assert [one.name["en"] for one in flows.resources if one.can_be_lost] == ["fish"] * (lost_by is not None)
    for place, resource in enumerate(flows.resources):
        for seat in resource.seats:
            who = seat.seat - 1
            assert seat.left.value == pytest.approx(np.mean([row[place] for row in left[who]]))
            for stream in ("gained", "spent", "lost"):
                whole = [sum(streams[stream, at, who, place][i] for at in reached) for i in range(GAMES)]
                assert getattr(seat, stream).value == pytest.approx(np.mean(whole))
                half = 1.959964 * np.std(whole, ddof=1) / GAMES**0.5
                assert getattr(seat, stream).high - getattr(seat, stream).value == pytest.approx(half)
        for one in resource.rounds:
            for stream in ("gained", "spent", "lost"):
                own = [
                    [streams[stream, one.round, who, place][i] for i in sorted(reached[one.round])]
                    for who in range(players)
                ]
                told = getattr(one, stream)
                assert [each.value for each in told.by_seat] == pytest.approx(np.mean(own, axis=1).tolist())
                inside = [told.low <= amount <= told.high for seat in own for amount in seat]
                assert np.mean(inside) >= 0.9
    assert {stuck.round for stuck in flows.stuck} == set(reached)
    for stuck in flows.stuck:
        for who, share in enumerate(stuck.by_seat):
            own_choices = choices[stuck.round, who].values()
            assert share.units == len(own_choices)
            assert share.value == pytest.approx(np.mean([not chose for chose in own_choices]))


def test_resources_are_declared_for_each_place():
    with pytest.raises(AtollError, match="names 2 resources"):

        class Wrong(State):
            gold = everybody("gold", shape=(4, 3), resources=(Resource("gold"), Resource("silver")))
            __annotations__ = {"gold": int}
