"""Ranks values first whose kinds of characters are rare at their key."""

import numpy as np

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl
from catchkit.admissibility.plants import replacing, scored_arguments
from catchkit.admissibility.substrate import Argument, Pair, Run
from catchkit.eval.matched import Values

_ENDINGS = ("", "0", "x", "-", "0x", "-0", "-x", "-0x")


def _score(context: Context, pair: Pair, run: Run) -> Values:
    return scored_arguments(
        pair, run, lambda argument: 1.0 - context.key(argument.key).class_share(argument.token)
    )


def _value(context: Context, _: Pair, argument: Argument, __: np.random.Generator) -> str:
    key = context.key(argument.key)
    letters = "".join(char for char in argument.token if char.isalpha()) or "x"
    variants = (stem + ending for stem in (argument.token, letters) for ending in _ENDINGS)
    return min(variants, key=lambda token: (key.class_share(token), token))


CONTROL = PairControl(
    name="character_class",
    summary="How rare the value's mix of digits, letters and signs is at its key.",
    artefact="the planted value has other kinds of characters than its key",
    levels=("values",),
    score=_score,
    plant=replacing(_value),
)
