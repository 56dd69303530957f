"""How far back a step reaches, against the steps before it: what a monitor can know."""

import numpy as np

from catchkit.builders.features import step_features
from catchkit.eval.auc import Values
from catchkit.eval.baseline import Baseline
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces

LEAST = 1e-9
BEFORE = 2
"""Earlier steps needed before anything can be unusual."""


def _predict(traces: Traces) -> Scores:
    z = causal_z(traces, step_features(traces.runs)["span"].astype(np.float64))
    if traces.question == "steps":
        return Scores.of(traces, z)
    highest = np.zeros(len(traces.ids))
    np.maximum.at(highest, traces.run_of_step, z)
    return Scores.of(traces, highest)


def causal_z(traces: Traces, values: Values) -> Values:
    """Return the z-score of every step against the earlier steps of its run."""
    at = traces.positions
    before = np.maximum(at, 1)
    first = traces.starts[traces.run_of_step]
    # About each run's own mean, so that the squares of long runs do not cancel.
    run, sizes = traces.run_of_step, np.maximum(traces.sizes, 1)
    off = values - (np.bincount(run, values, minlength=len(sizes)) / sizes)[run]
    sums, squares = (np.concatenate([[0.0], np.cumsum(off**power)]) for power in (1, 2))
    here = np.arange(len(values))
    mean = (sums[here] - sums[first]) / before
    variance = np.maximum((squares[here] - squares[first]) / before - mean**2, 0.0)
    spread = np.sqrt(variance)
    known = (at >= BEFORE) & (spread > LEAST)
    z: Values = np.divide(off - mean, spread, out=np.zeros_like(off), where=known)
    return z


BASELINE = Baseline(
    name="span_z",
    summary="The z-score of the step's span against earlier steps; of a run the highest.",
    predict=_predict,
    serves=("steps", "runs", "prefixes"),
    published_name="auditable (span z-score)",
)
