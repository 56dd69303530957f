"""Ranks rare argument keys first: an injector must not prefer them."""

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl
from catchkit.admissibility.plants import preferring, scored_arguments
from catchkit.admissibility.substrate import Pair, Run
from catchkit.eval.matched import Values


def _score(context: Context, pair: Pair, run: Run) -> Values:
    return scored_arguments(pair, run, lambda argument: -context.key(argument.key).count)


CONTROL = PairControl(
    name="field_prior",
    summary="How rare the argument key is in the corpus.",
    artefact="the injector prefers the rarest argument key",
    levels=("values",),
    outputs=("top1",),
    score=_score,
    plant=preferring(_score),
)
