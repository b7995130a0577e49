"""The command `describe`: a game's state, moves and observations, as those who study it need them."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from atoll.commands.options import GameName, Players, console, players_of
from atoll.core.catalogue import find_game
from atoll.core.game import Game

if TYPE_CHECKING:
    from rich.table import Table


def describe(
    game: GameName,
    players: Players = None,
    form: Annotated[
        str, typer.Option(help="How values become numbers: normalized, one-hot or bytes.")
    ] = "normalized",
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Tell what a game's state holds, who sees what, its moves, and what a seat observes as numbers."""
    described = find_game(game)
    facts = description(described, players_of(described, players), form)
    if as_json:
        print(json.dumps(facts, ensure_ascii=False, indent=2))
        return
    for table in tables(facts):
        console().print(table)


def description(game: Game, players: int, form: str) -> dict[str, Any]:
    """All of it in Python's own types, as `--json` prints it. Texts are the declarations' own, in English."""
    from atoll.core.action_encoding import Actions
    from atoll.core.observation import Observation

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
        "move_features": [asdict(one) for one in game.move_features],
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


def tables(facts: dict[str, Any]) -> "Iterator[Table]":
    """A description as tables for the terminal."""
    if facts["options"]:
        yield _table("Options: the same throughout a game", facts["options"], _OPTIONS)
    yield _table("The state", facts["state"], _STATE)
    yield _table(f"Moves: {facts['actions']} action codes", facts["moves"], _MOVES)
    yield _table("Features of an action", _numbered(facts["action_features"]), _FEATURES)
    if facts["move_features"]:
        title = "Move features: what players that learn may be told of each legal action"
        yield _table(title, _numbered(facts["move_features"]), _MOVE_FEATURES)
    observation = facts["observation"]
    title = f"What a seat of {facts['players']} sees, {observation['form']}: {observation['size']} numbers"
    yield _table(title, observation["slices"], _SLICES)


def _numbered(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [dict(one, number=number) for number, one in enumerate(rows)]


def _seers(row: dict[str, Any]) -> str:
    return "its owner" if row["seen_by"] == "owner" else str(row["seen_by"])


def _shape(numbers: list[int]) -> str:
    return " x ".join(map(str, numbers)) or "1"


def _parts(kind: dict[str, Any]) -> str:
    return ", ".join(f"{part['name']} ({len(part['words'])})" for part in kind["parts"])


_OPTIONS = {
    "Option": lambda row: row["name"],
    "On by default": lambda row: "yes" if row["default"] else "no",
    "Meaning": lambda row: row["meaning"],
}
_STATE = {
    "Field": lambda row: row["name"],
    "Shape": lambda row: f"{_shape(row['shape'])} {row['dtype']}",
    "Values": lambda row: (
        f"{row['least']} to {row['most']}" + ("" if row["empty"] is None else f"; {row['empty']}")
    ),
    "Seen by": _seers,
    "Meaning": lambda row: row["meaning"],
}
_MOVES = {
    "Move": lambda row: row["do"],
    "Codes": lambda row: f"{row['first']} to {row['first'] + row['count'] - 1}",
    "Parts": _parts,
}
_FEATURES = {
    "Number": lambda row: str(row["number"]),
    "Feature": lambda row: row["name"],
    "Divided by": lambda row: f"{row['scale']:g}",
    "Meaning": lambda row: row["meaning"],
}
_MOVE_FEATURES = {
    "Number": lambda row: str(row["number"]),
    "Move feature": lambda row: row["name"],
    "Scale": lambda row: f"{row['scale']:g}",
    "Meaning": lambda row: row["meaning"],
}
_SLICES = {
    "Slice": lambda row: row["name"],
    "Numbers": lambda row: f"{row['start']} to {row['stop'] - 1}",
    "Shape": lambda row: _shape(row["shape"]),
    "Values": lambda row: row["values"],
    "Seen by": _seers,
    "Meaning": lambda row: row["meaning"],
}


def _table(
    title: str, rows: list[dict[str, Any]], columns: dict[str, "Callable[[dict[str, Any]], str]"]
) -> "Table":
    from rich.table import Table

    table = Table(*columns, title=title, title_justify="left")
    for row in rows:
        table.add_row(*(cell(row) for cell in columns.values()))
    return table
