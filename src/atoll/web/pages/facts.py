"""What is said of a game, and of how a table plays it."""

from atoll.core.game import Game
from atoll.text.translation import Translator
from atoll.web.pages import clocks
from atoll.web.table.seen_table import SeenTable


def length(game: Game, translator: Translator) -> str:
    """How long a game takes people; nothing where it does not say."""
    if game.minutes is None:
        return ""
    least, most = game.minutes
    if least < most:
        return translator("%(least)s to %(most)s minutes", least=least, most=most)
    return translator.plural("%(num)s minute", "%(num)s minutes", most)


def of_table(table: SeenTable, translator: Translator) -> list[str]:
    """How many play, how long that takes, and how hard it is."""
    game, players = table.game, len(table.seating.seats)
    weight = translator(game.weight) if game.weight else ""
    return [
        translator.plural("%(num)s player", "%(num)s players", players),
        *(fact for fact in (length(game, translator), weight) if fact),
    ]


def played_with(table: SeenTable, translator: Translator) -> list[str]:
    """What a table's maker chose that is not as usual, which everybody who plays has to know: time to think,
    components, options.
    """
    game, view, found = table.game, table.view, []
    if table.clock is not None:
        found.append(translator("Time to think: %(clock)s", clock=clocks.label(translator, table.clock)))
    components = view.components
    if not components.shipped:
        found.append(translator("Components of its own: %(name)s", name=components.name))
    elif components.name != next(iter(game.component_files), components.name):
        found.append(translator("Components: %(name)s", name=translator(components.name)))
    for option in game.options:
        if view.options[option.name] != option.default:
            found.append(
                translator("Without the option: %(option)s", option=translator(option.label))
                if option.default
                else translator("Option: %(option)s", option=translator(option.label))
            )
    return found
