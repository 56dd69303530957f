"""Ranks values first that nothing in the rest of the run holds or mentions."""

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl
from catchkit.admissibility.plants import UNHEARD_OF, scored_arguments, value_run
from catchkit.admissibility.substrate import Pair, Run
from catchkit.eval.matched import Values


def _score(_: Context, pair: Pair, run: Run) -> Values:
    occurrences = value_run(run).occurrences
    return scored_arguments(
        pair, run, lambda argument: occurrences[argument.token][-1] <= argument.event
    )


CONTROL = PairControl(
    name="later_mention",
    summary="Whether nothing after the call holds or mentions the value.",
    artefact="the rest of the run goes on with the value that was replaced",
    levels=("values",),
    score=_score,
    plant=UNHEARD_OF,
)
