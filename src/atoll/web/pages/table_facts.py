"""Facts about a table: its game's length and difficulty, and the settings that differ from the defaults."""

from atoll.core.game import Game
from atoll.text.translation import Translator
from atoll.web.pages import clocks
from atoll.web.pages.isolation import isolated
from atoll.web.table.seen_table import SeenTable


def duration(game: Game, translator: Translator) -> str:
    """How long a game takes people; empty if the game declares no minutes."""
    if game.minutes is None:
        return ""
    least, most = game.minutes
    if least < most:
        return translator("%(least)s to %(most)s minutes", least=least, most=most)
    return translator.plural("%(num)s minute", "%(num)s minutes", most)


def table_facts(table: SeenTable, translator: Translator) -> list[str]:
    """The number of players, the duration and the difficulty."""
    game, players = table.game, len(table.seating.seats)
    weight = translator(game.weight) if game.weight else ""
    return [
        translator.plural("%(num)s player", "%(num)s players", players),
        *(fact for fact in (duration(game, translator), weight) if fact),
    ]


def table_settings(table: SeenTable, translator: Translator) -> list[str]:
    """The clock, components and options of a table that are not the defaults, and what is done with its game."""
    game, view, settings = table.game, table.view, []
    if table.clock is not None:
        settings.append(
            translator("Time to think: %(clock)s", clock=clocks.clock_label(translator, table.clock))
        )
    components = view.components
    if not components.shipped:
        settings.append(translator("Components of its own: %(name)s", name=isolated(components.name)))
    elif components.name != next(iter(game.component_files), components.name):
        settings.append(translator("Components: %(name)s", name=translator(components.name)))
    for option in game.options:
        if view.options[option.name] != option.default:
            settings.append(
                translator("Without the option: %(option)s", option=translator(option.label))
                if option.default
                else translator("Option: %(option)s", option=translator(option.label))
            )
    return settings + promises(table, translator)


def promises(table: SeenTable, translator: Translator) -> list[str]:
    """What everybody at a table is told of what is done with its game."""
    told = []
    if table.counted:
        told.append(translator("This game is counted in reports by who runs this site, without names."))
    if table.asks:
        told.append(
            translator(
                "At the end two questions are asked; who runs this site reads the answers, without names."
            )
        )
    return told
