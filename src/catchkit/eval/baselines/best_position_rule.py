"""The position rule that fits best in the other folds, whatever the steps contain."""

import numpy as np

from catchkit.eval.baseline import Baseline
from catchkit.eval.position_rules import hits_of_rules
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces


def _predict(traces: Traces) -> Scores:
    if traces.mistakes is None:
        raise ValueError("this baseline reads the labels of other runs: show it 'mistake_step'")
    rules = hits_of_rules("fixed_index", traces.sizes, traces.mistakes)
    named = np.zeros(len(traces.ids), dtype=np.int64)
    for fold in np.unique(traces.folds):
        held_out = traces.folds == fold
        best = int(rules.hits[:, ~held_out].sum(axis=1).argmax())
        named[held_out] = rules.named[best, held_out]
    scores = np.zeros(int(traces.starts[-1]))
    scores[traces.starts[:-1] + named] = 1.0
    return Scores.of(traces, scores)


BASELINE = Baseline(
    name="best_position_rule",
    summary="The fixed step index that is most often right in the other folds.",
    predict=_predict,
    serves=("steps",),
    reads=("mistake_step",),
)
