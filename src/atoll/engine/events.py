"""Reporting what happens in a move, in compiled rules; what events are stands in `core/events.py`."""

from atoll.engine.compiling import compiled


@compiled
def emit(events, what, whose, piece, origin, target, extra):  # type: ignore[no-untyped-def]
    """Append an event, unless the buffer takes none; what does not fit is counted but not kept."""
    if events.shape[0] == 0:
        return
    count = events[0, 0] + 1
    events[0, 0] = count
    if count < events.shape[0]:
        events[count, 0] = what
        events[count, 1] = whose
        events[count, 2] = piece
        events[count, 3] = origin
        events[count, 4] = target
        events[count, 5] = extra
