"""What a process of the site runs on besides its database: threads, compiling, and what processes tell each other."""

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass

from sqlalchemy import Engine

from atoll.web.live.changes import changes
from atoll.web.live.watched import WatchedTables
from atoll.web.serving.loading import Loading
from atoll.web.store.store import Store
from atoll.web.store.turns import Turns, turns_in
from atoll.web.table.thinking import Thinkers


@dataclass(frozen=True)
class Platform:
    """How each of these is made for a process; a simulation makes others (`python -m bench.simulate`)."""

    loading: Callable[[], Loading] = Loading
    thinkers: Callable[[], Thinkers] = Thinkers
    turns: Callable[[Engine], Turns] = turns_in
    changes: Callable[[Store, WatchedTables], AsyncGenerator[Mapping[str, int], None]] = changes
