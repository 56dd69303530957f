"""Ranks calls with an unusual set of arguments first."""

from collections import Counter

import numpy as np

from catchkit.admissibility.context import Context, shape_of
from catchkit.admissibility.control import PairControl, Planted
from catchkit.admissibility.plants import scored, value_run
from catchkit.admissibility.substrate import Candidate, Pair, Run
from catchkit.eval.matched import Values


def _score(context: Context, pair: Pair, run: Run) -> Values:
    events = value_run(run).events

    def unusual(candidate: Candidate) -> float:
        event = events[candidate.event]
        shapes = context.shapes.get(event.tool or "", Counter())
        return 1.0 - shapes[shape_of(event)] / max(shapes.total(), 1)

    return scored(pair, unusual)


def _plant(_: Context, pair: Pair, site: int, __: np.random.Generator) -> Planted:
    return Planted(value_run(pair.clean).with_argument(pair.eligible[site], "note", "ok"), site)


CONTROL = PairControl(
    name="schema_shape",
    summary="How unusual the argument names of the call are for its tool.",
    artefact="the edit adds or removes an argument of the call",
    levels=("values",),
    score=_score,
    plant=_plant,
)
