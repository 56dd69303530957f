"""Item 3: injected runs are distributed like clean ones."""

from collections.abc import Callable, Mapping
from dataclasses import asdict

import numpy as np

from catchkit.admissibility.adversary import held_out, learned
from catchkit.admissibility.panel import codes
from catchkit.admissibility.power import registers
from catchkit.admissibility.substrate import Run, StepRun, Substrate
from catchkit.admissibility.thresholds import Thresholds
from catchkit.admissibility.verdict import Item, ItemVerdict
from catchkit.eval.agreement import exact_rate
from catchkit.eval.bands import ClusteredMean, judge
from catchkit.eval.matched import Counts, Values, superiority
from catchkit.seeds import generator

POWER_TRIALS = 20
PLANTED_SHARE = 0.2
"""Share of runs that are given a giveaway, a size beyond every clean run."""


def distribution(substrate: Substrate, thresholds: Thresholds, *, seed: int = 0) -> Item:
    """Judge whether injected runs are distributed like their clean twins."""
    clean = summaries([pair.clean for pair in substrate.pairs])
    injected = summaries([pair.injected for pair in substrate.pairs])
    clusters = codes([pair.group for pair in substrate.pairs])
    shifts = {name: _shift(clean[name], injected[name], clusters, thresholds) for name in clean}
    gaps = _classified(_matrix(clean), _matrix(injected), clusters, thresholds, seed)
    mean = ClusteredMean.of(gaps, clusters[held_out(clusters, seed)])
    margin, alpha = thresholds.distribution.margin_paired, thresholds.leakage.alpha
    found = judge(mean, margin=margin, alpha=alpha, readings=1)
    beyond = _matrix({**clean, "size": np.full(len(clean["size"]), 1.5 * clean["size"].max())})
    power = _power(_matrix(clean), beyond, clusters, thresholds, seed)
    is_blind = found.place != "outside" and (power["share"] or 0.0) < thresholds.leakage.power
    reading = "not informative" if is_blind else found.place
    verdict, because = _decide(shifts, reading)
    evidence = {
        "summaries": shifts,
        "at_most": thresholds.distribution.max_standardised_difference,
        "classifier": {
            **asdict(found),
            "gap": mean.value,
            "margin": margin,
            "reading": reading,
            "power": power,
        },
    }
    return Item(item=3, verdict=verdict, because=because, evidence=evidence)


def summaries(runs: list[Run]) -> dict[str, Values]:
    """Return one value per run for every summary of its level."""
    of = STEP_SUMMARIES if isinstance(runs[0], StepRun) else VALUE_SUMMARIES
    return {
        name: np.array([measure(run) for run in runs], dtype=float) for name, measure in of.items()
    }


def _edges(run: Run) -> float:
    return sum(map(len, run.writers)) if isinstance(run, StepRun) else 0.0


def _max_span(run: Run) -> float:
    if not isinstance(run, StepRun):
        return 0.0
    return max((at - min(w) for at, w in enumerate(run.writers) if w), default=0)


def _arguments(run: Run) -> float:
    return 0.0 if isinstance(run, StepRun) else len(run.arguments)


def _distinct(run: Run) -> float:
    return 0.0 if isinstance(run, StepRun) else len(run.argument_counts)


def _mean_length(run: Run) -> float:
    if isinstance(run, StepRun) or not run.arguments:
        return 0.0
    return float(np.mean([len(argument.token) for argument in run.arguments.values()]))


def _digits(run: Run) -> float:
    if isinstance(run, StepRun):
        return 0.0
    text = "".join(argument.token for argument in run.arguments.values())
    return sum(map(str.isdigit, text)) / max(len(text), 1)


def _size(run: Run) -> float:
    return run.size


STEP_SUMMARIES: Mapping[str, Callable[[Run], float]] = {
    "size": _size,
    "edges": _edges,
    "max_span": _max_span,
}
VALUE_SUMMARIES: Mapping[str, Callable[[Run], float]] = {
    "size": _size,
    "arguments": _arguments,
    "distinct_arguments": _distinct,
    "mean_argument_length": _mean_length,
    "digit_share": _digits,
}


def _matrix(of: Mapping[str, Values]) -> Values:
    return np.column_stack([*of.values()])


def _shift(
    clean: Values, injected: Values, clusters: Counts, thresholds: Thresholds
) -> dict[str, float | str]:
    """Compare the means of a summary, in standard deviations of the clean runs."""
    scale = float(clean.std()) or 1.0
    mean = ClusteredMean.of((injected - clean) / scale, clusters)
    most = thresholds.distribution.max_standardised_difference
    found = judge(mean, margin=most, alpha=thresholds.leakage.alpha, readings=1)
    beyond = found.inner_low > most or found.inner_high < -most
    return {
        "clean": float(clean.mean()),
        "injected": float(injected.mean()),
        "standardised_difference": mean.value,
        "low": found.inner_low,
        "high": found.inner_high,
        "reading": "inside" if found.place == "inside" else "outside" if beyond else "too wide",
    }


def _classified(
    clean: Values, injected: Values, clusters: Counts, thresholds: Thresholds, seed: int
) -> Values:
    """Return for each held-out pair whether a classifier of runs ranks the injected one higher."""
    kept = held_out(clusters, seed)
    both = np.concatenate([injected, clean])
    label = np.repeat([1.0, 0.0], len(clean))
    scores = learned(both, label, np.tile(kept, 2), thresholds.adversary)
    first, second = np.split(scores, 2)
    return (superiority(first, second) - 0.5)[kept]


def _power(
    clean: Values, planted: Values, clusters: Counts, thresholds: Thresholds, seed: int
) -> dict[str, float | None]:
    hits = 0
    margin, alpha = thresholds.distribution.margin_paired, thresholds.leakage.alpha
    for at in range(POWER_TRIALS):
        rng = generator(seed, "power of the two-sample classifier", str(at))
        chosen = rng.random(len(clean)) < PLANTED_SHARE
        mixed = np.where(chosen[:, None], planted, clean)
        gaps = _classified(clean, mixed, clusters, thresholds, seed + at)
        kept = clusters[held_out(clusters, seed + at)]
        hits += int(registers(gaps[None, :], kept, margin=margin, alpha=alpha)[0])
    rate = exact_rate(hits, POWER_TRIALS)
    return {"share": rate.value, "low": rate.low, "high": rate.high, "planted": PLANTED_SHARE}


def _decide(shifts: Mapping[str, Mapping[str, object]], reading: str) -> tuple[ItemVerdict, str]:
    found = {name: shift["reading"] for name, shift in shifts.items()}
    found["two-sample classifier"] = reading
    for label, verdict in WORST_FIRST:
        names = [name for name, place in found.items() if place == label]
        if names:
            return verdict, f"{label}: {', '.join(names)}"
    return "pass", "every paired summary and the two-sample classifier are inside their bands"


WORST_FIRST: tuple[tuple[str, ItemVerdict], ...] = (
    ("outside", "fail"),
    ("not informative", "undetermined"),
    ("too wide", "undetermined"),
)
