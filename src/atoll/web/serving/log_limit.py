"""Rate limit of repeated log messages: what clients can cause over the network must not fill the disk."""

import logging
from time import monotonic

INTERVAL = 60.0
"""Seconds until a message is logged again."""

MOST_MESSAGES = 1000
"""Number of different messages that are remembered."""

LOGGERS = ("asyncio", "uvicorn.error", "atoll.web.serving.connections", "atoll.web.store.write_errors")
"""Loggers whose messages clients cause."""


class LogLimit(logging.Filter):
    """Passes each message once in INTERVAL seconds; the next one says how many were dropped."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: dict[object, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is logged."""
        key, now = key_of(record), monotonic()
        last, left_out = self._seen.get(key, (-INTERVAL, 0))
        if now - last < INTERVAL:
            self._seen[key] = last, left_out + 1
            return False
        if len(self._seen) >= MOST_MESSAGES:
            self._seen.clear()
        self._seen[key] = now, 0
        if left_out:
            record.msg, record.args = f"{record.getMessage()} ({left_out} more like it before)", ()
        return True


def key_of(record: logging.LogRecord) -> object:
    """The key of equal messages: the first line of their format, and where their error was raised."""
    trace = record.exc_info[2] if record.exc_info else None
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = (trace.tb_frame.f_code, trace.tb_lineno) if trace is not None else None
    return record.name, str(record.msg).partition("\n")[0], place


def limit_logs() -> None:
    """Limit the loggers whose messages clients cause."""
    for name in LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(log_filter, LogLimit) for log_filter in logger.filters):
            logger.addFilter(LogLimit())
