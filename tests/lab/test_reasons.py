"""What speaks for moves: as much as they bring, and nothing for those that are alike."""

from atoll.bots import find_bot
from atoll.core.catalogue import find_game
from atoll.core.game import Position
from atoll.lab.reasons import reasons


def last_choices(name: str) -> tuple[Position, int, dict[int, tuple[int, ...]]]:
    """A position in which every move of a seat ends the game, with the points after each, not all alike."""
    game, bot = find_game(name), find_bot("greedy")
    for seed in range(200):
        position = game.start(2, seed=seed)
        for number in position.until_over():
            seat = position.to_act[0]
            view = position.view(seat)
            after: dict[int, tuple[int, ...]] = {}
            for action in view.legal_moves().actions.tolist():
                end = position.copy()
                end.play_action(seat, action)
                if not end.is_over:
                    break
                after[action] = end.points
            else:
                if len({points[seat] for points in after.values()}) > 1:
                    return position, seat, after
            position.play_action(seat, bot.choose(view, number))
    raise AssertionError("no game ended so")


def test_the_last_move_brings_what_it_brings() -> None:
    position, seat, after = last_choices("karuba")
    best, worst = (pick(after, key=lambda action: after[action][seat]) for pick in (max, min))
    first, second = reasons(position.view(seat), 1, [best, worst])
    gained = after[best][seat] - after[worst][seat]
    assert gained > 0
    assert sum(one.points for one in first if one.part) == gained
    assert sum(one.points for one in second if one.part) == -gained
    assert {one.part for one in first} <= {
        f"{colour} adventurer" for colour in ("Blue", "Orange", "Green", "Purple")
    }


def test_moves_that_are_alike_have_no_reasons() -> None:
    """The same move twice, in a game in which others decide and chance comes."""
    view = find_game("cast-away").start(3, seed=4).view(0)
    move = int(view.legal_moves().actions[0])
    assert reasons(view, 1, [move, move], games=6) == [[], []]
    assert reasons(view, 1, [move], games=6) == [[]]
