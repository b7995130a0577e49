"""A components file as tables in the terminal."""

from rich.table import Table

from atoll.console import PlainConsole
from atoll.core.game import Components, Game
from atoll.core.listings import listings
from atoll.text.translation import Translator


def show_components(
    console: PlainConsole, game: Game, components: Components, translator: Translator
) -> None:
    """Print all tables of a file."""
    for listing in listings(game, components, translator):
        shown = Table(*listing.heading, title=listing.title, title_justify="left")
        for row in listing.rows:
            shown.add_row(*row)
        console.print(shown)
