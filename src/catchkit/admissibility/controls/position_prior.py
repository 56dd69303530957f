"""Ranks late places first: an injector must not prefer the end of a run."""

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl
from catchkit.admissibility.plants import preferring, scored
from catchkit.admissibility.substrate import Pair, Run
from catchkit.eval.matched import Values


def _score(_: Context, pair: Pair, run: Run) -> Values:
    return scored(pair, lambda candidate: candidate.event / max(run.size - 1, 1))


CONTROL = PairControl(
    name="position_prior",
    summary="Where in the run a place is, late first.",
    artefact="the injector prefers the last eligible place",
    levels=("values", "steps"),
    outputs=("top1",),
    score=_score,
    plant=preferring(_score),
)
