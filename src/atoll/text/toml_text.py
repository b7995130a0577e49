"""Writing changed data back into the text of a TOML file, so that its comments and layout stay."""

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any


def with_data(text: str, data: dict[str, Any]) -> str:
    """The text with what differs in it changed to `data`; written anew, without comments, if that cannot be done."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    before = tomllib.loads(text)
    if before == data:
        return text
    try:
        document = tomlkit.parse(text)
        _change(document, before, data)
        changed = tomlkit.dumps(document)
        if tomllib.loads(changed) == data:
            return changed
    except (TOMLKitError, ValueError, LookupError, TypeError, AttributeError):
        pass
    return tomlkit.dumps(data)


def _change(place: Any, before: Any, after: Any) -> None:
    """Bring a table of the document, in which `before` stands, to `after`."""
    import tomlkit

    for key in before.keys() - after.keys():
        del place[key]
    for key, value in after.items():
        if key not in before:
            place[key] = _new(value, in_array=not isinstance(place, tomlkit.TOMLDocument))
        elif before[key] == value and type(before[key]) is type(value):
            continue
        elif isinstance(value, dict) and isinstance(before[key], dict):
            _change(place[key], before[key], value)
        elif isinstance(value, list) and isinstance(before[key], list):
            _change_list(place[key], before[key], value)
        else:
            place[key] = value


def _change_list(place: Any, before: list[Any], after: list[Any]) -> None:
    pairs = sorted(matched(before, after), key=lambda pair: (pair[1] is None, pair[1] or 0))
    places = [i for i, j in pairs if i is not None and j is not None]
    if places != sorted(places):  # in another order: nothing of the layout can stay
        raise ValueError("entries changed places")
    for gone in sorted((i for i, j in pairs if i is not None and j is None), reverse=True):
        del place[gone]
    for i, j in pairs:
        if j is None:
            continue
        if i is None:
            place.insert(j, _new(after[j], in_array=hasattr(place, "multiline")))
        elif isinstance(after[j], dict) and isinstance(before[i], dict):
            _change(place[j], before[i], after[j])
        elif before[i] != after[j]:
            place[j] = after[j]


def _new(value: Any, *, in_array: bool = True) -> Any:
    """A value as it is written where it is new: structures in one line, unless they are a part of the file or a table
    of a list.
    """
    import tomlkit

    if not isinstance(value, dict):
        return value
    table: Any = tomlkit.inline_table() if in_array else tomlkit.table()
    for key, part in value.items():
        table[key] = _new(part)
    return table


def matched(before: list[Any], after: list[Any]) -> Iterator[tuple[int | None, int | None]]:
    """Which entries of two lists are the same: pairs of indices, None for one that is gone or new.

    Entries with the same `id` are the same; without one, lists of equal length go by position, and others by what is
    equal.
    """
    if _have_ids(before) and _have_ids(after):
        places = {entry["id"]: index for index, entry in enumerate(before)}
        pairs = [(places.pop(entry["id"], None), index) for index, entry in enumerate(after)]
        yield from pairs
        yield from ((index, None) for index in places.values())
    elif len(before) == len(after):
        yield from ((index, index) for index in range(len(before)))
    else:
        yield from _aligned(before, after)


def _have_ids(entries: list[Any]) -> bool:
    ids = [entry.get("id") for entry in entries if isinstance(entry, Mapping)]
    return len(ids) == len(entries) and None not in ids and len(set(map(str, ids))) == len(ids)


def _aligned(before: list[Any], after: list[Any]) -> Iterator[tuple[int | None, int | None]]:
    from difflib import SequenceMatcher

    first, second = [list(map(str, entries)) for entries in (before, after)]
    for kind, i, i_end, j, j_end in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if kind == "equal" or i_end - i == j_end - j:
            yield from zip(range(i, i_end), range(j, j_end), strict=True)
        else:
            yield from ((k, None) for k in range(i, i_end))
            yield from ((None, k) for k in range(j, j_end))
