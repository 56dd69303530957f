"""Names the place where a run differs from its clean twin, which only an oracle can see."""

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import Oracle
from catchkit.admissibility.plants import scored
from catchkit.admissibility.substrate import Candidate, Pair, Run
from catchkit.eval.matched import Values


def _score(_: Context, pair: Pair, run: Run) -> Values:
    def differs(candidate: Candidate) -> bool:
        return run.at(candidate) != pair.clean.at(candidate)

    return scored(pair, differs)


ORACLE = Oracle(
    name="twin_difference",
    summary="Whether the place differs from the same place in the clean twin.",
    levels=("values", "steps"),
    score=_score,
    reads_twin=True,
)
