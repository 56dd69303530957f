"""Scores a prediction column against a config, whatever the config asks."""

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from catchkit.configs import config
from catchkit.errors import PredictionError, UsageError
from catchkit.eval.evaluate_flags import evaluate_flags
from catchkit.eval.evaluation import Evaluation
from catchkit.loaders.release import locate

if TYPE_CHECKING:
    from datasets import Dataset

TRACES = ("post", "live", "live_fraction")
GOLD = ("gold_v1", "gold_v1_online", "gold_v2")
FAILURE_RATE = 0.1


def evaluate(
    name: str,
    predictions: "str | Path | pa.Table | Dataset",
    *,
    column: str = "prediction",
    threshold: float | None = None,
    failure_rate: float = FAILURE_RATE,
    data: str | Path | None = None,
) -> Evaluation:
    """Score a prediction column against a config.

    Args:
        name: A config, such as ``"pre"``, ``"post_who_and_when"`` or ``"live_tau_bench"``.
        predictions: A Parquet, CSV or JSONL file, an Arrow table or a ``datasets.Dataset`` with
            the config's id column and the value column. Rows are matched by id; null abstains.
            PRE: a list of booleans or scores aligned with ``capabilities``, or a list of flagged
            names. POST: a list of scores, one per step, a ranking of steps or one step where a
            step is labelled; one score where runs failed or did not. LIVE: one score. Gold: as
            where a step is labelled, for steps or for the arguments of calls; or one score.
        column: The value column. A pattern such as ``seed_*`` takes several columns as the seeds
            of one stochastic method.
        threshold: Needed for PRE scores: flagged when a score is at least this.
        failure_rate: Share of failing runs for which precision is worked out.
        data: A release folder; by default ``./catchbench``, else the packaged snapshot.

    Raises:
        UsageError: There is no such config.
        PredictionError: The predictions cannot be scored; nothing was.
        ReleaseError: The data is damaged.

    Example:
        >>> import pyarrow as pa
        >>> from catchkit import load
        >>> rows = load("pre_n8n")
        >>> flags = [[True] * len(row) for row in rows["capabilities"]]
        >>> table = pa.table({"instance_id": list(rows["instance_id"]), "prediction": flags})
        >>> round(evaluate("pre_n8n", table).score.f1, 3)
        0.154
    """
    family = config(name).family
    if column in family.hidden:
        raise PredictionError(
            f"{column!r} is a column of the config that gives the answer away, not a prediction"
        )
    release = locate(None if data is None else Path(data))
    if family.name == "pre":
        return evaluate_flags(
            name, predictions, column=column, threshold=threshold, release=release
        )
    if family.name not in (*TRACES, *GOLD):
        raise UsageError(f"{name} holds predictions of others; it asks nothing to be scored")
    if threshold is not None:
        raise PredictionError(f"a threshold applies to the scores of PRE configs, not to {name}")
    if not 0 < failure_rate < 1:
        raise UsageError(f"the failure rate must lie between 0 and 1, got {failure_rate}")
    # Their libraries take longer to import than a PRE config takes to score.
    if family.name in GOLD:
        from catchkit.eval.evaluate_gold import evaluate_gold

        return evaluate_gold(name, predictions, column=column, release=release)
    from catchkit.eval.evaluate_traces import evaluate_traces

    return evaluate_traces(
        name, predictions, column=column, failure_rate=failure_rate, release=release
    )
