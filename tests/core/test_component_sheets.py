"""Components files as spreadsheets: there and back without loss, and whatever is wrong is said with its cell."""

import copy
import io
import random
import re
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from atoll.core.catalogue import find_game, games
from atoll.core.component_sheets import ComponentSheets
from atoll.core.components import parse_toml
from atoll.core.game import Game
from atoll.core.types import Json
from atoll.text import spreadsheets
from atoll.text.errors import AtollError
from atoll.text.spreadsheets import CellTable, csv_text, tables_of, workbook
from tests.soak.mutated_components import TEXTS, mutated

WITH_FILES = [game for game in games().values() if game.component_files]
CELL = re.compile(r".+![A-Z]+[1-9]\d*: .")
FORMS = (".xlsx", ".ods", ",", ";", "\t", "utf-16", "cp1252")


def through(tables: list[CellTable], form: str, sheets: ComponentSheets) -> list[CellTable]:
    """The tables as a program writes them into a file of that form, or with that separator, and as they are read."""
    if form.startswith("."):
        return tables_of(f"any{form}", workbook(tables, form), sheets.headings())
    encoding = form if len(form) > 1 else "utf-8-sig"
    separator = form if len(form) == 1 else ";"
    return [
        again
        for table in tables
        for again in tables_of(
            f"Mine - {table.title}.csv",
            csv_text(table, separator).encode(encoding, "replace"),
            sheets.headings(),
        )
    ]


@pytest.mark.parametrize("game", WITH_FILES, ids=lambda game: game.name)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_file_goes_into_a_spreadsheet_and_back(game: Game, language: str) -> None:
    sheets = ComponentSheets(game, language)
    data = game.components().data
    tables = sheets.tables(data)
    for form in FORMS if game.name != "cast-away" else FORMS[:-1]:  # Windows has no narrow space
        assert sheets.data(through(tables, form, sheets), {}) == data, form
    other = ComponentSheets(game, "en" if language == "fr" else "fr")
    assert other.data(tables, {}) == data  # whatever language somebody else reads in


def playable_mutants(game: Game, chance: random.Random) -> Iterator[Json]:
    while True:
        try:
            data = parse_toml("mutant", mutated(game, chance))
            game.components_from("mutant", data)
        except AtollError:
            continue
        yield data


@pytest.mark.parametrize("game", WITH_FILES, ids=lambda game: game.name)
def test_what_a_file_says_in_an_unusual_way_is_the_same_afterwards(game: Game) -> None:
    chance = random.Random(5)
    sheets, base = ComponentSheets(game, "en"), game.components().data
    for data, _ in zip(playable_mutants(game, chance), range(6), strict=False):
        form = chance.choice(FORMS[:-1])
        assert sheets.data(through(sheets.tables(data), form, sheets), base) == data, form


def damage(tables: list[CellTable], chance: random.Random) -> None:
    """Change something as a designer might, or a spreadsheet program."""
    table = chance.choice([table for table in tables if table.rows])
    rows = table.rows
    row = chance.choice(rows)
    texts = [str(cell) for other in tables for cells in other.rows for cell in cells if isinstance(cell, str)]
    anything: list[Any] = [
        *TEXTS, None, True, 0, -1, 3, 3.0, 2.5, 1e308, 10**20, "3,0", "1 000", "=1", "#REF!", "(", "))", '"', "()",
        "a: b", "2 fruit, 2 fruit", "once: once: 1 water", ";;;", ", ,", "[" * 3000, "9" * 5000, chance.choice(texts),
    ]  # fmt: skip
    match chance.randrange(8):
        case 0 | 1 | 2 | 3:
            row[chance.randrange(len(row))] = chance.choice(anything)
        case 4:
            rows.insert(chance.randrange(len(rows) + 1), copy.deepcopy(row))
        case 5:
            rows.remove(row)
        case 6:
            row.append(chance.choice(anything))
        case 7:
            tables[tables.index(table)] = CellTable(str(chance.choice(anything)) or "x", rows)


@pytest.mark.parametrize("game", WITH_FILES, ids=lambda game: game.name)
def test_a_damaged_sheet_is_read_or_refused_with_its_cell(game: Game) -> None:
    chance = random.Random(7)
    sheets, base = ComponentSheets(game, "en"), game.components().data
    read, refusals = 0, list[str]()
    for _ in range(50):
        tables = sheets.tables(base)
        damage(tables, chance)
        try:
            data = sheets.data(tables, base)
        except AtollError as error:
            refusals.append(str(error))
        else:
            read += 1
            game.components_from("mutant", data)
    for sentence in refusals:
        assert CELL.match(sentence) or "no list of components" in sentence, sentence
    assert min(read, len(refusals)) > 2


