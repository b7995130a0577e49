"""Files that are written, whole or not at all, and those that are refused, in the reader's language."""

import errno
import os
import re
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from atoll.bots import find_bot
from atoll.commands.new_game import write_game
from atoll.core.catalogue import games
from atoll.lab.played import Setup
from atoll.lab.recording import record_games
from atoll.text.files import REASONS, open_file, read_file, reason_of, unmarked, unreadable, write_whole
from atoll.text.translation import Translator


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file may become larger than so many bytes, as on a disk that is nearly full."""
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))


def test_a_file_that_does_not_fit_is_as_it_was_and_is_named(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    write_whole(file, b"before")
    with room_for(10), pytest.raises(OSError, match=r"report\.json"):
        write_whole(file, b"x" * 11)
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("report.json", b"before")]


def test_a_recording_that_does_not_fit_leaves_nothing(tmp_path: Path) -> None:
    game = next(iter(games().values()))
    setup = Setup(game, game.components(), game.seats.start, [find_bot("random")], 1)
    record_games(setup, 1, tmp_path / "games.jsonl")  # whatever plays it is loaded now, which takes room, too
    (tmp_path / "games.jsonl").unlink()
    with room_for(10), pytest.raises(OSError, match=r"games\.jsonl"):
        record_games(setup, 1, tmp_path / "games.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_a_new_game_that_does_not_fit_leaves_nothing(tmp_path: Path) -> None:
    with room_for(1000), pytest.raises(OSError, match="full-disk"):
        write_game("full-disk", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    """So is a device: `--json /dev/stdout`."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, b"figures")
    assert os.read(reader, 100) == b"figures"
    os.close(reader)
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_link_leads_to_what_is_written(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    link.symlink_to(file)
    write_whole(link, b"figures")
    assert file.read_bytes() == b"figures"
    assert link.is_symlink()


def test_what_the_system_says_is_translated_as_it_says_it() -> None:
    assert set(REASONS) <= {os.strerror(number) for number in errno.errorcode}


def test_a_file_that_is_too_large_is_told_with_the_thousands_of_the_language(tmp_path: Path) -> None:
    file = tmp_path / "large"
    file.write_bytes(bytes(2001))
    with pytest.raises(OSError, match="it has more than 2,000 bytes") as refused:
        read_file(file, 2000)
    assert reason_of(refused.value).translate(Translator("fr")) == "il a plus de 2\u202f000 octets"


def test_a_file_that_cannot_be_read_is_told_in_french(tmp_path: Path) -> None:
    told = []
    for path in (tmp_path / "nowhere", tmp_path, Path(os.devnull)):
        with pytest.raises(OSError, match=re.escape(str(path))) as refused:
            open_file(path)
        told.append(unreadable(path, refused.value).translate(Translator("fr")).partition("\u202f: "))
    assert told == [
        (f"{tmp_path}/nowhere est illisible", "\u202f: ", "fichier ou dossier introuvable"),
        (f"{tmp_path} est illisible", "\u202f: ", "c’est un dossier"),
        (f"{os.devnull} est illisible", "\u202f: ", "ce n’est pas un fichier ordinaire"),
    ]


def test_the_mark_with_which_some_editors_begin_a_file_is_no_part_of_it() -> None:
    assert unmarked(b"\xef\xbb\xbf[game]") == unmarked(b"[game]") == b"[game]"
    assert unmarked("\ufeff{}") == "{}"


@pytest.mark.parametrize("encoding", ["latin-1", "cp437", "ascii"])
def test_what_a_terminal_lacks_is_shown_by_something_like_it(encoding: str) -> None:
    """Seats are told by mark as by colour there, too."""
    assert "Œuvre d’été… ±".encode(encoding, "atoll.plain").decode(encoding).startswith("Oeuvre d'")
    marks = "●■▲◆★✚".encode(encoding, "atoll.plain")
    assert len(set(marks)) == len(marks) == 6
    assert "╭─╮│".encode("ascii", "atoll.plain") == b"+-+|"
