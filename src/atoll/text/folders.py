"""Where Atoll keeps its data and its cache: in `ATOLL_HOME`, else in the user's own folders."""

import os
from pathlib import Path

import platformdirs


def data_folder() -> Path:
    """The folder of tables and secrets, made if need be and closed to other users."""
    home = os.environ.get("ATOLL_HOME")
    folder = Path(home) / "data" if home else platformdirs.user_data_path("atoll", appauthor=False)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def cache_folder() -> Path:
    """The folder of what can be made again: compiled rules."""
    home = os.environ.get("ATOLL_HOME")
    folder = Path(home) / "cache" if home else platformdirs.user_cache_path("atoll", appauthor=False)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
