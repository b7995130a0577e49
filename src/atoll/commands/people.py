"""Games of people for the command `report`: of files of records, and of the site here."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from atoll.commands.recorded import naming, records_in
from atoll.text.errors import AtollError
from atoll.text.messages import Message

if TYPE_CHECKING:
    from atoll.lab.people_games import PeopleGames
    from atoll.lab.played import Setup


def count_people(setup: "Setup", records: Path | None, *, at_site: bool) -> "PeopleGames | None":
    """The games of people in a file or folder of records, and at the site here; None if neither is asked for. Raises
    AtollError for records that are wrong, and where there is no site.
    """
    if records is None and not at_site:
        return None
    from atoll.lab.people_games import PeopleGames

    counted = PeopleGames(setup)
    for file in files_in(records) if records is not None else ():
        found = records_in(file)
        with naming(file):
            for record in found:
                counted.add(record)
    if at_site:
        _add_site(counted)
    return counted


def files_in(path: Path) -> Iterator[Path]:
    """A file, or those of a folder; raises AtollError for a folder without records."""
    if not path.is_dir():
        yield path
        return
    files = sorted(path.rglob("*.jsonl"))
    if not files:
        raise AtollError(Message("%(folder)s holds no records: their names end in .jsonl", folder=path))
    yield from files


def _add_site(counted: "PeopleGames") -> None:
    """The games and feedback of the site whose database is here."""
    from atoll.core.records import read_records
    from atoll.lab.sections.people import Feedback
    from atoll.web.store.database import open_store
    from atoll.web.store.engine import database_url
    from atoll.web.table.counted_games import counted_games

    url = database_url()
    if url.get_backend_name() == "sqlite" and not os.path.exists(url.database or ""):
        raise AtollError(Message("there is no site here yet: %(file)s is not there", file=url.database or ""))
    store, game = open_store(), counted.setup.game
    try:
        for text in counted_games(store, game.name):
            if text is None:
                counted.left_out["rules"] += 1
            else:
                for record in read_records(text.splitlines()):
                    counted.add(record)
        counted.feedback = [
            Feedback(**one) for one in store.feedback(game.name, counted.setup.components.sha256)
        ]
    finally:
        store.engine.dispose()
