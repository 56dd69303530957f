"""Leave-one-out priors: what the way the data was made gives away without any task text."""

from collections.abc import Iterable

import numpy as np

from catchkit.eval.flags import Flags
from catchkit.eval.rosters import Rosters


def majority_of_the_others(rosters: Rosters, keys: Iterable[object]) -> Flags:
    """Flag a capability when most capabilities of its key are excess in the *other* rosters.

    Only rosters of the same source count, and never the roster itself. A tie, or a key that no
    other roster of the source holds, counts as needed and is marked undecided.

    Args:
        rosters: With the label shown.
        keys: What is looked up, one per capability (length m).

    Raises:
        ValueError: The label is hidden.
    """
    if rosters.excess is None:
        raise ValueError("a prior reads the label of the other rosters: show it 'excess'")
    sources = [rosters.sources[owner] for owner in rosters.owners]
    code = _codes(zip(sources, keys, strict=True))
    own = _codes(zip(rosters.owners.tolist(), code.tolist(), strict=True))
    excess = rosters.excess.astype(np.int64)
    excess_of_others = np.bincount(code, excess)[code] - np.bincount(own, excess)[own]
    all_of_others = np.bincount(code)[code] - np.bincount(own)[own]
    return Flags.of(
        rosters,
        flagged=2 * excess_of_others > all_of_others,
        undecided=2 * excess_of_others == all_of_others,
    )


def _codes(values: Iterable[object]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int64)
