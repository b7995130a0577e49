"""Moves, positions, starting and copying, and the bounds that a game declares."""

import random
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
import pytest

from atoll.core.chance_sources import redraw
from atoll.core.contract import check_both_ways, check_game, check_start
from atoll.core.events import event_buffer, read_events
from atoll.core.exports import PLAY
from atoll.core.game import STARTS, Game, Position
from atoll.core.state import SPECTATOR
from atoll.engine.chance import WORD, generator, keyed_generator
from atoll.testing.playing import BOTS, play_to_the_end, random_move, spaced, state_bytes, walk
from atoll.text.errors import AtollError, IllegalMove


class PlayTests:
    """What playing any game must do."""

    def test_the_game_keeps_the_contract(self, game: Game) -> None:
        check_game(game)
        check_start(game.start(game.default_players, 1))
        check_both_ways(game.start(game.default_players, 1))

    def test_each_declared_source_of_chance_is_drawn_anew_by_itself(self, game: Game, players: int) -> None:
        """If a game declares them, they decide all in which its deals differ, and each of them something."""
        sources = game.rules.SOURCES
        names = set(game.declared.dtype.names or ()) - {"generator"}
        components = game.components()
        deals = [game.start(players, seed, components) for seed in range(STARTS)]
        differ = {
            name for name in names for deal in deals if (deal.state[name] != deals[0].state[name]).any()
        }
        assert not sources or differ <= {name for source in sources for name in source.fields}
        for source in sources:
            changed = set()
            for seed, (deal, other) in enumerate(pairwise(deals)):
                again, before = deal.copy(), state_bytes(other)
                redraw(source, again.state, other.state, components.parts[0], generator(seed))
                again.check()
                assert state_bytes(other) == before
                changed |= {name for name in names if (again.state[name] != deal.state[name]).any()}
                assert (again.state.generator == deal.state.generator).all()
            assert changed <= set(source.fields)
            assert changed, f"{source.key} decides nothing"

    def test_invariants_hold_after_every_move(self, game: Game, players: int) -> None:
        for seed in range(8):
            for _, position in walk(game, players, seed):
                position.check()

    def test_games_under_each_option_keep_the_invariants_and_end(self, game: Game, players: int) -> None:
        for option in game.options:
            options = {option.name: not option.default}
            decisions = 0
            for decisions, position in walk(game, players, 3, options=options):
                assert position.options[option.name] is not option.default
                if decisions % 3 == 0 or position.is_over:
                    position.check()
                if decisions == 0:  # words need not tell all of others
                    Position.from_json(game, position.to_json(), position.components, options)
            assert decisions <= game.rules.max_decisions(game.under(game.components(), options), players)

    def test_legal_moves_are_ascending_codes_within_the_declared_bounds(
        self, game: Game, players: int
    ) -> None:
        rules = game.rules
        for seed in range(8):
            for _, position in walk(game, players, seed):
                for seat in range(players):
                    out = np.full(rules.MAX_LEGAL + 8, -7, dtype=np.int32)
                    count = rules.legal_actions(position.state, position.components.parts[0], seat, out)
                    assert (count > 0) == (seat in position.to_act)
                    assert count <= rules.MAX_LEGAL
                    codes = out[:count].tolist()
                    assert codes == sorted(set(codes))
                    assert all(0 <= code < rules.ACTIONS for code in codes)
                    assert (out[count:] == -7).all()
                    assert position.legal_moves(seat).actions.tolist() == codes

    def test_words_and_codes_of_all_moves_agree(self, game: Game) -> None:
        notation = game.notation
        moves = [notation.move_of(code) for code in range(game.rules.ACTIONS)]
        for code, move in enumerate(moves):
            assert isinstance(move["do"], str)
            assert notation.action_of(move) == code
            assert notation.action_of(msgspec.json.decode(msgspec.json.encode(move))) == code
        assert len({msgspec.json.encode(move) for move in moves}) == len(moves)

    def test_every_code_is_a_move_of_one_declared_kind_with_its_parts_in_order(self, game: Game) -> None:
        moves = game.moves
        assert len(moves) == game.rules.ACTIONS == sum(kind.count for kind in moves.kinds)
        for code in range(len(moves)):
            kind = moves.kind_of(code)
            numbers = dict(zip([part.name for part in kind.parts], kind.numbers(code), strict=True))
            words = {part.name: part.words[numbers[part.name] - part.least] for part in kind.parts}
            assert list(moves.move_of(code).items()) == [("do", kind.word), *words.items()]
            assert all(part.of for part in kind.parts)

    def test_legal_moves_can_be_counted_iterated_and_asked(self, game: Game) -> None:
        position = game.start(game.default_players, 1)
        seat = position.to_act[0]
        legal = position.legal_moves(seat)
        moves = list(legal)
        assert len(legal) == len(moves) == len(legal.actions)
        assert all(move in legal for move in moves)
        illegal = [
            game.notation.move_of(code) for code in range(game.rules.ACTIONS) if code not in legal.actions
        ]
        assert not any(move in legal for move in illegal)
        assert {"do": "nothing like it"} not in legal
        assert "nonsense" not in legal

    @pytest.mark.parametrize(
        "move",
        [
            {},
            {"do": 3},
            {"do": "nothing like it"},
            {"do": ["x"]},
            {"island": 1},
            {"do": None, "card": {}},
            True,
            10**9,
            -1,
        ],
    )
    def test_what_is_no_move_is_refused(self, game: Game, move: Any) -> None:
        position = game.start(game.default_players, 1)
        before = state_bytes(position)
        if move is not True or 1 not in position.legal_moves(position.to_act[0]).actions:
            with pytest.raises(IllegalMove):
                position.play(position.to_act[0], move)
        assert state_bytes(position) == before

    def test_every_legal_move_can_be_played(self, game: Game, players: int) -> None:
        """On a copy, which the original does not notice."""
        for position in spaced(game, players, seed=3, step=2):
            before = state_bytes(position)
            for seat in position.to_act:
                for move in position.legal_moves(seat):
                    copy = position.copy()
                    copy.play(seat, move)
                    copy.check()
                    assert state_bytes(copy) != before
            assert state_bytes(position) == before

    def test_every_other_move_is_refused_and_changes_nothing(self, game: Game, players: int) -> None:
        for position in spaced(game, players, seed=4, step=19):
            before = state_bytes(position)
            for seat in range(players):
                legal = position.legal_moves(seat).actions.tolist()
                codes = (
                    range(game.rules.ACTIONS) if seat in position.to_act else range(0, game.rules.ACTIONS, 29)
                )
                for code in codes:
                    if code not in legal:
                        with pytest.raises(IllegalMove):
                            position.play(seat, code)
            assert state_bytes(position) == before

    def test_a_move_out_of_turn_is_refused(self, game: Game, players: int) -> None:
        for position in spaced(game, players, seed=5, step=5):
            before = state_bytes(position)
            moves = [move for seat in position.to_act for move in position.legal_moves(seat)] or [
                {"do": "anything"}
            ]
            for seat in (-1, *range(players), players):
                if seat not in position.to_act:
                    with pytest.raises(IllegalMove, match=r"over|nothing to decide|no seat"):
                        position.play(seat, moves[0])
                    assert len(position.legal_moves(seat)) == 0
            assert state_bytes(position) == before

    def test_a_refusal_is_one_sentence_that_names_what_is_legal(self, game: Game) -> None:
        for _, position in walk(game, game.default_players, 2):
            seat = position.to_act[0]
            legal = position.legal_moves(seat)
            if len(legal) < game.rules.ACTIONS:
                break
        illegal = next(code for code in range(game.rules.ACTIONS) if code not in legal.actions)
        with pytest.raises(IllegalMove) as refused:
            position.play(seat, game.notation.move_of(illegal))
        assert str(next(iter(legal))) in str(refused.value)
        assert "\n" not in str(refused.value)

    def test_the_same_seed_is_the_same_game(self, game: Game, players: int) -> None:
        for (_, one), (_, other) in zip(walk(game, players, 6), walk(game, players, 6), strict=True):
            assert state_bytes(one) == state_bytes(other)

    def test_other_seeds_are_other_games(self, game: Game, players: int) -> None:
        """As many different games as there are deals, where these are few."""
        starts = [msgspec.json.encode(game.start(players, seed).to_json()) for seed in range(50)]
        if len(set(starts)) < 50:
            more = {msgspec.json.encode(game.start(players, seed).to_json()) for seed in range(50, 250)}
            assert more <= set(starts)
        assert len({state_bytes(game.start(players, seed)) for seed in range(50)}) == 50

    def test_neighbouring_seeds_and_numbers_of_players_do_not_share_chance(self, game: Game) -> None:
        words = {
            int(game.start(players, seed).state.generator[WORD])
            for players in game.seats
            for seed in range(20)
        }
        assert len(words) >= 20
        assert 0 not in words

    def test_copies_go_their_own_ways(self, game: Game, players: int) -> None:
        for position in spaced(game, players, seed=7, step=11):
            copy = position.copy()
            before = state_bytes(position)
            assert state_bytes(copy) == before
            if not position.is_over:
                play_to_the_end(copy, seed=1)
                assert state_bytes(position) == before
                assert not position.is_over

    @pytest.mark.parametrize("garbage", [0x00, 0x5A, 0xFF])
    def test_every_byte_of_a_reused_record_is_written(self, game: Game, players: int, garbage: int) -> None:
        rules, parts = game.rules, game.components().parts[0]

        def dirty() -> Any:
            return np.full(rules.STATE.itemsize, garbage, dtype=np.uint8).view(rules.STATE)

        for keyed in (False, True):
            reused, chance = dirty(), keyed_generator(8) if keyed else generator(8)
            rules.start(reused[0], parts, players, chance)
            assert reused.tobytes() == state_bytes(game.start(players, 8, keyed=keyed))
        for position in spaced(game, players, seed=8, step=17):
            for seat in (SPECTATOR, *range(players)):
                view, world = dirty(), dirty()
                rules.view(position.state, parts, seat, view[0])
                assert view.tobytes() == state_bytes(position.view(seat))
                rules.resample(view[0], parts, generator(3), world[0])
                assert world.tobytes() == state_bytes(position.view(seat).resample(3))

    def test_nothing_is_written_but_where_it_should_be(self, game: Game, players: int) -> None:
        """Neither the components nor what is only looked at; a game's buffer of 0 events takes none."""
        rules, components = game.rules, game.components()
        parts = components.parts[0]
        parts_before = components.parts.tobytes()
        scores, points = np.zeros(rules.MAX_LEGAL, np.int32), np.zeros(players, np.int32)
        move_features = np.zeros((rules.MAX_LEGAL + 1, len(game.move_features)), np.float32)
        for position in spaced(game, players, seed=9, step=3):
            before = state_bytes(position)
            position.outcome  # noqa: B018
            rules.result(position.state, parts, points)
            position.to_json()
            for seat in (SPECTATOR, *range(players)):
                view = position.view(seat)
                view_before = state_bytes(view)
                view.resample(1)
                view.to_json()
                moves = view.legal_moves().actions
                if len(moves):
                    listed = moves.copy()
                    game.advise(view.state, parts, moves, len(moves), scores)
                    move_features.fill(np.nan)
                    game.write_features(view.state, parts, moves, len(moves), move_features)
                    assert np.isfinite(move_features[: len(moves)]).all()
                    assert np.isnan(move_features[len(moves) :]).all()
                    for bot in BOTS:
                        assert bot.choose(view, seed=1) in listed
                    assert (moves == listed).all()
                assert state_bytes(view) == view_before
            assert state_bytes(position) == before
            if not position.is_over:
                quiet, recording = position.copy(), position.copy()
                seat, action = random_move(position, random.Random(1))
                rules.play(quiet.state, parts, seat, action, np.zeros((0, 6), np.int16))
                recording.play_action(seat, action)
                assert state_bytes(quiet) == state_bytes(recording)
        assert components.parts.tobytes() == parts_before

    def test_events_are_as_declared_and_nothing_behind_their_buffer_is_written(
        self, game: Game, players: int
    ) -> None:
        rules = game.rules
        most = 0
        for seed in range(4):
            position = game.start(players, seed)
            chance = random.Random(seed)
            while not position.is_over:
                events = event_buffer(rules.MAX_EVENTS)
                seat, action = random_move(position, chance)
                game.runner.call(PLAY, position.states, position.components.parts, seat, action, events)
                count = int(events[0, 0])
                assert not events[count + 1 :].any()
                if game.events.kinds:
                    for event in read_events(events):
                        game.events.check(event)
                most = max(most, count)
        assert most <= rules.MAX_EVENTS
        assert (most > 0) == (rules.MAX_EVENTS > 0)

    def test_the_outcome_is_there_at_the_end_and_not_before(self, game: Game, players: int) -> None:
        for _, position in walk(game, players, 10):
            outcome = position.outcome
            assert (outcome is not None) == position.is_over
        assert outcome is not None
        assert len(outcome.points) == players
        assert set(outcome.winners) <= set(range(players))
        best = max(outcome.points)
        assert all(outcome.points[seat] == best for seat in outcome.winners)
        assert [part["points"] for part in position.breakdown()] == list(outcome.points)

    def test_the_game_refuses_other_numbers_of_players_and_options(self, game: Game) -> None:
        for players in (game.seats.start - 1, game.seats.stop):
            with pytest.raises(AtollError, match=f"not {players}"):
                game.start(players, 1)
        with pytest.raises(AtollError, match=r"no option.*nothing_like_it"):
            game.start(game.default_players, 1, options={"nothing_like_it": True})
        for option in game.options:
            with pytest.raises(AtollError, match="true or false"):
                game.start(game.default_players, 1, options={option.name: 1})  # type: ignore[dict-item]
