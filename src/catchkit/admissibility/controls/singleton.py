"""Ranks values first that the arguments of a run hold only once."""

import numpy as np

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl, Planted
from catchkit.admissibility.plants import UNHEARD_OF, scored_arguments, value_run
from catchkit.admissibility.substrate import Pair, Run
from catchkit.eval.matched import Values


def _score(_: Context, pair: Pair, run: Run) -> Values:
    counts = value_run(run).argument_counts
    return scored_arguments(pair, run, lambda argument: counts[argument.token] == 1)


def _plant(context: Context, pair: Pair, site: int, rng: np.random.Generator) -> Planted:
    repeated = np.flatnonzero(_score(context, pair, pair.clean) == 0)
    place = int(rng.choice(repeated)) if len(repeated) else site
    return UNHEARD_OF(context, pair, place, rng)


CONTROL = PairControl(
    name="singleton",
    summary="Whether the run's arguments hold the value only once.",
    artefact="a value that the run repeats is replaced in one place",
    levels=("values",),
    score=_score,
    plant=_plant,
)
