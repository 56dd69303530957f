"""Compares the place of a row in the table with that of its twin."""

from dataclasses import replace

import numpy as np

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl, Planted
from catchkit.admissibility.substrate import Pair, Run
from catchkit.eval.matched import Values


def _score(_: Context, pair: Pair, run: Run) -> Values:
    return np.full(len(pair.eligible), 0.0 if run.row is None else float(run.row))


def _plant(_: Context, pair: Pair, site: int, __: np.random.Generator) -> Planted:
    return Planted(replace(pair.clean, row=(pair.clean.row or 0) + 1), site)


CONTROL = PairControl(
    name="row_order",
    summary="Where in the published table the row stands.",
    artefact="injected rows stand after their clean twins",
    levels=("values", "steps"),
    outputs=("paired",),
    score=_score,
    plant=_plant,
)
