"""The bar for declared configurations: does a shortcut beat flagging everything?"""

from dataclasses import dataclass, replace

import numpy as np

from catchkit.admissibility.adversary import NAME, Found, folds_of, out_of_fold, power_from
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
SEARCHES = 4
"""Plants by which the needed strength is looked for."""


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
    """What the adversary found of the plant of each shortcut."""


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
        trees.trial(rosters, control, powers[name].strength) for name, control in controls.items()
    )
    learned = replace(
        next(iter(controls.values())),
        name=NAME,
        artefact="any of the above",
        reads=("declared_position", "excess"),
        predict=trees.predict,
    )
    powers[NAME] = power_from(trials, thresholds.leakage)
    read = [*controls.values(), learned]
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
    rng = generator(seed, f"plant {control.name} {share}", address)
    planted = replace(rosters, excess=control.plant(rosters, share, rng))
    return gap_of(planted, _predict(control, planted) if fixed is None else fixed)[2]


def _power(rosters: Rosters, control: RosterControl, thresholds: Thresholds, seed: int) -> Power:
    """Find the share of planted configurations that is worth the wanted gap, and try it often."""
    wanted = thresholds.leakage.artefact
    fixed = None if "excess" in control.reads else _predict(control, rosters)
    best = (0.0, -np.inf)
    for share in SHARES:
        tried = [
            _planted_gap(rosters, control, share, f"search {n}", seed, fixed)
            for n in range(SEARCHES)
        ]
        gap = float(np.mean([one.value for one in tried]))
        best = max(best, (share, gap), key=lambda pair: pair[1])
        if gap >= wanted:
            best = (share, gap)
            break
    share, gap = best
    if gap < wanted:
        return Power(strength=Strength(share=share, effect=gap), registered=exact_rate(0, 0))
    runs = thresholds.rosters.replicates
    hits = sum(
        _is_registered(_planted_gap(rosters, control, share, str(n), seed, fixed), thresholds)
        for n in range(runs)
    )
    return Power(strength=Strength(share=share, effect=gap), registered=exact_rate(hits, runs))


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
        features, categories = roster_features(rosters)
        scores = out_of_fold(features, label, fold, limits, categories=categories)
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


def roster_features(rosters: Rosters) -> tuple[Values, range]:
    """Return what a configuration shows besides its task.

    Returns:
        Shape (m, features), and which of the columns hold codes of categories.
    """
    if rosters.declared_position is None:
        raise ValueError("the adversary reads the upstream order: show it 'declared_position'")
    owners, sizes, shown = rosters.owners, rosters.sizes, places(rosters)
    overlap = [
        len(capability_tokens(name, kind) & rosters.tokens[roster])
        for roster, name, kind, _ in rosters.capabilities()
    ]
    categories = (rosters.names, rosters.types, rosters.levels, sizes[owners])
    numbers = (
        shown,
        sizes[owners] - shown,
        rosters.declared_position,
        sizes[owners],
        [len(name) for name in rosters.names],
        [len(rosters.tokens[roster]) for roster in owners.tolist()],
        overlap,
    )
    coded = (np.unique(np.array(column), return_inverse=True)[1] for column in categories)
    return np.column_stack([*coded, *numbers]).astype(float), range(len(categories))
