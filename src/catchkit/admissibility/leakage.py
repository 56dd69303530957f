"""Item 2: no control and no learned adversary finds the fault by how it was made."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

import numpy as np

from catchkit.admissibility.adversary import (
    NAME,
    Attack,
    Found,
    attack,
    features_of,
    power_from,
    trials,
)
from catchkit.admissibility.control import Output, oracles, pair_controls
from catchkit.admissibility.panel import Panel, panel_of, scores_of
from catchkit.admissibility.power import Power, plants_of, power_of
from catchkit.admissibility.substrate import Substrate
from catchkit.admissibility.thresholds import Leakage, Thresholds
from catchkit.admissibility.verdict import Item, ItemVerdict
from catchkit.eval.bands import ClusteredMean, Place, judge, required_units
from catchkit.eval.matched import Values

Label: TypeAlias = Place | Literal["not informative"]
OUTPUTS: tuple[Output, ...] = ("top1", "paired")
WORST_PAIRED_VARIANCE = 0.25
"""Of a reading that is one half in either direction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one control says on one output."""

    control: str
    output: Output
    artefact: str
    reading: Label
    gap: float
    auc: float
    """``top1``: of the site within its pool. ``paired``: of the injected run against its twin, for
    the adversary at the site."""

    low: float
    high: float
    """At the level corrected over the panel; it decides ``outside``."""

    inner_low: float
    inner_high: float
    """Of the two one-sided tests; it decides ``inside``."""

    margin: float
    pairs: int
    clusters: int
    required_pairs: int
    """Independent pairs that a clean injector needs to end up inside, known before the reading."""

    power: Power
    is_informative: bool
    """Whether power was shown. Without it a reading can fail a panel, and never help it pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelPower:
    """The power of every reading of a panel."""

    controls: Mapping[tuple[str, Output], Power]
    adversary: Mapping[Output, Power]
    trials: tuple[Found, ...]
    """What the adversary found of the artefact of each control."""

    @classmethod
    def of(cls, panel: Panel, thresholds: Thresholds, seed: int) -> "PanelPower":
        """Plant the artefact of every control, and see who registers it."""
        plants = {name: plants_of(panel, name, seed) for name in panel.controls}
        found = tuple(trials(panel, plants, thresholds, seed))
        return cls(
            controls={
                (name, output): power_of(
                    panel, name, output, plants[name], thresholds.leakage, seed
                )
                for name, control in panel.controls.items()
                for output in control.outputs
            },
            adversary={
                output: power_from([f for f in found if f.output == output], thresholds.leakage)
                for output in OUTPUTS
            },
            trials=found,
        )


def leakage(substrate: Substrate, thresholds: Thresholds, *, seed: int = 0) -> Item:
    """Read every control of a substrate, and judge.

    Args:
        substrate: The pairs.
        thresholds: What decides.
        seed: For the planted artefacts and the folds of the adversary.
    """
    panel = panel_of(substrate, pair_controls(substrate.level))
    return judged(panel, PanelPower.of(panel, thresholds, seed), thresholds, seed=seed)


def judged(panel: Panel, power: PanelPower, thresholds: Thresholds, *, seed: int = 0) -> Item:
    """Judge a panel whose power is known."""
    seen = features_of(panel, seed)
    attacks = {output: attack(seen, output, thresholds) for output in OUTPUTS}
    readings = read_panel(panel, power, attacks, thresholds.leakage)
    known = oracle_gaps(panel)
    verdict, because = decide(readings, _of_one_run(panel, known), thresholds.leakage)
    evidence = {
        "pools_of_one_excluded": int((~panel.ranked).sum()),
        "pairs": len(panel.pools.target),
        "matched_floor": _mean(panel.pools.floor[panel.ranked]),
        "readings": [asdict(reading) for reading in readings],
        "oracles": known,
        "all_sites": all_sites(panel),
        "named_first": named_first(panel),
        "adversary": {"plants": [asdict(one) for one in power.trials]},
    }
    return Item(item=2, verdict=verdict, because=because, evidence=evidence)


