"""A database that refuses for a while what a site that runs asks of it.

SQLAlchemy's lists of listeners are not made for threads: a listener that comes or goes while the site asks for
something is an error there ("deque mutated during iteration"). So its dialect is replaced in part.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from typing import Any

import pytest
from sqlalchemy import Engine


@contextmanager
def before_each_statement(engine: Engine, do: Callable[[Any, str, Any], object]) -> Iterator[None]:
    """Call this first, with cursor, statement and parameters."""
    execute = engine.dialect.do_execute

    def both(cursor: Any, statement: str, parameters: Any, context: Any = None) -> None:
        do(cursor, statement, parameters)
        execute(cursor, statement, parameters, context)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine.dialect, "do_execute", both)
        yield


@contextmanager
def with_pragma(engine: Engine, pragma: str) -> Iterator[None]:
    """Every connection has that pragma; other connections come afterwards."""
    try:
        with before_each_statement(engine, lambda cursor, *_: cursor.execute(f"PRAGMA {pragma}")):
            yield
    finally:
        engine.dispose()


def impatient(engine: Engine) -> AbstractContextManager[None]:
    """It waits a tenth of a second for another program, so that tests need not wait long."""
    return with_pragma(engine, "busy_timeout=100")


@contextmanager
def locked(engine: Engine) -> Iterator[None]:
    """Another program is writing."""
    with closing(sqlite3.connect(str(engine.url.database), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")
