"""Numbers that records of states have in common, for compiled and uncompiled code alike."""

UNKNOWN = -1
"""A value that the seat of a view cannot know; every byte of it is 255."""
REFEREE = -2
"""The `seat` of a full state."""
SPECTATOR = -3
"""The `seat` of a spectator's view."""
GENERATOR_WORDS = 3
"""64-bit words of a generator of chance."""
