"""Tables of cells as spreadsheet programs keep them: workbooks of Excel (.xlsx) and of OpenDocument (.ods), which the
extra `desk` reads and writes (openpyxl and odfdo), and CSV as any of these programs writes it.

Cells are named as the programs name them: "Cards!D14". What is read may come from anybody, so it is bounded.
"""

import csv
import io
import re
import warnings
import zipfile
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from atoll.text.errors import AtollError, ComponentError
from atoll.text.files import read_file, unreadable, write_whole
from atoll.text.messages import Amount, Message, quoted

Cell = str | int | float | bool | None
XLSX, ODS, CSV = ".xlsx", ".ods", ".csv"
WORKBOOKS = (XLSX, ODS)
SPREADSHEETS = (*WORKBOOKS, CSV)
LIBRARIES = ("openpyxl", "odfdo")
COMMAND = "make desk"
"""Installs the libraries."""

MOST_BYTES = 2_000_000
"""Of a file."""
MOST_UNPACKED = 10_000_000
"""Bytes of what a workbook, which is an archive, holds."""
MOST_TABLES, MOST_ROWS, MOST_COLUMNS, MOST_CELLS = 50, 2000, 100, 300_000
LONGEST_TITLE = 31
"""Characters that Excel allows a sheet's name."""
_EXACT = 10**15
"""Whole numbers from here on are not exact in a spreadsheet, so they are written as text."""
_FAULTS = frozenset(
    ("#NAME?", "#REF!", "#VALUE!", "#DIV/0!", "#N/A", "#NULL!", "#NUM!", "Err:502", "Err:508")
)
"""What the programs show for a formula that cannot be worked out."""


@dataclass(frozen=True)
class CellTable:
    """A sheet: its title, and its rows from the first; the first one that holds anything has the headings."""

    title: str
    rows: list[list[Cell]]


def cell_name(title: str, row: int, column: int) -> str:
    """What people call a cell, counted from 0: "Cards!D14"."""
    letters, number = "", column + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{title[:LONGEST_TITLE]}!{letters}{row + 1}"


def cell_fault(title: str, row: int, column: int, problem: Message) -> ComponentError:
    """The error that names a cell."""
    place = cell_name(title, row, column)
    return ComponentError(Message("%(place)s: %(problem)s", place=place, problem=problem), "", problem)


def fitting_title(text: str) -> str:
    """The text as a title that every program and file system takes."""
    return " ".join(re.sub(r"[\[\]:*?/\\'\"<>|]", " ", text).split())[:LONGEST_TITLE].strip() or "-"


def has_libraries() -> bool:
    """Whether workbooks can be read and written here."""
    return all(find_spec(name) is not None for name in LIBRARIES)


def _check_libraries() -> None:
    if not has_libraries():
        raise AtollError(
            Message(
                "Workbooks (.xlsx, .ods) need what %(command)s installs; CSV files do without",
                command=COMMAND,
            )
        )


# Reading


def read_tables(path: Path, headings: Collection[str]) -> list[CellTable]:
    """The tables of a workbook, a CSV file or a folder of CSV files, whose `headings`, in lower case, are known; raises
    AtollError for what cannot be read.
    """
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.suffix.lower() == CSV)
        if not files:
            raise AtollError(Message("%(folder)s: there is no CSV file in this folder", folder=path))
        return [table for file in files for table in _file_tables(file, headings)]
    return _file_tables(path, headings)


def _file_tables(path: Path, headings: Collection[str]) -> list[CellTable]:
    try:
        content = read_file(path, MOST_BYTES)
    except OSError as error:
        raise ComponentError(unreadable(path, error)) from None
    return tables_of(path.name, content, headings)


def tables_of(name: str, content: bytes, headings: Collection[str]) -> list[CellTable]:
    """The tables in the content of a file, by the ending of its name; raises AtollError."""
    ending = Path(name).suffix.lower()
    if ending == CSV:
        tables = [_csv_table(name, content, headings)]
    elif ending in WORKBOOKS:
        tables = list(_workbook_tables(name, content, ending))
    else:
        raise AtollError(
            Message("%(file)s: a spreadsheet is a file that ends in .xlsx, .ods or .csv", file=quoted(name))
        )
    for table in tables:
        for row, cells in enumerate(table.rows):
            for column, cell in enumerate(cells):
                if isinstance(cell, str) and cell.strip() in _FAULTS:
                    why = Message("the formula there could not be worked out: %(found)s", found=cell.strip())
                    raise cell_fault(table.title, row, column, why)
    return tables


