"""Compiling a game's rules and the bots for it ahead of time, in stages that a progress bar can show."""

import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from atoll.bots.bot import QUICK_BOTS
from atoll.bots.catalogue import LEVELS, find_bot
from atoll.core.catalogue import find_game
from atoll.core.game import Game
from atoll.core.game_translator import GameTranslator
from atoll.core.seen import Seen
from atoll.text.errors import AtollError
from atoll.text.messages import Message
from atoll.text.translation import Translator, seat_names

if TYPE_CHECKING:
    from atoll.core.events import Event
    from atoll.core.game import Position

STAGES = ("rules", "views", "bots", "search")
"""What is compiled, in this order, by `warm` and then `warm_bots`; in English, to be translated where it is shown."""

DECISIONS_BETWEEN_LOOKS = 5
"""In the game that is played to compile whatever pages ask of the rules."""

Stage = Callable[[str], None]
"""Called with each stage as it begins."""


def warm(game: Game, stage: Stage = lambda name: None) -> None:
    """Compile or load everything that a table of this game needs to be shown."""
    from atoll.core.contract import check_both_ways, check_game, check_start

    stage("rules")
    first = not is_warm(game)
    if first:
        check_game(game)
    position = game.start(game.seats.start, seed=0)
    seat = position.to_act[0]
    action = int(position.legal_moves(seat).actions[0])
    position.copy().play_action(seat, action)
    stage("views")
    view = position.view(seat)
    view.legal_moves()
    view.resample(0)
    show(position, seat, [])
    assert position.outcome is None
    check_start(position)
    if first:
        check_both_ways(position)
        look_on(position)
    _note(game).touch()


def look_on(position: "Position") -> None:
    """Play on to the end, any moves, and look at every few positions."""
    chance, events = Random(0), list["list[Event]"]()
    for number in position.until_over():
        seat = chance.choice(position.to_act)
        if number % DECISIONS_BETWEEN_LOOKS == 0:
            show(position, seat, events)
        events.append(position.play_action(seat, chance.choice(position.legal_moves(seat).actions.tolist())))
    show(position, 0, events)


def show(position: "Position", seat: int, history: "Sequence[Sequence[Event]]") -> None:
    """Make what a page and a terminal show to a seat, which asks the rules."""
    game, view = position.game, position.view(seat)
    translator = GameTranslator(Translator("en").with_package(game.package), position.components)
    names = seat_names(translator)[: position.players]
    game.messages.picture(translator, names, view)
    if game.table is not None:
        hide = game.notation.hide_event
        visible = [[hide(event, seat) for event in events] for events in history]
        game.table.table(Seen(view, visible, names))


def is_warm(game: Game) -> bool:
    """Whether `warm` has little to do, since it has compiled these rules before."""
    return _note(game).exists()


def _note(game: Game) -> Path:
    from atoll.engine.compiling import module_cache

    return module_cache(f"{game.package}.rules") / "warm"


def warm_bots(game: Game, stage: Stage = lambda name: None) -> None:
    """Compile or load the bots for this game: those that only look, then the search."""
    stage("bots")
    position = game.start(game.seats.start, seed=0)
    view = position.view(position.to_act[0])
    for bot in QUICK_BOTS:
        bot.choose(view, seed=0)
    stage("search")
    for level in LEVELS:
        level.prepare(game)
    find_bot("search:1").choose(view, seed=0)  # what a search calls is compiled by its first
    _note_of_bots(game).touch()


def are_bots_warm(game: Game) -> bool:
    """Whether `warm_bots` has little to do, since it has compiled these bots for these rules before."""
    return _note_of_bots(game).exists()


def _note_of_bots(game: Game) -> Path:
    from atoll.engine.compiling import module_cache

    return module_cache("atoll.bots.search") / f"warm-{module_cache(f'{game.package}.rules').name}"


class Killed(AtollError):
    """The compiling process was ended by something else, such as a lack of memory; another attempt may succeed."""


def apart(work: Callable[[Game, Stage], None], game: Game, stage: Stage) -> None:
    """Do `work`, a function of a module, in a process of its own: Numba compiles one function at a time in each, and
    holds up whatever else its process does.

    The process ends with this one. Raises Killed if something ends it, as the system does when memory is short, and
    AtollError if it fails by itself; what it complains of is on standard error.
    """
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(work, game.name, sender), daemon=True)
    process.start()
    sender.close()
    while True:
        try:
            stage(receiver.recv())
        except (EOFError, OSError):
            break
    process.join()
    if (process.exitcode or 0) < 0:
        raise Killed(
            Message(
                "the process that compiled %(game)s was ended by signal %(signal)s",
                game=game.title,
                signal=-(process.exitcode or 0),
            )
        )
    if process.exitcode:
        raise AtollError(
            Message(
                "%(game)s could not be compiled; its process ended with status %(status)s",
                game=game.title,
                status=process.exitcode,
            )
        )


def _work(work: Callable[[Game, Stage], None], name: str, sender: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # its parent ends it
    with suppress(BrokenPipeError):  # nobody waits for it any more
        work(find_game(name), sender.send)
