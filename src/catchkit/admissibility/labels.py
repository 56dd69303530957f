"""Makes labels that follow a shortcut, for planting it in declared configurations."""

from collections.abc import Callable, Iterable

import numpy as np

from catchkit.eval.board import label_of
from catchkit.eval.rosters import Flagged, Rosters

Rule = Callable[[Rosters, np.random.Generator], Flagged]
Plant = Callable[[Rosters, float, np.random.Generator], Flagged]


def following(rule: Rule) -> Plant:
    """Return the plant that lets a share of the configurations be labelled by a rule.

    In the others the labels are dealt out anew within the roster, so that as many are excess as
    before and nothing tells which.
    """

    def plant(rosters: Rosters, share: float, rng: np.random.Generator) -> Flagged:
        follows = rng.random(len(rosters.ids)) < share
        return np.where(follows[rosters.owners], rule(rosters, rng), dealt_anew(rosters, rng))

    return plant


def half_of(keys: Callable[[Rosters], Iterable[object]]) -> Rule:
    """Return the rule by which half of the keys, drawn at random, are always excess."""

    def rule(rosters: Rosters, rng: np.random.Generator) -> Flagged:
        codes: dict[object, int] = {}
        numbers = [codes.setdefault(key, len(codes)) for key in keys(rosters)]
        is_excess = rng.permutation(len(codes)) < (len(codes) + 1) // 2
        flagged: Flagged = is_excess[numbers]
        return flagged

    return rule


def dealt_anew(rosters: Rosters, rng: np.random.Generator) -> Flagged:
    """Return the labels shuffled within each roster."""
    order = np.lexsort((rng.random(len(rosters.owners)), rosters.owners))
    dealt: Flagged = label_of(rosters)[order]
    return dealt


def places(rosters: Rosters) -> np.ndarray:
    """Return where each capability stands in its roster as it is shown, 0-based."""
    found: np.ndarray = np.arange(len(rosters.owners)) - rosters.offsets[rosters.owners]
    return found