def cast_away(cells: dict[tuple[str, int, str], Any]) -> Json:
    """The data of Cast Away's sheets with other cells: by sheet, row from 1 and heading."""
    game = find_game("cast-away")
    sheets = ComponentSheets(game, "en")
    tables = {table.title: table for table in sheets.tables(game.components().data)}
    for (title, row, heading), cell in cells.items():
        rows = tables[title].rows
        rows[row - 1][rows[0].index(heading)] = cell
    return sheets.data(list(tables.values()), {})


@pytest.mark.parametrize(
    ("cell", "value", "sentence"),
    [
        (("Constructions", 14, "Level"), "many", "Constructions!E14: must be a whole number from 0 to 4, not “many”"),
        (("Constructions", 14, "Level"), None, "Constructions!E14: must not be empty"),
        (("Constructions", 14, "Effect"), "once: 2 hapiness", "Constructions!J14: there is no key “hapiness” here; "),
        (("Constructions", 14, "Effect"), "2 happiness", "Constructions!J14: before “2 happiness” it does not say "),
        (("Constructions", 14, "Effect"), "once: 2 water, 1 water", "Constructions!J14: “1 water” stands there twice"),
        (("Constructions", 14, "Effect"), "once: fire (", "Constructions!J14: a bracket has no other one"),
        (("Constructions", 14, "Number"), 12, "Constructions!B14: there is another one with the id 12"),
        (("Constructions", 1, "Level"), "Levle", "Constructions!E1: no column is called “Levle”; there are Source, "),
        (("Constructions", 1, "Level"), "Prestige", "Constructions!I1: there is another column with this heading"),
        (("Fishing", 3, "Fish (food)"), "1; 2", "Fishing!C3: 5 numbers, one for each level, not 2"),
        (("Other values", 8, "Value"), 20, "Other values!B7: boxed <= set_aside <= 14"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_cell(cell: tuple[str, int, str], value: Any, sentence: str) -> None:
    with pytest.raises(AtollError) as refusal:
        cast_away({cell: value})
    assert str(refusal.value).startswith(sentence)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("once: +2 fruits ; ALWAYS : gathering 1", {"once": {"fruit": 2}, "always": {"gathering": 1}}),
        ("once: 1 fire, otherwise (2 prestige)", {"once": {"fire": 1, "otherwise": {"prestige": 2}}}),
        ("une fois: 2 bonheur", {"once": {"happiness": 2}}),
        ("always: no gift to the tribe", {"always": {"no_gift": 1}}),
        ("activate: pay (1 fish), action: rest", {"activate": {"pay": {"fish": 1}, "action": "rest"}}),
        (
            "at the end: 2 prestige, for each events, 6 at most; at_end: 1 prestige, per mystery",
            {"at_end": [{"prestige": 2, "per": "events", "most": 6}, {"prestige": 1, "per": "mystery"}]},
        ),
        ("once: ()", {"once": {}}),
    ],
)
def test_effects_are_read_as_people_write_them(typed: str, meant: Json) -> None:
    whens = ("once", "always", "activate", "activate_own", "at_end")
    tile = cast_away({("Constructions", 14, "Effect"): typed})["constructions"][12]
    assert {key: part for key, part in tile.items() if key in whens} == meant


def test_a_single_list_is_enough_and_rows_make_entries_whose_number_nobody_counts() -> None:
    game = find_game("cast-away")
    sheets, base = ComponentSheets(game, "en"), game.components().data
    (table,) = [table for table in sheets.tables(base) if table.title == "Fishing"]
    table.rows.extend([[], ["attested", "8,00", "1 1 2 2 3", None, "x", None], [None, "", " "]])
    table.rows[0].append("# my notes")
    table.rows[1] += ["too weak?"]
    data = sheets.data([table, CellTable("# sums", [["anything", 3]])], base)
    assert data["fishing"][7:] == [{"source": "attested", "id": 8, "fish": [1, 1, 2, 2, 3], "arrow": True}]
    assert data["counts"]["fishing"] == 8
    assert {name: part for name, part in data.items() if name not in ("fishing", "counts")} == {
        name: part for name, part in base.items() if name not in ("fishing", "counts")
    }


# Files of strangers


def changed_book(change: Any) -> bytes:
    game = find_game("karuba")
    content = workbook(ComponentSheets(game, "en").tables(game.components().data), ".xlsx")
    book = openpyxl.load_workbook(io.BytesIO(content))
    change(book)
    changed = io.BytesIO()
    book.save(changed)
    return changed.getvalue()


def archive(**parts: bytes) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as made:
        for name, part in parts.items():
            made.writestr(name.replace("_", "/", 1) + ".xml", part)
    return content.getvalue()


def a_formula(book: Any) -> None:
    book["Cards"]["E2"] = "=1+1"


def a_date(book: Any) -> None:
    import datetime

    book["Cards"]["E2"] = datetime.date(2026, 2, 1)


def far_away(book: Any) -> None:
    book["Cards"]["XFD1048576"] = 1
    book["Cards"]["DD2"] = 1


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("x.xlsx", lambda: changed_book(a_formula), "Cards!E2: the result of its formula is not in the file"),
        ("x.xlsx", lambda: changed_book(a_date), "Cards!E2: is a date or a time"),
        ("x.xlsx", lambda: changed_book(far_away), "x.xlsx, Cards: a sheet has more than 100 columns"),
        ("x.xlsx", lambda: b"PK\x03\x04 no archive", "“x.xlsx”: is not a workbook that can be read"),
        ("x.ods", lambda: archive(content=b"<a/>"), "“x.ods”: is not a workbook that can be read"),
        ("x.xlsx", lambda: archive(xl_workbook=b"0" * 11_000_000), "x.xlsx: it has more than 10,000,000 bytes"),
        ("x.ods", lambda: archive(content=b'<!DOCTYPE a [<!ENTITY b "b">]><a>&b;</a>'), "“x.ods”: is not a workbook"),
        ("x.csv", lambda: b"\n" * 5000 + b"a", "x.csv, x: a sheet has more than 2,000 rows"),
        ("x.csv", lambda: b'"' + b"a" * 200_000, "there is no list of components in it"),
        ("x.pdf", lambda: b"", "“x.pdf”: a spreadsheet is a file that ends in .xlsx, .ods or .csv"),
    ],
)  # fmt: skip
def test_a_strange_file_is_refused_in_a_sentence(name: str, content: Any, sentence: str) -> None:
    sheets = ComponentSheets(find_game("karuba"), "en")
    with pytest.raises(AtollError) as refusal:
        sheets.data(tables_of(name, content(), sheets.headings()), {})
    assert str(refusal.value).startswith(sentence)


