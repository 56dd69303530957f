import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import Dataset, DatasetDict

from catchkit import evaluate, load
from catchkit.cli.main import main
from catchkit.errors import PredictionError
from catchkit.eval.evaluate_flags import FlagEvaluation
from catchkit.eval.evaluation import Evaluation
from catchkit.eval.write import baseline_table, write_predictions
from factories import make_record, make_release

NAMES = ("read_file", "write_file", "run")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three configurations of three capabilities, the first of each needed."""
    folder = tmp_path_factory.mktemp("small") / "catchbench"
    return make_release(folder, *(make_record(name, NAMES) for name in "abc"))


def score(small: Path, values: list[Any], **options: Any) -> Evaluation:
    table = pa.table({"instance_id": ["a", "b", "c"], "prediction": values})
    return evaluate("pre_synthetic", table, data=small, **options)


def counts(evaluation: Evaluation) -> tuple[int, int, int]:
    return evaluation.score.tp, evaluation.score.fp, evaluation.score.fn


FLAGS = [[True, True, False], [False, True, True], [False, False, False]]


def test_counts_are_summed_over_capabilities(small: Path) -> None:
    evaluation = score(small, FLAGS)
    assert counts(evaluation) == (3, 1, 3)
    assert evaluation.score.precision == 3 / 4
    assert evaluation.score.recall == 1 / 2
    assert evaluation.score.f1 == pytest.approx(2 * 3 / (2 * 3 + 1 + 3), abs=1e-15)


@pytest.mark.parametrize(
    "values",
    [
        [["read_file", "write_file"], ["run", "write_file"], []],
        [[0.5, 0.9, 0.1], [0.4, 0.5, 0.5], [0.0, 0.0, -1.0]],
        [[5, 9, 1], [4, 5, 5], [0, 0, -1]],
    ],
    ids=["names", "scores", "whole scores"],
)
def test_names_and_scores_say_the_same_as_booleans(small: Path, values: list[Any]) -> None:
    threshold = None if isinstance(values[0][0], str) else 0.5 if values[0][0] < 1 else 5
    assert counts(score(small, values, threshold=threshold)) == counts(score(small, FLAGS))


def test_an_abstention_is_left_out_and_bounded_from_both_sides(small: Path) -> None:
    evaluation = score(small, [FLAGS[0], None, FLAGS[2]])
    assert counts(evaluation) == (1, 1, 3)
    assert (evaluation.score.scored, evaluation.score.abstained) == (2, 1)
    assert evaluation.score.coverage == 2 / 3
    assert evaluation.score.f1_best == counts_f1(1 + 2, 1, 3)
    assert evaluation.score.f1_worst == counts_f1(1, 1 + 1, 3 + 2)
    assert evaluation.floors["flag_all"].configurations == 2
    assert (evaluation.floors["flag_all"].tp, evaluation.floors["flag_all"].fp) == (4, 2)


def counts_f1(hits: int, alarms: int, misses: int) -> float:
    return 2 * hits / (2 * hits + alarms + misses)


@pytest.mark.parametrize("truth", range(8))
def test_the_bounds_hold_whatever_the_abstained_answer_would_have_been(
    small: Path, truth: int
) -> None:
    answer = [bool(truth >> bit & 1) for bit in range(3)]
    bounded = score(small, [FLAGS[0], None, FLAGS[2]]).score
    answered = score(small, [FLAGS[0], answer, FLAGS[2]]).score
    assert bounded.f1_worst is not None
    assert answered.f1 is not None
    assert bounded.f1_best is not None
    assert bounded.f1_worst <= answered.f1 <= bounded.f1_best


def test_abstaining_everywhere_scores_nothing_instead_of_zero(small: Path) -> None:
    evaluation = score(small, [None, None, None])
    assert evaluation.score.f1 is None
    assert isinstance(evaluation, FlagEvaluation)
    assert evaluation.f1_minus_floor is None
    assert evaluation.score.coverage == 0
    assert (evaluation.score.f1_worst, evaluation.score.f1_best) == (0, 1)


def test_an_empty_list_of_names_is_an_answer(small: Path) -> None:
    assert counts(score(small, [[], [], []])) == (0, 0, 6)
    assert score(small, [[], [], None]).score.abstained == 1


def test_rows_are_matched_by_id_and_never_by_position() -> None:
    table = baseline_table("pre_mcp", "owasp_asi_combined")
    order = np.random.default_rng(2).permutation(table.num_rows)
    shuffled = table.take(pa.array(order))
    assert evaluate("pre_mcp", shuffled).to_dict() == evaluate("pre_mcp", table).to_dict()


def test_a_dataset_is_read_in_its_own_order() -> None:
    rows = load("pre_n8n", labels=True).shuffle(seed=3)
    predicted = rows.map(lambda row: {"prediction": row["excess"]})
    assert isinstance(predicted, Dataset)
    assert evaluate("pre_n8n", predicted).score.f1 == 1
    with pytest.raises(PredictionError, match=r"configurations have no row"):
        evaluate("pre_n8n", predicted.select(range(10)))


def test_a_data_frame_is_read_like_a_table(small: Path) -> None:
    frame = pd.DataFrame({"instance_id": ["a", "b", "c"], "prediction": FLAGS})
    assert counts(evaluate("pre_synthetic", frame, data=small)) == (3, 1, 3)


def test_what_holds_no_predictions_is_refused_by_its_kind(small: Path) -> None:
    splits = DatasetDict({"test": load("pre_n8n"), "more": load("pre_n8n")})
    with pytest.raises(PredictionError, match="choose a split of it: 'test', 'more'"):
        evaluate("pre_n8n", splits)
    with pytest.raises(PredictionError, match="a list holds no predictions"):
        evaluate("pre_synthetic", [], data=small)


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".jsonl"])
def test_every_file_format_says_the_same(tmp_path: Path, suffix: str) -> None:
    table = baseline_table("pre_n8n", "llm_judge_needed")
    write_predictions(tmp_path / f"p{suffix}", table)
    found = evaluate("pre_n8n", tmp_path / f"p{suffix}")
    assert found.to_dict()["sources"] == evaluate("pre_n8n", table).to_dict()["sources"]
    assert found.score.abstained == 4


def test_other_list_types_are_read_too(small: Path) -> None:
    ids = pa.array(["a", "b", "c"]).dictionary_encode()
    for kind in (pa.large_list(pa.bool_()), pa.list_(pa.bool_(), 3)):
        table = pa.table({"instance_id": ids, "prediction": pa.array(FLAGS, kind)})
        pq.write_table(table, small.parent / "typed.parquet")
        assert counts(evaluate("pre_synthetic", small.parent / "typed.parquet", data=small)) == (
            3,
            1,
            3,
        )


def test_a_parquet_file_cut_off_in_the_middle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.parquet"
    write_predictions(path, baseline_table("pre_n8n", "flag_all"))
    content = path.read_bytes()
    for length in (4, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:length])
        with pytest.raises(PredictionError, match=r"p\.parquet: cannot be read as Parquet"):
            evaluate("pre_n8n", path)


def test_sources_add_up_to_the_pooled_counts() -> None:
    evaluation = evaluate("pre", baseline_table("pre", "type_prior"))
    for part in ("tp", "fp", "fn", "scored", "abstained"):
        total = sum(getattr(result.score, part) for result in evaluation.sources.values())
        assert total == getattr(evaluation.score, part)


def test_a_single_source_scores_as_its_row_of_the_pooled_config() -> None:
    pooled = evaluate("pre", baseline_table("pre", "name_prior"))
    alone = evaluate("pre_crewai", baseline_table("pre_crewai", "name_prior"))
    assert alone.score == pooled.sources["crewai"].score
    assert alone.references == pooled.sources["crewai"].references


def test_the_json_is_unrounded_and_starts_with_the_score(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.jsonl"
    write_predictions(path, pa.table({"instance_id": ["a", "b", "c"], "prediction": FLAGS}))
    assert main(["evaluate", "pre_synthetic", str(path), "--data", str(small), "--json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert err == ""
    assert list(found)[:4] == ["score", "floors", "references", "sources"]
    assert found["score"]["f1"] == 0.6
    assert found["sources"]["synthetic"]["score"]["precision"] == 0.75


def test_explain_writes_an_example_that_is_read_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "example.csv"
    assert main(["evaluate", "pre_mcp", "--explain", "--example", str(path)]) == 0
    assert "144 rows" in capsys.readouterr().out
    # Two rows are an example and no prediction file: the other configurations are asked for.
    with pytest.raises(PredictionError, match="142 of 144 configurations have no row"):
        evaluate("pre_mcp", path)
