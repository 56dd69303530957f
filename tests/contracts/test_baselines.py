import inspect
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from catchkit.configs import PRE, config
from catchkit.eval.baseline import Baseline, Question, all_baselines, baselines, predict
from catchkit.eval.evaluate import evaluate
from catchkit.eval.rosters import Rosters, rosters_of
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces, traces_of
from catchkit.eval.write import baseline_table
from catchkit.loaders.release import Release
from trace_tables import LIVE, RUNS, STEPS, labelled_runs, mixed_runs, prefixes_of


@pytest.fixture(params=sorted(baselines()))
def chosen(request: pytest.FixtureRequest) -> Baseline[Any, Any]:
    return baselines()[request.param]


def test_it_reads_only_hidden_columns_that_exist(chosen: Baseline[Any, Any]) -> None:
    assert set(chosen.reads) <= set(PRE.hidden)


def test_it_runs_on_rows_that_lack_every_hidden_column_it_does_not_declare(
    chosen: Baseline[Any, Any], snapshot: Release
) -> None:
    hidden = [name for name in PRE.hidden if name not in chosen.reads]
    table = snapshot.table("pre")
    bare = chosen.predict(rosters_of(table.drop_columns(hidden)))
    assert np.array_equal(bare.flagged, predict(chosen, rosters_of(table)).flagged)


@pytest.mark.parametrize("name", [name for name, chosen in baselines().items() if chosen.reads])
def test_a_declared_answer_is_really_read(name: str, rosters: Rosters) -> None:
    with pytest.raises(ValueError, match="reads"):
        baselines()[name].predict(rosters.showing(()))


def test_the_order_of_the_rows_changes_no_prediction(
    chosen: Baseline[Any, Any], snapshot: Release
) -> None:
    table = snapshot.table("pre_synthetic")
    order = np.random.default_rng(5).permutation(table.num_rows)
    shuffled = rosters_of(table.take(pa.array(order)))
    there = dict(zip(shuffled.ids, predict(chosen, shuffled).lists(shuffled), strict=True))
    straight = rosters_of(table)
    here = dict(zip(straight.ids, predict(chosen, straight).lists(straight), strict=True))
    assert there == here


def test_what_it_writes_scores_as_its_own_reference(chosen: Baseline[Any, Any]) -> None:
    table = baseline_table("pre_n8n", chosen.name)
    assert pc.count(table.column("instance_id")).as_py() == table.num_rows
    evaluation = evaluate("pre_n8n", table)
    reference = evaluation.references[chosen.name]
    assert (reference.tp, reference.fp, reference.fn) == (
        evaluation.score.tp,
        evaluation.score.fp,
        evaluation.score.fn,
    )


def test_its_summary_is_one_sentence(chosen: Baseline[Any, Any]) -> None:
    assert chosen.summary.endswith(".")
    assert inspect.getdoc(inspect.getmodule(chosen.predict))


TRACE_BASELINES = [
    (name, question) for question in ("steps", "runs", "prefixes") for name in baselines(question)
]


@pytest.fixture(scope="module")
def trace_tables() -> dict[str, pa.Table]:
    runs = mixed_runs([bool(at % 3) for at in range(120)])
    rows = {
        "steps": (STEPS, labelled_runs([at % 5 for at in range(40)])),
        "runs": (RUNS, runs),
        "prefixes": (LIVE, prefixes_of(runs)),
    }
    return {
        question: pa.Table.from_pylist(given, schema=config(name).family.arrow_schema)
        for question, (name, given) in rows.items()
    }


@pytest.mark.parametrize(("name", "question"), TRACE_BASELINES)
def test_a_score_of_traces_is_finite_and_complete(
    name: str, question: Question, trace_tables: dict[str, pa.Table]
) -> None:
    traces = traces_of(trace_tables[question], question)
    scores = predict_traces(name, question, traces)
    expected = int(traces.starts[-1]) if question == "steps" else len(traces.ids)
    assert scores.values.shape[1] == expected
    assert np.isfinite(scores.values).all()
    assert not scores.abstained.any()


@pytest.mark.parametrize(("name", "question"), TRACE_BASELINES)
def test_a_baseline_of_traces_reads_exactly_the_labels_it_declares(
    name: str, question: Question, trace_tables: dict[str, pa.Table]
) -> None:
    chosen = baselines(question)[name]
    traces = traces_of(trace_tables[question], question)
    bare = traces.showing(())
    if chosen.reads:
        with pytest.raises(ValueError, match="reads"):
            chosen.predict(bare)
    else:
        assert np.array_equal(chosen.predict(bare).values, chosen.predict(traces).values)


@pytest.mark.parametrize(("name", "question"), TRACE_BASELINES)
def test_the_order_of_a_file_of_traces_changes_no_score(
    name: str, question: Question, trace_tables: dict[str, pa.Table]
) -> None:
    table = trace_tables[question]
    shuffled = table.take(pa.array(np.random.default_rng(6).permutation(table.num_rows)))
    here, there = (
        predict_traces(name, question, traces_of(rows, question)) for rows in (table, shuffled)
    )
    assert np.array_equal(here.values, there.values)


@pytest.mark.parametrize(
    "name", [name for name, one in baselines("runs").items() if "failed" in one.reads]
)
def test_a_fitted_score_never_saw_its_own_group(
    name: str, trace_tables: dict[str, pa.Table]
) -> None:
    table = trace_tables["runs"]
    traces = traces_of(table, "runs")
    flipped = traces.failed is not None and traces.failed.copy()
    own = traces.folds == traces.folds[0]
    assert isinstance(flipped, np.ndarray)
    flipped[own] = ~flipped[own]
    before = predict_traces(name, "runs", traces).values[0]
    after = predict_traces(name, "runs", replace(traces, failed=flipped)).values[0]
    assert np.array_equal(before[own], after[own])
    assert not np.array_equal(before[~own], after[~own])


def predict_traces(name: str, question: Question, traces: Traces) -> Scores:
    chosen = baselines(question)[name]
    scores: Scores = chosen.predict(traces.showing(chosen.reads))
    return scores


@pytest.mark.parametrize("chosen", all_baselines().values(), ids=lambda one: one.name)
def test_every_baseline_says_what_it_is(chosen: Baseline[Any, Any]) -> None:
    assert chosen.serves
    assert chosen.summary.endswith(".")
    assert inspect.getdoc(inspect.getmodule(chosen.predict))
