"""Ranks calls of rare tools first: an injector must not prefer them."""

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl
from catchkit.admissibility.plants import preferring, scored
from catchkit.admissibility.substrate import Pair, Run
from catchkit.eval.matched import Values


def _score(context: Context, pair: Pair, run: Run) -> Values:
    return scored(pair, lambda candidate: -context.tools.get(run.tool_at(candidate), 0))


CONTROL = PairControl(
    name="tool_prior",
    summary="How rare the called tool is in the corpus.",
    artefact="the injector prefers the rarest tool",
    levels=("values", "steps"),
    outputs=("top1",),
    score=_score,
    plant=preferring(_score),
)
