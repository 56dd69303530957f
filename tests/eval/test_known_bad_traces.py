"""Prediction columns for traces that must be refused, with the words of the error."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catchkit import evaluate
from catchkit.configs import config
from catchkit.errors import CatchkitError, PredictionError, UsageError
from catchkit.eval.prediction_files import PredictionColumn
from catchkit.eval.trace_columns import match_traces
from catchkit.eval.traces import traces_of
from catchkit.eval.write import baseline_table
from trace_tables import (
    GOLD,
    LIVE,
    RUNS,
    STEPS,
    labelled_runs,
    make_version,
    mixed_runs,
    prefixes_of,
    write_config,
)

OUTCOMES = [True, False, True, False, True, False]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    base = tmp_path_factory.mktemp("folders")
    rows = {
        STEPS: labelled_runs([0, 2, 1]),
        RUNS: mixed_runs(OUTCOMES),
        LIVE: prefixes_of(mixed_runs(OUTCOMES)),
        GOLD: [make_version("a", "p", injected=True), make_version("b", "p", injected=False)],
    }
    return {name: write_config(base / name, name, given) for name, given in rows.items()}


CASES = {
    "too few scores": ([[0.5], [0.5], [0.5]], "the list has 1 values, there are 5 steps"),
    "a score that is no number": ([[0.5, None, 0, 0, 0]] * 3, "value 1 of the list is null"),
    "a text among scores": ([["a", "b"]] * 3, "value 0 of the list is str 'a'"),
    "a boolean": ([True, False, True], "holds bool True; expected a list of scores"),
    "a fraction for a step": ([0.0, 1.0, 2.0], "holds float 0.0; expected a list of scores"),
    "a step too far": ([5, 0, 0], "names 5, the steps are 0 to 4"),
    "a negative step": ([[-1], [0], [0]], "names -1, the steps are 0 to 4"),
    "a step ranked twice": ([[1, 1], [0], [0]], "ranks 1 twice; for scores write numbers"),
    "two forms": ([[0], 1, [2]], "holds a int, while"),
    "not a number": ([[0.1, float("nan"), 0.1, 0.1, 0.1]] * 3, "value 1 of the list is float nan"),
    "infinite": ([[float("inf"), 0.1, 0.1, 0.1, 0.1]] * 3, "value 0 of the list is float inf"),
}


@pytest.mark.parametrize(("values", "words"), CASES.values(), ids=CASES)
def test_a_bad_answer_about_steps_is_named(
    values: list[Any], words: str, folders: dict[str, Path], tmp_path: Path
) -> None:
    import json

    file = tmp_path / "p.jsonl"
    lines = [{"run_id": f"r{at}", "prediction": value} for at, value in enumerate(values)]
    file.write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(PredictionError) as problem:
        evaluate(STEPS, file, data=folders[STEPS])
    assert words in str(problem.value)
    assert "line " in str(problem.value)


RUN_CASES = {
    "a list": ([[0.5]] * 6, "holds a list, while one score per row"),
    "a boolean": ([True] * 6, "holds bool True; expected a number"),
    "text": (["high"] * 6, "holds str 'high'"),
    "not a number": ([float("nan")] * 6, "the score is float nan"),
    "infinite": ([-float("inf")] * 6, "the score is float -inf"),
}


@pytest.mark.parametrize(("values", "words"), RUN_CASES.values(), ids=RUN_CASES)
@pytest.mark.parametrize("name", [RUNS, LIVE])
def test_a_bad_score_of_a_run_is_named(
    name: str, values: list[Any], words: str, folders: dict[str, Path]
) -> None:
    rows = mixed_runs(OUTCOMES)
    if name == LIVE:
        rows = prefixes_of(rows)
        values = [values[0]] * len(rows)
    key = "row_id" if name == LIVE else "run_id"
    table = pa.table({key: [row[key] for row in rows], "prediction": values})
    with pytest.raises(PredictionError) as problem:
        evaluate(name, table, data=folders[name])
    assert words in str(problem.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=6),
    max_leaves=8,
)


@settings(deadline=None, max_examples=300)
@given(st.lists(JSON, min_size=3, max_size=3), st.sampled_from(["steps", "runs"]))
def test_whatever_stands_there_is_scored_or_refused(values: list[Any], question: Any) -> None:
    name = STEPS if question == "steps" else RUNS
    rows = labelled_runs([0, 2, 1]) if question == "steps" else mixed_runs([True, False, True])
    table = pa.Table.from_pylist(rows, schema=config(name).family.arrow_schema)
    traces = traces_of(table, question)
    column = PredictionColumn(
        origin="f", column="p", ids=["r0", "r1", "r2"], values=values, where=lambda at: f"row {at}"
    )
    try:
        scores = match_traces([column], traces)
    except PredictionError:
        return
    assert np.isfinite(scores.values).all()
    assert scores.abstained.tolist() == [value is None for value in values]


@pytest.mark.parametrize("ids", [["r0", "r1"], ["r0", "r1", "r9"], ["r0", "r1", "r1"]])
def test_ids_must_match_one_to_one(ids: list[str], folders: dict[str, Path]) -> None:
    table = pa.table({"run_id": ids, "prediction": [0] * len(ids)})
    with pytest.raises(PredictionError, match=r"r1|r2|r9"):
        evaluate(STEPS, table, data=folders[STEPS])


def test_seeds_must_abstain_together(folders: dict[str, Path]) -> None:
    ids = ["r0", "r1", "r2"]
    table = pa.table({"run_id": ids, "seed_0": [0, 1, None], "seed_1": [0, 1, 2]})
    with pytest.raises(PredictionError, match="must hold for every seed"):
        evaluate(STEPS, table, data=folders[STEPS])


@pytest.mark.parametrize("column", ["mistake_step", "failed", "mistake_actor"])
def test_a_column_with_the_answer_is_no_prediction(column: str, folders: dict[str, Path]) -> None:
    with pytest.raises(PredictionError, match="gives the answer away"):
        evaluate(STEPS, pa.table({"run_id": ["r0"]}), column=column, data=folders[STEPS])


def test_one_outcome_has_no_area(tmp_path: Path) -> None:
    rows = [{**row, "failed": True} for row in mixed_runs(OUTCOMES)]
    data = write_config(tmp_path / "data", RUNS, rows)
    table = pa.table({"run_id": [row["run_id"] for row in rows], "prediction": [0.1] * 6})
    with pytest.raises(PredictionError, match="one outcome only"):
        evaluate(RUNS, table, data=data)
    live = write_config(tmp_path / "live", LIVE, prefixes_of(rows))
    cut = prefixes_of(rows)
    table = pa.table({"row_id": [row["row_id"] for row in cut], "prediction": [0.1] * len(cut)})
    with pytest.raises(PredictionError, match=r"all .* runs failed"):
        evaluate(LIVE, table, data=live)


def test_a_detector_of_yes_and_no_is_told_what_it_loses(folders: dict[str, Path]) -> None:
    table = pa.table({"run_id": [f"r{at}" for at in range(6)], "prediction": [0.0, 1.0] * 3})
    evaluation = evaluate(RUNS, table, data=folders[RUNS])
    assert "two values only" in evaluation.notes[0]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "method"),
    [(STEPS, "size"), (RUNS, "position"), (GOLD, "exec_rank"), (STEPS, "flag_all")],
)
def test_a_baseline_for_another_question_is_refused(
    name: str, method: str, folders: dict[str, Path]
) -> None:
    with pytest.raises(UsageError, match=r"answers another question|reads labels"):
        baseline_table(name, method, folders[name])


@pytest.mark.parametrize("options", [{"threshold": 0.5}, {"failure_rate": 0.0}])
def test_an_option_that_does_not_apply_is_refused(
    options: dict[str, Any], folders: dict[str, Path]
) -> None:
    table = pa.table({"run_id": [f"r{at}" for at in range(6)], "prediction": [0.0, 1.0] * 3})
    with pytest.raises(CatchkitError, match=r"threshold|failure rate"):
        evaluate(RUNS, table, data=folders[RUNS], **options)


def test_a_config_of_predictions_asks_nothing() -> None:
    with pytest.raises(UsageError, match="asks nothing"):
        evaluate("predictions_who_and_when", pa.table({"prediction_id": ["a"], "prediction": [1]}))
