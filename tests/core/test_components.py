"""Reading components files, whatever the game: every mistake is named by file, entry and key."""

import os
import re
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from atoll.core.catalogue import games
from atoll.core.components import MOST_BYTES, FileContent, digest, keyed, parse_toml, read_toml
from atoll.text.errors import ComponentError
from atoll.text.translation import Translator


class Tile(Struct, forbid_unknown_fields=True):
    kind: Literal["sea", "sand"]
    cost: Annotated[int, Meta(ge=0)] = 0
    size: Literal[1, 2] = 1


class File(Struct, forbid_unknown_fields=True):
    name: str
    tiles: list[Tile] = []
    prices: dict[Literal["palm", "fish"], int] = {}


def told(data: dict[str, Any]) -> str:
    with pytest.raises(ComponentError) as refused:
        FileContent("mine.toml", data).checked(File)
    return str(refused.value)


def test_a_right_file_becomes_the_structure() -> None:
    data = {"name": "x", "tiles": [{"kind": "sea"}], "prices": {"palm": 2}}
    file = FileContent("mine.toml", data).checked(File)
    assert file == File("x", [Tile("sea")], {"palm": 2})


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({}, "mine.toml: the file: the key “name” is missing"),
        ({"name": 3}, "mine.toml: name: must be a text, not 3"),
        (
            {"name": "x", "tile": []},
            "mine.toml: the file: there is no key “tile” here; allowed: name, tiles, prices",
        ),
        (
            {"name": "x", "tiles": [{"kind": "sea"}, {"kind": "sea", "price": 1}]},
            "mine.toml: tiles[1]: there is no key “price” here; allowed: kind, cost, size",
        ),
        (
            {"name": "x", "tiles": [{"kind": "rock"}]},
            "mine.toml: tiles[0].kind: must be one of sand, sea, not “rock”",
        ),
        (
            {"name": "x", "tiles": [{"kind": "sea", "cost": -1}]},
            "mine.toml: tiles[0].cost: must be a whole number, at least 0, not -1",
        ),
        (
            {"name": "x", "prices": {"stone": 1}},
            "mine.toml: prices: there is no key “stone” here; allowed: fish, palm",
        ),
        ({"name": "a\x1b[2J"}, "mine.toml: name: holds the unprintable character U+001B; leave it out"),
        ({"name": "a\u202eb"}, "mine.toml: name: holds the unprintable character U+202E; leave it out"),
        (
            {"name": "x", "a\x1b\nb": 1},
            "mine.toml: the file: there is no key “a\\x1b\\nb” here; allowed: name, tiles, prices",
        ),
        (
            {"name": "x", "tiles": [{"kind": "sea", "size": 10**5000}]},
            "mine.toml: the file: holds a number of more than 4,300 digits",
        ),
    ],
)
def test_a_mistake_is_named_by_file_entry_and_key(data: dict[str, Any], sentence: str) -> None:
    assert told(data) == sentence


@pytest.mark.parametrize(
    ("data", "french"),
    [
        ({}, "mine.toml\u202f: le fichier\u202f: il manque la clé «\u202fname\u202f»"),
        ({"name": True}, "mine.toml\u202f: name\u202f: il faut un texte, et non true"),
        ({"name": "x", "tiles": {}}, "il faut une liste, et non une section de clés et de valeurs"),
        (
            {"name": "x", "tiles": [{"kind": "sea", "cost": -1}]},
            "mine.toml\u202f: tiles[0].cost\u202f: il faut un nombre entier d’au moins 0, et non -1",
        ),
        (
            {"name": "x", "tiles": [{"kind": "rock"}]},
            "il faut un de ces mots\u202f: sand, sea, et non «\u202frock\u202f»",
        ),
        (
            {"name": "x", "tile": []},
            "il n’y a pas de clé «\u202ftile\u202f» ici\u202f; clés possibles\u202f: name, tiles, prices",
        ),
        ({"name": "x", "prices": {"fish": 1.5}}, "prices[...]\u202f: il faut un nombre entier"),
        ({"name": "x", "tiles": [{"kind": "sea", "size": [1]}]}, "et non une liste de 1 élément"),
        ({"name": "a\x1b[2J"}, "il y a le caractère non imprimable U+001B\u202f; retirez-le"),
        ({"name": "x", "tiles": [{"kind": "sea", "size": 10**5000}]}, "contient un nombre de plus de 4300"),
    ],
)
def test_what_is_wrong_is_said_in_the_readers_language(data: dict[str, Any], french: str) -> None:
    """Never in the words of msgspec."""
    with pytest.raises(ComponentError) as refused:
        FileContent("mine.toml", data).checked(File)
    assert french in refused.value.translate(Translator("fr"))
    assert not re.search("`|Expected|Object|Invalid", str(refused.value))


