"""Harmonic mean of precision and recall."""

from catchkit.eval.metric import Metric, Values, share


def _compute(hits: Values, alarms: Values, misses: Values) -> Values:
    return share(2 * hits, 2 * hits + alarms + misses)


METRIC = Metric(name="f1", title="Harmonic mean of precision and recall.", compute=_compute)
