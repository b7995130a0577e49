"""A game's page of rules, with its drawings and with the numbers of a set of components: the shipped one, or a table's.

A game's package tells its rules in `rules.LANGUAGE.html.jinja` or `rules.LANGUAGE.md`, both templates. What they draw
beyond the file's own numbers comes from the module `illustrations`: `illustrations(components)`, and for what the
compiled rules have to play `examples(components, options)`.
"""

import re
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby
from typing import Any

from markupsafe import Markup

from atoll.core.attested import Origins
from atoll.core.entries import labels, steps
from atoll.core.game import Game
from atoll.core.game_translator import GameTranslator
from atoll.core.types import Components
from atoll.text.errors import AtollError
from atoll.text.translation import LANGUAGES, Translator, seat_names
from atoll.web.pages.drawings import COLOURS, MARKS, drawings_url
from atoll.web.pages.isolation import isolated
from atoll.web.pages.templating import draw, environment, short_name
from atoll.web.translation import translator_for

HEADING = re.compile(r"<h([23])((?: [^>]*)?)>(.*?)</h\1>", re.DOTALL)
ID = re.compile(r' id="([^"]*)"')
EXPLICIT_ANCHOR = re.compile(r"\s*\[#([\w-]+)\]\s*$")
"""At the end of a heading in Markdown: the anchor that it is to have."""
TAG = re.compile(r"<[^>]+>")


@dataclass(frozen=True)
class GameSetup:
    """The settings with which a game's pages are shown: components, as they are played with the options (`Game.under`),
    and, for a table's, the number of players.
    """

    components: Components
    players: int | None = None
    table: str | None = None
    """the id of the table to which the page links back"""


@dataclass(frozen=True)
class Heading:
    """An entry of the table of contents: a heading's anchor, its text, and those of the headings below it."""

    anchor: str
    title: str
    below: tuple["Heading", ...] = ()


def rules_file(game: Game, language: str) -> str | None:
    """The file of a game's package that has its rules, a template or Markdown, in that language, else in another."""
    for known in (language, *LANGUAGES):
        for name in (f"rules.{known}.html.jinja", f"rules.{known}.md"):
            if (game.folder / name).is_file():
                return name
    return None


def rules_language(game: Game, language: str) -> str:
    """The language of the rules that a reader of `language` gets; the game has a page of rules."""
    return (rules_file(game, language) or "").split(".")[1]


@cache
def has_rules_page(game: Game) -> bool:
    """Whether the game has a page of rules."""
    return rules_file(game, "") is not None


def default_setup(game: Game) -> GameSetup:
    """The game's first components and default options."""
    return GameSetup(game.components())


def rules_html(game: Game, language: str, setup: GameSetup, *, examples: bool = True) -> str:
    """The inside of a game's page of rules; raises AtollError if it has none.

    Without `examples` the compiled rules are not called.
    """
    name = rules_file(game, language)
    if name is None:
        raise AtollError(f"{game.title} comes without a page of rules")
    context = rules_context(game, language, setup, examples)
    template = environment(language, game.package, str(game.folder)).get_template(
        f"{short_name(game)}/{name}"
    )
    inside = template.render(context)
    if name.endswith(".md"):
        from markdown_it import MarkdownIt

        inside = MarkdownIt("commonmark", {"html": False}).enable("table").render(inside)
    parts = ("rules_set.html.jinja", "rules_options.html.jinja", "rulings.html.jinja")
    before, *after = (draw(name, language, game, **context) for name in parts)
    return "".join((before, inside, *after))


