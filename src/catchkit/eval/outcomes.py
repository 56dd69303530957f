"""What each run contributes to a rank metric, one value per seed."""

import numpy as np

from catchkit.eval.auc import Mask, Values
from catchkit.eval.metric import metrics
from catchkit.eval.ranks import ranks
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces


def outcomes(scores: Scores, traces: Traces, metric: str, *, pool: Mask | None = None) -> Values:
    """Return the rank metric of every run under every seed, shape (seeds, runs).

    By default ties are shared. Under ``published`` they go to the earlier step, and a method that
    names one step only is right or wrong, whatever the metric.

    Args:
        scores: Of all steps.
        traces: With the labelled steps shown.
        metric: A metric of ranks.
        pool: Which steps are candidates.

    Raises:
        ValueError: The labels are hidden.
    """
    if traces.mistakes is None:
        raise ValueError("scoring reads the label: show it 'mistake_step'")
    published = traces.recipe == "published"
    name = "top1" if published and scores.names_one else metric
    compute = metrics("ranks")[name].compute
    rows = []
    for values in scores.values:
        found = ranks(values, traces.starts, traces.mistakes, pool=pool, ties_to_earlier=published)
        rows.append(compute(found.above, found.tied))
    reached = np.stack(rows)
    if published and scores.names_one:
        reached[:, scores.abstained] = 0.0
    return reached