def _csv_table(name: str, content: bytes, headings: Collection[str]) -> CellTable:
    text = _decoded(content)
    if (mark := re.match(r"sep=(.)\r?\n", text)) is not None:  # with which Excel is told the separator
        readings = [_separated(text[mark.end() :], mark[1])]
    else:
        readings = [_separated(text, separator) for separator in ",;\t"]

    def known(rows: list[list[Cell]]) -> tuple[int, int]:
        first = next((row for row in rows if any(row)), [])
        return sum(str(cell).strip().casefold() in headings for cell in first), len(first)

    rows = max(readings, key=known)
    title = Path(name).stem
    _check_size(name, title, rows)
    return CellTable(title, rows)


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:  # as Excel for Windows writes in the West
        return content.decode("cp1252", "replace")


def _separated(text: str, separator: str) -> list[list[Cell]]:
    """The rows of a text; none if it is no CSV with that separator."""
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        return [list(row) for row in rows]
    except (
        csv.Error,
        TypeError,
        ValueError,
    ):  # such as a field of megabytes, or a separator that cannot be one
        return []


def _workbook_tables(name: str, content: bytes, ending: str) -> Iterator[CellTable]:
    _check_libraries()
    cells = 0
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(part.file_size for part in archive.infolist()) > MOST_UNPACKED:
                raise _too_large(name, "bytes", MOST_UNPACKED)
            if any(b"<!DOCTYPE" in archive.read(part) for part in archive.infolist()):
                raise ValueError("entities, which no spreadsheet program writes")
        with warnings.catch_warnings():  # of what a workbook has that is not read here
            warnings.simplefilter("ignore")
            for number, table in enumerate(_xlsx(content) if ending == XLSX else _ods(content)):
                if number >= MOST_TABLES:
                    raise _too_large(name, "sheets", MOST_TABLES)
                _check_size(name, table.title, table.rows)
                cells += sum(map(len, table.rows))
                if cells > MOST_CELLS:
                    raise _too_large(name, "cells", MOST_CELLS)
                yield table
    except AtollError:
        raise
    except Exception:  # whatever the libraries raise for an archive or a document that is none of theirs
        raise ComponentError(
            Message("%(file)s: is not a workbook that can be read", file=quoted(name))
        ) from None


def _too_large(name: str, what: str, most: int) -> ComponentError:
    problems = {
        "bytes": Message("it has more than %(most)s bytes", most=Amount(most)),
        "sheets": Message("it has more than %(most)s sheets", most=Amount(most)),
        "cells": Message("it has more than %(most)s cells", most=Amount(most)),
        "rows": Message("a sheet has more than %(most)s rows", most=Amount(most)),
        "columns": Message("a sheet has more than %(most)s columns", most=Amount(most)),
    }
    return ComponentError(Message("%(place)s: %(problem)s", place=name, problem=problems[what]))


def _check_size(name: str, title: str, rows: list[list[Cell]]) -> None:
    """Raise ComponentError for a table beyond what is read, but for empty cells, and leave these out."""
    for row in rows:
        while row and not _is_filled(row[-1]):
            row.pop()
    while rows and not rows[-1]:
        rows.pop()
    if len(rows) > MOST_ROWS:
        raise _too_large(f"{name}, {title}", "rows", MOST_ROWS)
    if any(_is_filled(cell) for row in rows for cell in row[MOST_COLUMNS:]):
        raise _too_large(f"{name}, {title}", "columns", MOST_COLUMNS)


def _is_filled(cell: Cell) -> bool:
    return cell is not None and cell != ""


def _xlsx(content: bytes) -> Iterator[CellTable]:
    import openpyxl

    def opened(values: bool) -> Any:
        return openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=values)

    values, formulas = opened(True), opened(False)
    for sheet in values.worksheets:
        rows = _xlsx_rows(sheet)
        for row, cells in enumerate(_xlsx_rows(formulas[sheet.title])):
            for column, cell in enumerate(cells):
                if cell is not None and rows[row][column] is None:
                    why = Message("the result of its formula is not in the file: open and save it once more")
                    raise cell_fault(sheet.title, row, column, why)
        yield CellTable(
            sheet.title,
            [[_plain(sheet.title, i, j, cell) for j, cell in enumerate(row)] for i, row in enumerate(rows)],
        )


def _xlsx_rows(sheet: Any) -> list[tuple[Any, ...]]:
    sheet.reset_dimensions()  # what the file says of itself; the rows say it, too
    rows: list[tuple[Any, ...]] = []
    for row in sheet.iter_rows(max_row=10 * MOST_ROWS, values_only=True):
        if (len(rows) >= MOST_ROWS and any(_is_filled(cell) for cell in row)) or len(row) > MOST_COLUMNS:
            return [*rows, row]  # too many, which is said by whoever checks the size
        rows.append(row)
    return rows


