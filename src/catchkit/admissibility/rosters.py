"""The bar for declared configurations: does a shortcut beat flagging everything?"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

import numpy as np

from catchkit.admissibility.adversary import NAME, folds_of, out_of_fold
from catchkit.admissibility.control import RosterControl, roster_controls
from catchkit.admissibility.labels import places
from catchkit.admissibility.leakage import Label
from catchkit.admissibility.panel import codes
from catchkit.admissibility.thresholds import Thresholds
from catchkit.deidentify.rules import capability_tokens
from catchkit.eval.agreement import Rate, exact_rate
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

ADVERSARY_PLANTS = 3
MANY = 250
"""Names or types beyond the most frequent ones are one category for the trees."""


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
    planted_share: float
    planted_gap: float
    power: Rate


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
) -> list[Shortcut]:
    """Read every shortcut, the learned adversary last.

    Args:
        rosters: With the label and the declared order.
        groups: Origin of each configuration: the adversary's folds keep them whole.
        thresholds: What decides.
        seed: For plants and folds.
    """
    known = roster_controls()
    trees = Trees(groups=codes(groups), thresholds=thresholds, seed=seed)
    readings = len(known) + 1
    found = [
        _shortcut(
            rosters, control, _power(rosters, control, thresholds, seed), readings, thresholds
        )
        for control in known.values()
    ]
    learned = RosterControl(
        name=NAME,
        summary="Boosted trees on everything but the task.",
        artefact="any of the above",
        reads=("declared_position", "excess"),
        predict=trees.predict,
        plant=next(iter(known.values())).plant,
    )
    return [
        *found,
        _shortcut(rosters, learned, trees.power(rosters, known, found), readings, thresholds),
    ]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """How strongly a shortcut is planted, and how often it is registered then."""

    share: float
    gap: float
    registered: Rate


def _predict(control: RosterControl, rosters: Rosters) -> Flags:
    return control.predict(rosters.showing(control.reads))


def _shortcut(
    rosters: Rosters,
    control: RosterControl,
    power: Strength,
    readings: int,
    thresholds: Thresholds,
) -> Shortcut:
    f1, floor, gap = gap_of(rosters, _predict(control, rosters))
    margin, limits = thresholds.rosters.margin, thresholds.leakage
    found = judge(gap, margin=margin, alpha=limits.alpha, readings=readings, one_sided=True)
    reached = power.gap >= limits.artefact - 1e-9
    is_seen = reached and (power.registered.value or 0.0) >= limits.power
    return Shortcut(
        control=control.name,
        artefact=control.artefact,
        reads=control.reads,
        reading=found.place if found.place == "outside" or is_seen else "not informative",
        f1=f1,
        floor=floor,
        gap=gap.value,
        low=found.low,
        high=found.high,
        inner_high=found.inner_high,
        margin=margin,
        planted_share=power.share,
        planted_gap=power.gap,
        power=power.registered,
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


def _power(rosters: Rosters, control: RosterControl, thresholds: Thresholds, seed: int) -> Strength:
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
        return Strength(share=share, gap=gap, registered=exact_rate(0, 0))
    runs = thresholds.rosters.replicates
    hits = sum(
        _is_registered(_planted_gap(rosters, control, share, str(n), seed, fixed), thresholds)
        for n in range(runs)
    )
    return Strength(share=share, gap=gap, registered=exact_rate(hits, runs))


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
        scores = out_of_fold(roster_features(rosters), label, fold, limits)
        flagged = np.zeros(len(label), dtype=bool)
        for held in np.unique(fold):
            cut = _best_cut(scores[fold != held], label[fold != held])
            flagged[fold == held] = scores[fold == held] >= cut
        return Flags.of(rosters, flagged)

    def power(
        self, rosters: Rosters, controls: Mapping[str, RosterControl], known: list[Shortcut]
    ) -> Strength:
        """Try the trees on the plant of every shortcut that can be planted strongly enough."""
        hits, gaps, shares = 0, [], []
        for shortcut in known:
            if shortcut.planted_gap < self.thresholds.leakage.artefact:
                continue
            for n in range(ADVERSARY_PLANTS):
                rng = generator(self.seed, f"trees on {shortcut.control}", str(n))
                control = controls[shortcut.control]
                labels = control.plant(rosters, shortcut.planted_share, rng)
                planted = replace(rosters, excess=labels)
                gap = gap_of(planted, self.predict(planted))[2]
                hits += _is_registered(gap, self.thresholds)
                gaps.append(gap.value)
                shares.append(shortcut.planted_share)
        return Strength(
            share=float(np.mean(shares)) if shares else 0.0,
            gap=self.thresholds.leakage.artefact if shares else 0.0,
            registered=exact_rate(hits, max(len(gaps), 1)),
        )


def _best_cut(scores: Values, label: Values) -> float:
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(label[order])
    f1 = 2 * hits / (np.arange(1, len(order) + 1) + label.sum())
    return float(scores[order[int(np.argmax(f1))]])


def roster_features(rosters: Rosters) -> Values:
    """Return what a configuration shows besides its task, shape (m, features)."""
    if rosters.declared_position is None:
        raise ValueError("the adversary reads the upstream order: show it 'declared_position'")
    owners, sizes = rosters.owners, rosters.sizes
    overlap = [
        len(capability_tokens(name, kind) & rosters.tokens[roster])
        for roster, name, kind, _ in rosters.capabilities()
    ]
    return np.column_stack(
        [
            places(rosters),
            rosters.declared_position,
            sizes[owners],
            [len(name) for name in rosters.names],
            [len(rosters.tokens[roster]) for roster in owners.tolist()],
            overlap,
            *(_by_frequency(words) for words in (rosters.names, rosters.types, rosters.levels)),
        ]
    ).astype(float)


def _by_frequency(words: tuple[str, ...]) -> Values:
    """Return the rank of each word by how often it occurs, the rarest together."""
    found, counts = np.unique(np.array(words), return_counts=True)
    ranks = dict(zip(found[np.lexsort((found, -counts))].tolist(), range(len(found)), strict=True))
    return np.array([min(ranks[word], MANY) for word in words], dtype=float)


def plain(found: list[Shortcut]) -> list[dict[str, object]]:
    """Return shortcuts as plain mappings."""
    return [asdict(shortcut) for shortcut in found]
