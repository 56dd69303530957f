"""Features from arrays against the plain reading on networkx: same process, same runs.

PYTHONPATH=tests python benchmarks/trace_features.py [CONFIG ...]
"""

import sys
from collections.abc import Callable
from time import perf_counter

import pyarrow as pa

from catchkit.builders.edges import PUBLISHED
from catchkit.builders.features import BLOCKS, run_features, runs_of
from catchkit.loaders.release import packaged
from runs import reference_features

COLUMNS = ["kind", "actor", "edge_reader", "edge_writer", "edge_kind"]
REPEATS = 7


def seconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the shortest of several times, the one least disturbed by other processes."""
    times = []
    for _ in range(repeats):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def compare(name: str, table: pa.Table) -> None:
    """Print runs per second of both for one config."""
    rows = table.select(COLUMNS).to_pylist()
    slow = seconds(lambda: [reference_features(row, PUBLISHED) for row in rows], 1)
    fast = seconds(lambda: run_features(runs_of(table), tuple(BLOCKS)))
    narrow = seconds(lambda: run_features(runs_of(table), ("flat", "dep", "dep_dens", "dep_shape")))
    count = len(rows)
    print(
        f"{name}: {count:,} runs; networkx {count / slow:,.0f} runs/s; graph and all blocks "
        f"{count / fast:,.0f} runs/s ({slow / fast:.0f} times); flat and dependency blocks "
        f"{count / narrow:,.0f} runs/s"
    )


if __name__ == "__main__":
    for config in sys.argv[1:] or ["post_tau_bench", "post_agentdojo", "post_who_and_when"]:
        compare(config, packaged().table(config))
