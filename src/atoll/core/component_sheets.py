"""A components file as sheets of a spreadsheet, and back, without loss.

Every list of structures is a sheet, one row an entry; all other values are rows of a sheet of their own. Columns and
rows are called as people call their keys (`entries.labels`). COLUMNS of a game's module `sheet` names columns that
several keys of an entry share, such as its effects; `core/cells.py` tells how such a cell is written.

Sheets and columns whose names begin with # are their writer's own and are not read. A file is read beside another one,
from which comes what none of the sheets has.
"""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import inspect

from atoll.core.cells import (
    EMPTY,
    CellFault,
    Words,
    bare,
    is_empty,
    is_simple,
    read,
    read_group,
    written,
    written_group,
)
from atoll.core.entries import join, steps, structure_of, value_at, with_value
from atoll.core.game import Game
from atoll.core.types import Json
from atoll.text.errors import ComponentError
from atoll.text.messages import Message, quoted
from atoll.text.spreadsheets import Cell, CellTable, cell_fault, fitting_title, read_tables
from atoll.text.translation import Translator, texts

MOST_FLAT = 12
"""Keys of a structure that has a column for each of them."""
OWN = "#"
"""With which the names of sheets and columns begin that are not read."""
VALUES, PLACE, VALUE = texts("Other values", "What", "Value")
_VALUES = "values"
"""What the sheet of other values is called besides."""


@dataclass(frozen=True)
class Column:
    """A column: the keys of its value below the entry; or `group`, the types of the parts that share it by their keys;
    or, with neither, the entry itself.
    """

    keys: tuple[str, ...]
    kind: Any
    required: bool = False
    group: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    """of a column that keys share"""

    @property
    def path(self) -> str:
        return ".".join(self.keys)


@dataclass(frozen=True)
class ListSheet:
    """A list of a file as a sheet: its path, whether it must be there, the type of its entries and the columns."""

    path: str
    required: bool
    kind: Any
    columns: tuple[Column, ...]


