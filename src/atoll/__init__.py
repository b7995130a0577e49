"""Atoll plays, studies and tunes island board games from one source of rules."""

__version__ = "0.1.0"
