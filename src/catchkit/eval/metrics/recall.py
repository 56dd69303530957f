"""Share of the excess capabilities that are flagged."""

from catchkit.eval.metric import Metric, Values, share


def _compute(hits: Values, _: Values, misses: Values) -> Values:
    return share(hits, hits + misses)


METRIC = Metric(
    name="recall", title="Share of the excess capabilities that are flagged.", compute=_compute
)
