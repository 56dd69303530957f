"""Scores of steps, runs and prefixes on small configs of our own."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.metrics import roc_auc_score

from catchkit import evaluate
from catchkit.eval.auc import delong_single, roc_auc
from catchkit.eval.evaluation import Evaluation
from catchkit.eval.write import baseline_table
from trace_tables import (
    LIVE,
    RUNS,
    STEPS,
    labelled_runs,
    make_run,
    mixed_runs,
    prefixes_of,
    write_config,
)

MISTAKES = [0, 2, 4, 1]
OUTCOMES = [bool(at % 3) for at in range(30)]


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_config(tmp_path_factory.mktemp("steps"), STEPS, labelled_runs(MISTAKES))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_config(tmp_path_factory.mktemp("runs"), RUNS, mixed_runs(OUTCOMES))


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = prefixes_of(mixed_runs(OUTCOMES))
    return write_config(tmp_path_factory.mktemp("live"), LIVE, rows)


def scored(data: Path, name: str, values: list[Any], **options: Any) -> Evaluation:
    ids = [f"r{at}" for at in range(len(values))]
    return evaluate(name, pa.table({"run_id": ids, "prediction": values}), data=data, **options)


def figures(evaluation: Evaluation) -> tuple[float, float, float]:
    score = evaluation.score
    return score.top1, score.top3, score.mrr


def test_a_step_a_ranking_and_scores_that_say_the_same_score_the_same(steps: Path) -> None:
    one = [2, 2, 3, 0]
    ranking = [[step] for step in one]
    scores = [[float(at == step) for at in range(5)] for step in one]
    expected = figures(scored(steps, STEPS, scores))
    assert figures(scored(steps, STEPS, one)) == figures(scored(steps, STEPS, ranking)) == expected
    # Once right; else the label shares the four places below the wrong step.
    assert expected[0] == 1 / 4
    assert expected[1] == pytest.approx((1 + 3 * (2 / 4)) / 4)


def test_an_empty_ranking_is_a_guess_and_a_null_an_abstention(steps: Path) -> None:
    guess = scored(steps, STEPS, [[], [], [], []])
    assert figures(guess) == pytest.approx((1 / 5, 3 / 5, (1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5) / 5))
    silent = scored(steps, STEPS, [[0], None, None, [1]])
    assert figures(silent) == (1.0, 1.0, 1.0)
    assert (silent.score.scored, silent.score.abstained, silent.score.coverage) == (2, 2, 0.5)
    assert (silent.score.worst.top1, silent.score.best.top1) == (0.5, 1.0)


def test_nobody_scored_is_no_score(steps: Path) -> None:
    evaluation = scored(steps, STEPS, [None] * 4)
    score = evaluation.score
    assert (score.top1, score.top3, score.mrr) == (None, None, None)
    assert evaluation.to_json()


@pytest.mark.parametrize("constant", [0.0, -3.5, 1e300])
def test_a_constant_lands_on_the_floor_and_is_named(steps: Path, constant: float) -> None:
    evaluation = scored(steps, STEPS, [[constant] * 5] * 4)
    floor = evaluation.floors["random"]
    assert figures(evaluation) == (floor.top1, floor.top3, floor.mrr)
    assert "constant" in " ".join(evaluation.notes)  # type: ignore[attr-defined]


def test_published_ties_go_to_the_earlier_step(steps: Path) -> None:
    evaluation = scored(steps, STEPS, [[0.0] * 5] * 4)
    published = evaluation.as_published  # type: ignore[attr-defined]
    assert published.top1 == 1 / 4
    assert published.mrr == pytest.approx((1 + 1 / 3 + 1 / 5 + 1 / 2) / 4)


def test_several_seeds_are_averaged(steps: Path) -> None:
    ids = [f"r{at}" for at in range(4)]
    right, wrong = MISTAKES, [(step + 1) % 5 for step in MISTAKES]
    table = pa.table({"run_id": ids, "seed_0": right, "seed_1": wrong})
    evaluation = evaluate(STEPS, table, data=steps)
    assert (evaluation.score.top1, evaluation.score.seeds) == (0.5, 2)
    assert evaluate(STEPS, table, data=steps, column="seed_0").score.top1 == 1.0
    assert evaluate(STEPS, table, data=steps, column="seed_*").score.top1 == 0.5


def test_the_layout_starts_like_that_of_every_config(steps: Path, runs: Path, live: Path) -> None:
    rows = prefixes_of(mixed_runs(OUTCOMES))
    table = pa.table({"row_id": [row["row_id"] for row in rows], "prediction": [0.5] * len(rows)})
    for evaluation in (
        scored(steps, STEPS, MISTAKES),
        scored(runs, RUNS, [0.5] * 30),
        evaluate(LIVE, table, data=live),
    ):
        assert list(evaluation.to_dict())[:4] == ["score", "floors", "references", "sources"]


def test_areas_are_those_of_another_library(runs: Path) -> None:
    values = np.random.default_rng(0).normal(size=30).round(1) + np.array(OUTCOMES)
    score = scored(runs, RUNS, values.tolist()).score
    assert score.roc_auc == pytest.approx(roc_auc_score(OUTCOMES, values))
    assert score.failed == sum(OUTCOMES)
    assert score.fpr_at_5 <= 0.05
    assert score.fpr_at_10 <= 0.10


def test_a_constant_detector_lands_on_the_floor_in_every_metric(runs: Path) -> None:
    evaluation = scored(runs, RUNS, [2.5] * 30)
    floor = evaluation.floors["random"]
    for name in ("roc_auc", "average_precision", "tpr_at_10fpr", "expected_precision"):
        assert getattr(evaluation.score, name) == getattr(floor, name), name


def test_a_score_that_is_length_has_nothing_left_without_it(tmp_path: Path) -> None:
    rows = mixed_runs(OUTCOMES)
    data = write_config(tmp_path / "data", RUNS, rows)
    lengths = [float(np.log(row["n_steps"])) for row in rows]
    score = scored(data, RUNS, lengths).score
    assert score.roc_auc > 0.9
    assert score.roc_auc_residual == 0.5


def test_bounds_hold_whatever_the_abstained_would_have_said(runs: Path) -> None:
    values: list[float | None] = np.random.default_rng(1).normal(size=30).tolist()
    values[3] = values[8] = values[20] = None
    score = scored(runs, RUNS, values).score
    assert score.scored == 27
    rng = np.random.default_rng(2)
    for _ in range(200):
        filled = np.array([rng.normal(0, 3) if value is None else value for value in values])
        area = roc_auc(filled, np.array(OUTCOMES))
        assert score.roc_auc_worst - 1e-12 <= area <= score.roc_auc_best + 1e-12


def test_runs_of_one_task_widen_the_interval(tmp_path: Path) -> None:
    rows = [{**row, "group": f"c/{at // 3}"} for at, row in enumerate(mixed_runs(OUTCOMES))]
    data = write_config(tmp_path / "data", RUNS, rows)
    values = np.random.default_rng(3).normal(size=30)
    evaluation = scored(data, RUNS, values.tolist())
    groups = np.arange(30) // 3
    expected = delong_single(values, np.array(OUTCOMES), null=0.5, groups=groups)
    interval = evaluation.roc_auc  # type: ignore[attr-defined]
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high))


def test_a_domain_with_one_outcome_says_so_and_spoils_nothing(tmp_path: Path) -> None:
    rows = mixed_runs(OUTCOMES, domain="a")
    rows += [make_run(f"r{30 + at}", failed=True, domain="b") for at in range(3)]
    data = write_config(tmp_path / "data", RUNS, rows)
    evaluation = scored(data, RUNS, [float(at) for at in range(33)])
    assert evaluation.sources["b"].score.roc_auc is None
    assert evaluation.sources["b"].unscored_because == "all 3 runs failed"
    assert evaluation.sources["a"].score.roc_auc is not None


def test_prefixes_are_scored_length_by_length(live: Path) -> None:
    rows = prefixes_of(mixed_runs(OUTCOMES))
    rng = np.random.default_rng(4)
    values = rng.normal(size=len(rows)) + np.array([row["failed"] for row in rows])
    ids = [row["row_id"] for row in rows]
    table = pa.table({"row_id": ids, "prediction": values})
    score = evaluate(LIVE, table, data=live).score
    lengths = np.array([row["prefix_steps"] for row in rows])
    failed = np.array([row["failed"] for row in rows])
    for length, area in score.by_prefix.items():
        mask = lengths == length
        assert area == pytest.approx(roc_auc_score(failed[mask], values[mask]))
    assert score.prefix_auc == pytest.approx(np.mean(list(score.by_prefix.values())))
    assert score.running[2] == 30


def test_fractions_of_the_final_length_are_kept_apart(tmp_path: Path) -> None:
    name = f"{LIVE}_fraction"
    rows = prefixes_of(mixed_runs(OUTCOMES), by_fraction=True)
    data = write_config(tmp_path / "data", name, rows)
    table = pa.table({"row_id": [row["row_id"] for row in rows], "prediction": [1.0] * len(rows)})
    assert set(evaluate(name, table, data=data).score.by_prefix) == {25, 50, 75, 100}


def test_a_rewritten_baseline_scores_as_its_own_reference(
    steps: Path, runs: Path, live: Path
) -> None:
    for data, name, method, metric in (
        (steps, STEPS, "position", "top1"),
        (steps, STEPS, "random", "mrr"),
        (runs, RUNS, "size_deps", "roc_auc"),
        (runs, RUNS, "random", "average_precision"),
        (live, LIVE, "dep_span", "prefix_auc"),
    ):
        evaluation = evaluate(name, baseline_table(name, method, data), data=data)
        reference = evaluation.references[method]
        assert getattr(reference, metric) == pytest.approx(getattr(evaluation.score, metric))


def test_rows_without_a_label_may_be_answered_and_are_not_scored(tmp_path: Path) -> None:
    rows = [*labelled_runs(MISTAKES), make_run("r4", 5)]
    data = write_config(tmp_path / "data", STEPS, rows)
    with_extra = scored(data, STEPS, [*MISTAKES, 0])
    assert (with_extra.score.runs, with_extra.score.top1) == (4, 1.0)
    assert figures(scored(data, STEPS, MISTAKES)) == figures(with_extra)
