from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from catchkit.cli import main
from catchkit.deidentify.scan import scan
from catchkit.errors import ReleaseError, UsageError
from catchkit.loaders.release import SNAPSHOT


def written(path: Path, *rows: dict[str, object]) -> Path:
    pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


def test_a_hit_is_reported_with_file_row_and_column(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    rows: list[dict[str, object]] = [
        {"id": f"r{at}", "notes": [{"by": "nobody"}]} for at in range(2_500)
    ]
    rows[2_345] = {"id": "r2345", "notes": [{"by": "x"}, {"by": "ask ada@b.com"}]}
    written(tmp_path / "deep" / "a.parquet", *rows)
    [entry] = scan(tmp_path, second=None).located
    assert (entry.file, entry.row_id, entry.finding.row) == ("deep/a.parquet", "r2345", 2_345)
    assert (entry.finding.column, entry.finding.kind) == ("notes.by", "email")


def test_column_names_and_notes_of_the_footer_are_read(tmp_path: Path) -> None:
    table = pa.table({"ask ada@b.com": ["x"]}).replace_schema_metadata({"by": "bob@b.com"})
    pq.write_table(table, tmp_path / "a.parquet")
    found = [entry.finding.found for entry in scan(tmp_path / "a.parquet", second=None).located]
    assert found == ["ada@b.com", "bob@b.com"]


def test_columns_of_one_name_are_all_read(tmp_path: Path) -> None:
    table = pa.table([["ask ada@b.com"], ["fine"]], names=["note", "note"])
    pq.write_table(table, tmp_path / "a.parquet")
    [entry] = scan(tmp_path / "a.parquet", second=None).located
    assert (entry.finding.column, entry.finding.found) == ("note", "ada@b.com")


@pytest.mark.parametrize(
    "kind",
    [
        pa.large_string(),
        pa.dictionary(pa.int8(), pa.string()),
        pa.binary(),
        pa.list_(pa.struct([("deep", pa.list_(pa.string()))])),
        pa.map_(pa.string(), pa.string()),
    ],
    ids=str,
)
def test_strings_of_every_type_are_read(tmp_path: Path, kind: pa.DataType) -> None:
    text = "ask ada@b.com"
    value = {
        "map": [(text, "x")],
        "lis": [{"deep": [None, text]}],
        "bin": text.encode(),
    }.get(str(kind)[:3], text)
    table = pa.table({"id": ["a", "b"], "cell": pa.array([None, value], kind)})
    pq.write_table(table, tmp_path / "a.parquet")
    [entry] = scan(tmp_path / "a.parquet", second=None).located
    assert (entry.row_id, entry.finding.row, entry.finding.found) == ("b", 1, "ada@b.com")


def test_the_exit_code_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clean = written(tmp_path / "clean.parquet", {"id": "a", "text": "delete the file"})
    dirty = written(tmp_path / "dirty.parquet", {"id": "a", "text": "ask ada.lovelace@b.com"})
    assert main(["scan", str(clean), "--patterns-only"]) == 0
    assert main(["scan", str(dirty), "--patterns-only"]) == 1
    assert "lovelace" not in capsys.readouterr().out
    assert main(["scan", str(dirty), "--patterns-only", "--show-values"]) == 1
    assert "ada.lovelace@b.com" in capsys.readouterr().out


def test_a_possible_name_is_listed_and_does_not_fail_the_scan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roster = [{"name": "Maria's inbox", "type": "mail", "permission_level": "read"}]
    path = written(tmp_path / "r.parquet", {"instance_id": "n8n-1", "capabilities": roster})
    assert main(["scan", str(path), "--patterns-only"]) == 0
    said = capsys.readouterr().out
    assert "review: person in r.parquet, row 0 (n8n-1)" in said
    assert "--mode structured replaces it" in said


def test_an_address_in_a_capability_name_fails_the_scan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roster = [{"name": "Ask @ada_l", "type": "mail", "permission_level": "read"}]
    path = written(tmp_path / "r.parquet", {"instance_id": "n8n-1", "capabilities": roster})
    assert main(["scan", str(path), "--patterns-only"]) == 1
    assert "hit: handle in r.parquet, row 0 (n8n-1)" in capsys.readouterr().out


def test_what_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no Parquet file"):
        scan(tmp_path, second=None)
    with pytest.raises(UsageError, match="does not exist"):
        scan(tmp_path / "nowhere", second=None)
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 no table PAR1")
    with pytest.raises(ReleaseError, match="cannot be read as Parquet"):
        scan(tmp_path, second=None)


def test_the_packaged_records_are_clean_under_both_readings() -> None:
    pytest.importorskip("presidio_analyzer", reason="extra `deid` missing")
    assert main(["scan", str(SNAPSHOT)]) == 0


def test_the_stock_recognisers_are_asked_only_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("presidio_analyzer", reason="extra `deid` missing")
    path = written(tmp_path / "r.parquet", {"id": "a", "name": "README.md"})
    assert main(["scan", str(path)]) == 0
    assert main(["scan", str(path), "--stock"]) == 1
    assert "URL in r.parquet" in capsys.readouterr().out
