"""Writes what a baseline predicts, and a two-row example of a prediction file."""

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from catchkit.configs import BOOL, INT32, PRE, STRING, config, list_of
from catchkit.errors import UsageError
from catchkit.eval.baseline import Question, all_baselines, baseline, predict
from catchkit.eval.evaluate import GOLD, TRACES
from catchkit.eval.rosters import rosters_of
from catchkit.loaders.files import written_whole
from catchkit.loaders.release import Release, locate

if TYPE_CHECKING:
    from catchkit.eval.traces import Recipe  # its libraries are slow to import

SCHEMA = pa.schema([(PRE.id_column, STRING), ("prediction", list_of(BOOL))])
FORMATS = (".parquet", ".csv", ".jsonl")
SCORE = pa.float64()


def baseline_table(
    name: str, method: str, data: Path | None = None, *, recipe: "Recipe" = "default"
) -> pa.Table:
    """Return what a baseline predicts for a config, as a table the evaluator takes.

    A baseline with several seeds has a column ``seed_0``, ``seed_1``, ... for each instead of
    ``prediction``.

    Args:
        name: The config.
        method: The baseline, or a judge such as ``llm_judge/all_at_once/gpt-5.5``.
        data: A release folder; by default ``./catchbench``, else the packaged snapshot.
        recipe: ``default``, or ``published`` to fit, draw and fold as the original does.

    Raises:
        UsageError: There is no such config or baseline, or it answers another question.
        PredictionError: The config asks nothing.
        ReleaseError: The data is damaged.

    Example:
        >>> baseline_table("pre_n8n", "flag_all").num_rows
        219
    """
    family = config(name).family
    release = locate(data)
    if family.name in (*TRACES, *GOLD):
        return _of_traces(
            name, method, release, "published" if recipe == "published" else "default"
        )
    if family is not PRE:
        raise UsageError(f"{name} holds predictions of others; there is nothing to predict")
    chosen = baseline(method)
    rosters = rosters_of(release.table(name))
    lists = predict(chosen, rosters).lists(rosters)
    return pa.table([list(rosters.ids), lists], schema=SCHEMA)


def _of_traces(name: str, method: str, release: Release, recipe: "Recipe") -> pa.Table:
    table = release.table(name)
    if config(name).family.name in GOLD:
        from catchkit.eval.gold import gold_of

        traces = gold_of(table, recipe).traces
        known = all_baselines().get(method)
        if traces.question == "steps" and known and "steps" not in known.serves:
            # The steps of a version make a run, which can be scored as a whole.
            traces = replace(traces, question="runs")
        chosen = baseline(method, traces.question)
        if chosen.reads:
            raise UsageError(f"{method} reads labels, which Gold has none to learn from")
    else:
        from catchkit.eval.evaluate_traces import question_of
        from catchkit.eval.traces import traces_of

        question = _served(method, question_of(name, table), table)
        if method.startswith("llm_judge/"):
            return _of_judge(name, method, release)
        chosen = baseline(method, question)
        traces = traces_of(table, question, recipe)
    scores = chosen.predict(traces.showing(chosen.reads))
    seeds = len(scores.values)
    columns: Mapping[str, Any] = {
        "prediction" if seeds == 1 else f"seed_{seed}": scores.lists(traces, seed)
        for seed in range(seeds)
    }
    kind = list_of(SCORE) if traces.asks_parts else SCORE
    fields = [(config(name).family.id_column, STRING), *((column, kind) for column in columns)]
    return pa.table([list(traces.ids), *columns.values()], schema=pa.schema(fields))


def _of_judge(name: str, judge: str, release: Release) -> pa.Table:
    from catchkit.eval.judges import is_ranked, judge_answers, judge_column
    from catchkit.eval.traces import traces_of

    known = judge_answers(name, release)
    if judge not in known:
        raise UsageError.unknown("judge", judge, known)
    traces = traces_of(release.table(name), "steps")
    values = judge_column(judge, known[judge], traces)
    kind = list_of(INT32) if is_ranked(judge) else INT32
    fields = [(config(name).family.id_column, STRING), ("prediction", kind)]
    return pa.table([list(traces.ids), values], schema=pa.schema(fields))


def _served(method: str, asked: Question, table: pa.Table) -> Question:
    """Return the question to answer: a config with labelled steps and outcomes asks two."""
    chosen = all_baselines().get(method)
    if chosen is None or asked in chosen.serves or asked != "steps":
        return asked
    outcomes = set(table.column("failed").drop_null().to_pylist())
    return "runs" if "runs" in chosen.serves and len(outcomes) == 2 else asked


def write_predictions(path: Path, table: pa.Table) -> None:
    """Write a prediction table as Parquet, CSV or JSONL, by the ending of its name.

    Raises:
        UsageError: The ending is another one.
    """
    if path.suffix not in FORMATS:
        raise UsageError(f"{path}: end the name in one of {', '.join(FORMATS)}")
    with written_whole(path) as partial:
        if path.suffix == ".parquet":
            pq.write_table(table, partial, compression="zstd")
        else:
            text = _csv(table) if path.suffix == ".csv" else _jsonl(table)
            partial.write_text(text, "utf-8")


def _csv(table: pa.Table) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.column_names)
    for row in table.to_pylist():
        row_id, *values = row.values()
        cells = ("" if value is None else json.dumps(value) for value in values)
        writer.writerow([row_id, *cells])
    return text.getvalue()


def _jsonl(table: pa.Table) -> str:
    return "".join(json.dumps(row) + "\n" for row in table.to_pylist())
