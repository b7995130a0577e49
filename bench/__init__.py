"""Measurements, each printed with the command that makes it; never part of the tests.

The first line of a measurement's docstring is the question that it answers: `python -m bench --list`.
"""
