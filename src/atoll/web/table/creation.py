"""The rows of new tables, and the components that a table's row names."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from atoll.core.game import Game
from atoll.core.types import Components
from atoll.engine.commitments import deal_seed, written
from atoll.engine.seeds import new_key
from atoll.web.bounds import DAY, Allowance
from atoll.web.store.store import Gone, SeatRow, Store, TableRow, now
from atoll.web.table.clocks import Clock

PACES = {"calm": 0.7, "fast": 0.2, "at once": 0.0}
"""Seconds that a bot's move stays visible before the next."""

HINTS = ("alone", "always", "never")
"""Who may ask for hints: a person who is alone against bots, everybody, nobody; the first unless said otherwise."""


def new_table(
    game: Game,
    players: int,
    options: dict[str, bool],
    pace: str,
    components: Components | str | None,
    maker: str,
    open_bots: bool,
    hints: str,
    clock: Clock | None = None,
) -> TableRow:
    """A table that nobody has moved at; raises AtollError for what the game does not offer."""
    game.check_players(players)
    components_read = components if isinstance(components, Components) else game.components(components)
    return TableRow(
        id=secrets.token_urlsafe(9),
        version=0,
        made_at=now(),
        maker=maker,
        game=game.name,
        rules_version=game.rules_version,
        components_name=components_read.name,
        components_sha256=components_read.sha256,
        components_data=None if components_read.shipped else components_read.data,
        options=game.check_options(options),
        players=players,
        pace=pace,
        **fresh_deal(),
        open_bots=open_bots,
        hints=hints,
        clock=None if clock is None else vars(clock),
        clock_due=None if clock is None else 0.0,  # it is to begin
    )


def fresh_deal() -> dict[str, Any]:
    """Columns of a table that is dealt by a new key, to which nobody has added anything."""
    key = written(new_key())
    return {"key": key, "seed": deal_seed(key, ()), "contributions": None}


def check_maker(store: Store, allowance: Allowance, maker: str) -> None:
    """Raise Refusal if a browser has as many unfinished tables as it may have."""
    if allowance.tables is not None:
        allowance.check_unfinished(store.unfinished_by(maker, now() - DAY))


def components_of(game: Game, row: TableRow) -> Components:
    """The components of a stored table, as they are played with its options: what pages tell of them is what its rules
    do. Raises Gone if they are no longer here.
    """
    if row.components_data is not None:
        components = game.components_from(row.components_name, row.components_data)
        return game.under(components, row.options)
    try:
        options = tuple(sorted(row.options.items()))
        return shipped(game, row.components_name, row.components_sha256, options)
    except LookupError:
        raise Gone("This table was begun with other components, which are no longer here.", row) from None


@lru_cache(64)
def shipped(game: Game, name: str, sha256: str, options: tuple[tuple[str, bool], ...] = ()) -> Components:
    """A set that comes with the game, read once for all tables with these options; raises LookupError if it has another
    digest.
    """
    components = game.components(name)
    if components.sha256 != sha256:
        raise LookupError(name)
    return game.under(components, dict(options))


def again(
    row: TableRow, occupant: Sequence[SeatRow], turn: int, asking: Collection[int] = ()
) -> tuple[TableRow, list[SeatRow]]:
    """The same table anew, everybody `turn` seats further; no bot plays any more for the persons in the seats that ask
    for it.
    """
    fresh = replace(
        row,
        id=secrets.token_urlsafe(9),
        version=0,
        made_at=now(),
        **fresh_deal(),
        to_act=None,
        next=None,
        lesson=None,
        branched_from=None,
        branched_at=None,
        undo_asked=None,
        clock_state=None,
        clock_due=None if row.clock is None else 0.0,
        waiting=False,
        public=False,
        opened=None,
        said=0,
        agreed=None,
        ended=None,
        daily=None,
        begins_at=None,
        hints=row.hints if row.daily is None else HINTS[0],
        watchable=row.watchable or row.daily is not None,
    )
    count = len(occupant)
    back = [replace(s, bot=None) if s.browser is not None and s.seat in asking else s for s in occupant]
    seats = [
        replace(
            s,
            seat=(s.seat + turn) % count,
            seen_at=None,
            program=None,
            hint=None,
            earlier=None,
            feedback=None,
        )
        for s in back
    ]
    return fresh, sorted(seats, key=lambda s: s.seat)
