"""What an unresolved difference still says: how large it could be, and what could be seen."""

from dataclasses import dataclass
from statistics import NormalDist

NORMAL = NormalDist()
ALPHA = 0.05
POWER = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalence:
    """Two one-sided tests: is the difference inside plus or minus a margin?"""

    margin: float
    p: float
    """The larger of the two one-sided p-values."""

    is_equivalent: bool
    """Whether both tests reject at 5 %, so that the 90 % interval lies inside the margin."""


def two_one_sided(value: float, se: float, *, margin: float, alpha: float = ALPHA) -> Equivalence:
    """Test whether a difference is smaller than a margin in either direction.

    Args:
        value: The difference.
        se: Its standard error; 0 where nothing varies.
        margin: What is too small to matter; positive.
        alpha: Level of both tests.

    Raises:
        ValueError: The margin is not positive.

    Example:
        >>> two_one_sided(0.0, 0.01, margin=0.05).is_equivalent
        True
        >>> two_one_sided(0.0, 0.10, margin=0.05).is_equivalent
        False
    """
    if not margin > 0:
        raise ValueError(f"the margin must be positive, got {margin}")
    room = margin - abs(value)
    p = 1 - NORMAL.cdf(room / se) if se > 0 else float(room <= 0)
    return Equivalence(margin=margin, p=p, is_equivalent=p < alpha)


def smallest_detectable(se: float, *, alpha: float = ALPHA, power: float = POWER) -> float:
    """Return the smallest true difference that a two-sided test finds with the given power.

    Args:
        se: Standard error of the difference.
        alpha: Level of the test.
        power: Chance of finding it.

    Example:
        >>> round(smallest_detectable(0.02), 3)
        0.056
    """
    return (NORMAL.inv_cdf(1 - alpha / 2) + NORMAL.inv_cdf(power)) * se
