"""The learned adversary of declared configurations."""

from dataclasses import dataclass, replace

import numpy as np

from catchkit.admissibility.adversary import Found, folds_of, learned
from catchkit.admissibility.control import RosterControl
from catchkit.admissibility.labels import places
from catchkit.admissibility.power import Strength
from catchkit.admissibility.roster_gaps import gap_of, is_registered
from catchkit.admissibility.thresholds import Thresholds
from catchkit.deidentify.rules import capability_tokens
from catchkit.eval.agreement import exact_rate
from catchkit.eval.board import label_of
from catchkit.eval.flags import Flags
from catchkit.eval.matched import Counts, Values
from catchkit.eval.rosters import Rosters
from catchkit.seeds import generator


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
        hits = sum(is_registered(gap, self.thresholds) for gap in gaps)
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
