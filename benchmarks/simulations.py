"""Type-I error and power of every test the evaluator offers, by simulation.

Each test meets data in which nothing differs, and data in which something does, at the sizes of
the boards. A test keeps its promise when it rejects 5 % of the former, within the binomial band
of the number of simulations.

    python benchmarks/simulations.py [SIMULATIONS] [TEST ...] > benchmarks/simulations.txt
"""

import sys
from collections.abc import Callable
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from catchkit.cli.tables import plain_table
from catchkit.eval.auc import Counts, Mask, Values, delong, delong_single
from catchkit.eval.equivalence import two_one_sided
from catchkit.eval.intervals import drawn_weights, resampled_auc, resampled_sums, weighted_auc
from catchkit.eval.significance import (
    label_swap,
    mcnemar,
    poisson_binomial,
    sign_flip,
    sign_test,
    welch,
    wilcoxon,
)

SIZES = (66, 126, 376, 660)
SIMULATIONS = 2_000
DRAWS = 999
ALPHA = 0.05
GROUP = 4
"""Runs of one task, as on tau-bench."""

Rng = np.random.Generator
Simulated = Callable[[Rng, int, float], float]
"""A p-value of one simulated data set of so many runs, with an effect of that size."""


def outcomes(rng: Rng, n: int, effect: float, share: float = 0.0) -> tuple[Mask, Mask]:
    """Return whether two methods are right on each run, correlated through its difficulty.

    Args:
        rng: Where the data come from.
        n: Number of runs.
        effect: How much more often the first is right, in standard deviations.
        share: Part of each method's own luck that runs of one group have in common.
    """
    difficulty = rng.normal(size=n)
    right = []
    for shift in (effect, 0.0):
        luck = np.sqrt(share) * by_group(rng, n) + np.sqrt(1 - share) * rng.normal(size=n)
        right.append(0.7 * difficulty + 0.7 * luck + shift > 0.4)
    return right[0], right[1]


