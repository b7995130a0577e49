"""Programs as bots: what they are sent, what they may answer, and what becomes of those that misbehave."""

import os
import re
import shlex
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from atoll.bots import external, find_bot
from atoll.bots.external import (
    LONGEST,
    ExternalBot,
    external_bot,
    named_bots,
    split_names,
)
from atoll.core.catalogue import find_game, games
from atoll.core.game import Game, Position
from atoll.engine.chance import generator
from atoll.lab.simulate import simulate, step_game
from atoll.text.errors import AtollError, UnknownBot
from tests.conftest import Run

GAME = find_game("karuba")
DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = DOCS / "examples" / "first_bot.py"

READY = (
    "import json, sys, os\nhear = lambda: json.loads(sys.stdin.readline())\n"
    "def say(words):\n    print(words if isinstance(words, str) else json.dumps(words), flush=True)\n"
    'hear()\nsay({"say": "ready"})\nopening = hear()\n'
)
"""What a program of these tests begins with."""
FOREVER = "while sys.stdin.readline(): pass\n"
"""It reads on, and says nothing more, until its input ends."""


def bot_of(path: Path, code: str, limits: str = "60000ms:") -> ExternalBot:
    """A program of this code as a bot; it has time enough on a busy machine unless said otherwise."""
    path.write_text(code)
    return external_bot(f"cmd:{limits}{shlex.quote(sys.executable)} {shlex.quote(str(path))}")


def play_with(bot: ExternalBot) -> tuple[Counter[str], int, Position]:
    """A game against random: what the program forfeited of how many choices, and the position in the end."""
    position = GAME.start(2, 1)
    seated = [bot.sit(generator(5)), find_bot("random").sit(generator(6))]
    choices = sum(step.seat == 0 and len(step.legal) > 1 for step in step_game(position, seated))
    assert position.is_over
    return seated[0].forfeits, choices, position


@pytest.fixture
def closing() -> Iterator[list[ExternalBot]]:
    """Bots whose processes end with the test."""
    bots: list[ExternalBot] = []
    yield bots
    for bot in bots:
        bot.close()


# A program that does as it should


def test_the_example_of_the_docs_plays_whole_games(closing: list[ExternalBot]) -> None:
    """It takes the first legal move, and one process plays game after game."""
    bot = external_bot(f"cmd:60000ms:{shlex.quote(sys.executable)} {shlex.quote(str(EXAMPLE))}")
    closing.append(bot)
    bot.prepare(GAME)
    processes = set(bot._running)
    for deal in range(3):
        position = GAME.start(2, deal)
        seated = [bot.sit(generator(5)), find_bot("random").sit(generator(6))]
        for step in step_game(position, seated):
            if step.seat == 0:
                assert step.action == step.legal[0]
        assert position.is_over
        assert not seated[0].forfeits
    assert bot._running == processes
    assert len(processes) == 1


