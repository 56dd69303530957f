"""Names the values that nothing earlier in the run holds or mentions."""

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import Oracle
from catchkit.admissibility.plants import scored_arguments, value_run
from catchkit.admissibility.substrate import Pair, Run
from catchkit.eval.matched import Values


def _score(_: Context, pair: Pair, run: Run) -> Values:
    occurrences = value_run(run).occurrences
    return scored_arguments(
        pair, run, lambda argument: occurrences[argument.token][0] >= argument.event
    )


ORACLE = Oracle(
    name="provenance",
    summary="Whether nothing before the call holds or mentions the value.",
    levels=("values",),
    score=_score,
)
