"""Content-blind rules: what naming a position, whatever happens there, already reaches."""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np

from catchkit.eval.auc import Counts, Mask

RuleFamily = Literal["three_rules", "fixed_index", "length_map"]
FAMILIES: tuple[RuleFamily, ...] = ("three_rules", "fixed_index", "length_map")
SPLITS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What every rule of a family names in every run, and whether it is right."""

    names: tuple[str, ...]
    named: Counts
    """Step that each rule names, shape (rules, runs)."""

    hits: Mask
    """Whether that is the labelled step, same shape."""


def hits_of_rules(family: RuleFamily, sizes: Counts, mistakes: Counts) -> Rules:
    """Return the rules of a family that name the same position whatever the labels are.

    ``three_rules`` are the first, the middle and the last step; ``fixed_index`` is one index for
    all runs, the last step where a run is shorter.

    Raises:
        ValueError: The family is ``length_map``, which is fitted: see ``held_out``.

    Example:
        >>> rules = hits_of_rules("three_rules", np.array([4]), np.array([3]))
        >>> dict(zip(rules.names, rules.named[:, 0].tolist()))
        {'always_first': 0, 'always_middle': 2, 'always_last': 3}
    """
    last = sizes - 1
    if family == "three_rules":
        # Of an even number of steps the later middle one.
        named = np.stack([0 * last, (last + 1) // 2, last])
        names: tuple[str, ...] = ("always_first", "always_middle", "always_last")
    elif family == "fixed_index":
        indices = np.arange(int(last.max(initial=0)) + 1)
        named = np.minimum(indices[:, None], last)
        names = tuple(f"index_{index}" for index in indices.tolist())
    else:
        raise ValueError("a length map is fitted, not listed")
    return Rules(names=names, named=named, hits=named == mistakes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """How far a family of rules gets."""

    best: str
    """The rule that is right most often on all runs, the first of equals."""

    in_sample: float
    """How often it is."""

    held_out: float
    """Accuracy on one random half of the rule chosen on the other, averaged over the splits."""

    splits: int


def ceiling(
    family: RuleFamily,
    sizes: Counts,
    mistakes: Counts,
    rng: np.random.Generator,
    *,
    splits: int = SPLITS,
) -> Ceiling:
    """Return the in-sample and held-out accuracy of the best rule of a family.

    Args:
        family: Which rules.
        sizes: Steps of each run.
        mistakes: Labelled step of each run.
        rng: Splits the runs.
        splits: How many random halves.
    """
    halves = [rng.permutation(len(sizes)) for _ in range(splits)]
    middle = len(sizes) // 2
    if family == "length_map":
        scores = [
            _map_accuracy(sizes, mistakes, order[:middle], order[middle:]) for order in halves
        ]
        everyone = np.arange(len(sizes))
        in_sample = _map_accuracy(sizes, mistakes, everyone, everyone)
        best = "the most common labelled step of each length"
    else:
        rules = hits_of_rules(family, sizes, mistakes)
        scores = []
        for order in halves:
            chosen = rules.hits[:, order[:middle]].sum(axis=1).argmax()
            scores.append(float(rules.hits[chosen, order[middle:]].mean()))
        totals = rules.hits.mean(axis=1)
        in_sample, best = float(totals.max()), rules.names[int(totals.argmax())]
    return Ceiling(best=best, in_sample=in_sample, held_out=float(np.mean(scores)), splits=splits)


def _map_accuracy(sizes: Counts, mistakes: Counts, fit: Counts, held_out: Counts) -> float:
    """Score the most common label of each length; unseen lengths take the best fixed index."""
    by_length: dict[int, Counter[int]] = {}
    for run in fit.tolist():
        by_length.setdefault(int(sizes[run]), Counter())[int(mistakes[run])] += 1
    # Of equally common steps the first in the random order of the half.
    answer = {length: found.most_common(1)[0][0] for length, found in by_length.items()}
    rules = hits_of_rules("fixed_index", sizes, mistakes)
    fallback = rules.named[rules.hits[:, fit].sum(axis=1).argmax()]
    right = [
        answer.get(int(sizes[run]), int(fallback[run])) == mistakes[run]
        for run in held_out.tolist()
    ]
    return float(np.mean(right))
