"""Files that hypothesis makes are scored when they are well formed and refused otherwise."""

import csv
import json
import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catchkit.cli.main import main
from factories import make_record, make_release

NAMES = ("read_file", "run")
IDS = ("a", "b", "c")

flags = st.lists(st.booleans(), min_size=1, max_size=3)
scores = st.lists(st.floats() | st.integers(-3, 3), min_size=1, max_size=3)
names = st.lists(st.sampled_from([*NAMES, "other"]), max_size=3)
junk = st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.just([[True]])
values = st.none() | flags | scores | names | junk | st.just([None, True])
ids = st.sampled_from(IDS) | st.sampled_from(["A", "", "d"]) | st.none() | st.integers(0, 9)
rows = st.lists(st.tuples(ids, values), max_size=4)
well_formed_ids = st.permutations(IDS).map(list)


@st.composite
def mostly_good(draw: st.DrawFn) -> list[tuple[Any, Any]]:
    """Right ids in any order, and one kind of value of the right length, abstentions included."""
    kind = draw(
        st.sampled_from(
            [
                st.lists(st.booleans(), min_size=2, max_size=2),
                st.lists(st.floats(-1, 1), min_size=2, max_size=2),
                st.lists(st.sampled_from(NAMES), unique=True),
            ]
        )
    )
    return [(one, draw(st.none() | kind)) for one in draw(well_formed_ids)]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small") / "catchbench"
    return make_release(folder, *(make_record(name, NAMES) for name in IDS))


def is_well_formed(table: list[tuple[Any, Any]], threshold: float | None) -> bool:
    """Say whether a file must be scored, written from the rules and not from the reader."""
    if sorted(map(str, (one for one, _ in table))) != sorted(IDS):
        return False
    if not all(isinstance(one, str) for one, _ in table):
        return False
    given = [value for _, value in table if value is not None]
    if not all(isinstance(value, list) for value in given):
        return False
    entries = [entry for value in given for entry in value]
    if all(isinstance(entry, str) for entry in entries):
        declared = all(
            set(value) <= set(NAMES) and len(set(value)) == len(value) for value in given
        )
        return declared and threshold is None
    if not all(len(value) == len(NAMES) for value in given):
        return False
    if all(isinstance(entry, bool) for entry in entries):
        return threshold is None
    numbers = all(type(entry) in (int, float) and math.isfinite(entry) for entry in entries)
    return numbers and threshold is not None


def write_jsonl(path: Path, table: list[tuple[Any, Any]]) -> None:
    lines = [json.dumps({"instance_id": one, "prediction": value}) for one, value in table]
    path.write_text("\n".join(lines))


def write_csv(path: Path, table: list[tuple[Any, Any]]) -> None:
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["instance_id", "prediction"])
        writer.writerows([one, "" if value is None else json.dumps(value)] for one, value in table)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(table=rows | mostly_good(), threshold=st.none() | st.just(0.5))
@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_a_file_is_scored_exactly_when_it_is_well_formed(
    small: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    suffix: str,
    table: list[tuple[Any, Any]],
    threshold: float | None,
) -> None:
    path = tmp_path / f"p{suffix}"
    (write_jsonl if suffix == ".jsonl" else write_csv)(path, table)
    arguments = ["evaluate", "pre_synthetic", str(path), "--data", str(small), "--json"]
    code = main([*arguments, *([] if threshold is None else ["--threshold", str(threshold)])])
    out, err = capsys.readouterr()
    if is_well_formed(table, threshold):
        assert (code, err) == (0, "")
        assert json.loads(out)["score"]["configurations"] == len(IDS)
    else:
        assert (code, out) == (2, "")
        assert err.count("\n") == 1


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(content=st.binary(max_size=200), suffix=st.sampled_from([".parquet", ".csv", ".jsonl"]))
def test_arbitrary_bytes_are_refused_in_one_line(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, suffix: str
) -> None:
    path = tmp_path / f"p{suffix}"
    path.write_bytes(content)
    assert main(["evaluate", "pre_synthetic", str(path), "--data", str(small)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


TYPES = [
    pa.bool_(),
    pa.string(),
    pa.int8(),
    pa.float32(),
    pa.list_(pa.bool_()),
    pa.list_(pa.float16()),
    pa.list_(pa.string()),
    pa.list_(pa.decimal128(4, 2)),
    pa.list_(pa.list_(pa.bool_())),
    pa.struct([("x", pa.bool_())]),
    pa.binary(),
    pa.timestamp("ns"),
    pa.null(),
    pa.map_(pa.string(), pa.bool_()),
]


@pytest.mark.parametrize("id_type", [pa.string(), pa.large_string(), pa.int64(), pa.null()])
@pytest.mark.parametrize("value_type", TYPES, ids=str)
def test_a_parquet_column_of_any_type_is_scored_or_refused(
    small: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    id_type: pa.DataType,
    value_type: pa.DataType,
) -> None:
    path = tmp_path / "p.parquet"
    is_text = pa.types.is_string(id_type) or pa.types.is_large_string(id_type)
    ids = pa.array(IDS, id_type) if is_text else pa.nulls(3, id_type)
    pq.write_table(pa.table({"instance_id": ids, "prediction": pa.nulls(3, value_type)}), path)
    code = main(["evaluate", "pre_synthetic", str(path), "--data", str(small), "--json"])
    out, err = capsys.readouterr()
    # Nothing but nulls abstains everywhere, whatever the type.
    assert code == (0 if is_text else 2)
    assert (json.loads(out)["score"]["abstained"] == 3) if is_text else err.count("\n") == 1
