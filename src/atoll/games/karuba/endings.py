"""How games of Karuba end: after the last round."""

from atoll.core.endings import ENDINGS, ending_text, endings, rounds

__all__ = ["ENDINGS", "ending_text", "endings", "rounds"]
