"""The command `play`: a game in the terminal."""

from pathlib import Path
from typing import Annotated

import typer

from atoll.bots import DEFAULT_BOT
from atoll.bots.external import named_bots
from atoll.commands.options import (
    BOT_EXAMPLES,
    GAME_NAMES,
    Language,
    components_in,
    errors_in,
    players_of,
    tell_in,
    translator,
)
from atoll.core.catalogue import find_game
from atoll.text.errors import AtollError
from atoll.text.translation import Translator


def play(
    game_name: Annotated[
        str, typer.Argument(metavar="GAME", help=translator("The game: %(names)s.", names=GAME_NAMES))
    ],
    players: Annotated[
        int | None,
        typer.Option(
            "--players", "-p", help=translator("How many play; the game's usual number if not said.")
        ),
    ] = None,
    seat: Annotated[int, typer.Option(min=1, help=translator("Your seat, from 1."))] = 1,
    bots: Annotated[
        str,
        typer.Option(
            help=translator(
                "Bots, separated by commas, repeated to fill the seats: %(names)s.", names=BOT_EXAMPLES
            )
        ),
    ] = DEFAULT_BOT,
    seed: Annotated[
        int | None, typer.Option(min=0, help=translator("Deal this game; random if not said."))
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            help=translator("Turn an option of the game on, such as open_huts; may be repeated."),
        ),
    ] = None,
    components: Annotated[
        Path | None,
        typer.Option(
            help=translator(
                "A components file or a spreadsheet to play with instead of the game's own, or the name of a set."
            )
        ),
    ] = None,
    language: Language = translator.language,
) -> None:
    """Play a game in the terminal against bots."""
    with errors_in(Translator(language)):
        from atoll.commands.terminal import play_in_terminal
        from atoll.lab.modules import CAN_BUILD, ensure_modules

        game = find_game(game_name)
        if CAN_BUILD:  # else it is compiled while it is played, where Numba is installed
            for why in ensure_modules([game], tell_in(Translator(language))).values():
                raise AtollError(why)
        with named_bots(bots) as others:
            play_in_terminal(
                game,
                players_of(game, players),
                seat - 1,
                others,
                seed,
                language=language,
                options=dict.fromkeys(option or (), True),
                components=components_in(game, components),
            )
