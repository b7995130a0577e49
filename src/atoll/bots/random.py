"""The bot that plays any legal move, all equally likely."""

# mypy: disable-error-code="no-untyped-def"

from atoll.engine.chance import draw_below
from atoll.engine.compiling import compiled


@compiled
def choose(view, parts, moves, count, generator):
    """Draw one of the `count` moves; looks at nothing else."""
    return moves[draw_below(generator, count)]
