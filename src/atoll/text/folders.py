"""Where Atoll keeps its data and its cache: in `ATOLL_HOME`, else in the user's own folders."""

import os
from collections.abc import Callable
from pathlib import Path

import platformdirs

from atoll.text.errors import AtollError
from atoll.text.files import reason_of
from atoll.text.messages import Message


def data_folder() -> Path:
    """The folder of tables and secrets, made if need be and closed to other users."""
    return _folder("data", platformdirs.user_data_path, 0o700)


def cache_folder() -> Path:
    """The folder of what can be made again: compiled rules."""
    return _folder("cache", platformdirs.user_cache_path, 0o777)


def _folder(name: str, usual: Callable[..., Path], mode: int) -> Path:
    """A folder of ATOLL_HOME, or the user's; raises AtollError for a user who has none, as in many containers."""
    home = os.environ.get("ATOLL_HOME")
    try:
        folder = Path(home) / name if home else usual("atoll", appauthor=False)
        folder.mkdir(parents=True, exist_ok=True, mode=mode)
    except (RuntimeError, OSError) as error:
        is_homeless = isinstance(error, RuntimeError)
        why = Message("this user has no home folder") if is_homeless else reason_of(error)
        raise AtollError(
            Message(
                "Atoll has no folder for its tables and compiled rules (%(why)s): set ATOLL_HOME to one that it may "
                "write to",
                why=why,
            )
        ) from None
    return folder
