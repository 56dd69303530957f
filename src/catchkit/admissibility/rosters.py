"""The bar for declared configurations: does a shortcut beat flagging everything?"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from catchkit.admissibility.adversary import NAME, Found, folds_of, learned, power_from
from catchkit.admissibility.control import RosterControl, roster_controls
from catchkit.admissibility.labels import places
from catchkit.admissibility.leakage import Label
from catchkit.admissibility.panel import codes
from catchkit.admissibility.power import Power, Strength
from catchkit.admissibility.thresholds import Thresholds
from catchkit.deidentify.rules import capability_tokens
from catchkit.eval.agreement import exact_rate
from catchkit.eval.bands import ClusteredMean, judge
from catchkit.eval.baseline import baseline, predict
from catchkit.eval.board import FLOOR, Tally, label_of
from catchkit.eval.flags import Flags
from catchkit.eval.matched import Counts, Values
from catchkit.eval.metric import metrics
from catchkit.eval.rosters import Rosters
from catchkit.seeds import generator

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


def f1_parts(rosters: Rosters, flags: Flags) -> tuple[float, Values]:
    """Return F1 and what each configuration contributes to it, in first order.

    The contributions average to F1, so that the error of a difference of two F1 is that of the
    mean of differences of contributions.
    """
    counts = Tally.of(rosters, flags).counts.astype(float)
    hits, alarms, misses = counts.T
    whole = 2 * hits + alarms + misses
    f1 = float(_metric_f1(counts.sum(axis=0)))
    scale = whole.mean()
    if scale == 0:
        return f1, np.full(len(hits), f1)
    return f1, f1 + (2 * hits - f1 * whole) / scale


def _metric_f1(counts: Values | Counts) -> Values:
    f1: Values = metrics("counts")["f1"].compute(*np.asarray(counts, dtype=float))
    return f1


def gap_of(rosters: Rosters, flags: Flags) -> tuple[float, float, ClusteredMean]:
    """Return F1, the floor's F1, and the difference over configurations."""
    f1, parts = f1_parts(rosters, flags)
    floor, under = f1_parts(rosters, predict(baseline(FLOOR), rosters))
    difference = parts - under
    return f1, floor, ClusteredMean.of(difference, np.arange(len(difference)))


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
    adversary = replace(
        next(iter(controls.values())),
        name=NAME,
        artefact="any of the above",
        reads=("declared_position", "excess"),
        predict=trees.predict,
    )
    powers[NAME] = power_from(trials, thresholds.leakage)
    read = [*controls.values(), adversary]
    return Shortcuts(
        readings=tuple(
            _shortcut(rosters, control, powers[control.name], len(read), thresholds)
            for control in read
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
        name: float(_metric_f1(Tally.of(rosters, _predict(control, rosters)).counts[kept].sum(0)))
        for name, control in roster_controls().items()
    }


def _predict(control: RosterControl, rosters: Rosters) -> Flags:
    return control.predict(rosters.showing(control.reads))


def _shortcut(
    rosters: Rosters, control: RosterControl, power: Power, readings: int, thresholds: Thresholds
) -> Shortcut:
    f1, floor, gap = gap_of(rosters, _predict(control, rosters))
    margin, limits = thresholds.rosters.margin, thresholds.leakage
    found = judge(gap, margin=margin, alpha=limits.alpha, readings=readings, one_sided=True)
    is_informative = power.suffices(limits)
    is_told = is_informative or found.place == "outside"
    return Shortcut(
        control=control.name,
        artefact=control.artefact,
        reads=control.reads,
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
        _is_registered(
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


def _is_registered(gap: ClusteredMean, thresholds: Thresholds) -> bool:
    found = judge(
        gap,
        margin=thresholds.rosters.margin,
        alpha=thresholds.leakage.alpha,
        readings=1,
        one_sided=True,
    )
    return found.place == "outside"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trees:
    """Boosted trees that see everything of a configuration but what its task is."""

    groups: Counts
    thresholds: Thresholds
    seed: int

    def predict(self, rosters: Rosters) -> Flags:
        """Flag what trees grown on other groups hold for excess, cut where F1 is best there."""
        limits = self.thresholds.adversary
        label = label_of(rosters).astype(float)
        fold = folds_of(self.groups, limits.folds, self.seed)[rosters.owners]
        numbers, codes = roster_features(rosters)
        scores = np.zeros(len(label))
        for held in np.unique(fold):
            shares = [shares_elsewhere(column, label, fold, int(held)) for column in codes]
            features = np.column_stack([numbers, *shares])
            scores += learned(features, label, fold == held, limits)
        flagged = np.zeros(len(label), dtype=bool)
        for held in np.unique(fold):
            cut = _best_cut(scores[fold != held], label[fold != held])
            flagged[fold == held] = scores[fold == held] >= cut
        return Flags.of(rosters, flagged)

    def trial(self, rosters: Rosters, control: RosterControl, strength: Strength) -> Found:
        """Let the trees look for the plant of a shortcut."""
        gaps = []
        for n in range(self.thresholds.adversary.replicates):
            rng = generator(self.seed, f"trees on {control.name}", str(n))
            planted = replace(rosters, excess=control.plant(rosters, strength.share, rng))
            gaps.append(gap_of(planted, self.predict(planted))[2])
        hits = sum(_is_registered(gap, self.thresholds) for gap in gaps)
        return Found(
            control=control.name,
            output="f1",
            strength=strength,
            registered=exact_rate(hits, len(gaps)),
            mean_gap=float(np.mean([gap.value for gap in gaps])),
        )


def _best_cut(scores: Values, label: Values) -> float:
    """Return the score above which flagging has the best F1, half way to the next lower one.

    Trees of other folds give the same capability slightly another score.
    """
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(label[order])
    f1 = 2 * hits / (np.arange(1, len(order) + 1) + label.sum())
    ranked = scores[order]
    is_last = np.r_[ranked[1:] < ranked[:-1], True]
    best = int(np.argmax(np.where(is_last, f1, -1.0)))
    following = ranked[min(best + 1, len(ranked) - 1)]
    return float(ranked[best] + following) / 2


def roster_features(rosters: Rosters) -> tuple[Values, list[Counts]]:
    """Return what a configuration shows besides its task.

    Returns:
        Numbers, shape (m, features), and codes of categories, each of length m.
    """
    if rosters.declared_position is None:
        raise ValueError("the adversary reads the upstream order: show it 'declared_position'")
    owners, sizes, shown = rosters.owners, rosters.sizes, places(rosters)
    overlap = [
        len(capability_tokens(name, kind) & rosters.tokens[roster])
        for roster, name, kind, _ in rosters.capabilities()
    ]
    numbers = (
        shown,
        sizes[owners] - shown,
        rosters.declared_position,
        sizes[owners],
        [len(name) for name in rosters.names],
        [len(rosters.tokens[roster]) for roster in owners.tolist()],
        overlap,
    )
    words = (rosters.names, rosters.types, rosters.levels, sizes[owners])
    codes = [np.unique(np.array(column), return_inverse=True)[1] for column in words]
    return np.column_stack(numbers).astype(float), codes


def shares_elsewhere(codes: Counts, label: Values, fold: Counts, held: int) -> Values:
    """Return for each row which share of its category is positive, as other folds know it.

    Rows of the fold ``held`` are shown all other folds, and a row of another fold all but these
    two: what trees are grown on is as little informed as what they are tried on. One row at the
    overall share is added to each category.

    Example:
        >>> codes, label = np.zeros(3, dtype=int), np.array([1.0, 0.0, 1.0])
        >>> shares_elsewhere(codes, label, fold=np.arange(3), held=2).tolist()
        [0.0, 1.0, 0.5]
    """
    found = np.empty(len(label))
    for own in np.unique(fold):
        known = (fold != own) & (fold != held)
        overall = label[known].mean() if known.any() else 0.5
        count = np.bincount(codes[known], minlength=codes.max() + 1)
        positive = np.bincount(codes[known], label[known], minlength=codes.max() + 1)
        found[fold == own] = ((positive + overall) / (count + 1))[codes[fold == own]]
    return found
