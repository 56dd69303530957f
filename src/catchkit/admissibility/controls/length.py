"""Ranks values first whose length is unusual at their key."""

import numpy as np

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl
from catchkit.admissibility.plants import fresh, replacing, scored_arguments
from catchkit.admissibility.substrate import Argument, Pair, Run
from catchkit.eval.matched import Values


def _score(context: Context, pair: Pair, run: Run) -> Values:
    return scored_arguments(
        pair,
        run,
        lambda argument: abs(len(argument.token) - context.key(argument.key).mean_length),
    )


def _value(context: Context, _: Pair, argument: Argument, rng: np.random.Generator) -> str:
    return fresh(argument.token + argument.token[-1:] * 12, context, rng)


CONTROL = PairControl(
    name="length",
    summary="How far the value's length is from the mean at its key.",
    artefact="the planted value is longer than the one it replaces",
    levels=("values",),
    score=_score,
    plant=replacing(_value),
)
