"""Two files beside each other, families of a user's own, and the leaderboard."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from catchkit import evaluate
from catchkit.cli.main import main
from catchkit.errors import PredictionError, UsageError
from catchkit.eval.compare import Comparison, compare
from catchkit.eval.contrasts import printed_p, run_contrasts
from catchkit.eval.families import read_families
from catchkit.eval.multiplicity import holm
from catchkit.eval.record import read_board, record
from catchkit.eval.significance import mcnemar
from catchkit.eval.write import baseline_table, write_predictions
from trace_tables import LIVE, RUNS, STEPS, labelled_runs, mixed_runs, prefixes_of, write_config

RUN_COUNT = 40
MISTAKES = [at % 5 for at in range(RUN_COUNT)]


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_config(tmp_path_factory.mktemp("steps"), STEPS, labelled_runs(MISTAKES))


def written(path: Path, values: list[Any], key: str = "run_id") -> Path:
    ids = [f"r{at}" for at in range(len(values))]
    pq.write_table(pa.table({key: ids, "prediction": values}), path)
    return path


@pytest.fixture
def better(tmp_path: Path) -> Path:
    """Right on the first thirty runs."""
    return written(
        tmp_path / "a.parquet", [s if at < 30 else (s + 1) % 5 for at, s in enumerate(MISTAKES)]
    )


@pytest.fixture
def worse(tmp_path: Path) -> Path:
    """Right on the first ten."""
    return written(
        tmp_path / "b.parquet", [s if at < 10 else (s + 1) % 5 for at, s in enumerate(MISTAKES)]
    )


def test_a_difference_is_found_with_its_sign_and_size(
    steps: Path, better: Path, worse: Path
) -> None:
    found = compare(STEPS, better, worse, data=steps)
    top1 = next(row for row in found.rows if row.metric == "top1")
    assert (top1.finding.a, top1.finding.b) == (0.75, 0.25)
    assert top1.verdict == "a is higher"
    # Every run is a group of its own and right or wrong: signs and McNemar ask the same.
    right = np.arange(RUN_COUNT)
    assert top1.finding.p == pytest.approx(mcnemar(right < 30, right < 10).p, abs=2e-5)
    back = compare(STEPS, worse, better, data=steps)
    assert next(row for row in back.rows if row.metric == "top1").verdict == "b is higher"


def test_the_same_file_twice_is_equivalent_and_not_undefined(steps: Path, better: Path) -> None:
    found = compare(STEPS, better, better, data=steps)
    assert {row.verdict for row in found.rows} == {"equivalent"}
    assert {row.finding.p for row in found.rows} == {1.0}
    assert found.to_json()


def test_unresolved_says_what_could_have_been_seen(steps: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    a, b = (
        written(tmp_path / f"{name}.parquet", rng.integers(0, 5, RUN_COUNT).tolist())
        for name in "ab"
    )
    for row in compare(STEPS, a, b, data=steps).rows:
        assert row.verdict == "unresolved"
        assert row.smallest_detectable == pytest.approx(2.8016 * row.finding.se, rel=1e-3)
        assert row.equivalence.p > 0.05


def test_only_rows_that_both_answer_are_compared(steps: Path, better: Path, tmp_path: Path) -> None:
    silent = written(tmp_path / "c.parquet", [None] * 5 + MISTAKES[5:])
    found = compare(STEPS, better, silent, data=steps)
    assert (found.answered, found.total) == (35, 40)
    other = written(tmp_path / "d.parquet", MISTAKES[:5] + [None] * 35)
    with pytest.raises(PredictionError, match="no row in common"):
        compare(STEPS, silent, other, data=steps)


@pytest.mark.parametrize("name", [RUNS, LIVE, "pre_synthetic"])
def test_every_kind_of_config_can_be_compared(name: str, tmp_path: Path) -> None:
    data = None
    methods = ("flag_all", "owasp_asi_combined")
    if name != "pre_synthetic":
        rows = mixed_runs([bool(at % 3) for at in range(40)])
        data = write_config(tmp_path / "data", name, rows if name == RUNS else prefixes_of(rows))
        methods = ("tool_calls", "random")
    files = []
    for method in methods:
        files.append(tmp_path / f"{method}.parquet")
        write_predictions(files[-1], baseline_table(name, method, data))
    found = compare(name, files[0], files[1], data=data)
    assert isinstance(found, Comparison)
    for row in found.rows:
        interval = row.finding.difference
        assert interval.low <= interval.value <= interval.high
        assert row.finding.a - row.finding.b == pytest.approx(interval.value)


def test_gold_can_be_compared_by_part_and_by_version(tmp_path: Path) -> None:
    name = "gold_v1_openhands"
    files = [tmp_path / f"{method}.parquet" for method in ("max_span", "degree")]
    for file in files:
        write_predictions(file, baseline_table(name, file.stem))
    found = compare(name, files[0], files[1])
    assert [row.metric for row in found.rows] == ["top1", "top3", "mrr", "roc_auc"]
    ids = pq.read_table(files[0]).column("row_id").to_pylist()
    whole = tmp_path / "whole.parquet"
    scores = [0.5 + at for at in range(len(ids))]
    pq.write_table(pa.table({"row_id": ids, "prediction": scores}), whole)
    assert [row.metric for row in compare(name, files[0], whole).rows] == ["roc_auc"]


def test_a_family_may_name_one_prefix_of_a_file_with_all(tmp_path: Path) -> None:
    rows = prefixes_of(mixed_runs([bool(at % 3) for at in range(40)]))
    data = write_config(tmp_path / "data", LIVE, rows)
    (tmp_path / "p" / LIVE).mkdir(parents=True)
    file = tmp_path / "p" / LIVE / "mine.parquet"
    write_predictions(file, baseline_table(LIVE, "tool_calls", data))
    text = """
