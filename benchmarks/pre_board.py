"""CPU time of `catchkit evaluate pre`, with all references, against the original's PRE board.

Both run as whole processes, in turns, in the same run; the ratio is what counts.

    python benchmarks/pre_board.py [ROUNDS]
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

BIN = Path(sys.executable).parent


def cpu_seconds(*command: str) -> float:
    """Run a command and return the user and system time it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(rounds: int = 7) -> None:
    """Time both boards and the help page, and print medians and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        predictions = f"{folder}/predictions.parquet"
        catchkit = str(BIN / "catchkit")
        subprocess.run(
            [catchkit, "baseline", "pre", "owasp_asi_combined", "--out", predictions],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        commands = {
            "original: catchbench --task pre": (str(BIN / "catchbench"), "--task", "pre"),
            "ours: catchkit evaluate pre": (catchkit, "evaluate", "pre", predictions),
            "ours: catchkit --help": (catchkit, "--help"),
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                times[name].append(cpu_seconds(*command))
    medians = {name: statistics.median(found) for name, found in times.items()}
    for name, found in times.items():
        print(f"{name:34}{medians[name]:6.3f} s CPU  [{min(found):.3f}, {max(found):.3f}]")
    original, ours, _ = medians.values()
    print(f"ratio ours / original: {ours / original:.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
