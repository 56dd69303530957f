"""Ranks values first that are far from every other value of the same key in the run."""

import numpy as np

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl
from catchkit.admissibility.plants import fresh, replacing, scored_arguments, value_run
from catchkit.admissibility.substrate import Argument, Pair, Run
from catchkit.eval.matched import Values
from catchkit.injection.distance import nearest


def _score(_: Context, pair: Pair, run: Run) -> Values:
    by_key = value_run(run).by_key

    def distance(argument: Argument) -> float:
        return nearest(argument.token, {other.token for other in by_key[argument.key]})

    return scored_arguments(pair, run, distance)


def _value(context: Context, _: Pair, argument: Argument, rng: np.random.Generator) -> str:
    return fresh(argument.token + "9" * len(argument.token), context, rng)


CONTROL = PairControl(
    name="edit_distance",
    summary="Distance to the nearest other value of the same key in the run.",
    artefact="the planted value is unlike its siblings in the run",
    levels=("values",),
    score=_score,
    plant=replacing(_value),
)