@pytest.mark.parametrize("game", games().values(), ids=list(games()))
def test_a_program_is_sent_what_the_docs_say(
    game: Game, tmp_path: Path, closing: list[ExternalBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/bots.md; and docs/records.md names every key of the views."""
    monkeypatch.setattr(external, "GRACE", 600.0)  # however busy the machine is, the program hears the end
    bot = bot_of(tmp_path / "bot.py", listening(tmp_path / "heard"))
    closing.append(bot)
    position = game.start(game.seats.start, 3)
    seated = [bot.sit(generator(seat)) for seat in range(position.players)]
    asked = []
    view = position.view(0).to_json()
    for step in step_game(position, seated):
        if len(step.legal) > 1 and step.seat == 0:
            asked.append((view, step))
        view = position.view(0).to_json()
    bot.close()
    messages = [msgspec.json.decode(line) for line in (tmp_path / "heard.0").read_text().splitlines()]
    hello, opening, *decisions, end = messages
    outcome = position.outcome
    assert outcome is not None
    assert hello == {"say": "hello", "atoll": 1, "limits": {"move_ms": 60000, "start_ms": 30000}}
    assert opening["say"] == "game"
    assert (opening["game"], opening["players"], opening["seat"]) == (game.name, position.players, 0)
    assert opening["components"]["sha256"] == position.components.sha256
    assert opening["options"] == position.options
    assert end == {"say": "end", "points": list(outcome.points), "winners": list(outcome.winners)}
    assert [decision["id"] for decision in decisions] == list(range(1, len(asked) + 1))
    _, _, words = (DOCS / "records.md").read_text().partition(f"\n## {game.name}\n")
    words, _, _ = words.partition("\n## ")
    for decision, (view, step) in zip(decisions, asked, strict=True):
        assert decision["say"] == "move"
        assert (decision["seat"], decision["ms"]) == (0, 60000)
        assert decision["view"] == view
        for key in set(view).union(*view["players"]):
            assert f'"{key}"' in words or f"`{key}`" in words
        assert decision["legal"] == [game.notation.move_of(action) for action in step.legal]
        assert game.notation.move_of(step.action) == decision["legal"][0]


def listening(path: Path) -> str:
    """A program that takes the first legal move and keeps what it hears in a game, in a file for each seat.

    What it is asked is in the file before it answers.
    """
    return f"""
import json, sys
hello = sys.stdin.buffer.readline()
print(json.dumps({{"say": "ready"}}), flush=True)
opening = sys.stdin.buffer.readline()
with open({str(path)!r} + f".{{json.loads(opening)['seat']}}", "wb", buffering=0) as file:
    file.write(hello + opening)
    for line in sys.stdin.buffer:
        file.write(line)
        message = json.loads(line)
        if message["say"] == "move":
            print(json.dumps({{"id": message["id"], "move": message["legal"][0]}}), flush=True)
"""


def test_moves_may_be_written_with_their_keys_in_any_order(
    tmp_path: Path, closing: list[ExternalBot]
) -> None:
    code = (
        READY
        + """
while True:
    question = hear()
    if question["say"] == "end": break
    say({"move": dict(reversed(question["legal"][-1].items())), "why": "who knows", "id": question["id"]})
"""
    )
    bot = bot_of(tmp_path / "bot.py", code)
    closing.append(bot)
    assert not play_with(bot)[0]


# Programs that do not


MISBEHAVING = {
    "hangs": (FOREVER, "200ms:", {"late": 3}),
    "says no JSON": ('while hear(): say("chess?")', "", {"garbled": 3}),
    "says another type": ("while hear(): say([1])", "", {"garbled": 3}),
    "nests without end": ('while hear(): say("[" * 100_000)', "", {"garbled": 3}),
    "answers another question": ('while hear(): say({"id": 99, "move": {}})', "", {"garbled": 3}),
    "names no move": ('while True: say({"id": hear()["id"]})', "", {"garbled": 3}),
    "lies": ('while True: say({"id": hear()["id"], "move": {"do": "win"}})', "", {"illegal": 3}),
    "crashes": ("hear()\nraise SystemExit(1)", "", {}),
    "ends before it is asked": ("", "", {}),
    "says a line without end": (
        f'hear()\nwhile True: sys.stdout.write("x" * {LONGEST})',
        "",
        {"garbled": 1},
    ),
    "closes its mouth": ("hear()\nos.close(1)\n" + FOREVER, "", {}),
}


@pytest.mark.parametrize("name", MISBEHAVING)
def test_a_program_that_misbehaves_forfeits_to_legal_moves(
    name: str, tmp_path: Path, closing: list[ExternalBot]
) -> None:
    """The game goes on to its end, the same every time, and no process is left."""
    code, limits, forfeits = MISBEHAVING[name]
    bot = bot_of(tmp_path / "bot.py", READY + code, limits or "60000ms:")
    closing.append(bot)
    found, choices, position = play_with(bot)
    assert dict(found) == {**forfeits, "gone": choices - sum(forfeits.values())}
    assert not bot._running
    *_, again = play_with(bot)
    assert again.state.tobytes() == position.state.tobytes()


def test_stale_answers_without_end_do_not_postpone_the_deadline(
    tmp_path: Path, closing: list[ExternalBot]
) -> None:
    """docs/bots.md: late is no answer within the limit. Of the flood, which ends so that the test does, the first line
    is garbled, if it comes in time.
    """
    code = """
import time
end = time.monotonic() + 20
while time.monotonic() < end: sys.stdout.write('{"id": 1}\\n')
"""
    bot = bot_of(tmp_path / "bot.py", READY + code, "200ms:")
    closing.append(bot)
    forfeits, choices, _ = play_with(bot)
    assert forfeits["late"] >= 2
    assert forfeits == {"late": forfeits["late"], "garbled": 3 - forfeits["late"], "gone": choices - 3}


@pytest.mark.parametrize("number", ["true", "1.0"])
def test_numbers_that_are_no_integers_are_refused(
    number: str, tmp_path: Path, closing: list[ExternalBot]
) -> None:
    """Neither in an `id` nor in a move is `true` or `1.0` a 1, and the number of another move is none of these."""
    code = """
question = hear()
say({"id": NUMBER, "move": question["legal"][0]})
question = hear()
move = json.dumps(question["legal"][0])
say('{"id": 2, "move": ' + re.sub("[0-9]+", "NUMBER", move, count=1) + "}")
while hear()["say"] == "move": pass
"""
    bot = bot_of(tmp_path / "bot.py", "import re\ntrue = True\n" + READY + code.replace("NUMBER", number))
    closing.append(bot)
    player = bot.sit(generator(1))
    deals = (GAME.start(2, seed).view(0) for seed in range(100))
    view = next(view for view in deals if next(iter(view.legal_moves()))["cards"][0] == 1)
    for _ in range(2):
        player.decide(view, view.legal_moves().actions)
    player.leave(None)
    assert player.forfeits == {"garbled": 1, "illegal": 1}


def test_what_is_drawn_for_a_forfeited_move_depends_on_the_seats_generator(
    tmp_path: Path, closing: list[ExternalBot]
) -> None:
    bot = bot_of(tmp_path / "bot.py", READY)
    closing.append(bot)
    view = GAME.start(2, 1).view(0)
    moves = view.legal_moves().actions
    actions = [bot.sit(generator(seed)).decide(view, moves) for seed in range(6)]
    assert set(actions) <= set(moves.tolist())
    assert len(set(actions)) > 1
    assert actions == [find_bot("random").decide(view, moves, generator(seed)) for seed in range(6)]


def test_a_late_answer_forfeits_that_move_and_no_other(tmp_path: Path, closing: list[ExternalBot]) -> None:
    """The first answer comes with the second; the program is not ended for it."""
    code = (
        READY
        + """
late = hear()
question = hear()
say({"id": late["id"], "move": late["legal"][0]})
while question["say"] == "move":
    say({"id": question["id"], "move": question["legal"][0]})
    question = hear()
"""
    )
    bot = bot_of(tmp_path / "bot.py", code, "3000ms:")
    closing.append(bot)
    assert dict(play_with(bot)[0]) == {"late": 1}


def test_a_program_that_misbehaved_is_started_anew_for_the_next_game(
    tmp_path: Path, closing: list[ExternalBot]
) -> None:
    """It crashes in its first game; a file tells it that it did."""
    mark = tmp_path / "crashed"
    code = (
        READY
        + f"""
if not os.path.exists({str(mark)!r}):
    open({str(mark)!r}, "w").close()
    sys.exit()
while (question := hear())["say"] == "move":
    say({{"id": question["id"], "move": question["legal"][0]}})
"""
    )
    bot = bot_of(tmp_path / "bot.py", code)
    closing.append(bot)
    forfeits, choices, _ = play_with(bot)
    assert dict(forfeits) == {"gone": choices}
    assert not play_with(bot)[0]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import sys\nsys.stdin.read()", "did not answer in time"),
        ("raise SystemExit", "has ended"),
        ('print("welcome", flush=True)\ninput()\ninput()', "not a JSON object"),
        ('print("{}", flush=True)\ninput()\ninput()', 'something else than {"say": "ready"}'),
    ],
)
def test_a_program_that_does_not_start_is_refused_before_any_game(
    code: str, told: str, tmp_path: Path, closing: list[ExternalBot]
) -> None:
    limits = "5000ms/300ms:" if "time" in told else "60000ms:"
    bot = bot_of(tmp_path / "bot.py", code, limits)
    closing.append(bot)
    with pytest.raises(AtollError) as refused:
        bot.prepare(GAME)
    assert told in str(refused.value)
    assert not bot._running


# Processes end


def holding(path: Path) -> str:
    """A program that starts another one, of which both keep a pipe open and one its group's number in a file."""
    return f"""
import os, subprocess, sys, json
child = subprocess.Popen(["sh", "-c", "exec sleep 1000"])
print(json.dumps({{"say": "ready"}}), flush=True)
held = os.open({str(path)!r}, os.O_WRONLY)
os.set_inheritable(held, True)
other = subprocess.Popen(["sh", "-c", "exec sleep 1000"], close_fds=False)
os.write(held, b"x")
while True: sys.stdin.readline()
"""


def test_ending_a_bot_ends_what_its_program_started(tmp_path: Path) -> None:
    """The pipe that they all hold open comes to its end only when the last of them has ended."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    bot = bot_of(tmp_path / "bot.py", holding(pipe))
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(reader, True)
    bot.prepare(GAME)
    program = next(iter(bot._running))
    bot.discard(program)
    while os.read(reader, 10):
        pass
    os.close(reader)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_program_outlives_the_command(number: signal.Signals, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "bot.py").write_text(holding(pipe))
    command = f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(tmp_path / 'bot.py'))}"
    with (
        subprocess.Popen(
            [
                str(Path(sys.executable).with_name("atoll")),
                "simulate",
                GAME.name,
                "-n",
                "9",
                "--bots",
                command,
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process,
        pipe.open("rb", buffering=0) as reader,
    ):
        assert reader.read(1) == b"x"
        process.send_signal(number)
        while reader.read(10):
            pass


# What a seat may know


def heard_by(game: Game, positions: list[Position], path: Path, closing: list[ExternalBot]) -> bytes:
    """Every byte that a program in seat 0 is sent in these positions: hello, the game, and each decision."""
    bot = bot_of(path.with_suffix(".py"), listening(path))
    closing.append(bot)
    player = bot.sit(generator(1))
    for position in positions:
        player.decide(position.view(0), position.legal_moves(0).actions)
    player.leave(None)
    assert not player.forfeits
    content = path.with_name(f"{path.name}.0").read_bytes()
    assert content.count(b"\n") == len(positions) + 2
    return content


def decisions_of_seat(game: Game, seed: int, step: int) -> list[Position]:
    """Positions of a random game in which seat 0 has a choice."""
    position = game.start(game.seats.start + 1, seed)
    seated = [find_bot("random").sit(generator(seat)) for seat in range(position.players)]
    decisions = []
    for _ in step_game(position, seated):
        if len(position.legal_moves(0)) > 1:
            decisions.append(position.copy())
    return decisions[::step]


@pytest.mark.parametrize("game", games().values(), ids=list(games()))
def test_nothing_that_a_program_is_sent_depends_on_what_its_seat_cannot_know(
    game: Game, tmp_path: Path, closing: list[ExternalBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = decisions_of_seat(game, seed=4, step=5)
    others = [position.view(0).resample(number) for number, position in enumerate(positions)]
    assert any(
        one.state.tobytes() != other.state.tobytes() for one, other in zip(positions, others, strict=True)
    )
    one = heard_by(game, positions, tmp_path / "one", closing)
    other = heard_by(game, others, tmp_path / "other", closing)
    assert one == other
    monkeypatch.setattr(Position, "view", lambda position, seat: position)  # a leak
    monkeypatch.setattr(Position, "seat", 0, raising=False)
    legal_moves = Position.legal_moves
    monkeypatch.setattr(Position, "legal_moves", lambda position, seat=0: legal_moves(position, seat))
    leaked = heard_by(game, positions, tmp_path / "leaked", closing)
    assert leaked != heard_by(game, others, tmp_path / "otherwise", closing)


# Names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("greedy", ["greedy"]),
        ("greedy, random", ["greedy", "random"]),
        ("greedy,cmd:a 'b, c',random", ["greedy", "cmd:a 'b, c'", "random"]),
        ('cmd:a "b\\", c",random', ['cmd:a "b\\", c"', "random"]),
        ("cmd:a b\\,c,random", ["cmd:a b\\,c", "random"]),
        ("greedy,,", ["greedy", "", ""]),
    ],
)
def test_commas_within_quotation_marks_do_not_divide(text: str, names: list[str]) -> None:
    assert split_names(text) == names


@pytest.mark.parametrize(
    ("name", "command", "limits"),
    [
        ("cmd:python mybot.py", ("python", "mybot.py"), (5000, 30000)),
        ("cmd:250ms:python mybot.py", ("python", "mybot.py"), (250, 30000)),
        ("cmd:250ms/900ms:./bot --weights '1, 2'", ("./bot", "--weights", "1, 2"), (250, 900)),
        ("cmd:0ms:x", ("0ms:x",), (5000, 30000)),
    ],
)
def test_a_command_may_name_its_limits(name: str, command: tuple[str, ...], limits: tuple[int, int]) -> None:
    bot = external_bot(name)
    assert bot.command == command
    assert (bot.move_ms, bot.start_ms) == limits


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("cmd:", "names no program"),
        ("cmd:  ", "names no program"),
        ("greedy,cmd:a 'b", "quotation mark"),
        ("cmd:a\\", "quotation mark"),
        ("deep", "cmd:COMMAND"),
    ],
)
def test_names_that_mean_nothing_are_refused(text: str, told: str) -> None:
    with pytest.raises(AtollError, match=told), named_bots(text):
        raise AssertionError


def test_a_restriction_that_means_nothing_is_answered_with_restrictions() -> None:
    """And not with programs, which cannot be restricted."""
    with pytest.raises(UnknownBot, match=r"such as restrict:greedy,never=discard$"), named_bots("restrict:x"):
        raise AssertionError


def test_whoever_finds_bots_for_the_site_finds_no_program() -> None:
    with pytest.raises(UnknownBot):
        find_bot("cmd:echo")


# The commands


def test_the_report_says_who_forfeited(run: Run, tmp_path: Path) -> None:
    bot = bot_of(tmp_path / "bot.py", READY)
    status, said, _ = run("simulate", GAME.name, "-n", 2, "--bots", f"random,{bot.name}", "--workers", 2)
    assert status == 0
    assert re.search(r"forfeited (\d+) moves, .*: program gone \1\.", " ".join(said.split()))


def test_simulating_gives_the_same_with_more_workers(tmp_path: Path, closing: list[ExternalBot]) -> None:
    bot = external_bot(f"cmd:60000ms:{shlex.quote(sys.executable)} {shlex.quote(str(EXAMPLE))}")
    closing.append(bot)
    one, two = (
        simulate(GAME, GAME.components(), 2, [bot, find_bot("random")], 6, seed=3, workers=workers)
        for workers in (1, 2)
    )
    assert one.points.tolist() == two.points.tolist()
    assert not any(kinds.total() for kinds in two.forfeits.values())
