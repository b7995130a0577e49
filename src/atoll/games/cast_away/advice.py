"""What a sensible player of Cast Away goes by, as a number for each legal move; higher is better."""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.compiling import compiled


@compiled
def advise(view, parts, moves, count, scores):
    """Write the worth of each move to the view's seat into `scores`, int32 of shape (count,)."""
    for i in range(count):
        scores[i] = 0
