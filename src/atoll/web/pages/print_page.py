"""Everything in a game's box as pages to print and cut: pieces at true size, front and back, and the rules.

One HTML page that stands alone; `web/chromium.py` makes a PDF of it. What is drawn comes from a game's template
`box.html.jinja` (`core/box.py`), with the stylesheets of its table and its own `box.css`.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from atoll.core.box import PieceGroup, PrintedPiece
from atoll.core.game import Game
from atoll.core.game_translator import GameTranslator
from atoll.core.types import Components
from atoll.text.errors import AtollError
from atoll.text.messages import Message, quoted
from atoll.text.translation import seat_names
from atoll.web import STATIC
from atoll.web.pages.components_page import sheet_context, stylesheet
from atoll.web.pages.drawings import COLOURS, MARKS
from atoll.web.pages.print_layout import BOTTOM, PAPERS, SIDE, TOP, PrintSheet, layout, room
from atoll.web.pages.rules_page import GameSetup, has_rules_page, rules_html
from atoll.web.pages.templating import draw, environment, short_name
from atoll.web.translation import translator_for

RULES = "rules"
"""What `only` calls the rules."""
COLOUR = re.compile(
    r"""(?<!href=["'])(?<!url\()(?P<hash>\#|%23)(?P<hex>[0-9a-fA-F]{6}|[0-9a-fA-F]{3})(?![\w-])
    |rgb\((?P<red>\d+)\s(?P<green>\d+)\s(?P<blue>\d+)""",
    re.VERBOSE,
)
"""A colour in a stylesheet or in a drawing; no address of a drawing, which begins with # too."""
INK = 60
"""Of 255: what is darker is text and outlines, and stays as dark."""
PALER = 0.6
"""What is left of the darkness of grounds when ink is saved."""


@dataclass(frozen=True)
class PrintSettings:
    """How a box is printed. `only` are keys of groups, or "rules"; all of it if there are none."""

    paper: str = "a4"
    fold: bool = False
    grey: bool = False
    only: tuple[str, ...] = ()


WHOLE = PrintSettings()


@dataclass(frozen=True)
class Face:
    """A piece as it is drawn, to be compared with that of an older set."""

    group: PieceGroup
    piece: PrintedPiece
    front: str
    back: str


class Box:
    """A game's box with a set of components, drawn."""

    def __init__(self, game: Game, components: Components, language: str) -> None:
        self.game, self.components, self.language = game, components, language
        self.translator = GameTranslator(translator_for(language, game.package), components)
        self.groups: list[PieceGroup] = list(game.box.box(self.translator, components))
        own = (game.folder / "box.html.jinja").is_file()
        self._template = f"{short_name(game)}/box.html.jinja" if own else "plain_box.html.jinja"
        names = seat_names(self.translator)
        self.seats = [
            {"colour": colour, "mark": mark, "name": name, "you": False}
            for colour, mark, name in zip(COLOURS, MARKS, names, strict=True)
        ]
        self.context = sheet_context(game, components, language) | {"seats": self.seats}

    def faces(self) -> dict[tuple[str, str], Face]:
        """Every piece, drawn, by its group's key and its own."""
        templates = environment(self.language, self.game.package, str(self.game.folder))
        module: Any = templates.get_template(self._template).make_module(self.context)
        faces = {}
        for group in self.groups:
            for piece in group.pieces:
                front = str(module.front(group, piece))
                back = ""
                if group.back != "none":
                    back = front if group.back == "same" else str(module.back(group, piece))
                faces[group.key, piece.key] = Face(group, piece, front, back)
        return faces

    def rules(self) -> str:
        """The rules with these components; empty if the game has no page of them."""
        if not has_rules_page(self.game):
            return ""
        return rules_html(self.game, self.language, GameSetup(self.components), examples=False)


@dataclass(frozen=True)
class Change:
    """What a printed set needs to become another: a piece's name, and how many are to be added and taken out."""

    title: str
    name: str
    kind: str  # "changed", "new" or "gone"
    count: int


def changes_between(older: Box, newer: Box) -> tuple[list[PieceGroup], list[Change], bool]:
    """The pieces that have to be printed to make the newer set of the older one, all changes, and whether the rules
    differ. A piece differs if anything that is drawn on it does, or its size.
    """
    before, after = older.faces(), newer.faces()
    changes, groups = [], []
    for group in newer.groups:
        pieces = []
        for piece in group.pieces:
            old, new = before.get((group.key, piece.key)), after[group.key, piece.key]
            if old is None:
                kind, count = "new", piece.count
            elif (old.front, old.back, old.group.width, old.group.height) != (
                new.front,
                new.back,
                group.width,
                group.height,
            ):
                kind, count = "changed", piece.count
            elif piece.count != old.piece.count:
                more = piece.count - old.piece.count
                kind, count = ("new", more) if more > 0 else ("gone", -more)
            else:
                continue
            changes.append(Change(group.title, piece.name, kind, count))
            if kind != "gone" and count:
                pieces.append(replace(piece, count=count))
        if pieces:
            groups.append(replace(group, pieces=tuple(pieces)))
    for key, face in before.items():
        if key not in after:
            changes.append(Change(face.group.title, face.piece.name, "gone", face.piece.count))
    return groups, changes, older.rules() != newer.rules()


def print_page(
    game: Game,
    components: Components,
    language: str,
    how: PrintSettings = WHOLE,
    older: Components | None = None,
) -> str:
    """The page as HTML. With `older`, a set that was printed before, only what differs from it.

    Raises AtollError for a part that there is not, a piece larger than the paper, or if nothing differs.
    """
    box = Box(game, components, language)
    groups, has_rules = box.groups, has_rules_page(game)
    changes: list[Change] = []
    keys = [*(group.key for group in groups), *([RULES] if has_rules else [])]
    for key in how.only:
        if key not in keys:
            raise AtollError(
                Message(
                    "%(game)s has no %(part)s to print; there are: %(known)s",
                    game=game.title,
                    part=quoted(key),
                    known=", ".join(keys),
                )
            )
    if older is not None:
        groups, changes, differs = changes_between(Box(game, older, language), box)
        has_rules = has_rules and differs
    if how.only:
        groups = [group for group in groups if group.key in how.only]
        has_rules = has_rules and RULES in how.only
    if not groups and not has_rules and not changes:
        raise AtollError(Message("nothing that is printed differs between these two sets"))
    faces = box.faces()
    sheets = layout(groups, how.paper, fold=how.fold)
    width, height = PAPERS[how.paper]
    html = draw(
        "print.html.jinja",
        language,
        game,
        **box.context
        | {
            "styles": print_stylesheet(game),
            "sheets": [_drawn(sheet, faces) for sheet in sheets],
            "groups": groups,
            "changes": changes if older is not None else None,
            "rules": Markup(box.rules()) if has_rules else None,  # of our own templates, which escape
            "paper": {
                "width": width, "height": height, "side": SIDE, "top": TOP, "bottom": BOTTOM,
                "room": room(how.paper), "across": room(how.paper, across=True),
            },
            "fold": how.fold,
        },
    )  # fmt: skip
    return in_grey(html) if how.grey else html


def print_stylesheet(game: Game) -> str:
    """The styles of the table and the rules, and of what is printed."""
    files = (STATIC / "rules.css", game.folder / "rules.css", STATIC / "print.css", game.folder / "box.css")
    own = (file.read_text(encoding="utf-8") for file in files if file.is_file())
    return "\n".join([stylesheet(game), *own])


def _drawn(sheet: PrintSheet, faces: dict[tuple[str, str], Face]) -> dict[str, Any]:
    """A sheet with what is drawn on it."""
    places = []
    for place in sheet.places:
        face = faces[place.group.key, place.piece.key]
        html = face.front if place.side == "front" else face.back
        places.append({"place": place, "html": Markup(html)})
    return {"sheet": sheet, "places": places}


def in_grey(html: str) -> str:
    """The page without colours, its grounds pale."""

    def grey(match: re.Match[str]) -> str:
        digits = match["hex"]
        if digits is None:
            value = _paler(*(int(match[name]) for name in ("red", "green", "blue")))
            return f"rgb({value} {value} {value}"
        pairs = [digit * 2 for digit in digits] if len(digits) == 3 else re.findall("..", digits)
        return match["hash"] + f"{_paler(*(int(pair, 16) for pair in pairs)):02x}" * 3

    return COLOUR.sub(grey, html)


def _paler(red: int, green: int, blue: int) -> int:
    """The lightness of a colour, by ITU-R BT.709, that it has when ink is saved."""
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return round(light if light < INK else 255 - (255 - light) * PALER)
