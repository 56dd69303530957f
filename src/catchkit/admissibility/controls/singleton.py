"""Ranks values first that the arguments of a run hold only once."""

import numpy as np

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl, Planted
from catchkit.admissibility.plants import UNHEARD_OF, scored_arguments, value_run
from catchkit.admissibility.substrate import Pair, Run
from catchkit.eval.matched import Values

MOST = 0.4
"""Share of values that stand alone above which one more is no news."""


def _score(_: Context, pair: Pair, run: Run) -> Values:
    counts = value_run(run).argument_counts
    return scored_arguments(pair, run, lambda argument: counts[argument.token] == 1)


def _plant(context: Context, pair: Pair, site: int, rng: np.random.Generator) -> Planted:
    """Make a repeated value stand alone; where most do, make one stand twice."""
    run = value_run(pair.clean)
    if context.singles > MOST:
        others = sorted(set(run.argument_counts) - {run.arguments[pair.eligible[site]].token})
        token = others[rng.integers(len(others))] if others else ""
        return Planted(run.with_token(pair.eligible[site], token) if others else run, site)
    repeated = np.flatnonzero(_score(context, pair, run) == 0)
    place = int(rng.choice(repeated)) if len(repeated) else site
    return UNHEARD_OF(context, pair, place, rng)


CONTROL = PairControl(
    name="singleton",
    summary="Whether the run's arguments hold the value only once.",
    artefact="planted values stand alone among the arguments more often, or less, than real ones",
    levels=("values",),
    score=_score,
    plant=_plant,
)
