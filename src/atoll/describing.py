"""The command `atoll describe`: a game's state, moves and observations, as those who study it need them."""

from dataclasses import asdict
from typing import Any

from rich.table import Table

from atoll.console import PlainConsole
from atoll.core.action_encoding import Actions
from atoll.core.game import Game
from atoll.core.observation import Observation
from atoll.text.translation import Translator


def description(game: Game, players: int, form: str) -> dict[str, Any]:
    """All of it in Python's own types, as `--json` prints it. Texts are the declarations' own, in English."""
    observation, actions = Observation(game, players, form), Actions(game, players)
    return {
        "game": game.name,
        "rules_version": game.rules_version,
        "players": players,
        "options": [
            {"name": option.name, "default": option.default, "meaning": option.help}
            for option in game.options
        ],
        "state": [
            {
                "name": field.name,
                "dtype": field.kind,
                "shape": list(field.shape),
                "least": field.least,
                "most": field.most,
                "empty": field.empty,
                "seen_by": field.seen_by,
                "meaning": field.meaning,
            }
            for field in game.declared.fields
        ],
        "actions": actions.count,
        "most_legal": game.rules.MAX_LEGAL,
        "moves": [
            {
                "do": kind.word,
                "first": kind.first,
                "count": kind.count,
                "parts": [
                    {"name": part.name, "of": part.of, "words": list(part.words)} for part in kind.parts
                ],
            }
            for kind in game.moves.kinds
        ],
        "action_features": [asdict(feature) for feature in actions.features],
        "considerations": [asdict(one) for one in game.move_features],
        "observation": {
            "form": form,
            "size": observation.size,
            "slices": [
                {
                    "name": one.name,
                    "start": one.start,
                    "stop": one.stop,
                    "shape": list(one.shape),
                    "axes": list(one.axes),
                    "values": one.values,
                    "seen_by": one.field.seen_by,
                    "meaning": one.meaning,
                }
                for one in observation.slices
            ],
        },
    }


def describe(out: PlainConsole, translator: Translator, told: dict[str, Any]) -> None:
    """Print a description as tables."""
    if told["options"]:
        out.print(
            _table(translator, translator("Options: the same throughout a game"), told["options"], _OPTIONS)
        )
    out.print(_table(translator, translator("The state"), told["state"], _STATE))
    out.print(
        _table(
            translator,
            translator("Moves: %(count)s action codes", count=told["actions"]),
            told["moves"],
            _MOVES,
        )
    )
    out.print(
        _table(translator, translator("Features of an action"), _numbered(told["action_features"]), _FEATURES)
    )
    if told["considerations"]:
        title = translator("Considerations: what players that learn may be told of each legal action")
        out.print(_table(translator, title, _numbered(told["considerations"]), _CONSIDERATIONS))
    seen = told["observation"]
    title = translator(
        "What a seat of %(players)s sees, %(form)s: %(size)s numbers",
        players=told["players"],
        form=seen["form"],
        size=seen["size"],
    )
    out.print(_table(translator, title, seen["slices"], _SLICES))


def _numbered(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [dict(one, number=number) for number, one in enumerate(rows)]


def _seers(translator: Translator, seen_by: str) -> str:
    return {
        "everybody": translator("everybody"),
        "owner": translator("its owner"),
        "nobody": translator("nobody"),
    }[seen_by]


def _shape(numbers: list[int]) -> str:
    return " x ".join(map(str, numbers)) or "1"


def _parts(kind: dict[str, Any]) -> str:
    return ", ".join(f"{part['name']} ({len(part['words'])})" for part in kind["parts"])


_OPTIONS = {
    "Option": lambda words, row: row["name"],
    "On by default": lambda words, row: words("yes") if row["default"] else words("no"),
    "Meaning": lambda words, row: row["meaning"],
}
_STATE = {
    "Field": lambda words, row: row["name"],
    "Shape": lambda words, row: f"{_shape(row['shape'])} {row['dtype']}",
    "Values": lambda words, row: (
        f"{row['least']} to {row['most']}" + ("" if row["empty"] is None else f"; {row['empty']}")
    ),
    "Seen by": lambda words, row: _seers(words, row["seen_by"]),
    "Meaning": lambda words, row: row["meaning"],
}
_MOVES = {
    "Move": lambda words, row: row["do"],
    "Codes": lambda words, row: f"{row['first']} to {row['first'] + row['count'] - 1}",
    "Parts": lambda words, row: _parts(row),
}
_FEATURES = {
    "Number": lambda words, row: str(row["number"]),
    "Feature": lambda words, row: row["name"],
    "Divided by": lambda words, row: f"{row['scale']:g}",
    "Meaning": lambda words, row: row["meaning"],
}
_CONSIDERATIONS = {
    "Number": lambda words, row: str(row["number"]),
    "Consideration": lambda words, row: row["name"],
    "Scale": lambda words, row: f"{row['scale']:g}",
    "Meaning": lambda words, row: row["meaning"],
}
_SLICES = {
    "Slice": lambda words, row: row["name"],
    "Numbers": lambda words, row: f"{row['start']} to {row['stop'] - 1}",
    "Shape": lambda words, row: _shape(row["shape"]),
    "Values": lambda words, row: row["values"],
    "Seen by": lambda words, row: _seers(words, row["seen_by"]),
    "Meaning": lambda words, row: row["meaning"],
}


def _headings(translator: Translator) -> dict[str, str]:
    return {
        "Option": translator("Option"),
        "On by default": translator("On by default"),
        "Field": translator("Field"),
        "Shape": translator("Shape"),
        "Values": translator("Values"),
        "Seen by": translator("Seen by"),
        "Meaning": translator("Meaning"),
        "Move": translator("Move"),
        "Codes": translator("Codes"),
        "Parts": translator("Parts"),
        "Number": translator("Number"),
        "Feature": translator("Feature"),
        "Divided by": translator("Divided by"),
        "Consideration": translator("Consideration"),
        "Scale": translator("Scale"),
        "Slice": translator("Slice"),
        "Numbers": translator("Numbers"),
    }


def _table(translator: Translator, title: str, rows: list[dict[str, Any]], columns: dict[str, Any]) -> Table:
    table = Table(title=title, title_justify="left")
    headings = _headings(translator)
    for heading in columns:
        table.add_column(headings[heading])
    for row in rows:
        table.add_row(*(cell(translator, row) for cell in columns.values()))
    return table
