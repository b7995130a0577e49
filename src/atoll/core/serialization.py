"""States in the words of records, both ways, as their fields are declared.

A field's `key` is its path in the words: `round`, `candle.white`, or with `[]` for each entry of a list,
`players[].hand`, whose first axis then counts the entries. The length of a list is the field that `counts` its path.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from numpy.typing import NDArray

from atoll.core.fields import UNKNOWN, Field
from atoll.core.forms import Form, Index, OwnForm, Row, a_list
from atoll.core.state import REFEREE, State
from atoll.core.types import plain
from atoll.text.errors import RecordError
from atoll.text.messages import Message, message_of, quoted


class _Leaf:
    """A key and where its words come from: a field, or a form of the game's own."""

    def __init__(self, path: str, field: Field | None, own: OwnForm | None, count: Field | None) -> None:
        self.path = path
        self.field = field
        self.own = own
        self.count = count  # the field that says how many numbers of a row are used
        form = field.form if field is not None else None
        axes = len(field.shape) - path.count("[]") if field is not None else 0
        self.row = form if isinstance(form, Row) else Row() if axes == 1 else None
        self.form = form if isinstance(form, Form) else Form()


class Wording:
    """The words of a game's states."""

    def __init__(self, declared: type[State], own: Mapping[str, OwnForm] | None = None) -> None:
        self.declared = declared
        self._fields = {field.name: field for field in declared.fields}
        self._counts = {field.counts: field for field in declared.fields if field.counts}
        self._tree: dict[str, Any] = {}
        self._leaves: list[_Leaf] = []
        keyed = {field.key: field for field in declared.fields if field.key is not None}
        forms = {path: field.form for path, field in keyed.items() if isinstance(field.form, OwnForm)}
        for path, field in keyed.items():
            if path not in forms:
                self._plant(path, field, None)
        for path, form in {**forms, **(own or {})}.items():
            self._plant(path, None, form)

    def _plant(self, path: str, field: Field | None, own: OwnForm | None) -> None:
        row = field.form if field is not None and isinstance(field.form, Row) else None
        count = self._fields[row.length] if row is not None and row.length else self._counts.get(path)
        leaf = _Leaf(path, field, own, count)
        self._leaves.append(leaf)
        node = self._tree
        *nodes, last = path.split(".")
        for name in nodes:
            node = node.setdefault(name, {})
        node[last] = leaf

    # Saying

    def say(self, state: Any, keys: Collection[str] | None = None) -> dict[str, Any]:
        """The words of a state, or of what a view shows: a hidden list is its length, anything else hidden null; with
        `keys`, of these alone.
        """
        values = vars(plain(state))
        tree = self._tree
        if keys is not None:
            tree = {name: node for name, node in tree.items() if name.removesuffix("[]") in keys}
        said: dict[str, Any] = self._say(tree, "", (), state, values)
        return said

    def _say(self, node: Any, path: str, index: Index, state: Any, values: dict[str, Any]) -> Any:
        if isinstance(node, _Leaf):
            return (
                node.own.say(state, index) if node.own is not None else self._say_field(node, index, values)
            )
        said = {}
        for name, child in node.items():
            below = f"{path}.{name}" if path else name
            if name.endswith("[]"):
                said[name[:-2]] = [
                    self._say(child, below, (*index, i), state, values)
                    for i in range(_at(values[self._counts[below[:-2]].name], index))
                ]
            else:
                said[name] = self._say(child, below, index, state, values)
        return said

    def _say_field(self, leaf: _Leaf, index: Index, values: dict[str, Any]) -> Any:
        field = leaf.field
        assert field is not None
        value = _at(values[field.name], index)
        seat = values["seat"]
        may_hide = seat != REFEREE and not field.is_shown_to(seat, index[0] if index else -1)
        if leaf.row is None:
            return None if may_hide and value == UNKNOWN else leaf.form.say(value)
        count = (
            len(value) if leaf.count is None else _at(values[leaf.count.name], index[: len(leaf.count.shape)])
        )
        if may_hide and all(one == UNKNOWN for one in value):
            return count
        return leaf.row.say(value[:count])

    # Reading

    def read(self, words: Any) -> NDArray[Any]:
        """The full state, shape (1,), that these words describe; raises RecordError naming the key that is wrong.

        What no words say is 0, or what stands in places that are not used.
        """
        states = self.declared.blank.copy()
        state = states[0]
        state.seat = REFEREE
        for path, count in self._counts.items():
            if count.key is None and "[]" not in path:
                self._read_count(state, count, path, words)
        for leaf in self._leaves:
            self._read_leaf(state, leaf, words)
        return states

    def _read_count(self, state: Any, count: Field, path: str, words: Any) -> None:
        said = _follow(words, path)
        most = min([count.most, *self._rooms(path)])
        if not isinstance(said, list) or not count.least <= len(said) <= most:
            raise wrong_key(path, a_list(count.least, most))
        state[count.name] = len(said)

    def _rooms(self, path: str) -> list[int]:
        """How many entries of a list the fields in them have room for."""
        fields = [leaf.field for leaf in self._leaves if leaf.path.startswith(f"{path}[].")]
        return [field.shape[0] for field in fields if field is not None]

    def _read_leaf(self, state: Any, leaf: _Leaf, words: Any) -> None:
        for index, path, said in self._places(leaf.path, words):
            try:
                if leaf.own is not None:
                    leaf.own.read(state, index, said)
                elif leaf.row is not None:
                    self._read_row(state, leaf, index, said)
                else:
                    assert leaf.field is not None
                    _put(state, leaf.field.name, index, leaf.form.read(said, leaf.field))
            except ValueError as error:
                raise wrong_key(path, message_of(error)) from None

    def _read_row(self, state: Any, leaf: _Leaf, index: Index, said: Any) -> None:
        field, row, count = leaf.field, leaf.row, leaf.count
        assert field is not None
        assert row is not None
        values = row.read(said, field)
        if count is None or row.length:
            wanted = field.shape[-1] if count is None else int(state[count.name])
            if len(values) != wanted:
                raise ValueError(a_list(wanted, wanted))
        else:
            if not count.least <= len(values) <= count.most:
                raise ValueError(a_list(count.least, count.most))
            _put(state, count.name, index[: len(count.shape)], len(values))
        target = state[field.name][index]
        target[: len(values)] = values

    def _places(self, path: str, words: Any) -> Iterator[tuple[Index, str, Any]]:
        """Each place of the words that a path leads to: its index, its own path, and what is said there."""
        head, bracket, rest = path.partition("[].")
        if not bracket:
            yield (), path, _follow(words, path)
            return
        entries = _follow(words, head)
        if not isinstance(entries, list):
            raise wrong_key(head, Message("a list"))
        for i, entry in enumerate(entries):
            try:
                places = list(self._places(rest, entry))
            except _Missing as missing:
                raise _Missing(f"{head}[{i}].{missing.path}") from None
            for index, below, value in places:
                yield (i, *index), f"{head}[{i}].{below}", value


class _Missing(RecordError):
    """A key is not there."""

    def __init__(self, path: str) -> None:
        super().__init__(Message("the state's key %(key)s is missing", key=quoted(path)))
        self.path = path


def wrong_key(path: str, right: Message) -> RecordError:
    """The refusal of a key of a state, which must be what is said to be right."""
    return RecordError(Message("the state's key %(key)s must be %(right)s", key=quoted(path), right=right))


def _follow(words: Any, path: str) -> Any:
    for name in path.split("."):
        if not isinstance(words, dict) or name not in words:
            raise _Missing(path)
        words = words[name]
    return words


def _at(values: Any, index: Index) -> Any:
    for i in index:
        values = values[i]
    return values


def _put(state: Any, name: str, index: Index, value: int) -> None:
    if index:
        state[name][index] = value
    else:
        state[name] = value
