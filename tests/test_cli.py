"""The commands: good runs, and wrong input that ends with one sentence and status 2."""

import codecs
import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
import webbrowser
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import msgspec
import pytest
from rich.table import Table
from typer.main import get_command

from atoll import __version__
from atoll.bots import bot_names
from atoll.commands import main, serve
from atoll.commands.console import PlainConsole
from atoll.core import records
from atoll.core.catalogue import find_game, games
from atoll.core.game import Game
from atoll.text.translation import LANGUAGES, Translator
from tests.conftest import Run

GAME = next(iter(games().values()))


def in_a_process(*arguments: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(Path(sys.executable).with_name("atoll")), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
    )


SEVERAL = """
import contextlib, io, json, sys
from atoll.commands.main import main

ended = []
for arguments in json.loads(sys.argv[1]):
    sys.argv[1:] = arguments
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            main()
        except SystemExit as end:
            ended.append((end.code, out.getvalue(), err.getvalue()))
print(json.dumps(ended))
"""
"""Runs commands one after another, which begins a process once."""


def in_an_environment(language: str, commands: Sequence[Sequence[object]]) -> list[tuple[int, str, str]]:
    """What each command ends with where the environment has that language."""
    written = json.dumps([list(map(str, command)) for command in commands])
    done = subprocess.run(
        [sys.executable, "-c", SEVERAL, written],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "LC_ALL": f"{language}.UTF-8"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [(status, said, complaint) for status, said, complaint in json.loads(done.stdout)]


def refusal(result: tuple[int, str, str]) -> str:
    """The one sentence with which wrong input ends."""
    status, _, complaint = result
    assert status == 2
    assert re.fullmatch(r"atoll: [^\n]+[^.?][.?]\n", complaint), complaint
    assert "Traceback" not in complaint
    assert complaint.rstrip("\n").isprintable()
    return complaint


# Good runs


def test_the_version(run: Run) -> None:
    assert run("--version") == (0, f"atoll {__version__}\n", "")


@pytest.mark.parametrize("arguments", [("--help",), ("simulate", "--help"), ("replay", "--help")])
def test_every_command_explains_itself(run: Run, arguments: tuple[str, ...]) -> None:
    status, said, complaint = run(*arguments)
    assert (status, complaint) == (0, "")
    assert "Usage" in said


def test_the_list_of_commands_shows_their_sentences_whole(run: Run) -> None:
    said = " ".join(run("--help")[1].split())
    assert all(command.help in said for command in get_command(main.app).commands.values())  # type: ignore[attr-defined]


@pytest.fixture(params=games().values(), ids=list(games()))
def game(request: pytest.FixtureRequest) -> Game:
    """Every game of the catalogue."""
    found: Game = request.param
    return found


def test_simulating_tells_what_came_of_it(run: Run, game: Game) -> None:
    status, said, complaint = run("simulate", game.name, "-n", 30, "--bots", "greedy,random", "--workers", 2)
    assert (status, complaint) == (0, "")
    assert all(name in said for name in ("greedy", "random"))
    assert "Games: 30" in said


def test_what_is_no_terminal_is_shown_no_progress(run: Run) -> None:
    """Not the blank line either that Rich leaves where a bar was."""
    _, said, _ = run("simulate", GAME.name, "-n", 1, "--seed", 1)
    assert said.startswith("┏")


def test_a_table_is_folded_in_a_narrow_terminal_and_not_cut_off() -> None:
    table = Table()
    table.add_column("", min_width=30)
    table.add_column("", no_wrap=True)
    table.add_row(30 * "a", 30 * "b")
    console = PlainConsole(width=40, file=StringIO())
    with console.capture() as shown:
        console.print(table)
    assert (shown.get().count("a"), shown.get().count("b")) == (30, 30)


def test_a_terminal_of_no_known_width_is_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "0")
    console = PlainConsole(file=StringIO())
    with console.capture() as shown:
        console.print("It is there.")
    assert shown.get() == "It is there.\n"


def test_who_won_every_game_is_not_said_to_win_for_sure(run: Run) -> None:
    """Wilson's interval, as in the arena; with few games it is wide."""
    _, said, _ = run("simulate", GAME.name, "-p", 2, "-n", 4, "--seed", 1)
    assert "100.0 (28.6…100.0)" in said


