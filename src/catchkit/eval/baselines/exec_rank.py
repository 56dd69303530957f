"""Who acts when, learnt from other runs: the original's supervised ranker."""

import numpy as np

from catchkit.eval.auc import Counts, Values
from catchkit.eval.baseline import Baseline
from catchkit.eval.fitting import PUBLISHED_FOLDS, PUBLISHED_SEEDS, logistic
from catchkit.eval.scores import Scores
from catchkit.eval.step_columns import execution_columns
from catchkit.eval.traces import Traces


def _predict(traces: Traces) -> Scores:
    columns = execution_columns(traces)
    return Scores.of(traces, [_out_of_fold(traces, columns, folds) for folds in _folds(traces)])


def _folds(traces: Traces) -> list[Counts]:
    if traces.recipe == "default":
        return [traces.folds]
    found = []
    for seed in PUBLISHED_SEEDS:
        order = traces.published_order.copy()
        np.random.RandomState(seed).shuffle(order)
        folds = np.zeros(len(order), dtype=np.int64)
        folds[order] = np.arange(len(order)) % PUBLISHED_FOLDS
        found.append(folds)
    return found


def _out_of_fold(traces: Traces, columns: Values, folds: Counts) -> Values:
    if traces.mistakes is None:
        raise ValueError("this baseline reads the labels of other runs: show it 'mistake_step'")
    at_fault = np.zeros(len(columns), dtype=bool)
    at_fault[traces.starts[:-1] + traces.mistakes] = True
    fold_of_step = folds[traces.run_of_step]
    scores = np.zeros(len(columns))
    for fold in np.unique(folds):
        held_out = fold_of_step == fold
        fit = logistic().fit(columns[~held_out], at_fault[~held_out])
        scores[held_out] = fit.predict_proba(columns[held_out])[:, 1]
    return scores


BASELINE = Baseline(
    name="exec_rank",
    summary="Logistic regression on the step's position and its actor's role in the run.",
    predict=_predict,
    serves=("steps",),
    reads=("mistake_step",),
    published_name="exec-rank (sup.)",
)