def by_group(rng: Rng, n: int) -> Values:
    """Return one standard normal value per group, repeated for its runs."""
    return np.repeat(rng.normal(size=-(-n // GROUP)), GROUP)[:n]


def groups_of(n: int) -> Counts:
    """Return the group of each run."""
    return np.arange(n) // GROUP


def scored(rng: Rng, n: int, effect: float, share: float = 0.0) -> tuple[Values, Values, Mask]:
    """Return two correlated score columns and outcomes; the first is better by the effect."""
    lean = np.sqrt(share) * by_group(rng, n) + np.sqrt(1 - share) * rng.normal(size=n)
    failed = lean > 0
    columns = []
    for shift in (0.6 + effect, 0.6):
        own = np.sqrt(share) * by_group(rng, n) + np.sqrt(1 - share) * rng.normal(size=n)
        columns.append(shift * failed + own)
    common = rng.normal(size=n)
    return columns[0] + common, columns[1] + common, failed


def tail_p(differences: npt.NDArray[np.float64]) -> float:
    """Return the two-sided p-value of resampled differences."""
    given = differences[np.isfinite(differences)]
    tails = ((given <= 0).sum(), (given >= 0).sum())
    return min(1.0, 2 * (float(min(tails)) + 1) / (len(given) + 1))


def mcnemar_test(rng: Rng, n: int, effect: float) -> float:
    """Exact conditional test of right and wrong."""
    return mcnemar(*outcomes(rng, n, effect)).p


def mcnemar_on_groups(rng: Rng, n: int, effect: float) -> float:
    """The same on runs that depend on each other within groups of four, which it ignores."""
    return mcnemar(*outcomes(rng, n, effect, share=0.6)).p


def sign_flip_test(rng: Rng, n: int, effect: float) -> float:
    """Random signs of the difference of two hit rates over three seeds."""
    first = np.mean([outcomes(rng, n, effect)[0] for _ in range(3)], axis=0)
    second = np.mean([outcomes(rng, n, 0.0)[1] for _ in range(3)], axis=0)
    return sign_flip(first - second, rng, flips=DRAWS).p


def sign_flip_on_groups(rng: Rng, n: int, effect: float) -> float:
    """Random signs of whole groups."""
    first, second = outcomes(rng, n, effect, share=0.6)
    differences = first.astype(np.float64) - second
    return sign_flip(differences, rng, groups=groups_of(n), flips=DRAWS).p


def ranks_reciprocal(rng: Rng, n: int, effect: float) -> Values:
    """Return differences of reciprocal ranks."""
    better = rng.geometric(min(0.35 + effect / 4, 0.95), size=n)
    return 1.0 / better - 1.0 / rng.geometric(0.35, size=n)


def wilcoxon_test(rng: Rng, n: int, effect: float) -> float:
    """Signed ranks of differences of reciprocal ranks."""
    return wilcoxon(ranks_reciprocal(rng, n, effect)).p


def sign_test_test(rng: Rng, n: int, effect: float) -> float:
    """Exact sign test of the same."""
    return sign_test(ranks_reciprocal(rng, n, effect)).p


def mean_bootstrap(rng: Rng, n: int, effect: float) -> float:
    """Whether the 95 % percentile interval of a mean difference leaves out zero."""
    first, second = outcomes(rng, n, effect)
    values = (first.astype(np.float64) - second)[:, None]
    return tail_p(resampled_sums(values, [np.arange(n)], rng, draws=DRAWS)[:, 0, 0])


def mean_bootstrap_on_groups(rng: Rng, n: int, effect: float) -> float:
    """The same, drawing whole groups."""
    first, second = outcomes(rng, n, effect, share=0.6)
    sums = np.bincount(groups_of(n), first.astype(np.float64) - second)[:, None]
    return tail_p(resampled_sums(sums, [np.arange(len(sums))], rng, draws=DRAWS)[:, 0, 0])


def delong_test(rng: Rng, n: int, effect: float) -> float:
    """Paired areas, independent runs."""
    return delong(*scored(rng, n, effect)).p


def delong_on_groups(rng: Rng, n: int, effect: float) -> float:
    """The same on runs that depend on each other within groups, which it ignores."""
    return delong(*scored(rng, n, effect, share=0.6)).p


def clustered_delong(rng: Rng, n: int, effect: float) -> float:
    """Paired areas, placements summed within groups."""
    return delong(*scored(rng, n, effect, share=0.6), groups_of(n)).p


def delong_single_test(rng: Rng, n: int, effect: float) -> float:
    """One area against its true value."""
    first, _, failed = scored(rng, n, effect)
    null = NormalDist().cdf(0.6 / 2)
    return delong_single(first, failed, null=null).p


def clustered_delong_single(rng: Rng, n: int, effect: float) -> float:
    """The same, placements summed within groups."""
    first, _, failed = scored(rng, n, effect, share=0.6)
    null = NormalDist().cdf(0.6 / 2)
    return delong_single(first, failed, null=null, groups=groups_of(n)).p


def auc_bootstrap(rng: Rng, n: int, effect: float) -> float:
    """Paired areas, failed runs and others drawn apart."""
    first, second, failed = scored(rng, n, effect)
    areas = resampled_auc([first, second], failed, rng, draws=DRAWS)
    return tail_p(areas[:, 0] - areas[:, 1])


def auc_bootstrap_on_groups(rng: Rng, n: int, effect: float) -> float:
    """Paired areas, whole groups drawn."""
    first, second, failed = scored(rng, n, effect, share=0.6)
    areas = resampled_auc([first, second], failed, rng, groups=groups_of(n), draws=DRAWS)
    return tail_p(areas[:, 0] - areas[:, 1])


def counted(rng: Rng, n: int, effect: float, methods: int = 2) -> npt.NDArray[np.int64]:
    """Return hits, false alarms and misses per roster of several methods; the first is better."""
    sizes = 1 + rng.geometric(0.25, size=n)
    excess = rng.binomial(sizes, rng.beta(2, 2, size=n))
    parts = []
    for method in range(methods):
        chance = 0.55 + (effect / 4 if method == 0 else 0.0)
        hits = rng.binomial(excess, min(chance, 0.99))
        parts += [hits, rng.binomial(sizes - excess, 0.45), excess - hits]
    return np.stack(parts, axis=1).astype(np.int64)


def f1_of(sums: Values) -> Values:
    """Return F1 of every three columns."""
    hits, alarms, misses = np.moveaxis(sums.reshape(len(sums), -1, 3), -1, 0)
    found: Values = 2 * hits / (2 * hits + alarms + misses)
    return found


def f1_bootstrap(rng: Rng, n: int, effect: float) -> float:
    """Difference of two F1, whole configurations drawn."""
    sums = resampled_sums(counted(rng, n, effect), [np.arange(n)], rng, draws=DRAWS)[:, 0]
    f1 = f1_of(sums)
    return tail_p(f1[:, 0] - f1[:, 1])


def best_of_bootstrap(rng: Rng, n: int, effect: float) -> float:
    """The best of eight candidates against a ninth, choosing anew in every draw."""
    counts = counted(rng, n, effect, methods=9)
    f1 = f1_of(resampled_sums(counts, [np.arange(n)], rng, draws=DRAWS)[:, 0])
    observed = f1_of(counts.sum(axis=0, dtype=np.float64)[None])[0]
    off, drawn = observed[:-1] - observed[-1], f1[:, :-1] - f1[:, -1:]
    return float(((drawn - off).max(axis=1) >= off.max()).sum() + 1) / (DRAWS + 1)


def poisson_binomial_test(rng: Rng, n: int, effect: float) -> float:
    """Hits against guessing in pools of unequal size."""
    chances = 1.0 / rng.integers(2, 30, size=n)
    hits = (rng.random(n) < np.minimum(chances * (1 + effect), 1.0)).sum()
    return poisson_binomial(float(hits), chances, "greater").p


def paired_scores(rng: Rng, n: int, effect: float) -> tuple[Values, Values]:
    """Return scores of the faulty and the clean version of each run."""
    run = 2 * rng.normal(size=n)
    return run + rng.normal(size=n) + effect, run + rng.normal(size=n)


def label_swap_test(rng: Rng, n: int, effect: float) -> float:
    """Area over the members of pairs, labels swapped within pairs, one-sided."""
    return label_swap(*paired_scores(rng, n, effect), rng, swaps=DRAWS).p


def pair_cluster_bootstrap(rng: Rng, n: int, effect: float) -> float:
    """Area over the members of pairs minus one half, whole pairs drawn."""
    faulty, clean = paired_scores(rng, n, effect)
    pairs = np.tile(np.arange(n), 2)
    failed = np.arange(2 * n) < n
    weights = next(drawn_weights([np.arange(n)], rng, groups=pairs, draws=DRAWS, batch=DRAWS))
    return tail_p(weighted_auc(np.concatenate([faulty, clean]), failed, weights) - 0.5)


def welch_test(rng: Rng, n: int, effect: float) -> float:
    """Means of two unequal samples with unequal variances."""
    return welch(rng.normal(effect, 1, size=n // 3), rng.normal(0, 3, size=n - n // 3)).p


def equivalence(rng: Rng, n: int, effect: float) -> float:
    """Two one-sided tests: no effect puts the difference on the margin, an effect inside it."""
    margin = 0.3
    values = rng.normal(margin * (1 - min(2 * effect, 1.0)), 1, size=n)
    se = float(values.std(ddof=1) / np.sqrt(n))
    return two_one_sided(float(values.mean()), se, margin=margin).p


TESTS: dict[str, tuple[Simulated, float]] = {
    "mcnemar": (mcnemar_test, 0.3),
    "mcnemar, groups ignored": (mcnemar_on_groups, 0.3),
    "sign flip": (sign_flip_test, 0.3),
    "sign flip, groups": (sign_flip_on_groups, 0.3),
    "wilcoxon": (wilcoxon_test, 0.3),
    "sign test": (sign_test_test, 0.3),
    "mean bootstrap": (mean_bootstrap, 0.3),
    "mean bootstrap, groups": (mean_bootstrap_on_groups, 0.3),
    "delong": (delong_test, 0.5),
    "delong, groups ignored": (delong_on_groups, 0.5),
    "clustered delong": (clustered_delong, 0.5),
    "delong, one curve": (delong_single_test, 0.5),
    "clustered delong, one curve": (clustered_delong_single, 0.5),
    "auc bootstrap": (auc_bootstrap, 0.5),
    "auc bootstrap, groups": (auc_bootstrap_on_groups, 0.5),
    "f1 bootstrap": (f1_bootstrap, 0.3),
    "best-of bootstrap": (best_of_bootstrap, 0.3),
    "poisson-binomial": (poisson_binomial_test, 1.0),
    "label swap": (label_swap_test, 0.3),
    "pair-cluster bootstrap": (pair_cluster_bootstrap, 0.3),
    "welch": (welch_test, 0.5),
    "equivalence": (equivalence, 0.5),
}


def rejections(test: Simulated, n: int, effect: float, simulations: int) -> float:
    """Return how often a test rejects at 5 %."""
    rng = np.random.default_rng([n, round(1000 * effect)])
    return float(np.mean([test(rng, n, effect) < ALPHA for _ in range(simulations)]))


def main(simulations: int = SIMULATIONS, *chosen: str) -> None:
    """Print the rejection rates of every test at every size."""
    half = NormalDist().inv_cdf(0.975) * np.sqrt(ALPHA * (1 - ALPHA) / simulations)
    low, high = ALPHA - half, ALPHA + half
    rows = []
    for name, (test, effect) in TESTS.items():
        if chosen and name not in chosen:
            continue
        level = [rejections(test, n, 0.0, simulations) for n in SIZES]
        power = [rejections(test, n, effect, simulations) for n in SIZES]
        worst = max(level)
        verdict = "holds" if worst <= high else f"exceeds by {worst - ALPHA:.3f}"
        if max(level) < low:
            verdict = "conservative"
        rows.append([name, *(f"{value:.3f}" for value in (*level, *power)), verdict])
    print(
        f"{simulations} simulations each, nominal {ALPHA:.0%}, 95 % band {low:.4f} to {high:.4f}\n"
    )
    header = ["test", *(f"n={n}" for n in SIZES), *(f"power {n}" for n in SIZES), "level"]
    print(plain_table(header, rows))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else SIMULATIONS, *sys.argv[2:])
