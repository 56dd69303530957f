"""Item 1: a fault maps to a documented failure mode, and looks like the natural cases."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from catchkit.admissibility.adversary import held_out, learned
from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl, pair_controls
from catchkit.admissibility.natural import natural_cases
from catchkit.admissibility.panel import codes
from catchkit.admissibility.substrate import Pair, Substrate
from catchkit.admissibility.thresholds import Thresholds
from catchkit.admissibility.verdict import Item, ItemVerdict
from catchkit.eval.auc import placements
from catchkit.eval.bands import ClusteredMean
from catchkit.eval.matched import Values

TELLING = ("task_membership", "own_result_echo", "later_mention", "singleton", "broken_predecessor")
"""Yes-or-no controls whose shares are printed for both kinds of cases."""


def realism(substrate: Substrate, thresholds: Thresholds, *, seed: int = 0) -> Item:
    """Judge the realism of each fault of a substrate; the worst of them decides."""
    faults = sorted({pair.fault for pair in substrate.pairs})
    unmapped = [fault for fault in faults if not substrate.modes.get(fault)]
    evidence: dict[str, object] = {"taxonomy": {f: substrate.modes.get(f) for f in faults}}
    if unmapped:
        because = f"no documented failure mode for {', '.join(unmapped)}"
        return Item(item=1, verdict="fail", because=because, evidence=evidence)
    found = {
        fault: _judged(substrate, fault, natural, thresholds, seed)
        for fault, natural in natural_cases(substrate).items()
    }
    verdicts = {one.verdict for one in found.values()}
    verdict = next(one for one in ("fail", "undetermined", "pass") if one in verdicts)
    return Item(
        item=1,
        verdict=verdict,
        because="; ".join(one.because for one in found.values()),
        evidence={
            **evidence,
            "natural_cases": {fault: one.evidence for fault, one in found.items()},
        },
    )


def _judged(
    substrate: Substrate,
    fault: str,
    natural: tuple[Pair, ...] | None,
    thresholds: Thresholds,
    seed: int,
) -> Item:
    needed = thresholds.realism.min_natural
    if natural is None:
        because = f"{fault}: a taxonomy mapping only, of natural cases nothing is known"
        unknown = {"cases": None, "needed": needed}
        return Item(item=1, verdict="pass", because=because, evidence=unknown)
    models = Counter(pair.model for pair in natural)
    evidence: dict[str, object] = {
        "cases": len(natural),
        "runs": len({pair.run_id for pair in natural}),
        "by_model": dict(sorted(models.items())),
        "needed": needed,
    }
    if len(natural) < needed:
        because = (
            f"{fault}: a taxonomy mapping only, natural cases {len(natural)} of {needed} needed"
        )
        return Item(item=1, verdict="pass", because=because, evidence=evidence)
    injected = [pair for pair in substrate.pairs if pair.fault == fault]
    found = _compared(substrate, injected, natural, thresholds, seed)
    evidence["comparison"] = found.evidence
    because = f"{fault}: {found.because}"
    [(model, most)] = models.most_common(1)
    if 2 * most > len(natural):
        others = [pair for pair in natural if pair.model != model]
        evidence |= {"largest_model": model, "remaining": len(others)}
        without = None
        because += f"; {most} of {len(natural)} are of one model ({model or 'not named'})"
        ours = [pair for pair in injected if pair.model != model]
        if ours and len(others) >= needed:
            without = _compared(substrate, ours, others, thresholds, seed)
            because += f"; without it {without.because}"
        evidence["without_largest_model"] = without and without.evidence
    return Item(item=1, verdict=found.verdict, because=because, evidence=evidence)


def _compared(
    substrate: Substrate,
    pairs: Sequence[Pair],
    natural: Sequence[Pair],
    thresholds: Thresholds,
    seed: int,
) -> Item:
    controls = {
        name: control
        for name, control in pair_controls(substrate.level).items()
        if control.outputs == ("top1", "paired")
    }
    context = Context.of(substrate)
    injected = [replace(p, eligible=(p.target,), site=0) for p in pairs]
    columns = [_columns(controls, context, cases) for cases in (injected, natural)]
    clusters = codes([pair.group for pair in (*injected, *natural)])
    label = np.repeat([1.0, 0.0], [len(injected), len(natural)])
    kept = held_out(clusters, seed)
    scores = learned(np.concatenate(columns), label, kept, thresholds.adversary)[kept]
    is_ours = label[kept] == 1
    if is_ours.all() or not is_ours.any():
        because = "all natural or all injected cases are of one half of the tasks"
        return Item(item=1, verdict="undetermined", because=because, evidence={})
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
    because = f"a classifier tells injected from natural cases with AUC {mean.value:.3f}"
    verdict: ItemVerdict = "fail" if low > most else "pass" if high <= most else "undetermined"
    return Item(item=1, verdict=verdict, because=because, evidence=evidence)


def _columns(controls: dict[str, PairControl], context: Context, cases: Sequence[Pair]) -> Values:
    return np.column_stack(
        [
            np.concatenate([control.score(context, pair, pair.injected) for pair in cases])
            for control in controls.values()
        ]
    )