@pytest.mark.parametrize(
    ("content", "english", "french"),
    [
        ("a = 1\na = 2", "line 2: what has this name", "ligne 2\u202f: ce nom est déjà pris"),
        ("[a]\n[a]", "line 2: what has this name", "ligne 2\u202f: ce nom est déjà pris"),
        ('a = "x\n', "line 1: a text there has no closing", "ligne 1\u202f: il manque le guillemet fermant"),
        (
            "a = 1\nb = [1,\n2",
            "line 3: a bracket was not closed",
            "ligne 3\u202f: une parenthèse, un crochet",
        ),
        ("a\n", "line 1: after a key come “=”", "ligne 1\u202f: après une clé viennent"),
        (
            "a = 1 2",
            "the line goes on where a value has ended (column 7)",
            "une valeur est finie (colonne 7)",
        ),
        ("a = sea", "line 1, column 5: no value", "ligne 1, colonne 5\u202f: ce n’est pas une valeur"),
        ("a = 1\n= 2", "line 2 cannot be read from column 1", "la ligne 2 est illisible"),
        ("\n\xff", "line 2 has a character that is not UTF-8", "la ligne 2 a un caractère"),
    ],
)
def test_what_is_no_toml_is_said_with_its_line(content: str, english: str, french: str) -> None:
    with pytest.raises(ComponentError) as refused:
        parse_toml("bad.toml", content.encode("latin-1"))
    assert str(refused.value).startswith("bad.toml: is not a TOML file: line ")
    assert english in str(refused.value)
    assert french in refused.value.translate(Translator("fr"))


def test_what_cannot_be_true_is_told_in_the_same_form() -> None:
    content = FileContent("mine.toml", {"tiles": []})
    assert str(content.fault("tiles", "too few")) == "mine.toml: tiles: too few"


@pytest.mark.parametrize(
    ("entry", "called"),
    [
        ({"id": 7, "cost": -1}, " (7)"),
        ({"id": 7, "name": {"en": "Raft", "fr": "Radeau"}, "cost": -1}, " (Raft)"),
        ({"name": "sea", "cost": -1}, " (sea)"),
        ({"name": {}, "cost": -1}, ""),
        (3, ""),
    ],
)
def test_an_entry_that_has_a_name_is_called_by_it(entry: object, called: str) -> None:
    """Whoever reads the error need not count."""
    content = FileContent("mine.toml", {"tiles": [{"kind": "sea"}, entry]})
    assert str(content.fault("tiles[1].cost", "too low")) == f"mine.toml: tiles[1].cost{called}: too low"


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ComponentError, match=r"none\.toml: cannot be read: No such file"):
        read_toml(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("name = ")
    with pytest.raises(ComponentError, match=r"bad\.toml: is not a TOML file: "):
        read_toml(tmp_path / "bad.toml")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"x = " + b"[" * 5000, "nested too deeply"),
        (b"x = " + b"{a=" * 5000, "nested too deeply"),
        (b"x = " + b"9" * 5000, "holds a number of more than 4,300 digits"),
        (b"a." * 150 + b"a.a = 1\n" + b"a." * 50_000 + b"a = 1", "line 2 has more than 200 dots"),
        (b'x = "\xff"', "is not a TOML file"),
        (b"x = 1\x00", "is not a TOML file"),
        (b"#" * (MOST_BYTES + 1), "it has more than 1,000,000 bytes"),
    ],
)
def test_a_file_that_would_break_the_reader_is_refused(tmp_path: Path, content: bytes, told: str) -> None:
    """With one sentence, in a moment."""
    file = tmp_path / "bad.toml"
    file.write_bytes(content)
    with pytest.raises(ComponentError) as refused:
        read_toml(file)
    assert str(refused.value).startswith(f"{file}: ")
    assert told in str(refused.value)
    assert str(refused.value).isprintable()


def test_a_shipped_file_is_read_again_when_it_is_another(tmp_path: Path) -> None:
    game = next(game for game in games().values() if game.component_files)
    shipped = game.folder / next(iter(game.component_files.values()))
    file = tmp_path / "shipped.toml"
    read = partial(game.component_reader.read, file, shipped=True)
    file.write_text(shipped.read_text())
    first = read()
    assert read() is first
    file.write_text(file.read_text().replace(f'"{first.name}"', '"another"', 1))
    os.utime(file, ns=(0, 0))  # however coarse the clock of the files is
    assert (first.name != "another", read().name) == (True, "another")


def test_what_has_no_end_is_not_read(tmp_path: Path) -> None:
    """A device, and a pipe to which nobody writes."""
    os.mkfifo(tmp_path / "pipe")
    for path in (Path("/dev/zero"), tmp_path / "pipe"):
        with pytest.raises(ComponentError, match=f"{path}: cannot be read: it is not a regular file"):
            read_toml(path)


def test_what_is_quoted_from_a_file_cannot_fill_the_screen() -> None:
    assert len(told({"name": "x", "k" * 100_000: 1})) < 1010


def test_the_digest_depends_on_the_content_alone() -> None:
    assert digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1})
    assert digest({"a": 1}) != digest({"a": 2})


def test_a_structure_has_a_value_under_each_key() -> None:
    """Keys may have spaces; others are refused, and so is one that is missing where nothing stands for it."""
    counts = keyed("Counts", ["fig", "dried fig"], int, 0, module=__name__)
    assert msgspec.convert({"dried fig": 2}, counts) == counts(fig=0, dried_fig=2)
    with pytest.raises(msgspec.ValidationError, match="unknown field `rice`"):
        msgspec.convert({"rice": 1}, counts)
    with pytest.raises(msgspec.ValidationError, match="missing required field `fig`"):
        msgspec.convert({}, keyed("Prices", ["fig"], int, module=__name__))