class ComponentSheets:
    """The sheets of a game's components files, in a reader's language."""

    def __init__(self, game: Game, language: str) -> None:
        self.game = game
        self.words = Words(game, language)
        self._structure = structure_of(game.component_reader.ComponentsFile)
        self._columns: Mapping[str, tuple[str, ...]] = getattr(game.sheet, "COLUMNS", {})
        listed = self._lists(self._structure, "", True)
        self.sheets = sorted(listed, key=lambda sheet: "." in sheet.path)
        self._titles = self._unique(
            [sheet.path for sheet in self.sheets],
            lambda path, say: fitting_title(self._label(path, say, ", ")),
        )

    # What there is

    def _lists(self, structure: Any, path: str, required: bool) -> Iterator[ListSheet]:
        for one in structure.fields:
            kind, below = bare(one.type), join(path, one.encode_name)
            if isinstance(kind, inspect.ListType) and isinstance(bare(kind.item_type), inspect.StructType):
                item = bare(kind.item_type)
                yield ListSheet(
                    below, required and one.required, item, self._columns_of(one.encode_name, item)
                )
            elif isinstance(kind, inspect.StructType) and not path:
                yield from self._lists(kind, below, one.required)

    def _columns_of(self, listed: str, item: Any) -> tuple[Column, ...]:
        for name, keys in self._columns.items():
            if listed in keys:
                return (Column((), item, name=name),)
        columns: dict[tuple[str, ...] | str, Column] = {}
        for one in item.fields:
            key, kind = one.encode_name, bare(one.type)
            group = next((name for name, keys in self._columns.items() if key in keys), None)
            if group is not None:
                there = columns.pop(group, None)
                kinds = {**(there.group if there else {}), key: kind}
                columns[group] = Column((), item, group=kinds, name=group)
            elif (
                isinstance(kind, inspect.StructType)
                and one.required
                and len(kind.fields) <= MOST_FLAT
                and all(is_simple(inner.type) for inner in kind.fields)
            ):
                for inner in kind.fields:
                    keys = (key, inner.encode_name)
                    columns[keys] = Column(keys, inner.type, inner.required)
            else:
                columns[(key,)] = Column((key,), one.type, one.required)
        return tuple(columns.values())

    def _value_rows(self) -> Iterator[tuple[str, Any, bool]]:
        """Path and type of each row of the other values, and whether its part may not be without it."""
        for one in self._structure.fields:
            kind, key = bare(one.type), one.encode_name
            if _constant(kind) is not None:
                continue
            if isinstance(kind, inspect.StructType):
                if not one.required:
                    yield key, kind, False
                for inner in kind.fields:
                    yield join(key, inner.encode_name), inner.type, inner.required
            else:
                yield key, one.type, one.required

    def _label(self, path: str, translator: Translator | None, joint: str) -> str:
        return joint.join(self.words.label(str(step), translator) for step in steps(path))

    def _unique(self, paths: list[str], name: Any) -> dict[Translator, dict[str, str]]:
        """What is called by these paths, in each language, by names of which no two are equal."""
        found = {}
        for translator in self.words.all_translators:
            names = [name(path, translator) for path in paths]
            folded = [one.casefold() for one in names]
            found[translator] = {
                path: path if folded.count(one.casefold()) > 1 else one
                for path, one in zip(paths, names, strict=True)
            }
        return found

    def _headings(self, sheet: ListSheet) -> dict[Translator, dict[str, str]]:
        """The headings of a sheet by the paths of its columns, in each language."""
        by_path = {column.name or column.path: column for column in sheet.columns}

        def name(path: str, translator: Translator) -> str:
            column = by_path[path]
            return translator(column.name) if column.name else self._label(column.path, translator, ": ")

        return self._unique(list(by_path), name)

    def headings(self) -> set[str]:
        """Every heading that is known, in lower case."""
        found = {say(name).casefold() for say in self.words.all_translators for name in (PLACE, VALUE)}
        for sheet in self.sheets:
            found |= {column.path for column in sheet.columns}
            found |= {one.casefold() for names in self._headings(sheet).values() for one in names.values()}
        return found

    def titles(self) -> dict[str, str]:
        """What the sheets are called, by what names them in every language."""
        return self._titles[self.words.translator] | {_VALUES: fitting_title(self.words.translator(VALUES))}

    # Writing

    def tables(self, data: Json) -> list[CellTable]:
        """The data of a file as sheets."""
        reader, words = self.words.translator, self.words
        tables = []
        for sheet in self.sheets:
            names = self._headings(sheet)[reader]
            try:
                entries = value_at(data, sheet.path)
            except LookupError:
                entries = []
            rows: list[list[Cell]] = [[names[column.name or column.path] for column in sheet.columns]]
            rows += [self._row(sheet, entry) for entry in entries]
            tables.append(CellTable(self._titles[reader][sheet.path], rows))
        values: list[list[Cell]] = [[words.translator(PLACE), words.translator(VALUE)]]
        paths = list(self._value_rows())
        names = self._unique([path for path, *_ in paths], lambda path, say: self._label(path, say, ": "))[
            reader
        ]
        for path, kind, _ in paths:
            try:
                value = value_at(data, path)
            except LookupError:
                values.append([names[path], None])
                continue
            if self._is_listed(path) or ("." not in path and isinstance(bare(kind), inspect.StructType)):
                if value in ({}, []):
                    values.append([names[path], EMPTY])
                continue
            values.append([names[path], written(words, kind, value)])
        return [*tables, CellTable(fitting_title(words.translator(VALUES)), values)]

    def _is_listed(self, path: str) -> bool:
        return any(sheet.path == path for sheet in self.sheets)

    def _row(self, sheet: ListSheet, entry: Json) -> list[Cell]:
        cells: list[Cell] = []
        for column in sheet.columns:
            if column.group:
                cells.append(written_group(self.words, column.group, entry))
            else:
                try:
                    value = value_at(entry, column.path)
                except LookupError:
                    cells.append(None)
                else:
                    cells.append(written(self.words, column.kind, value))
        if all(is_empty(cell) for cell in cells):
            cells[0] = EMPTY
        return cells

    # Reading

    def data(self, tables: list[CellTable], base: Json) -> Json:
        """The data that sheets hold, and of `base` what they do not; checked, and ready to be played. Raises
        ComponentError that names the cell.
        """
        found = self._found(tables)
        places: dict[str, tuple[str, int, int]] = {}
        data = copy.deepcopy(base)
        if _VALUES in found:
            data = self._values(found[_VALUES], places)
            for sheet in self.sheets:
                if sheet.path not in found:
                    _put_from(base, data, sheet.path)
        for sheet in self.sheets:
            if sheet.path in found:
                data = self._with_list(data, sheet, found[sheet.path], places)
        settle = getattr(self.game.component_reader, "settle", None)
        if settle is not None and isinstance(data.get("counts"), dict):
            settle(data)
        try:
            self.game.components_from(str(data.get("name", "")), data)
        except ComponentError as error:
            place = _place_of(places, error.entry)
            if place is None:
                raise
            raise cell_fault(*place, error.problem) from None
        return data

    def _found(self, tables: list[CellTable]) -> dict[str, CellTable]:
        """The sheets by the paths of their lists; raises ComponentError for one that nobody knows."""
        known = {_VALUES: _VALUES}
        for say in self.words.all_translators:
            known.setdefault(fitting_title(say(VALUES)).casefold(), _VALUES)
            for listed, called in self._titles[say].items():
                known.setdefault(called.casefold(), listed)
                known.setdefault(listed.casefold(), listed)
        found: dict[str, CellTable] = {}
        for table in tables:
            title = table.title.strip()
            if title.startswith(OWN) or not table.rows:
                continue
            # Google Sheets names the file of a sheet by the workbook, too: "Mine - Cards".
            names = title.casefold().split(" - ")
            path = next(
                (known[name] for i in range(len(names)) if (name := " - ".join(names[i:])) in known), None
            )
            if path is None:
                raise cell_fault(
                    table.title,
                    0,
                    0,
                    Message(
                        "no list of the file is called so; call the sheet one of %(allowed)s, or begin its name with #",
                        allowed=", ".join(self.titles().values()),
                    ),
                )
            if path in found:
                raise cell_fault(table.title, 0, 0, Message("there is another sheet of this list"))
            found[path] = CellTable(title, table.rows)
        if not found:
            raise ComponentError(Message("there is no list of components in it"))
        return found

    def _values(self, table: CellTable, places: dict[str, tuple[str, int, int]]) -> Json:
        rows = {path: (kind, required) for path, kind, required in self._value_rows()}
        known = {path.casefold(): path for path in rows}
        for names in self._unique(list(rows), lambda path, say: self._label(path, say, ": ")).values():
            for place, called in names.items():
                known.setdefault(called.casefold(), place)
        headings = [{say(name).casefold() for say in self.words.all_translators} for name in (PLACE, VALUE)]
        data: Json = {}
        for one in self._structure.fields:
            if (constant := _constant(bare(one.type))) is not None:
                data[one.encode_name] = constant
            elif isinstance(bare(one.type), inspect.StructType) and one.required:
                data[one.encode_name] = {}
        empty: dict[str, int] = {}
        seen: set[str] = set()
        for number, row in enumerate(table.rows):
            name, cell, *more = (*row, None, None)[: max(2, len(row))]
            if all(is_empty(one) for one in row) or str(name).strip().startswith(OWN):
                continue
            if str(name).strip().casefold() in headings[0] and str(cell).strip().casefold() in headings[1]:
                continue
            path = known.get(str(name).strip().casefold()) if name is not None else None
            if path is None:
                why = Message("no value of the file is called %(name)s", name=quoted(str(name or "")))
                raise cell_fault(table.title, number, 0, why)
            if path in seen:
                raise cell_fault(table.title, number, 0, Message("there is another row of this value"))
            seen.add(path)
            if any(not is_empty(one) for one in more):
                raise cell_fault(table.title, number, 2, Message("a value has one cell"))
            kind, required = rows[path]
            places[path] = table.title, number, 1
            places.setdefault(path.partition(".")[0], places[path])
            is_whole = self._is_listed(path) or (
                "." not in path and isinstance(bare(kind), inspect.StructType)
            )
            if is_empty(cell):
                if required and not is_whole:
                    empty[path] = number
            elif is_whole:
                if str(cell).strip() != EMPTY:
                    raise cell_fault(
                        table.title, number, 1, Message("must be empty, or %(empty)s", empty=EMPTY)
                    )
                data = with_value(data, path, [] if isinstance(bare(kind), inspect.ListType) else {})
            else:
                data = with_value(data, path, self._cell(table.title, number, 1, kind, cell))
        for place, number in empty.items():
            above = place.rpartition(".")[0]
            if not above or above in data:
                raise cell_fault(table.title, number, 1, Message("must not be empty"))
        return data

    def _cell(self, title: str, row: int, column: int, kind: Any, cell: Cell) -> Any:
        try:
            return read(self.words, kind, cell)
        except CellFault as fault:
            raise cell_fault(title, row, column, fault.problem) from None

    def _with_list(
        self, data: Json, sheet: ListSheet, table: CellTable, places: dict[str, tuple[str, int, int]]
    ) -> Json:
        """The data with the entries of a sheet in their list."""
        top = next(i for i, row in enumerate(table.rows) if any(not is_empty(cell) for cell in row))
        columns = self._read_columns(sheet, table, top)
        places[sheet.path] = table.title, top, 0
        entries: list[Json] = []
        for number, row in enumerate(table.rows[top + 1 :], start=top + 1):
            filled = [column for column, cell in enumerate(row) if not is_empty(cell)]
            if any(column not in columns for column in filled if not _is_own(table.rows[top], column)):
                why = Message("this column has no heading")
                strange = next(c for c in filled if c not in columns and not _is_own(table.rows[top], c))
                raise cell_fault(table.title, number, strange, why)
            if not any(column in columns for column in filled):
                continue
            entries.append(
                self._entry(table.title, number, row, columns, f"{sheet.path}[{len(entries)}]", places)
            )
        above = sheet.path.rpartition(".")[0]
        if not entries and not sheet.required and not (sheet.path in data or _has(data, sheet.path)):
            return data
        if not entries and above and not _has(data, above):
            return data
        return with_value(data, sheet.path, entries)

    def _read_columns(self, sheet: ListSheet, table: CellTable, top: int) -> dict[int, Column]:
        by_path = {column.name or column.path: column for column in sheet.columns}
        known = {path.casefold(): path for path in by_path}
        names = self._headings(sheet)
        for in_language in names.values():
            for place, called in in_language.items():
                known.setdefault(called.casefold(), place)
        columns: dict[int, Column] = {}
        for number, cell in enumerate(table.rows[top]):
            heading = " ".join(str(cell).split()) if cell is not None else ""
            if not heading or heading.startswith(OWN):
                continue
            path = known.get(heading.casefold())
            if path is None:
                why = Message(
                    "no column is called %(name)s; there are %(allowed)s, and what begins with # is not read",
                    name=quoted(heading),
                    allowed=", ".join(names[self.words.translator].values()),
                )
                raise cell_fault(table.title, top, number, why)
            if by_path[path] in columns.values():
                raise cell_fault(
                    table.title, top, number, Message("there is another column with this heading")
                )
            columns[number] = by_path[path]
        for column in sheet.columns:
            if column.required and column not in columns.values():
                missing = names[self.words.translator][column.name or column.path]
                why = Message("the column %(name)s is missing", name=quoted(missing))
                raise cell_fault(table.title, top, 0, why)
        return columns

    def _entry(
        self,
        title: str,
        number: int,
        row: list[Cell],
        columns: Mapping[int, Column],
        path: str,
        places: dict[str, tuple[str, int, int]],
    ) -> Json:
        entry: Json = {}
        places[path] = title, number, next(iter(columns))
        if [str(cell).strip() for cell in row if not is_empty(cell)] == [EMPTY]:
            return entry
        for place, column in columns.items():
            if len(column.keys) == 2:
                entry.setdefault(column.keys[0], {})
                places.setdefault(join(path, column.keys[0]), (title, number, place))
            cell = row[place] if place < len(row) else None
            for key in column.group or [column.path]:
                places[join(path, key) if key else path] = title, number, place
            if is_empty(cell):
                if column.required:
                    raise cell_fault(title, number, place, Message("must not be empty"))
            elif column.group:
                try:
                    entry |= read_group(self.words, column.group, cell)
                except CellFault as fault:
                    raise cell_fault(title, number, place, fault.problem) from None
            else:
                value = self._cell(title, number, place, column.kind, cell)
                entry = with_value(entry, column.path, value) if column.keys else value
        return entry


