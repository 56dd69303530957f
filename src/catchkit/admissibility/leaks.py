"""An injector at work: a fault at a place, and a leak of known strength beside it or none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl
from catchkit.admissibility.substrate import Candidate, Pair, Run
from catchkit.seeds import generator

Inject: TypeAlias = Callable[[Candidate], Run]
"""Puts the fault into the clean run, at a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A trace that the injector leaves in some of its pairs."""

    control: PairControl
    """Whose artefact it is."""

    share: float
    """Share of the pairs that carry it."""


def injected(
    pair: Pair, inject: Inject, context: Context, rng: np.random.Generator, leak: Leak | None
) -> Pair:
    """Return a clean pair with the fault in it, at its site or where the leak prefers it."""
    leaks = leak is not None and rng.random() < leak.share
    site = pair.site
    if leak is not None and leaks:
        site = leak.control.plant(context, pair, site, rng).site
    place = pair.eligible[site]
    run = inject(place)
    if leak is not None and leaks:
        there = replace(pair, clean=run, eligible=(place,), site=0)
        run = leak.control.plant(context, there, 0, rng).run
    return replace(pair, injected=run, site=site)


def in_rows(pairs: Sequence[Pair], seed: int, leak: Leak | None) -> tuple[Pair, ...]:
    """Return the pairs in the rows of a table, in random order or in one that leaks."""
    rows = generator(seed, "rows", "").permutation(2 * len(pairs)).tolist()
    made = [_placed(pair, rows[2 * at], rows[2 * at + 1]) for at, pair in enumerate(pairs)]
    if leak is None or leak.control.name != "row_order":
        return tuple(made)
    rng = generator(seed, "simulated row leak", "")
    return tuple(
        _placed(pair, *sorted((pair.clean.row or 0, pair.injected.row or 0)))
        if rng.random() < leak.share
        else pair
        for pair in made
    )


def _placed(pair: Pair, clean: int, injected: int) -> Pair:
    return replace(
        pair,
        clean=replace(pair.clean, row=clean),
        injected=replace(pair.injected, row=injected),
    )