def test_simulating_at_every_number_of_players(run: Run) -> None:
    for players in GAME.seats:
        status, said, _ = run("simulate", GAME.name, "-p", players, "-n", 2)
        assert status == 0
        assert f"│ {players} " in said
        assert f"│ {players + 1} " not in said.split("Seat")[1]


def test_a_recorded_simulation_replays(run: Run, game: Game, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    status, said, _ = run("simulate", game.name, "-n", 3, "--seed", 5, "--record", file)
    assert status == 0
    assert "games.jsonl" in said.replace("\n", "")
    lines = [msgspec.json.decode(line) for line in file.read_text().splitlines()]
    assert sum("atoll" in line for line in lines) == 3
    assert not any("state" in line for line in lines)
    status, said, complaint = run("replay", file)
    assert (status, complaint) == (0, "")
    assert [f"Game {number}:" in said for number in (1, 2, 3, 4)] == [True, True, True, False]
    one = tmp_path / "one.jsonl"
    first = file.read_text().split('{"atoll"', 2)[1]
    one.write_text(records.opened_at('{"atoll"' + first, 4))
    short, whole = (run("replay", one, *more)[1].splitlines() for more in ((), ("--log",)))
    assert run("replay", one, "--at", 4)[1].splitlines() == short
    assert short[-1] == whole[-1]
    assert len([line for line in whole if line not in short]) > 5  # what happened later
    assert [line for line in short if line not in whole]  # the table
    marked = tmp_path / "marked.jsonl"
    marked.write_bytes(codecs.BOM_UTF8 + file.read_bytes())
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    threading.Thread(target=lambda: pipe.write_bytes(file.read_bytes()), daemon=True).start()
    assert run("replay", marked)[1] == run("replay", pipe)[1] == said


def test_the_same_seed_records_the_same_games(run: Run, tmp_path: Path) -> None:
    texts = []
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        run("simulate", GAME.name, "-n", 2, "--seed", seed, "--record", tmp_path / name)
        texts.append((tmp_path / name).read_text())
    assert texts[0] == texts[1] != texts[2]


def test_without_a_seed_games_are_new_and_their_seed_is_told(run: Run, tmp_path: Path) -> None:
    """So that no bot can look the deal up, and the games can be had again."""
    file, seeds = tmp_path / "games", []
    for _ in range(2):
        _, said, _ = run("simulate", GAME.name, "-n", 2, "--record", file)
        seeds.append(re.findall(r"The seed is (\d+)\.", said)[0])
        games = file.read_text()
        _, said, _ = run("simulate", GAME.name, "-n", 2, "--seed", seeds[-1], "--record", file)
        assert file.read_text() == games
        assert "The seed is" not in said
    assert seeds[0] != seeds[1]


def test_a_trace_has_state_and_legal_moves_on_every_line(run: Run, game: Game, tmp_path: Path) -> None:
    file = tmp_path / "trace.jsonl"
    assert run("simulate", game.name, "-n", 1, "--record", file, "--trace")[0] == 0
    decisions = [msgspec.json.decode(line) for line in file.read_text().splitlines()][1:-1]
    assert decisions
    assert all({"state", "legal"} <= line.keys() for line in decisions)
    assert run("replay", file, "--no-log")[0] == 0


def test_one_game_is_told_move_by_move(run: Run, game: Game, tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    run("simulate", game.name, "-n", 1, "--record", file)
    _, told, _ = run("replay", file)
    _, short, _ = run("replay", file, "--no-log")
    assert len(told.splitlines()) > 20 > len(short.splitlines())
    _, french, _ = run("replay", file, "--language", "fr")
    assert french != told


def test_options_and_components_are_recorded(run: Run, game: Game, tmp_path: Path) -> None:
    file, own = tmp_path / "games.jsonl", tmp_path / "own.toml"
    own.write_bytes((game.folder / next(iter(game.component_files.values()))).read_bytes())
    options = [word for option in game.options for word in ("-o", option.name)]
    status, *_ = run("simulate", game.name, "-n", 1, "--components", own, *options, "--record", file)
    assert status == 0
    head = msgspec.json.decode(file.read_text().splitlines()[0])
    assert head["options"] == {option.name: True for option in game.options}
    assert head["components"]["data"] == game.components().data
    assert run("replay", file)[0] == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_showing_components_writes_a_page_that_is_whole(
    run: Run, game: Game, tmp_path: Path, language: str
) -> None:
    """It names, loads and links nothing outside itself, needs no script, and is where the command says."""
    file = tmp_path / "page.html"
    status, said, complaint = run("components", game.name, "--show", "--out", file, "--language", language)
    assert (status, complaint) == (0, "")
    assert str(file) in said
    page = file.read_text("utf-8")
    assert f'<html lang="{language}">' in page
    assert game.title in page
    assert "<script" not in page
    addresses = re.findall(
        r'(?:href|src|action|srcset)="([^"]*)"|url\(["\']?([^)"\']*)|@import "([^"]*)"', page
    )
    assert all("".join(address).startswith(("#", "data:")) for address in addresses)
    styles, _, body = page.partition("</style>")
    used = set(re.findall(r'<use [^>]*href="#([^"]+)"', body))
    drawn = set(re.findall(r'class="drawn (drawn-[\w-]+)', body))
    assert used or drawn
    assert used <= set(re.findall(r' id="([^"]+)"', body))
    assert drawn <= set(re.findall(r"^\.(drawn-[\w-]+) ", styles, re.MULTILINE))


def test_a_page_of_components_lies_here_if_nothing_else_is_said(
    run: Run, game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One for the game's own components, another for a file that is checked."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_bytes(
        (game.folder / next(iter(game.component_files.values()))).read_bytes()
    )
    assert run("components", game.name, "--show")[0] == 0
    assert "mine.toml" in run("components", game.name, "--check", "mine.toml", "--show")[1]
    assert {file.name for file in tmp_path.glob("*.html")} == {
        f"{game.name}-components.html",
        f"{game.name}-mine.html",
    }


def test_components_without_a_page_are_tables_in_the_terminal(
    run: Run, game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, said, _ = run("components", game.name)
    assert status == 0
    assert said.count("┃") > 3
    assert list(tmp_path.iterdir()) == []


def test_the_page_of_components_opens_before_a_person_at_a_desktop(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And in no other case: not in a pipe, not without a display."""
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    file = tmp_path / "page.html"
    for terminal, display in ((False, ":0"), (True, ""), (True, ":0")):
        monkeypatch.setattr(
            "atoll.commands.components.sys.stdout.isatty", lambda answer=terminal: answer, raising=False
        )
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        monkeypatch.setenv("DISPLAY", display)
        assert opened == []
        assert run("components", GAME.name, "--show", "--out", file)[0] == 0
    assert opened == [file.as_uri()]


def test_the_installed_command_runs(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "games.jsonl"
    done = in_a_process("simulate", GAME.name, "-n", 2, "--record", file)
    assert (done.returncode, done.stderr) == (0, "")
    status, said, complaint = run("replay", file)
    assert (status, complaint) == (0, "")
    assert "Game 2:" in said


LEFT = """
import sys

class Left:
    def find_spec(self, name, *places):
        if name == "atoll.commands.main":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Left())
from atoll.__main__ import main
main()
"""
"""Ctrl-C while the command line is loaded."""


def test_ctrl_c_at_the_very_start_ends_without_a_word() -> None:
    done = subprocess.run([sys.executable, "-c", LEFT], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_the_package_is_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "atoll", "--version"], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"atoll {__version__}\n", "")


# Wrong input


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["simulate", "chess"], [GAME.name]),
        (["simulate"], ["GAME"]),
        (["simulate", GAME.name, "-p", GAME.seats.stop], [str(GAME.seats.stop)]),
        (["simulate", GAME.name, "-p", GAME.seats.start - 1], [str(GAME.seats.start)]),
        (["simulate", GAME.name, "-p", "two"], ["--players"]),
        (["simulate", GAME.name, "-n", 0], ["--games"]),
        (["simulate", GAME.name, "--seed", -1], ["--seed"]),
        (["simulate", GAME.name, "--workers", 0], ["--workers"]),
        (["simulate", GAME.name, "--bots", "deep"], ["“deep”", *bot_names()]),
        (["simulate", GAME.name, "--bots", ""], [*bot_names()]),
        (["simulate", GAME.name, "--bots", "random,,greedy"], [*bot_names()]),
        (["simulate", GAME.name, "-o", "magic"], ["“magic”", *(option.name for option in GAME.options)]),
        (["simulate", GAME.name, "--trace"], ["--record"]),
        (["simulate", GAME.name, "--components", "nowhere.toml"], ["nowhere.toml"]),
        (["simulate", GAME.name, "--components", "."], ["no CSV file in this folder"]),
        (["simulate", GAME.name, "--fast"], ["--fast"]),
        (
            ["simulate", GAME.name, "-n", 1, "--record", "no/such/folder/games.jsonl"],
            ["no/such/folder/games.jsonl: No"],
        ),
        (["simulate", GAME.name, "-n", 1, "--record", "."], ["."]),
        (["report", GAME.name, "-n", 1, "--json", "x", "-o", "x"], ["x would be written twice"]),
        (["play", GAME.name, "--bots", "cmd:no-such-program"], ["“cmd:no-such-program” cannot be started"]),
        (["play", GAME.name, "--bots", "trained:nowhere.npz"], ["nowhere.npz: cannot be read"]),
        (["play", GAME.name, "--seat", 99], ["seat 99", f"1 to {GAME.default_players}"]),
        (["components", GAME.name, "--check", "/dev/zero"], ["/dev/zero", "not a regular file"]),
        (["replay", "/dev/zero"], ["/dev/zero", "not a regular file"]),
        (["arena", GAME.name, "--out", "/dev/zero"], ["/dev/zero", "not a regular file"]),
        (["components", GAME.name, "--check", "\x1b[2J\nnowhere"], [r"\x1b[2J\nnowhere"]),
        (["simulate", GAME.name, "--bots", "\x1b[2J"], [r"\x1b[2J"]),
        (["replay"], ["FILE"]),
        (["replay", "nowhere.jsonl"], ["nowhere.jsonl"]),
        (["replay", "."], ["cannot be read"]),
        (["restore", os.devnull], ["not a regular file"]),
        (["replay", "nowhere.jsonl", "--language", "xx"], ["“xx”", "en, fr"]),
        (["components", "chess", "--show"], [GAME.name]),
        (["components", GAME.name, "--out", "page.html"], ["--show"]),
        (["components", GAME.name, "--show", "--out", "no/such/page.html"], ["no/such/page.html"]),
        (["components", GAME.name, "--show", "--out", "."], ["."]),
        (["components", GAME.name, "--show", "--language", "xx"], ["“xx”", "en, fr"]),
        (["components", GAME.name, "--show", "--check", "nowhere.toml"], ["nowhere.toml"]),
        (["dance"], ["dance"]),
        (["simulte"], ["simulte", "simulate"]),
        (["serve", "--pot"], ["--pot", "--port"]),
    ],
)
def test_wrong_input_ends_with_one_sentence(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: list[object], told: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    complaint = refusal(run(*arguments))
    assert all(word in complaint for word in told)
    assert list(tmp_path.iterdir()) == []


def test_the_help_that_players_meet_is_in_their_language() -> None:
    """In which the environment is; the frame is Typer's and English."""
    about = {"play": "Votre place, à partir de 1", "replay": "Un fichier d", "serve": "Ouvrir le navigateur"}
    commands = [(command, "--help") for command in about]
    english, french = (in_an_environment(language, commands) for language in ("en", "fr"))
    for option, (_, english_help, _), (_, french_help, _) in zip(
        about.values(), english, french, strict=True
    ):
        assert option in french_help
        assert option not in english_help
        assert "Show this message and exit." in french_help


def test_commands_for_programmers_speak_english() -> None:
    """Whatever the language of the environment is: help, what they do, and what is wrong."""
    commands = [
        ("simulate", "--help"),
        ("tune", "--help"),
        ("simulate", GAME.name, "-n", 1, "--seed", 1, "--trace"),
        ("simulate", "chess"),
        ("arena", GAME.name, "--bots", "greedy", "--seed", 1),
        ("describe", GAME.name, "--form", "binary"),
        ("new-game", GAME.name),
        ("restore", os.devnull),
    ]
    english, french = (in_an_environment(language, commands) for language in ("en", "fr"))
    assert french == english
    assert all(said or refusal((status, said, complaint)) for status, said, complaint in english)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["play", "chess"], "aucun jeu ne s’appelle "),
        (["play", GAME.name, "--bots", "deep"], "aucun robot ne s’appelle « deep » ; il y a : random, "),
        (
            ["play", GAME.name, "--bots", "cmd:"],
            "« cmd: » ne nomme pas de programme ; écrivez cmd:COMMANDE, ",
        ),
        (["play", GAME.name, "--bots", "cmd:'x"], "dans « cmd:'x », il manque un guillemet fermant"),
        (["play", GAME.name, "--bots", "restrict:x"], "« restrict:x » n’est pas un robot restreint ; "),
        (
            ["play", GAME.name, "--bots", "cmd:no-such-program"],
            "le programme de « cmd:no-such-program » ne peut pas démarrer : fichier ou dossier introuvable",
        ),
        (["replay", os.devnull], f"{os.devnull} est illisible : ce n’est pas un fichier ordinaire"),
        (["components", "chess"], "aucun jeu ne s’appelle "),
        (["components", GAME.name, "--out", "x"], "--out va avec --show ou --from-sheet."),
        (
            ["components", GAME.name, "--show", "--out", "no/page.html"],
            "no/page.html : fichier ou dossier ",
        ),
    ],
)
def test_what_a_player_does_wrong_is_told_in_the_language_that_is_asked_for(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: list[object], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    french = re.sub("(?<=«) | (?=[:;»])", "\u202f", told)
    status, _, complaint = run(*arguments, "--language", "fr")
    assert status == 2
    assert complaint.startswith(f"atoll: {french}")
    assert not refusal(run(*arguments, "--language", "en")).startswith(f"atoll: {french}")


def test_what_is_wrong_with_serving_is_told_in_the_language_of_the_environment(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "translator", Translator("fr"))
    complaint = run("serve", "--behind-proxy", "atoll")[2]
    assert complaint.startswith("atoll: atoll n’est pas l’adresse d’un site, comme https://")


def test_a_broken_components_file_is_named_with_its_entry(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("format = 1\n")
    complaint = refusal(run("simulate", GAME.name, "--components", file))
    assert f"{file}: " in complaint
    page = tmp_path / "page.html"
    assert f"{file}: " in refusal(run("components", GAME.name, "--check", file, "--show", "--out", page))
    assert not page.exists()
    file.write_text("format = ")
    assert "is not a TOML file" in refusal(run("simulate", GAME.name, "--components", file))


def test_a_set_that_comes_with_a_game_is_named_like_a_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`atoll compare` of the file and of the set by its name, which a folder may have too, finds nothing to compare."""
    monkeypatch.chdir(tmp_path)
    karuba = find_game("karuba")
    *_, (name, file) = karuba.component_files.items()
    asked = ("compare", "karuba", "--with", name, "-n", 10, "--seed", 1, "--components")
    assert "both sides are the same" in refusal(run(*asked, karuba.folder / file))
    (tmp_path / name).mkdir()
    assert "both sides are the same" in refusal(run(*asked, karuba.folder / file))
    assert f"there are: {', '.join(karuba.component_files)}" in refusal(run(*asked, "no such set"))


def test_names_are_shown_as_they_are(run: Run, tmp_path: Path) -> None:
    """Of files and of what is in them: brackets are no markup, colons no emoji; others' control characters are
    refused, those in a path not obeyed.
    """
    shipped = (GAME.folder / next(iter(GAME.component_files.values()))).read_text("utf-8")
    file, name = tmp_path / "[/x]\x1b[31m.toml", "[/x] [red]a[/] :boom: b"
    file.parent.mkdir()
    file.write_text(re.sub('^name = ".*"', f'name = "{name}"', shipped, count=1, flags=re.MULTILINE), "utf-8")
    for arguments in (
        ("components", GAME.name, "--check", file),
        ("simulate", GAME.name, "-n", 1, "--components", file, "--record", tmp_path / "[/y].jsonl"),
        ("replay", tmp_path / "[/y].jsonl"),
    ):
        status, said, complaint = run(*arguments)
        assert (status, complaint) == (0, "")
        assert "\x1b" not in said
        if arguments[0] == "components":
            assert name in said.replace("\n", " ")
            assert r"[/x]\x1b[31m.toml" in said.replace("\n", "")
    assert "[/y].jsonl" in run("simulate", GAME.name, "-n", 1, "--record", tmp_path / "[/y].jsonl")[
        1
    ].replace("\n", "")
    file.write_text(shipped.replace('name = "', r'name = "\u001b[2J', 1), "utf-8")
    assert "name: holds the unprintable character U+001B" in refusal(
        run("components", GAME.name, "--check", file)
    )


def test_a_game_past_its_declared_maximum_ends_with_a_sentence(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the compiled loop, step by step, in a search, in an arena and while recording."""
    own = tmp_path / "own.toml"
    shipped = (GAME.folder / next(iter(GAME.component_files.values()))).read_text("utf-8")
    own.write_text(re.sub('^name = ".*"', 'name = "endless"', shipped, count=1, flags=re.MULTILINE), "utf-8")
    monkeypatch.setattr(GAME.rules, "max_decisions", lambda components, players: 3)
    told = ["declared maximum of 3 decisions", GAME.title, "“endless”"]
    record = ("--record", tmp_path / "games.jsonl")
    for arguments in (
        ("simulate", "-n", 1000),
        ("simulate", "-n", 2, "--bots", "search:1"),
        ("simulate", "-n", 2, *record),
        ("arena", "-n", 2, "--bots", "greedy,random"),
    ):
        complaint = refusal(run(arguments[0], GAME.name, "--components", own, *arguments[1:]))
        assert all(word in complaint for word in told)
    assert not record[1].exists()


@pytest.mark.parametrize("command", ["simulate", "arena"])
def test_control_c_ends_games_between_bots_that_think_for_minutes(command: str) -> None:
    """A search of so many iterations takes most of a minute for one move."""
    own, shown = pty.openpty()
    process = subprocess.Popen(
        [
            str(Path(sys.executable).with_name("atoll")), command, GAME.name, "-p", "2", "-n", "9",
            "--bots", "search:900000,search:800000",
        ],
        stdin=subprocess.DEVNULL, stdout=shown, stderr=subprocess.PIPE, env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    os.close(shown)
    said = b""
    while b"0/" not in said:
        said += os.read(own, 1 << 16)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=60)
    os.close(own)
    assert (process.returncode, complaint) == (130, b"")
    assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "no record"),
        (b"\xff\xfe\x00", "line 1"),
        (b"{}\n", "line 1"),
        (b"[" * 5000, "line 1"),
        (b"7", "line 1"),
    ],
)
def test_a_file_that_is_no_record_is_refused(run: Run, tmp_path: Path, content: bytes, told: str) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(content)
    complaint = refusal(run("replay", file))
    assert f"{file}: " in complaint
    assert told in complaint


def test_a_record_that_does_not_replay_is_refused_naming_file_and_line(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    run("simulate", GAME.name, "-n", 1, "--record", file)
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join([*lines[:4], *lines[5:]]))
    assert f"{file}: line " in refusal(run("replay", file))
    assert f"{file}\u202f: ligne" in run("replay", file, "--language", "fr")[2]
    file.write_text("".join(lines)[:-9])
    assert f"{file}: line {len(lines)}: " in refusal(run("replay", file))


def test_an_interrupted_recording_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    """Nor half of one; what was there before stays."""
    from atoll.lab import recording

    file = tmp_path / "games.jsonl"
    file.write_text("before")

    def interrupted(*arguments: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(recording, "step_game", interrupted)
    assert run("simulate", GAME.name, "-n", 1, "--record", file)[0] == 130
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]


def test_games_are_not_recorded_in_the_place_of_a_pipe(run: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "not a regular file" in refusal(run("simulate", GAME.name, "-n", 1, "--record", pipe))
    assert list(tmp_path.iterdir()) == [pipe]
    assert pipe.is_fifo()


def test_wrong_input_in_a_process_has_no_traceback() -> None:
    done = in_a_process("simulate", "chess")
    assert refusal((done.returncode, done.stdout, done.stderr))