def read_sheets(game: Game, path: Path, base: Json, language: str) -> Json:
    """The data in a workbook, a CSV file or a folder of such, and what they lack from `base`; raises AtollError."""
    sheets = ComponentSheets(game, language)
    return sheets.data(read_tables(path, sheets.headings()), base)


def _constant(kind: Any) -> Any:
    """The only value that a type has; None if it has several."""
    if isinstance(kind, inspect.LiteralType) and len(kind.values) == 1:
        return kind.values[0]
    return None


def _is_own(headings: list[Cell], column: int) -> bool:
    return column < len(headings) and str(headings[column] or "").strip().startswith(OWN)


def _has(data: Json, path: str) -> bool:
    try:
        value_at(data, path)
    except LookupError:
        return False
    return True


def _put_from(base: Json, data: Json, path: str) -> None:
    """Put what stands at a path of one file into another, if it has what is above."""
    *above, last = path.split(".")
    place: Any = data
    for key in above:
        place = place.get(key)
        if place is None:
            return
    if _has(base, path):
        place[last] = copy.deepcopy(value_at(base, path))


def _place_of(places: Mapping[str, tuple[str, int, int]], entry: str) -> tuple[str, int, int] | None:
    """The cell in which a place of the file stands, or the nearest above it that has one."""
    while entry:
        if entry in places:
            return places[entry]
        entry = entry[: max(entry.rfind("."), entry.rfind("["), 0)]
    return None