def read_panel(
    panel: Panel,
    power: PanelPower,
    attacks: Mapping[Output, Attack],
    limits: Leakage,
) -> list[Reading]:
    """Take every reading of a panel."""
    taken: list[tuple[str, Output, str, ClusteredMean, float, Power]] = [
        (
            name,
            output,
            control.artefact,
            ClusteredMean.of(panel.values(name, output), panel.clusters_of(output)),
            panel.auc(name, output),
            power.controls[name, output],
        )
        for name, control in panel.controls.items()
        for output in control.outputs
    ]
    taken += [
        (
            NAME,
            output,
            "any of the above",
            ClusteredMean.of(found.gaps, found.clusters),
            found.auc,
            power.adversary[output],
        )
        for output, found in attacks.items()
    ]
    required = required_pairs(panel, limits)
    readings = []
    for name, output, artefact, mean, auc, known in taken:
        margin = limits.margin(output)
        # Trees that rank the sites below chance have learned noise, and no leak.
        found = judge(
            mean,
            margin=margin,
            alpha=limits.alpha,
            readings=len(taken),
            one_sided=name == NAME,
        )
        is_informative = known.suffices(limits)
        is_told = is_informative or found.place == "outside"
        readings.append(
            Reading(
                control=name,
                output=output,
                artefact=artefact,
                reading=found.place if is_told else "not informative",
                gap=mean.value,
                auc=auc,
                low=found.low,
                high=found.high,
                inner_low=found.inner_low,
                inner_high=found.inner_high,
                margin=margin,
                pairs=mean.units,
                clusters=mean.clusters,
                required_pairs=required[output],
                power=known,
                is_informative=is_informative,
            )
        )
    return readings


def required_pairs(panel: Panel, limits: Leakage) -> dict[Output, int]:
    """Return how many independent pairs each output needs, from the pools alone."""
    floor = panel.pools.floor[panel.ranked]
    variance: dict[Output, float] = {
        "top1": _mean(floor * (1 - floor)),
        "paired": WORST_PAIRED_VARIANCE,
    }
    return {
        output: required_units(
            of, margin=limits.margin(output), alpha=limits.alpha, power=limits.sample_power
        )
        for output, of in variance.items()
    }


def all_sites(panel: Panel) -> dict[str, float]:
    """Score every eligible place with weight 1/pool for controls that an edit cannot change.

    The gap of a uniform draw is zero for any score, so this shows the design and not a finding;
    whether the draw was uniform is what their reading tests.
    """
    weights = panel.pools.floor[panel.pools.owners]
    return {
        name: float(
            np.sum(panel.pools.top1_of_each(panel.clean[name]) * weights) / len(panel.pools.target)
            - panel.pools.floor.mean()
        )
        for name, control in panel.controls.items()
        if control.outputs == ("top1",)
    }


def named_first(panel: Panel) -> dict[str, dict[str, int]]:
    """Count for controls that answer yes or no whom they flag, among all eligible places.

    ``alone``: injected runs in which the site is flagged and no other place is. ``clean``: clean
    runs with any flag.
    """
    found = {}
    starts = panel.pools.offsets[:-1]
    for name in panel.controls:
        clean, injected = panel.clean[name], panel.injected[name]
        if set(np.unique(clean)) | set(np.unique(injected)) <= {0.0, 1.0}:
            flagged = np.add.reduceat(injected, starts)
            found[name] = {
                "alone": int(((injected[panel.pools.target] == 1) & (flagged == 1)).sum()),
                "clean": int((np.add.reduceat(clean, starts) > 0).sum()),
                "runs": len(starts),
            }
    return found


def oracle_gaps(panel: Panel) -> dict[str, float]:
    """Return how far each oracle ranks the sites above the floor."""
    pairs = panel.substrate.pairs
    injected = [pair.injected for pair in pairs]
    scored = scores_of(oracles(panel.substrate.level), panel.context, pairs, injected)
    gaps = {name: panel.pools.top1(scores) - panel.pools.floor for name, scores in scored.items()}
    return {name: _mean(gap[panel.ranked]) for name, gap in gaps.items()}


def _of_one_run(panel: Panel, gaps: Mapping[str, float]) -> Mapping[str, float]:
    """Keep the oracles that read one run alone; where a level has none, all of them."""
    known = oracles(panel.substrate.level)
    return {name: gap for name, gap in gaps.items() if not known[name].reads_twin} or gaps


def decide(
    readings: list[Reading], oracle: Mapping[str, float], limits: Leakage
) -> tuple[ItemVerdict, str]:
    """Judge the readings of a panel together."""
    of = {
        label: sorted({f"{r.control} ({r.output})" for r in readings if r.reading == label})
        for label in ("outside", "too wide", "not informative")
    }
    if of["outside"]:
        return "fail", f"found by {', '.join(of['outside'])}"
    if max(oracle.values(), default=0.0) < limits.artefact:
        return "undetermined", "no oracle registers the fault, so the panel may be blind"
    for label in ("not informative", "too wide"):
        if of[label]:
            return "undetermined", f"{label}: {', '.join(of[label])}"
    return "pass", f"all {len(readings)} readings are inside the band, each with power"


def _mean(values: Values) -> float:
    return float(values.mean()) if len(values) else 0.0
