"""What several tests together allow to say."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted after Holm, in the order given.

    Below 0.05 they reject with at most a 5 % chance that any rejection is wrong.

    Example:
        >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
        [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(p_values)
    worst = 0.0
    for rank, at in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[at]))
        adjusted[at] = worst
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted after Benjamini and Hochberg, in the order given.

    Below 0.05 they reject so that about 5 % of the rejections are wrong.

    Example:
        >>> [round(p, 3) for p in benjamini_hochberg([0.01, 0.04, 0.03])]
        [0.03, 0.04, 0.04]
    """
    total = len(p_values)
    adjusted = [0.0] * total
    best = 1.0
    order = sorted(range(total), key=p_values.__getitem__)
    for rank in range(total, 0, -1):
        at = order[rank - 1]
        best = min(best, p_values[at] * total / rank)
        adjusted[at] = best
    return adjusted
