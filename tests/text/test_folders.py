"""Where data and cache are."""

import os
import stat
from pathlib import Path

import pytest

from atoll.text import folders
from atoll.text.errors import AtollError


def test_everything_is_under_atoll_home_if_it_is_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATOLL_HOME", str(tmp_path / "home"))
    assert folders.data_folder() == tmp_path / "home" / "data"
    assert folders.cache_folder() == tmp_path / "home" / "cache"
    assert folders.data_folder().is_dir()
    assert folders.cache_folder().is_dir()


def test_only_the_owner_reads_the_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATOLL_HOME", str(tmp_path))
    assert stat.S_IMODE(folders.data_folder().stat().st_mode) == 0o700


def test_who_has_no_home_is_told_to_name_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a container's user without an entry in passwd (docs/operate.md)."""
    for name in ("ATOLL_HOME", "HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 7)
    for folder in (folders.data_folder, folders.cache_folder):
        with pytest.raises(AtollError, match=r"has no home folder.*set ATOLL_HOME"):
            folder()


def test_otherwise_the_users_own_folders_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ATOLL_HOME")
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    assert folders.data_folder().is_relative_to(tmp_path)
    assert folders.cache_folder().is_relative_to(tmp_path)
    assert folders.data_folder() != folders.cache_folder()
