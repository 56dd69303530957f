"""Ranks values first that few other runs hold."""

import numpy as np

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl
from catchkit.admissibility.plants import ATTEMPTS, fresh, replacing, scored_arguments
from catchkit.admissibility.substrate import Argument, Pair, Run
from catchkit.eval.matched import Values


def _score(context: Context, pair: Pair, run: Run) -> Values:
    return scored_arguments(pair, run, lambda argument: -context.other_runs(pair, argument.token))


def _value(context: Context, pair: Pair, argument: Argument, rng: np.random.Generator) -> str:
    """Take a value of no run; where real ones are as rare, one that another run holds."""
    if context.other_runs(pair, argument.token):
        return fresh(argument.token, context, rng)
    donors = context.donors.get(argument.key, ())
    drawn = (donors[at] for at in rng.permutation(len(donors))[:ATTEMPTS])
    held = (token for token in drawn if context.other_runs(pair, token))
    return next(held, argument.token)


CONTROL = PairControl(
    name="donor_rarity",
    summary="How few other runs of the corpus hold the value.",
    artefact="the planted value is held by fewer runs, or by more, than real ones are",
    levels=("values",),
    score=_score,
    plant=replacing(_value),
)
