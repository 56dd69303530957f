"""Ranks values first whose length and characters are unusual at their key."""

import numpy as np

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl
from catchkit.admissibility.plants import fresh, replacing, scored_arguments
from catchkit.admissibility.substrate import Argument, Pair, Run
from catchkit.eval.matched import Values


def _score(context: Context, pair: Pair, run: Run) -> Values:
    def unusual(argument: Argument) -> float:
        key = context.key(argument.key)
        length = abs(len(argument.token) - key.mean_length) / key.length_sd
        return length + 1.0 - key.class_share(argument.token)

    return scored_arguments(pair, run, unusual)


def _value(context: Context, _: Pair, argument: Argument, rng: np.random.Generator) -> str:
    return fresh(argument.token, context, rng) + "~SYNTHETIC-VALUE-000000000000"


CONTROL = PairControl(
    name="format_outlier",
    summary="How unusual length and characters of the value are at its key.",
    artefact="the planted value is long and synthetic",
    levels=("values",),
    score=_score,
    plant=replacing(_value),
)
