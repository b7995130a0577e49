"""What is said of a game, and of how a table plays it."""

from atoll.core.game import Game
from atoll.core.words import Words
from atoll.web.pages import clocks
from atoll.web.table.seen_table import SeenTable


def length(game: Game, words: Words) -> str:
    """How long a game takes people; nothing where it does not say."""
    if game.minutes is None:
        return ""
    least, most = game.minutes
    if least < most:
        return words("%(least)s to %(most)s minutes", least=least, most=most)
    return words.plural("%(num)s minute", "%(num)s minutes", most)


def of_table(table: SeenTable, words: Words) -> list[str]:
    """How many play, how long that takes, and how hard it is."""
    game, players = table.game, len(table.seating.seats)
    weight = words(game.weight) if game.weight else ""
    return [
        words.plural("%(num)s player", "%(num)s players", players),
        *(fact for fact in (length(game, words), weight) if fact),
    ]


def played_with(table: SeenTable, words: Words) -> list[str]:
    """What a table's maker chose that is not as usual, which everybody who plays has to know: time to think,
    components, options.
    """
    game, view, found = table.game, table.view, []
    if table.clock is not None:
        found.append(words("Time to think: %(clock)s", clock=clocks.label(words, table.clock)))
    components = view.components
    if not components.shipped:
        found.append(words("Components of its own: %(name)s", name=components.name))
    elif components.name != next(iter(game.component_files), components.name):
        found.append(words("Components: %(name)s", name=words(components.name)))
    for option in game.options:
        if view.options[option.name] != option.default:
            found.append(
                words("Without the option: %(option)s", option=words(option.label))
                if option.default
                else words("Option: %(option)s", option=words(option.label))
            )
    return found
