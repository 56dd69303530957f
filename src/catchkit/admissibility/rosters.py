"""The bar for declared configurations: does a shortcut beat flagging everything?"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from catchkit.admissibility.adversary import NAME, Found, power_from
from catchkit.admissibility.control import RosterControl, roster_controls
from catchkit.admissibility.leakage import Label
from catchkit.admissibility.panel import codes
from catchkit.admissibility.power import Power, Strength
from catchkit.admissibility.roster_adversary import Trees
from catchkit.admissibility.roster_gaps import f1_of, gap_of, is_registered
from catchkit.admissibility.thresholds import Thresholds
from catchkit.eval.agreement import exact_rate
from catchkit.eval.bands import ClusteredMean, judge
from catchkit.eval.board import Tally
from catchkit.eval.flags import Flags
from catchkit.eval.matched import Counts
from catchkit.eval.rosters import Rosters
from catchkit.seeds import generator

READ_BY_TREES = ("declared_position", "excess")
SHARES = tuple(at / 10 for at in range(1, 11))
HALVINGS = 5
"""Of the step between two shares."""

SEARCHES = 8
"""Plants over which the gap of a share is averaged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortcut:
    """What one shortcut reaches on a config."""

    control: str
    artefact: str
    reads: tuple[str, ...]
    reading: Label
    f1: float
    floor: float
    gap: float
    low: float
    high: float
    inner_high: float
    margin: float
    power: Power
    is_informative: bool
    """Whether power was shown. Without it a reading can fail a config, and never help it pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortcuts:
    """What all shortcuts reach, the learned adversary last."""

    readings: tuple[Shortcut, ...]
    trials: tuple[Found, ...]
    """What the adversary found of every shortcut that can be planted strongly enough."""


def shortcuts(
    rosters: Rosters, groups: list[str], thresholds: Thresholds, seed: int = 0
) -> Shortcuts:
    """Read every shortcut.

    Args:
        rosters: With the label and the declared order.
        groups: Origin of each configuration: the adversary's folds keep them whole.
        thresholds: What decides.
        seed: For plants and folds.
    """
    controls = roster_controls()
    powers = {name: _power(rosters, one, thresholds, seed) for name, one in controls.items()}
    trees = Trees(groups=codes(groups), thresholds=thresholds, seed=seed)
    trials = tuple(
        trees.trial(rosters, control, powers[name].strength)
        for name, control in controls.items()
        if powers[name].strength.reaches(thresholds.leakage)
    )
    powers[NAME] = power_from(trials, thresholds.leakage)
    given = [
        _Given(one.name, one.artefact, one.reads, _predict(one, rosters))
        for one in controls.values()
    ]
    flags = trees.predict(rosters.showing(READ_BY_TREES))
    given.append(_Given(NAME, "any of the above", READ_BY_TREES, flags))
    return Shortcuts(
        readings=tuple(
            _shortcut(rosters, one, powers[one.control], len(given), thresholds) for one in given
        ),
        trials=trials,
    )


def shortcut_scores(rosters: Rosters, rows: Counts | None = None) -> dict[str, float]:
    """Return the F1 of every shortcut, for a card; neither power nor intervals.

    Args:
        rosters: With the label and the declared order.
        rows: The configurations that count; all by default.

    Example:
        >>> from catchkit.eval.rosters import rosters_of
        >>> from catchkit.loaders.release import packaged
        >>> scores = shortcut_scores(rosters_of(packaged().table("pre_injecagent")))
        >>> scores["name_prior"]
        1.0
    """
    kept = np.arange(len(rosters.ids)) if rows is None else rows
    return {
        name: float(f1_of(Tally.of(rosters, _predict(control, rosters)).counts[kept].sum(0)))
        for name, control in roster_controls().items()
    }


def _predict(control: RosterControl, rosters: Rosters) -> Flags:
    return control.predict(rosters.showing(control.reads))


@dataclass(frozen=True, slots=True)
class _Given:
    """The flags that one shortcut gives."""

    control: str
    artefact: str
    reads: tuple[str, ...]
    flags: Flags


def _shortcut(
    rosters: Rosters, given: _Given, power: Power, readings: int, thresholds: Thresholds
) -> Shortcut:
    f1, floor, gap = gap_of(rosters, given.flags)
    margin, limits = thresholds.rosters.margin, thresholds.leakage
    found = judge(gap, margin=margin, alpha=limits.alpha, readings=readings, one_sided=True)
    is_informative = power.suffices(limits)
    is_told = is_informative or found.place == "outside"
    return Shortcut(
        control=given.control,
        artefact=given.artefact,
        reads=given.reads,
        reading=found.place if is_told else "not informative",
        f1=f1,
        floor=floor,
        gap=gap.value,
        low=found.low,
        high=found.high,
        inner_high=found.inner_high,
        margin=margin,
        power=power,
        is_informative=is_informative,
    )


def _planted_gap(
    rosters: Rosters,
    control: RosterControl,
    share: float,
    address: str,
    seed: int,
    fixed: Flags | None,
) -> ClusteredMean:
    rng = generator(seed, f"plant {control.name}", address)
    planted = replace(rosters, excess=control.plant(rosters, share, rng))
    return gap_of(planted, _predict(control, planted) if fixed is None else fixed)[2]


def _power(rosters: Rosters, control: RosterControl, thresholds: Thresholds, seed: int) -> Power:
    """Plant as many configurations as are worth the wanted gap, and see how often it shows."""
    limits = thresholds.leakage
    fixed = None if "excess" in control.reads else _predict(control, rosters)

    @cache
    def gap_at(share: float) -> float:
        tried = (
            _planted_gap(rosters, control, share, f"search {n}", seed, fixed).value
            for n in range(SEARCHES)
        )
        return float(np.mean([*tried]))

    strength = weakest(gap_at, limits.artefact)
    runs = thresholds.rosters.replicates if strength.reaches(limits) else 0
    hits = sum(
        is_registered(
            _planted_gap(rosters, control, strength.share, str(n), seed, fixed), thresholds
        )
        for n in range(runs)
    )
    return Power(strength=strength, registered=exact_rate(hits, runs))


def weakest(gap_at: Callable[[float], float], wanted: float) -> Strength:
    """Return the smallest share whose gap is the wanted one, or the share with the largest gap.

    Example:
        >>> found = weakest(lambda share: share / 2, 0.1)
        >>> round(found.share, 2), round(found.effect, 2)
        (0.2, 0.1)
        >>> weakest(lambda share: share / 20, 0.1)
        Strength(share=1.0, effect=0.05)
    """
    high = next((share for share in SHARES if gap_at(share) >= wanted), None)
    if high is None:
        most = max(SHARES, key=gap_at)
        return Strength(share=most, effect=gap_at(most))
    low = high - SHARES[0]
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if gap_at(middle) >= wanted else (middle, high)
    return Strength(share=high, effect=gap_at(high))