version = "1"
[[family]]
name = "early"
test = "paired_auc"
config = "live_tau_bench"
metric = "roc_auc"
contrast = [{ id = "x", a = "mine", b = "length", prefix = "4" }]
"""
    (tmp_path / "f.toml").write_text(text)
    (one,) = run_contrasts(tmp_path / "f.toml", predictions=tmp_path / "p", data=data).results
    assert one.finding is not None
    assert one.finding.units == 40


def test_a_margin_must_be_positive(steps: Path, better: Path) -> None:
    with pytest.raises(UsageError, match="margin"):
        compare(STEPS, better, better, margin=0.0, data=steps)


FAMILY = """
version = "1"
[[family]]
name = "mine"
test = "paired_ranks"
config = "post_who_and_when"
metric = "top1"
contrast = [
  {id = "one", a = "team/better", b = "worse"},
  {id = "two", a = "position", b = "worse"},
  {id = "three", a = "team/better", b = "nobody"},
]
"""


def test_a_users_own_family_reads_files_and_counts_the_absent(
    steps: Path, better: Path, worse: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "predictions" / STEPS
    (folder / "team").mkdir(parents=True)
    better.rename(folder / "team" / "better.parquet")
    worse.rename(folder / "worse.parquet")
    file = tmp_path / "families.toml"
    file.write_text(FAMILY)
    found = run_contrasts(file, predictions=tmp_path / "predictions", data=steps)
    assert found.counts() == {
        "contrasts": 3,
        "present": 2,
        "absent": 1,
        "awaiting_data": 0,
        "separate": found.counts()["separate"],
        "reproduced": 0,
        "not_reproduced": 0,
    }
    raw = [one.finding.p if one.finding else 1.0 for one in found.results]
    assert [one.p_family for one in found.results[:2]] == holm(raw)[:2]
    assert found.results[0].verdict == "separates"
    assert "nobody" in str(found.results[2].absent_because)


BAD = {
    "no id": ('contrast = [{a = "x"}]', "no 'id'"),
    "unknown key": ('contrast = [{id = "x", aa = "y"}]', "unknown key 'aa'"),
    "unknown test": ('test = "magic"\ncontrast = []', "test is 'magic'"),
    "unknown config": ('config = "post_whoandwhen"\ncontrast = [{id = "x"}]', "did you mean"),
    "twice": ('contrast = [{id = "x"}, {id = "x"}]', "'x' stands there twice"),
    "direction": ('contrast = [{id = "x", direction = 2}]', "direction is 2"),
    "no toml": ("contrast = [", "Invalid value"),
    "unknown metric": ('contrast = [{id = "x", metric = "top_1"}]', "did you mean 'top1'"),
    "no candidates": ('test = "flags_best"\ncontrast = []', "needs candidates"),
}


@pytest.mark.parametrize(("text", "words"), BAD.values(), ids=BAD)
def test_a_bad_family_file_is_named(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "families.toml"
    head = 'version = "1"\n[[family]]\nname = "mine"\nmetric = "top1"\n'
    head += "" if "test =" in text else 'test = "paired_ranks"\n'
    head += "" if "config =" in text else 'config = "post_who_and_when"\n'
    file.write_text(head + text)
    with pytest.raises(UsageError) as problem:
        read_families(file)
    assert words in str(problem.value)
    assert str(file) in str(problem.value)


@pytest.mark.parametrize("place", ["nowhere.toml", "publishd"])
def test_a_missing_family_file_is_named(place: str) -> None:
    with pytest.raises(UsageError, match="no such file"):
        read_families(place)


def test_an_entrants_name_cannot_lead_out_of_the_folder(
    steps: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "families.toml"
    file.write_text(FAMILY.replace("team/better", "../../secret"))
    (tmp_path / "p").mkdir()
    arguments = ["contrasts", str(file), "--predictions", str(tmp_path / "p"), "--data", str(steps)]
    assert main(arguments) == 2
    assert "leads out of the folder" in capsys.readouterr().err


@pytest.mark.parametrize("p", [1.0, 0.5, 0.0010001, 0.00099, 2.8e-16, 9.99995e-06])
def test_a_printed_p_value_is_near_the_value(p: float) -> None:
    assert float(printed_p(p)) == pytest.approx(p, rel=0.05, abs=0.0005)


def test_a_leaderboard_keeps_one_row_per_prediction_and_data(
    steps: Path, better: Path, worse: Path, tmp_path: Path
) -> None:
    board = tmp_path / "board.jsonl"
    for at, file in enumerate((better, worse, better)):
        assert record(evaluate(STEPS, file, data=steps), board) == min(at + 1, 2)
    rows = read_board(board)
    assert {row["score"]["top1"] for row in rows} == {0.75, 0.25}
    assert all(len(row["predictions_sha256"]) == 64 for row in rows)
    assert all(row["config_digest"].startswith("sha256:") for row in rows)
    assert all(row["toolkit"].startswith("catchkit ") for row in rows)


@pytest.mark.parametrize("text", ["{", "[]", "{}", '"text"'])
def test_a_file_that_is_no_leaderboard_is_left_alone(
    text: str, steps: Path, better: Path, tmp_path: Path
) -> None:
    board = tmp_path / "board.jsonl"
    board.write_text(text)
    with pytest.raises(UsageError, match="no row of a leaderboard"):
        record(evaluate(STEPS, better, data=steps), board)
    assert board.read_text() == text


def test_the_commands_print_what_the_functions_return(
    steps: Path, better: Path, worse: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ["--data", str(steps)]
    assert main(["compare", STEPS, str(better), str(worse), *data]) == 0
    assert "a is higher" in capsys.readouterr().out
    assert main(["compare", STEPS, str(better), str(worse), "--json", *data]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["metric"] == "top1"
    board = tmp_path / "board.jsonl"
    assert main(["evaluate", STEPS, str(better), "--record", str(board), *data]) == 0
    out = capsys.readouterr().out
    assert "0.750" in out
    assert "positional lift" in out
    assert main(["evaluate", STEPS, "--explain", *data]) == 0
    assert "which step went wrong" in capsys.readouterr().out


@pytest.mark.parametrize(
    "name", ["post_who_and_when", "post_tau_bench", "live_tau_bench", "gold_v2_tau_bench"]
)
def test_the_example_of_an_explanation_is_itself_a_beginning(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "example.jsonl"
    assert main(["evaluate", name, "--explain", "--example", str(file)]) == 0
    assert name in capsys.readouterr().out
    assert main(["evaluate", name, str(file)]) == 2
    assert "have no row" in capsys.readouterr().err
