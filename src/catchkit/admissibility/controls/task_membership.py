"""Ranks values first that no other run of the same task holds."""

import numpy as np

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl
from catchkit.admissibility.plants import (
    ATTEMPTS,
    fresh,
    replacing,
    scored_arguments,
)
from catchkit.admissibility.substrate import Argument, Pair, Run
from catchkit.eval.matched import Values


def _score(context: Context, pair: Pair, run: Run) -> Values:
    return scored_arguments(
        pair, run, lambda argument: not context.is_in_task(pair, argument.token)
    )


def _value(context: Context, pair: Pair, argument: Argument, rng: np.random.Generator) -> str:
    """Take a value of another task; where that would be no news, one of another run of the task."""
    if context.is_in_task(pair, argument.token):
        return _foreign(context, pair, argument, rng)
    shared = context.values_of_task(pair, argument.key)
    return shared[rng.integers(len(shared))] if shared else argument.token


def _foreign(context: Context, pair: Pair, argument: Argument, rng: np.random.Generator) -> str:
    donors = context.donors.get(argument.key, ())
    drawn = (donors[at] for at in rng.permutation(len(donors))[:ATTEMPTS])
    foreign = (token for token in drawn if not context.is_in_task(pair, token))
    return next(foreign, None) or fresh(argument.token, context, rng)


CONTROL = PairControl(
    name="task_membership",
    summary="Whether no other run of the same task holds the value.",
    artefact="the planted value is not one that runs of its task share, or is alone in being one",
    levels=("values",),
    score=_score,
    plant=replacing(_value),
)
