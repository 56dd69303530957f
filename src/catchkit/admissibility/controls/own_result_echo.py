"""Ranks places first whose call has a result without the value it was called with."""

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl
from catchkit.admissibility.plants import UNHEARD_OF, scored_arguments, value_run
from catchkit.admissibility.substrate import Argument, Pair, Run
from catchkit.eval.matched import Values


def _score(_: Context, pair: Pair, run: Run) -> Values:
    values = value_run(run)

    def is_not_echoed(argument: Argument) -> bool:
        result = values.result_of.get(argument.event)
        return result is None or not values.holds(result, argument.token)

    return scored_arguments(pair, run, is_not_echoed)


CONTROL = PairControl(
    name="own_result_echo",
    summary="Whether the call's own result does not hold the value.",
    artefact="the result still answers the value that was replaced",
    levels=("values",),
    score=_score,
    plant=UNHEARD_OF,
)
