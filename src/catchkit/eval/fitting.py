"""Scores of runs that a model gives without having seen their group."""

from collections.abc import Callable
from typing import Any

import numpy as np

from catchkit.errors import UsageError
from catchkit.eval.auc import Counts, Mask, Values
from catchkit.eval.traces import Traces

PUBLISHED_SEEDS = range(5)
PUBLISHED_FOLDS = 5


def logistic() -> Any:  # noqa: ANN401 - a model of a library without types
    """Return a balanced logistic regression on standardised columns."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = LogisticRegression(solver="liblinear", class_weight="balanced", max_iter=1000)
    return make_pipeline(StandardScaler(), model)


def spline() -> Any:  # noqa: ANN401
    """Return the same on cubic splines of the columns, constant beyond the outer knots."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import SplineTransformer, StandardScaler

    bends = SplineTransformer(
        degree=3, n_knots=5, knots="quantile", extrapolation="constant", include_bias=False
    )
    model = LogisticRegression(solver="liblinear", class_weight="balanced", max_iter=1000)
    return make_pipeline(bends, StandardScaler(), model)


def boosted() -> Any:  # noqa: ANN401
    """Return boosted trees, which bend to any shape of the columns and their interactions."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=200,
        learning_rate=0.05,
        max_leaf_nodes=15,
        min_samples_leaf=20,
        l2_regularization=1.0,
        early_stopping=False,
        class_weight="balanced",
        random_state=0,
    )


def fitted(traces: Traces, columns: Values, model: Callable[[], Any] = logistic) -> Values:
    """Return out-of-fold scores of every row for the chance that its run failed.

    By default the predefined folds are used, which split no group, once. Under ``published`` five
    seeds each shuffle five folds stratified by outcome, in which a task may stand on both sides.

    Args:
        traces: With the outcome shown.
        columns: Features, shape (n, k).
        model: Makes an unfitted model.

    Returns:
        Shape (seeds, n).

    Raises:
        ValueError: The outcome is hidden.
        UsageError: A fold leaves runs of one outcome only to learn from.
    """
    if traces.failed is None:
        raise ValueError("a fitted baseline reads the outcome of other runs: show it 'failed'")
    failed = traces.failed
    return np.stack(
        [_out_of_fold(columns, failed, folds, model) for folds in _folds(traces, failed)]
    )


def _folds(traces: Traces, failed: Mask) -> list[Counts]:
    if traces.recipe == "default":
        return [traces.folds]
    from sklearn.model_selection import StratifiedKFold

    order = traces.published_order
    found = []
    for seed in PUBLISHED_SEEDS:
        splitter = StratifiedKFold(PUBLISHED_FOLDS, shuffle=True, random_state=seed)
        folds = np.zeros(len(failed), dtype=np.int64)
        for fold, (_, held_out) in enumerate(splitter.split(order, failed[order])):
            folds[order[held_out]] = fold
        found.append(folds)
    return found


def _out_of_fold(columns: Values, failed: Mask, folds: Counts, model: Callable[[], Any]) -> Values:
    from threadpoolctl import threadpool_limits

    scores = np.zeros(len(failed))
    # On tables of this size the threads of a fit mostly wait for each other.
    with threadpool_limits(1):
        for fold in np.unique(folds):
            held_out = folds == fold
            known = failed[~held_out]
            if known.all() or not known.any():
                raise UsageError(
                    f"without fold {fold} all runs have one outcome, so nothing can be fitted"
                )
            fit = model().fit(columns[~held_out], known)
            scores[held_out] = fit.predict_proba(columns[held_out])[:, 1]
    return scores
