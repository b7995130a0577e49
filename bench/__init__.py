"""Measurements, each printed with the command that makes it; never part of the tests."""