def test_where_nothing_reads_workbooks_the_command_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(spreadsheets, "LIBRARIES", ("no_such_library",))
    with pytest.raises(AtollError, match="need what make desk installs"):
        spreadsheets.write_tables(tmp_path / "book.ods", [CellTable("a", [])], ",")
    spreadsheets.write_tables(tmp_path / "folder", [CellTable("a", [["b"]])], ";")
    assert spreadsheets.read_tables(tmp_path / "folder", ()) == [CellTable("a", [["b"]])]


def test_text_that_is_a_formula_to_a_spreadsheet_stays_text() -> None:
    game = find_game("karuba")
    sheets = ComponentSheets(game, "en")
    for name in ("=1+1", "-3", "@x", "007", "()", ' a "b', "1", "true", "#1", "1/2"):
        data = game.components().data | {"name": name}
        for form in FORMS:
            assert sheets.data(through(sheets.tables(data), form, sheets), {})["name"] == name
        (values,) = [table for table in sheets.tables(data) if table.title == "Other values"]
        assert not re.search(r"(^|;)[=@+-]", csv_text(values, ";"), re.MULTILINE)


def test_the_comments_of_the_file_stay(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from atoll.commands.main import app

    def run(*arguments: object) -> str:
        done = CliRunner().invoke(app, ["components", "karuba", *map(str, arguments)])
        assert done.exit_code == 0, done.output
        return done.output

    run("--sheet", tmp_path / "mine.ods")
    run("--from-sheet", tmp_path / "mine.ods", "--out", tmp_path / "mine.toml")
    game = find_game("karuba")
    shipped = (game.folder / game.component_files["reconstruction"]).read_text("utf-8")
    assert (tmp_path / "mine.toml").read_text("utf-8") == shipped
    assert tomllib.loads(shipped) == game.components().data
    assert "be played: reconstruction." in run("--check", tmp_path / "mine.ods")
