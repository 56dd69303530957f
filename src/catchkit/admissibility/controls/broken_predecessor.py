"""Ranks steps first that do not rely on the last earlier step on their file."""

import numpy as np

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl, Planted
from catchkit.admissibility.plants import scored, step_run
from catchkit.admissibility.substrate import Candidate, Pair, Run
from catchkit.eval.matched import Values


def _score(_: Context, pair: Pair, run: Run) -> Values:
    steps = step_run(run)

    def is_broken(candidate: Candidate) -> float:
        return not steps.predecessors[candidate.event] <= steps.writers[candidate.event]

    return scored(pair, is_broken)


def _plant(_: Context, pair: Pair, site: int, __: np.random.Generator) -> Planted:
    steps, step = step_run(pair.clean), pair.eligible[site].event
    last = max(steps.predecessors[step], default=None)
    return Planted(steps if last is None else steps.without_writer(step, last), site)


CONTROL = PairControl(
    name="broken_predecessor",
    summary="Whether a step on a file does not rely on the last earlier step on it.",
    artefact="the edit breaks a rule by which every clean edge was made",
    levels=("steps",),
    score=_score,
    plant=_plant,
)
