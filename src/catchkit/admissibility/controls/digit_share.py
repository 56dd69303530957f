"""Ranks values with many digits first."""

import numpy as np

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl
from catchkit.admissibility.plants import replacing, scored_arguments
from catchkit.admissibility.substrate import Argument, Pair, Run
from catchkit.eval.matched import Values


def _score(_: Context, pair: Pair, run: Run) -> Values:
    return scored_arguments(
        pair,
        run,
        lambda argument: sum(map(str.isdigit, argument.token)) / len(argument.token or "x"),
    )


def _value(_: Context, __: Pair, argument: Argument, rng: np.random.Generator) -> str:
    return "".join(map(str, rng.integers(10, size=max(len(argument.token), 4))))


CONTROL = PairControl(
    name="digit_share",
    summary="Which share of the value's characters are digits.",
    artefact="the planted value is made of digits only",
    levels=("values",),
    score=_score,
    plant=replacing(_value),
)
