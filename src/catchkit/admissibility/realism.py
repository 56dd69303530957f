"""Item 1: a fault maps to a documented failure mode, and looks like the natural cases."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from catchkit.admissibility.adversary import held_out, learned
from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl, pair_controls
from catchkit.admissibility.panel import codes
from catchkit.admissibility.substrate import Pair, Substrate, ValueRun
from catchkit.admissibility.thresholds import Thresholds
from catchkit.admissibility.verdict import Item, ItemVerdict
from catchkit.builders.values import is_identifying
from catchkit.eval.auc import placements
from catchkit.eval.bands import ClusteredMean
from catchkit.eval.matched import Values

TELLING = ("task_membership", "own_result_echo", "later_mention", "singleton")
"""Yes-or-no controls whose shares are printed for both kinds of cases."""


def realism(substrate: Substrate, thresholds: Thresholds, *, seed: int = 0) -> Item:
    """Judge the realism of the faults of a substrate."""
    faults = sorted({pair.fault for pair in substrate.pairs})
    unmapped = [fault for fault in faults if not substrate.modes.get(fault)]
    evidence: dict[str, object] = {"taxonomy": {f: substrate.modes.get(f) for f in faults}}
    if unmapped:
        because = f"no documented failure mode for {', '.join(unmapped)}"
        return Item(item=1, verdict="fail", because=because, evidence=evidence)
    natural = list(natural_cases(substrate))
    evidence["natural_cases"] = {
        "cases": len(natural),
        "runs": len({pair.run_id for pair in natural}),
        "by_model": _counts([pair.model for pair in natural]),
        "needed": thresholds.realism.min_natural,
    }
    if len(natural) < thresholds.realism.min_natural:
        because = f"a taxonomy mapping only: {len(natural)} natural cases to compare with"
        return Item(item=1, verdict="pass", because=because, evidence=evidence)
    verdict, because, found = _compared(substrate, natural, thresholds, seed)
    return Item(item=1, verdict=verdict, because=because, evidence={**evidence, **found})


def natural_cases(substrate: Substrate) -> Iterator[Pair]:
    """Yield identifiers of clean runs that nothing earlier in the run holds or mentions.

    Each comes as a pair whose only eligible place is the case.
    """
    for pair, run in substrate.by_run():
        if isinstance(run, ValueRun):
            for place, argument in run.arguments.items():
                is_new = run.occurrences[argument.token][0] >= argument.event
                has_digit = any(char.isdigit() for char in argument.token)
                is_clean = place not in pair.eligible
                if is_new and has_digit and is_clean and is_identifying(argument.token):
                    yield replace(pair, injected=run, eligible=(place,), site=0)


def _compared(
    substrate: Substrate, natural: list[Pair], thresholds: Thresholds, seed: int
) -> tuple[ItemVerdict, str, dict[str, object]]:
    controls = {
        name: control
        for name, control in pair_controls(substrate.level).items()
        if control.outputs == ("top1", "paired")
    }
    context = Context.of(substrate)
    injected = [replace(p, eligible=(p.target,), site=0) for p in substrate.pairs]
    columns = [_columns(controls, context, cases) for cases in (injected, natural)]
    clusters = codes([pair.group for pair in (*injected, *natural)])
    label = np.repeat([1.0, 0.0], [len(injected), len(natural)])
    kept = held_out(clusters, seed)
    scores = learned(np.concatenate(columns), label, kept, thresholds.adversary)[kept]
    is_ours = label[kept] == 1
    if is_ours.all() or not is_ours.any():
        return "undetermined", "all natural cases are of one half of the tasks", {}
    above, _ = placements(scores, is_ours)
    mean = ClusteredMean.of(above, clusters[kept][is_ours])
    half = mean.half_width(1 - thresholds.leakage.alpha)
    low, high, most = mean.value - half, mean.value + half, thresholds.realism.max_auc
    evidence: dict[str, object] = {
        "classifier": {"auc": mean.value, "low": low, "high": high, "at_most": most},
        "shares": {
            name: {"injected": float(a.mean()), "natural": float(b.mean())}
            for at, name in enumerate(controls)
            if name in TELLING
            for a, b in [(columns[0][:, at], columns[1][:, at])]
        },
    }
    words = f"a classifier tells injected from natural cases with AUC {mean.value:.3f}"
    verdict: ItemVerdict = "fail" if low > most else "pass" if high <= most else "undetermined"
    return verdict, words, evidence


def _columns(controls: dict[str, PairControl], context: Context, cases: list[Pair]) -> Values:
    return np.column_stack(
        [
            np.concatenate([control.score(context, pair, pair.injected) for pair in cases])
            for control in controls.values()
        ]
    )


def _counts(names: list[str]) -> dict[str, int]:
    return {name: names.count(name) for name in sorted(set(names))}
