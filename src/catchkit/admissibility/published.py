"""The panel of the original benchmark: six controls, fixed margins, and the power it had shown."""

from dataclasses import asdict, dataclass, replace

import numpy as np

from catchkit.admissibility.circularity import circularity
from catchkit.admissibility.control import PairControl, oracles, pair_controls
from catchkit.admissibility.leakage import named_first
from catchkit.admissibility.panel import Panel, panel_of
from catchkit.admissibility.plants import value_run
from catchkit.admissibility.power import plants_of
from catchkit.admissibility.substrate import Candidate, Pair, Run, Substrate
from catchkit.admissibility.thresholds import shipped
from catchkit.admissibility.verdict import Item, ItemVerdict, Verdict
from catchkit.eval.auc import Comparison, delong_single
from catchkit.eval.bands import ClusteredMean

SIX = (
    "format_outlier",
    "schema_shape",
    "position_prior",
    "field_prior",
    "tool_prior",
    "edit_distance",
)
PLANTED = ("format_outlier", "schema_shape", "position_prior")
"""The controls for which the original plants an artefact, on Top-1 alone."""

MARGIN = 0.05
AUC_BAND = (0.45, 0.55)
POWER_PAIRS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedReading:
    """What the original reads of one control."""

    control: str
    gap: float
    """Mean of Top-1 minus 1/pool over all pairs, pools of one included."""

    auc: float
    """Maximum over all arguments of a run, injected runs against clean ones, pooled."""

    is_inside: bool
    """Whether both lie within the fixed margins."""

    is_outside: bool
    """Whether the 95 % interval of either, with tasks as clusters, lies wholly beyond them. The
    original has intervals over five seeds, which say nothing about other runs."""

    planted_gap: float | None
    """Gap of the original's plant on the first pairs; ``None`` where it plants nothing."""

    has_power: bool


def published(substrate: Substrate) -> Verdict:
    """Return the verdict on a substrate by the rules that the original benchmark applied."""
    is_values = substrate.level == "values"
    return Verdict(
        subject=substrate.name,
        panel="published",
        items=(
            _realism(substrate, is_values),
            _six(substrate) if is_values else _artefact(substrate),
            Item(
                item=3,
                verdict="undetermined",
                because="the original reports summaries and fixes no threshold for them",
                evidence={},
            ),
            circularity(substrate),
            Item(item=5, verdict="not met", because="no people were asked", evidence={}),
        ),
        data={"data": substrate.digest, "origin": substrate.origin},
        thresholds=shipped(),
    )


def _realism(substrate: Substrate, is_values: bool) -> Item:
    verdict: ItemVerdict = "undetermined" if is_values else "pass"
    because = "compared with no natural case" if is_values else "a taxonomy mapping"
    evidence = {"taxonomy": dict(substrate.modes)}
    return Item(item=1, verdict=verdict, because=because, evidence=evidence)


def _artefact(substrate: Substrate) -> Item:
    """Apply the one rule of the file-level board: the edit breaks an invariant of clean graphs."""
    name = "broken_predecessor"
    everywhere = replace(substrate, pairs=tuple(map(_at_any_step, substrate.pairs)))
    panel = panel_of(everywhere, {name: pair_controls("steps")[name]})
    counted = named_first(panel)[name]
    separates = counted["alone"] == counted["runs"] and not counted["clean"]
    words = (
        f"broken_predecessor flags the site alone in {counted['alone']} of {counted['runs']} "
        f"injected runs and anything in {counted['clean']} clean ones"
    )
    verdict: ItemVerdict = "fail" if separates else "undetermined"
    return Item(item=2, verdict=verdict, because=words, evidence={"named_first": counted})


def _six(substrate: Substrate) -> Item:
    panel = panel_of(substrate, _controls())
    readings = [_reading(panel, name) for name in SIX]
    known = panel_of(substrate, oracles("values"))
    evidence = {
        "readings": [asdict(reading) for reading in readings],
        "oracles": {name: _gap(known, name) for name in known.controls},
        "matched_floor": float(panel.pools.floor.mean()),
        "pools_of_one_included": int((~panel.ranked).sum()),
    }
    outside = [r.control for r in readings if r.is_outside]
    if outside:
        because = f"outside the fixed margins: {', '.join(outside)}"
        return Item(item=2, verdict="fail", because=because, evidence=evidence)
    missed = [r.control for r in readings if not r.is_inside]
    where = f"beyond them by less than its error: {', '.join(missed)}" if missed else "all inside"
    blind = [r.control for r in readings if not r.has_power]
    because = (
        f"fixed margins: {where}; no power was shown for {', '.join(blind)} on Top-1, "
        "nor for any control on the run-level AUC"
    )
    return Item(item=2, verdict="undetermined", because=because, evidence=evidence)


def _at_any_step(pair: Pair) -> Pair:
    """Let every step of a run be a candidate, as the original's rule does."""
    steps = tuple(map(Candidate, range(min(pair.clean.size, pair.injected.size))))
    return replace(pair, eligible=steps, site=pair.target.event)


def _controls() -> dict[str, PairControl]:
    known = pair_controls("values")
    return {name: known[name] for name in SIX}


def _reading(panel: Panel, name: str) -> PublishedReading:
    gaps = panel.pools.top1(panel.injected[name]) - panel.pools.floor
    mean, auc = ClusteredMean.of(gaps, panel.clusters), _run_auc(panel, name)
    reach = mean.half_width(0.95)
    planted = _planted_gap(panel, name) if name in PLANTED else None
    low, high = AUC_BAND
    return PublishedReading(
        control=name,
        gap=mean.value,
        auc=auc.value,
        is_inside=abs(mean.value) <= MARGIN and low <= auc.value <= high,
        is_outside=abs(mean.value) - reach > MARGIN or auc.low > high or auc.high < low,
        planted_gap=planted,
        has_power=planted is not None and planted > MARGIN,
    )


def _gap(panel: Panel, name: str) -> float:
    return float((panel.pools.top1(panel.injected[name]) - panel.pools.floor).mean())


def _run_auc(panel: Panel, name: str) -> Comparison:
    pairs = panel.substrate.pairs
    scores = np.array(
        [
            _highest(panel, name, pair, run)
            for is_injected in (True, False)
            for pair in pairs
            for run in [pair.injected if is_injected else pair.clean]
        ]
    )
    groups = np.tile(panel.clusters, 2) if panel.clusters.any() else None
    is_injected = np.arange(2 * len(pairs)) < len(pairs)
    return delong_single(scores, is_injected, null=0.5, groups=groups)


def _highest(panel: Panel, name: str, pair: Pair, run: Run) -> float:
    everywhere = replace(pair, eligible=tuple(value_run(run).arguments), site=0)
    return float(panel.controls[name].score(panel.context, everywhere, run).max())


def _planted_gap(panel: Panel, name: str) -> float:
    """Plant in the first pairs, all of them, and return the mean gap: the original's measure."""
    return float(plants_of(panel, name).top1[:POWER_PAIRS].mean())
