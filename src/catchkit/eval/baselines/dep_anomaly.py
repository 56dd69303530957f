"""How unusual the dependencies of a step are within its run."""

import numpy as np

from catchkit.builders.features import step_features
from catchkit.eval.auc import Values
from catchkit.eval.baseline import Baseline
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces

LEAST = 1e-9
"""Standard deviation below which nothing in a run is unusual."""


def _predict(traces: Traces) -> Scores:
    total = int(traces.starts[-1])
    counts = np.bincount(traces.runs.reader, minlength=total).astype(np.float64)
    spans = step_features(traces.runs)["span"].astype(np.float64)
    return Scores.of(traces, np.maximum(*(_unusual(traces, one) for one in (counts, spans))))


def _unusual(traces: Traces, values: Values) -> Values:
    """Return the absolute z-score of every step within its run."""
    run, sizes = traces.run_of_step, np.maximum(traces.sizes, 1)
    mean = (np.bincount(run, values, minlength=len(sizes)) / sizes)[run]
    off = values - mean
    spread = np.sqrt(np.bincount(run, off**2, minlength=len(sizes)) / sizes)[run]
    return np.divide(np.abs(off), spread, out=np.zeros_like(off), where=spread > LEAST)


BASELINE = Baseline(
    name="dep_anomaly",
    summary="The larger z-score of the step's dependency count and span within its run.",
    predict=_predict,
    serves=("steps",),
    published_name="auditable (dep-anomaly)",
)
