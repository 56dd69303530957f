"""What a control is: a score that must not find the fault, and the artefact it would find."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

import numpy as np

from catchkit import catalog
from catchkit.admissibility.context import Context
from catchkit.admissibility.substrate import Level, Pair, Run
from catchkit.eval.flags import Flags
from catchkit.eval.matched import Values
from catchkit.eval.rosters import Flagged, Rosters

Output: TypeAlias = Literal["top1", "paired"]
"""``top1``: the fault ranked within its matched pool. ``paired``: a run against its clean twin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """What every control declares."""

    name: str
    summary: str
    artefact: str
    """The trace of an injector that it must catch, in words."""


@dataclass(frozen=True, slots=True)
class Planted:
    """A clean run with an artefact planted in it, and the place it points to."""

    run: Run
    site: int


Score: TypeAlias = Callable[[Context, Pair, Run], Values]
Plant: TypeAlias = Callable[[Context, Pair, int, np.random.Generator], Planted]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairControl(Control):
    """A score of candidate places that knows how a substrate was made, not what a fault is."""

    levels: tuple[Level, ...]
    outputs: tuple[Output, ...] = ("top1", "paired")
    """What is read of it. A score that an edit cannot change has no paired reading, and one that
    is the same for a whole run has no ranking."""

    score: Score
    """One value per eligible place of a pair, in one version of its run; higher is suspicious."""

    plant: Plant
    """Plants the artefact in the clean run, at a place drawn for it or at one that it prefers."""


def _plants_nothing(_: Context, pair: Pair, __: int, ___: np.random.Generator) -> Planted:
    raise TypeError(f"{pair.pair_id}: an oracle has no artefact to plant; plant a control's")


@dataclass(frozen=True, slots=True, kw_only=True)
class Oracle(PairControl):
    """A score that knows the fault, and shows that the panel registers one when it is there.

    Its power is not asked for, so it plants nothing.
    """

    artefact: str = "the fault itself"
    plant: Plant = _plants_nothing
    reads_twin: bool = False
    """Whether it looks at the clean twin. Such a one can miss nothing, so that it shows little."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterControl(Control):
    """A prediction for declared configurations that reads how they were collected."""

    reads: tuple[str, ...] = ()
    """The hidden columns it is shown; of the label only that of other configurations counts."""

    predict: Callable[[Rosters], Flags]
    plant: Callable[[Rosters, float, np.random.Generator], Flagged]
    """Return labels in which a share of the configurations follows the artefact."""


@cache
def controls() -> Mapping[str, Control]:
    """Return every control by name.

    Example:
        >>> isinstance(controls()["name_prior"], RosterControl)
        True
    """
    return catalog.declarations("admissibility.controls", "CONTROL", Control)


def pair_controls(level: Level) -> dict[str, PairControl]:
    """Return the controls of Gold pairs that can read a level."""
    return {
        name: control
        for name, control in controls().items()
        if isinstance(control, PairControl) and level in control.levels
    }


def roster_controls() -> dict[str, RosterControl]:
    """Return the controls of declared configurations."""
    return {
        name: control for name, control in controls().items() if isinstance(control, RosterControl)
    }


def oracles(level: Level) -> dict[str, Oracle]:
    """Return the oracles that can read a level."""
    found = catalog.declarations("admissibility.oracles", "ORACLE", Oracle)
    return {name: oracle for name, oracle in found.items() if level in oracle.levels}
