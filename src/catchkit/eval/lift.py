"""How much of an accuracy is left once the best position rule is taken off."""

from dataclasses import dataclass

import numpy as np

from catchkit.eval.auc import Counts, Mask, Values
from catchkit.eval.intervals import (
    DRAWS,
    Interval,
    claim_generator,
    drawn_weights,
    percentile_interval,
)
from catchkit.eval.position_rules import RuleFamily, hits_of_rules
from catchkit.eval.significance import sign_flip

LISTED: tuple[RuleFamily, ...] = ("three_rules", "fixed_index")
LEAST_ROOM = 0.10
"""What the floored score divides by at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift:
    """An accuracy beside the best position rule of a family."""

    rule: str
    """The rule that is right most often, the first of equals."""

    rule_accuracy: float
    lift: Interval
    """Accuracy minus that of the best rule, the rule chosen anew in every draw of groups."""

    pss: float | None
    """Lift / (1 - accuracy of the rule), ``None`` where the rule is always right."""

    pss_floored: float
    """Lift / max(1 - accuracy of the rule, 0.1)."""

    p: float | None
    """Of a permutation test against the same rule; ``None`` without predictions per run."""


def lifts(
    hits: Values, sizes: Counts, mistakes: Counts, groups: Counts, label: str
) -> dict[str, Lift]:
    """Return the lift of a method over each family of listed rules.

    Args:
        hits: How often the method is right on each run: 0, 1 or a share where steps are tied.
        sizes: Steps of each run.
        mistakes: Labelled step of each run.
        groups: Number of each run's group; whole groups are drawn again.
        label: Names the claim; the draws follow from it.
    """
    _, numbers = np.unique(groups, return_inverse=True)
    found: dict[str, Lift] = {}
    for family in LISTED:
        rules = hits_of_rules(family, sizes, mistakes)
        best = int(rules.hits.mean(axis=1).argmax())
        draws = _drawn_lifts(hits, rules.hits, numbers, claim_generator(f"{label}: {family}"))
        rng = claim_generator(f"{label}: {family}: signs")
        test = sign_flip(hits - rules.hits[best], rng, groups=numbers)
        found[family] = _lift(
            float(hits.mean()), rules.names[best], float(rules.hits[best].mean()), draws, test.p
        )
    return found


def lift_of_rate(
    rate: float,
    sizes: Counts,
    mistakes: Counts,
    rng: np.random.Generator,
    *,
    family: RuleFamily = "three_rules",
) -> Lift:
    """Return the lift of a published accuracy without predictions per run.

    The method is modelled as a binomial draw at its rate, while the runs are drawn again for the
    rule.

    Args:
        rate: The published accuracy.
        sizes: Steps of each run.
        mistakes: Labelled step of each run.
        rng: Where the draws come from.
        family: Which rules.

    Example:
        >>> lift = lift_of_rate(0.5, np.array([4] * 8), np.arange(8) % 4, np.random.default_rng(0))
        >>> lift.rule, lift.lift.value
        ('always_first', 0.25)
    """
    rules = hits_of_rules(family, sizes, mistakes)
    best = int(rules.hits.mean(axis=1).argmax())
    count = len(sizes)
    own = rng.binomial(count, rate, size=DRAWS) / count
    weights = np.concatenate(list(drawn_weights([np.arange(count)], rng)))
    reference = (weights @ rules.hits.T.astype(np.float64)).max(axis=1) / count
    return _lift(rate, rules.names[best], float(rules.hits[best].mean()), own - reference, p=None)


def _drawn_lifts(hits: Values, rules: Mask, groups: Counts, rng: np.random.Generator) -> Values:
    number = int(groups.max()) + 1
    own = np.bincount(groups, hits, minlength=number)
    sizes = np.bincount(groups, minlength=number)
    by_rule = np.stack([np.bincount(groups, rule, minlength=number) for rule in rules], axis=1)
    draws = []
    for weights in drawn_weights([np.arange(number)], rng):
        runs = weights @ sizes
        draws.append((weights @ own - (weights @ by_rule).max(axis=1)) / runs)
    return np.concatenate(draws)


def _lift(accuracy: float, rule: str, reached: float, draws: Values, p: float | None) -> Lift:
    lift, room = accuracy - reached, 1 - reached
    return Lift(
        rule=rule,
        rule_accuracy=reached,
        lift=percentile_interval(lift, draws),
        pss=lift / room if room else None,
        pss_floored=lift / max(room, LEAST_ROOM),
        p=p,
    )
