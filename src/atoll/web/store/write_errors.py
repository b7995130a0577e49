"""The refusal for a change that the database did not commit."""

import logging

from sqlalchemy.exc import DatabaseError, DBAPIError, InterfaceError, InternalError, OperationalError

from atoll.web.refusal import Refusal

# What SQLite's errors are called and PostgreSQL's SQLSTATE, or how they begin.
FULL = ("SQLITE_FULL", "53100")
READ_ONLY = ("SQLITE_READONLY", "25006")
BUSY = ("SQLITE_BUSY", "55P03")
UNCERTAIN = ("SQLITE_IOERR_FSYNC",)
"""What was written may yet be found after a power cut: that nothing was changed would be too much said."""
FAILS = ("SQLITE_IOERR", "58030")


def write_error(error: DBAPIError) -> Refusal:
    """The refusal; raises the error itself if it is not the database that is in a bad way, but a statement."""
    code = str(getattr(error.orig, "sqlite_errorname", None) or getattr(error.orig, "sqlstate", None) or "")
    if (
        not isinstance(error, InterfaceError | InternalError | OperationalError)
        and type(error) is not DatabaseError
    ):
        raise error
    logging.getLogger(__name__).warning("the database refuses: %s", error.orig)
    if code.startswith(FULL):
        return Refusal(503, "Nothing was changed: the disk on which Atoll keeps its tables is full.")
    if code.startswith(READ_ONLY):
        return Refusal(503, "Nothing was changed: Atoll may not write to its database.")
    if code.startswith(BUSY):
        return Refusal(
            503, "Nothing was changed: another program is writing to Atoll’s database; try again in a moment."
        )
    if code.startswith(FAILS) and not code.startswith(UNCERTAIN):
        return Refusal(503, "Nothing was changed: the disk on which Atoll keeps its tables reports errors.")
    return Refusal(503, "Atoll’s database does not answer; try again in a moment.")
