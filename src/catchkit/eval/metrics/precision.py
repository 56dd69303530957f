"""Share of the flagged capabilities that are excess."""

from catchkit.eval.metric import Metric, Values, share


def _compute(hits: Values, alarms: Values, _: Values) -> Values:
    return share(hits, hits + alarms)


METRIC = Metric(
    name="precision", title="Share of the flagged capabilities that are excess.", compute=_compute
)
