"""Speed of DeLong and of the paired bootstrap of an area, against loops over scikit-learn.

All in one run, so that the ratios count.

    python benchmarks/auc_speed.py
"""

import time
from collections.abc import Callable

import numpy as np
from sklearn.metrics import roc_auc_score

from catchkit.eval.auc import delong
from catchkit.eval.intervals import resampled_auc

RUNS = 660
GROUP = 4
DRAWS = 10_000
SLOW_DRAWS = 300
"""Draws of the slow loop, scaled up."""


def cpu_seconds(work: Callable[[], object], times: int = 1) -> float:
    """Return the CPU time of one execution, all threads counted; the best of three rounds."""
    best = np.inf
    for _ in range(3):
        start = time.process_time()
        for _ in range(times):
            work()
        best = min(best, (time.process_time() - start) / times)
    return float(best)


def main() -> None:
    """Print the times and their ratios."""
    rng = np.random.default_rng(0)
    failed = rng.random(RUNS) < 0.55
    first = rng.normal(size=RUNS) + failed
    second = first + rng.normal(size=RUNS)
    groups = np.arange(RUNS) // GROUP
    bad, good = np.flatnonzero(failed), np.flatnonzero(~failed)

    def library_loop() -> None:
        draws = np.random.default_rng(1)
        for _ in range(SLOW_DRAWS):
            at = np.concatenate([draws.choice(bad, len(bad)), draws.choice(good, len(good))])
            for scores in (first, second):
                roc_auc_score(failed[at], scores[at])

    def bootstrap(by: np.ndarray[tuple[int], np.dtype[np.int64]] | None = None) -> object:
        return resampled_auc(
            [first, second], failed, np.random.default_rng(1), groups=by, draws=DRAWS
        )

    loop = cpu_seconds(library_loop) * DRAWS / SLOW_DRAWS
    ours = cpu_seconds(bootstrap)
    print(f"{DRAWS:,} paired draws of an area, n = {RUNS}")
    print(f"  loop over roc_auc_score     {loop:8.2f} s CPU (scaled from {SLOW_DRAWS} draws)")
    print(f"  count matrix                {ours:8.2f} s CPU   {loop / ours:.0f} times faster")
    print(
        f"  count matrix, groups of {GROUP}   {cpu_seconds(lambda: bootstrap(groups)):8.2f} s CPU"
    )
    one = cpu_seconds(lambda: delong(first, second, failed), times=50)
    area = cpu_seconds(lambda: roc_auc_score(failed, first), times=50)
    print(f"paired DeLong                 {1000 * one:8.2f} ms CPU  ", end="")
    print(f"{one / area:.1f} times one roc_auc_score")


if __name__ == "__main__":
    main()
