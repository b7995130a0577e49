"""Measure the engine, or list all measurements: `make bench`, `make bench ARGS=--list`."""

import sys
from pathlib import Path

from bench.engine import main
from tests.soak import questions

if sys.argv[1:] == ["--list"]:
    for name, question in questions(Path(__file__).parent).items():
        print(f"python -m bench.{name:15}  {question}")
else:
    main()