def _ods(content: bytes) -> Iterator[CellTable]:
    import odfdo

    document = odfdo.Document(io.BytesIO(content))
    for table in document.body.get_tables():
        title, rows = str(table.name), list[list[Cell]]()
        row: Any
        for row in table.get_elements("descendant::table:table-row"):
            values = list[Any]()
            for cell in row.get_elements("table:table-cell|table:covered-table-cell"):
                _repeat(values, [cell.get_value()], cell, MOST_COLUMNS)
            while values and values[-1] is None:
                values.pop()
            plain = [_plain(title, len(rows), column, value) for column, value in enumerate(values)]
            _repeat(rows, [plain], row, MOST_ROWS)
        yield CellTable(title, rows)


def _repeat(there: list[Any], more: list[Any], element: Any, most: int) -> None:
    """Add a cell or a row as often as it says that it is repeated, but no more than one beyond the bound."""
    there += more * min(element.repeated or 1, max(most + 1 - len(there), 1))


def _plain(title: str, row: int, column: int, value: Any) -> Cell:
    """A cell's value; raises ComponentError for dates and times, which no component has."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
    why = Message("is a date or a time: give the cell the format of a text, and write it again")
    raise cell_fault(title, row, column, why)


# Writing


def separator_in(language: str) -> str:
    """What separates the cells of CSV where Excel speaks the language: a semicolon where decimals have a comma."""
    return "," if language == "en" else ";"


def is_spreadsheet(path: Path) -> bool:
    """Whether a path is that of a workbook, a CSV file or a folder, which may hold such files."""
    return path.suffix.lower() in SPREADSHEETS or path.is_dir()


def write_tables(path: Path, tables: Iterable[CellTable], separator: str) -> None:
    """Write tables as a workbook, if the path ends like one, else as a folder of CSV files; raises AtollError and
    OSError.
    """
    tables = list(tables)
    if path.suffix.lower() in WORKBOOKS:
        write_whole(path, workbook(tables, path.suffix.lower()))
        return
    if path.suffix:
        raise AtollError(
            Message("%(file)s: write to a folder, or to a file that ends in .xlsx or .ods", file=str(path))
        )
    path.mkdir(parents=True, exist_ok=True)
    for table in tables:
        write_whole(path / f"{table.title}{CSV}", csv_text(table, separator).encode("utf-8-sig"))


def csv_text(table: CellTable, separator: str) -> str:
    """A table as CSV."""
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\r\n").writerows(
        [["" if cell is None else cell for cell in row] for row in table.rows]
    )
    return text.getvalue()


def zipped(tables: Iterable[CellTable], separator: str) -> bytes:
    """Tables as an archive of CSV files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for table in tables:
            archive.writestr(f"{table.title}{CSV}", csv_text(table, separator).encode("utf-8-sig"))
    return content.getvalue()


def workbook(tables: Iterable[CellTable], ending: str) -> bytes:
    """Tables as a workbook with that ending; raises AtollError where the libraries are missing."""
    _check_libraries()
    return _xlsx_content(tables) if ending == XLSX else _ods_content(tables)


def _written(cell: Cell) -> Cell:
    return str(cell) if isinstance(cell, int | float) and abs(cell) >= _EXACT else cell


def _xlsx_content(tables: Iterable[CellTable]) -> bytes:
    import openpyxl
    from openpyxl.styles import Alignment, Font

    book = openpyxl.Workbook()
    book.remove(book.active)
    for table in tables:
        sheet = book.create_sheet(table.title)
        sheet.freeze_panes = "A2"
        for row, cells in enumerate(table.rows, start=1):
            for column, value in enumerate(map(_written, cells), start=1):
                if value is None:
                    continue
                cell = sheet.cell(row, column)
                cell.value = value
                if isinstance(value, str):
                    cell.data_type = "s"  # and no formula, whatever it begins with
                    cell.number_format = "@"
                if row == 1:
                    cell.font = Font(bold=True)
                cell.alignment = Alignment(wrap_text=True, vertical="top")
        for column, cells in enumerate(sheet.columns, start=1):
            longest = max((len(str(cell.value)) for cell in cells if cell.value is not None), default=1)
            letter = openpyxl.utils.get_column_letter(column)
            sheet.column_dimensions[letter].width = min(max(longest + 2, 8), 60)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _ods_content(tables: Iterable[CellTable]) -> bytes:
    import odfdo

    document = odfdo.Document("spreadsheet")
    document.body.clear()
    for table in tables:
        sheet = odfdo.Table(table.title)
        for cells in table.rows:
            row = odfdo.Row()
            for value in map(_written, cells):
                row.append_cell(odfdo.Cell(value))
            sheet.append_row(row)
        document.body.append(sheet)
    content = io.BytesIO()
    document.save(content)
    return content.getvalue()
