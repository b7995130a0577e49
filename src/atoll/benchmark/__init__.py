"""A benchmark with fixed tasks: which games, deals and opponents a policy meets, what it may have learnt from, and what
counts. `docs/benchmark.md` has the protocol.

    from atoll.benchmark import run_task, tasks

Games bring their tasks along, as `benchmark.toml`. Under a version figures never change: a run compares the deals and
what the opponents do with the digests in that file before it plays.
"""

from atoll.benchmark.policies import named_policy
from atoll.benchmark.results import Results, run_task, table
from atoll.benchmark.suite import BUDGETS, SUITE, TRAINING_SEEDS, VERSION, Task, tasks

__all__ = [
    "BUDGETS",
    "SUITE",
    "TRAINING_SEEDS",
    "VERSION",
    "Results",
    "Task",
    "named_policy",
    "run_task",
    "table",
    "tasks",
]
