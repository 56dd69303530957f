import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from catchkit import load
from catchkit.configs import PRE
from catchkit.errors import ReleaseError, UsageError
from catchkit.loaders.release import MANIFEST, Release, locate
from catchkit.loaders.tables import content_digest
from factories import make_record, make_release, make_table

FILE = "data/rows.parquet"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_release(tmp_path / "small", make_record("a"), make_record("b"))


def edit_manifest(folder: Path, **fields: object) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps({**manifest, **fields}))


def test_answers_are_hidden_unless_asked_for() -> None:
    shown, everything = load("pre_mcp"), load("pre_mcp", labels=True)
    assert set(everything.column_names) - set(shown.column_names) == set(PRE.hidden)
    assert shown.num_rows == everything.num_rows == 144
    assert set(PRE.hidden) == {"excess", "declared_position", "votes", "attack_type"}


def test_no_shown_column_of_injecagent_spells_out_the_needed_tool() -> None:
    for row in load("pre_injecagent", labels=True):
        pairs = zip(row["capabilities"], row["excess"], strict=True)
        (needed,) = [entry["name"] for entry, excess in pairs if not excess]
        assert needed not in row["group"]


def test_a_release_in_this_folder_goes_before_the_packaged_snapshot(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert locate(None).entry("pre").rows == 1187
    folder.rename(folder.with_name("catchbench"))
    monkeypatch.chdir(folder.parent)
    assert locate(None).entry("pre_synthetic").rows == 2


def test_a_folder_of_that_name_without_a_manifest_is_no_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "catchbench").mkdir()
    monkeypatch.chdir(tmp_path)
    assert locate(None).entry("pre").rows == 1187


def test_a_changed_file_is_refused_by_name(folder: Path) -> None:
    with (folder / FILE).open("ab") as stream:
        stream.write(b"\0")
    with pytest.raises(ReleaseError, match=r"rows\.parquet: sha256 is .* changed after the build"):
        load("pre_synthetic", data=folder)


def test_a_missing_file_is_refused_by_name(folder: Path) -> None:
    (folder / FILE).unlink()
    with pytest.raises(ReleaseError, match=r"rows\.parquet: listed in manifest\.json and missing"):
        load("pre_synthetic", data=folder)


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "data/../../outside", "a\\b", ""])
def test_a_manifest_cannot_lead_out_of_its_folder(folder: Path, name: str) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["configs"]["pre_synthetic"]["files"] = [name]
    manifest["files"][name] = manifest["files"].pop(FILE)
    (folder / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(ReleaseError, match="leads out of the folder"):
        load("pre_synthetic", data=folder)


def test_a_link_inside_a_release_is_not_followed(folder: Path) -> None:
    kept = folder.parent / "kept.parquet"
    (folder / FILE).rename(kept)
    (folder / FILE).symlink_to(kept)
    with pytest.raises(ReleaseError, match="leads out of the folder"):
        load("pre_synthetic", data=folder)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"format": 1}', '{"format": 1, "configs": 3}', "[" * 100_000],
    ids=["empty", "cut off", "list", "null", "bare", "configs", "deep"],
)
def test_a_manifest_that_is_none_is_refused_by_name(folder: Path, text: str) -> None:
    (folder / MANIFEST).write_text(text)
    with pytest.raises(ReleaseError, match=r"manifest\.json"):
        Release.open(folder)


@pytest.mark.parametrize(
    "fields",
    [
        {"files": [7]},
        {"files": "data"},
        {"rows": "two"},
        {"rows": True},
        {"digest": None},
        {"more": 1},
    ],
    ids=str,
)
def test_a_manifest_entry_of_another_type_is_refused(
    folder: Path, fields: dict[str, object]
) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["configs"]["pre_synthetic"] |= fields
    (folder / MANIFEST).write_text(json.dumps(manifest))
    if fields == {"files": "data"}:  # letter by letter, none of which is a file
        with pytest.raises(ReleaseError, match="not listed"):
            load("pre_synthetic", data=folder)
    else:
        with pytest.raises(ReleaseError, match=r"manifest\.json: not a manifest"):
            Release.open(folder)


def test_text_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    from catchkit.loaders.tables import read_table

    row = make_record("marked-id").to_row()
    table = pa.Table.from_pylist([row], schema=PRE.arrow_schema)
    path = tmp_path / "file.parquet"
    pq.write_table(table, path, compression="none", use_dictionary=False)
    path.write_bytes(path.read_bytes().replace(b"marked-id", b"marked\xff\xfe\xfd"))
    with pytest.raises(ReleaseError, match=r"file\.parquet: cannot be read as Parquet"):
        read_table(path, PRE)


def test_a_release_is_opened_from_inside_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert Release.open(Path()).entry("pre_synthetic").rows == 2


def test_a_manifest_of_a_later_format_is_refused(folder: Path) -> None:
    edit_manifest(folder, format=2)
    with pytest.raises(ReleaseError, match="format 2, this catchkit reads 1"):
        Release.open(folder)


def test_a_config_that_the_folder_lacks_is_named(folder: Path) -> None:
    with pytest.raises(ReleaseError, match="has no config 'pre_mcp'; it holds pre_synthetic"):
        load("pre_mcp", data=folder)
    with pytest.raises(UsageError, match="no config 'pre_cmp'"):
        load("pre_cmp", data=folder)


COLUMNS = PRE.arrow_schema.names
WRONG: dict[str, tuple[Callable[[pa.Table], pa.Table], str]] = {
    "missing column": (lambda t: t.drop_columns(["group"]), "column 'group' is missing"),
    "extra column": (
        lambda t: t.append_column("more", pa.array([1] * t.num_rows)),
        "column 'more' is not in the schema",
    ),
    "another order": (
        lambda t: t.select([*COLUMNS[1:], COLUMNS[0]]),
        "column 0 is 'source', expected 'instance_id'",
    ),
    "another type": (
        lambda t: t.set_column(0, "instance_id", pa.array(range(t.num_rows))),
        "column 'instance_id' is int64, expected string",
    ),
    "another nested type": (
        lambda t: t.set_column(4, COLUMNS[4], t.column(4).cast(pa.list_(pa.int64()))),
        "column 'declared_position' is list<int64>, expected list<int32>",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_file_of_another_schema_is_refused_by_column(tmp_path: Path, case: str) -> None:
    from catchkit.loaders.tables import read_table

    change, words = WRONG[case]
    pq.write_table(change(make_table()), tmp_path / "file.parquet")
    with pytest.raises(ReleaseError, match=words):
        read_table(tmp_path / "file.parquet", PRE)


def test_the_content_digest_moves_with_every_value_and_not_with_the_layout() -> None:
    table = make_table(make_record("a"), make_record("b"))
    rows = table.to_pylist()
    assert content_digest(pa.concat_tables([table.slice(0, 1), table.slice(1)])) == content_digest(
        table
    )
    rows[1]["excess"] = [True, True]
    changed = pa.Table.from_pylist(rows, schema=table.schema)
    assert content_digest(changed) != content_digest(table)