def rules_context(game: Game, language: str, setup: GameSetup, examples: bool) -> dict[str, Any]:
    """The context of the templates of rules."""
    components = setup.components
    translator = GameTranslator(translator_for(language, game.package), components)
    context: dict[str, Any] = {
        "data": components.data if components.file is None else components.file,
        "options": components.options,
        "option_list": [
            {"name": option.name, "label": translator(option.label), "help": translator(option.help)}
            for option in game.options
        ],
        "rulings": [
            (rule, [(translator(ruling.text), ruling.option) for ruling in rulings])
            for rule, rulings in groupby(game.rulings, key=lambda ruling: ruling.rule)
        ],
        "set_name": translator(components.name) if components.shipped else isolated(components.name),
        "set_help": set_help(game, components.name, translator) if components.shipped else "",
        "changed": changed_sections(game, components, translator),
        "at_table": setup.players is not None,
        "playing": setup.players,
        "t": game.messages.bind(translator),
        "seats": [
            {"colour": colour, "mark": mark, "name": name, "you": False}
            for colour, mark, name in zip(COLOURS, MARKS, seat_names(translator), strict=True)
        ],
        "told": partial(game.messages.tell, translator, seat_names(translator)),
        "moved": {},
        "examples": None,
    }
    if game.illustrations is not None:
        context |= game.illustrations.illustrations(components)
        if examples:
            context["examples"] = examples_of(game, setup)
    return context


def set_help(game: Game, name: str, translator: Translator) -> str:
    """What a set of components that comes with the game changes; empty if the game does not say."""
    text = game.component_help.get(name)
    return translator(text) if text else ""


def changed_sections(game: Game, components: Components, translator: Translator) -> list[str]:
    """The parts of the components in which a figure is another than the attested one, by their names."""
    names = labels(game)
    sections = dict.fromkeys(str(steps(path)[0]) for path in Origins(game, components.data).changed())
    return [translator(names.get(section, section)) for section in sections]


MOST_EXAMPLES = 100
_examples: dict[tuple[str, str, frozenset[tuple[str, bool]]], Any] = {}


def examples_of(game: Game, setup: GameSetup) -> Any:
    """The worked examples of a game, as its rules play them with these settings; cached."""
    components = setup.components
    key = game.name, components.sha256, frozenset(components.options.items())
    if key not in _examples:
        assert game.illustrations is not None
        examples = game.illustrations.examples(components, components.options)
        while len(_examples) >= MOST_EXAMPLES:
            _examples.pop(next(iter(_examples)), None)
        _examples[key] = examples
    return _examples[key]


def with_contents(html: str) -> tuple[str, tuple[Heading, ...]]:
    """The page with an anchor at each heading of the second and third rank, and its table of contents."""
    chapters: list[Heading] = []
    used: set[str] = set(re.findall(r' id="([^"]*)"', html))

    def with_anchor(match: re.Match[str]) -> str:
        rank, attributes, text = match.groups()
        explicit = EXPLICIT_ANCHOR.search(text)
        text = EXPLICIT_ANCHOR.sub("", text)
        existing = ID.search(attributes)
        if existing is not None:
            anchor = existing[1]
        else:
            anchor = explicit[1] if explicit else f"part-{len(used) + 1}"
            attributes += f' id="{anchor}"'
            used.add(anchor)
        title = " ".join(TAG.sub("", text).split())
        if rank == "2" or not chapters:
            chapters.append(Heading(anchor, title))
        else:
            last = chapters[-1]
            chapters[-1] = Heading(last.anchor, last.title, (*last.below, Heading(anchor, title)))
        return f"<h{rank}{attributes}>{text}</h{rank}>"

    return HEADING.sub(with_anchor, html), tuple(chapters)


def draw_rules(game: Game, language: str, setup: GameSetup, teaching: Any = None) -> str:
    """The whole page."""
    inside, chapters = with_contents(rules_html(game, language, setup))
    table = setup.table
    context = rules_context(game, language, setup, examples=False) | {
        "game": {"key": game.name, "package": short_name(game), "title": game.title, "name": game.name},
        "rules_language": rules_language(game, language),
        "inside": Markup(inside),  # of our own templates, which escape what they are given
        "chapters": chapters,
        "has_components": bool(game.component_files),
        "drawings": drawings_url(game),
        "own_styles": (game.folder / "rules.css").is_file(),
        "here": f"/games/{game.name}/rules" + (f"?table={table}" if table else ""),
        "table": table,
        "teaching": teaching,
    }
    return draw("rules.html.jinja", language, game, **context)
