"""A components file as tables in the terminal."""

from rich.table import Table as RichTable

from atoll.console import PlainConsole
from atoll.core.component_tables import component_tables
from atoll.core.game import Components, Game
from atoll.core.words import Words


def show_components(console: PlainConsole, game: Game, components: Components, words: Words) -> None:
    """Print all tables of a file."""
    for table in component_tables(game, components, words):
        shown = RichTable(*table.heading, title=table.title, title_justify="left")
        for row in table.rows:
            shown.add_row(*row)
        console.print(shown)
