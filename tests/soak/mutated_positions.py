"""Positions of random games in words, mutated in their values and as bytes, and played on if they are accepted."""

import random
from pathlib import Path
from typing import Any

import msgspec

from atoll.core.game import Game, Position
from atoll.text.errors import AtollError
from tests.soak.mutated_records import FLIPPED, choose_material, flip_bytes, mutate, play_on, prepare

__all__ = ["SUFFIX", "accepted", "mutated", "prepare"]

SUFFIX = ".json"


def mutated(game: Game, chance: random.Random) -> bytes:
    """The name of a set of components, and a position with something in it changed."""
    lines, states, others = choose_material(game, chance)
    state = chance.choice(states)
    flips = chance.random() < FLIPPED
    if not flips:
        state = mutate(state, chance.choice(others), chance)
    content = msgspec.json.encode({"components": lines[0]["components"]["name"], "state": state})
    return flip_bytes(content, chance) if flips else content


def accepted(game: Game, content: bytes, folder: Path, chance: random.Random) -> bool:
    """Whether a game can be in that position; if so it is played on."""
    try:
        said = msgspec.json.decode(content, type=dict[str, Any])
        components = game.components(said.get("components"))
        position = Position.from_json(game, said.get("state", {}), components, {})
    except (AtollError, msgspec.DecodeError, UnicodeDecodeError):
        return False
    play_on(position, chance)
    return True
