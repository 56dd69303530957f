"""Compares the length of a run with that of its twin."""

import numpy as np

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl, Planted
from catchkit.admissibility.substrate import Pair, Run
from catchkit.eval.matched import Values


def _score(_: Context, pair: Pair, run: Run) -> Values:
    return np.full(len(pair.eligible), float(run.size))


def _plant(_: Context, pair: Pair, site: int, __: np.random.Generator) -> Planted:
    return Planted(pair.clean.longer(), site)


CONTROL = PairControl(
    name="run_size",
    summary="How many events the run has.",
    artefact="an injected run is longer than its clean twin",
    levels=("values", "steps"),
    outputs=("paired",),
    score=_score,
    plant=_plant,
)
