"""Action codes and the words of the record format for them."""

from collections.abc import Iterable, Mapping

from atoll.core.errors import AtollError
from atoll.core.game import Json


class MoveCodes:
    """The moves of a game in the words of the record format, in the order of their action codes; values are words,
    numbers, None or lists of these.
    """

    def __init__(self, moves: Iterable[Json]) -> None:
        self._moves = list(moves)
        self._codes = {_key(move): code for code, move in enumerate(self._moves)}
        self._examples: dict[str, Json] = {}
        for move in self._moves:
            self._examples.setdefault(move["do"], move)

    def move_of(self, action: int) -> Json:
        """The move that an action code stands for."""
        move = self._moves[action]
        return {name: list(value) if isinstance(value, list) else value for name, value in move.items()}

    def action_of(self, move: Mapping[str, object]) -> int:
        """The action code of a move in the record's words; raises AtollError if there is no such move."""
        code = self._codes.get(_key(move)) if isinstance(move, Mapping) else None
        if code is not None:
            return code
        do = move.get("do") if isinstance(move, Mapping) else None
        example = self._examples.get(do) if isinstance(do, str) else None
        if example is not None:
            raise AtollError(
                f"{do!r} has the keys {', '.join(example)}, for example {example}; not {dict(move)}"
            )
        raise AtollError(f"there is no move {do!r}; there are: {', '.join(self._examples)}")


def _key(move: Mapping[str, object]) -> frozenset[tuple[str, str]]:
    # repr tells a JSON true, which is no card, from a 1.
    return frozenset((name, repr(value)) for name, value in move.items())
