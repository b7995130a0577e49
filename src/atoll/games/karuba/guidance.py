"""The trained player guides the search of Karuba (`bots/guidance.py`)."""

FORETOLD_AFTER = 3
