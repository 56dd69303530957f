"""Records come out one at a time, however the file is cut, compressed or damaged."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catchkit.builders import streams
from catchkit.builders.corpus import Skipped
from catchkit.builders.streams import (
    Located,
    arguments_of,
    json_array,
    json_document,
    json_lines,
    json_members,
    provenance,
    text_of,
)

RECORDS = st.lists(
    st.dictionaries(
        st.text(max_size=5),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=40),
            lambda inner: (
                st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
            ),
            max_leaves=6,
        ),
        max_size=4,
    ),
    max_size=6,
)


def read(entries: Any) -> list[dict[str, Any]]:
    found = list(entries)
    assert not [entry for entry in found if isinstance(entry, Skipped)]
    return [entry.record for entry in found]


@settings(deadline=None, max_examples=200)
@given(RECORDS, st.integers(1, 9), st.sampled_from([None, 2]), st.booleans())
def test_an_array_comes_out_whole_whatever_the_size_of_a_bite(
    tmp_path_factory: pytest.TempPathFactory,
    records: list[dict[str, Any]],
    bite: int,
    indent: int | None,
    ascii_only: bool,
) -> None:
    path = tmp_path_factory.mktemp("array") / "runs.json"
    path.write_text(json.dumps(records, indent=indent, ensure_ascii=ascii_only), "utf-8")
    inner = path.with_name("inner.json")
    whole = {"a": [1, {"b": "]"}], "runs": records, "z": records}
    inner.write_text(json.dumps(whole, indent=indent, ensure_ascii=ascii_only), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "CHUNK_CHARACTERS", bite)
        assert read(json_array(path)) == records
        assert read(json_array(inner, "runs")) == records
        assert json_members(inner, without="runs") == {"a": whole["a"], "z": records}


def test_lines_end_at_the_newline_byte_only(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl.gz"
    records = [{"a": "one\u2028two\u0085three"}, {"b": 1}]
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    path.write_bytes(gzip.compress("\n\n".join(lines).encode()))
    assert read(json_lines(path)) == records


def test_a_broken_line_is_named_and_the_others_come_out(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text('{"a": 1}\n{"a": \n[1]\n{"a": 2}\n')
    first, broken, odd, last = json_lines(path)
    assert isinstance(first, Located)
    assert isinstance(last, Located)
    assert (first.record, last.record) == ({"a": 1}, {"a": 2})
    for entry, where in ((broken, "runs.jsonl:2"), (odd, "runs.jsonl:3")):
        assert isinstance(entry, Skipped)
        assert entry.is_damage
        assert entry.where == where


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('[{"a": 1}, {"a": 2', id="cut in a record"),
        pytest.param('[{"a": 1}, ', id="cut between records"),
        pytest.param('[{"a": 1} {"a": 2}]', id="no comma"),
        pytest.param('[{"a": 1}, {"a": nul}]', id="not JSON"),
        pytest.param('[{"a": 1}, ' + "[" * 100_000, id="nested too deep"),
        pytest.param('[{"a": 1}, {"a": ' + "9" * 5000 + "}]", id="a number too long"),
        pytest.param('[{"a": 1}, 7]', id="a record that is no object"),
    ],
)
def test_a_broken_array_names_the_record_and_keeps_those_before_it(
    text: str, tmp_path: Path
) -> None:
    path = tmp_path / "runs.json"
    path.write_text(text)
    first, broken = json_array(path)
    assert isinstance(first, Located)
    assert isinstance(broken, Skipped)
    assert broken.is_damage
    assert broken.where == "runs.json[1]"


@pytest.mark.parametrize("content", [b"\xff\xfe", b"\x1f\x8b\x08broken", b"", b"7", b'{"runs": 7}'])
def test_what_is_no_json_is_damage(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    path.write_bytes(content)
    for entries in (json_array(path), json_array(path, "runs"), json_document(path)):
        assert [entry for entry in entries if isinstance(entry, Skipped) and entry.is_damage] or (
            content == b'{"runs": 7}'
        )


def test_a_cut_gzip_keeps_the_records_before_the_cut(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl.gz"
    lines = [json.dumps({"at": at, "noise": hash((at, "x")) ** 5}) for at in range(2000)]
    path.write_bytes(gzip.compress("\n".join(lines).encode())[:-2000])
    *kept, broken = json_lines(path)
    assert len(kept) > 100
    assert isinstance(broken, Skipped)
    assert broken.is_damage


def test_a_missing_file_is_damage(tmp_path: Path) -> None:
    (broken,) = json_lines(tmp_path / "nowhere.jsonl")
    assert isinstance(broken, Skipped)
    assert broken.is_damage


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("a", "a"),
        ([{"type": "text", "text": "a", "cache_control": {}}, "b", None], "a\nb"),
        ([{"type": "image", "url": "x"}], ""),
        ({"content": [{"text": "a"}]}, "a"),
        (7, "7"),
    ],
)
def test_content_of_every_shape_is_text(content: Any, text: str) -> None:
    assert text_of(content) == text


@pytest.mark.parametrize("value", ["{'a': 1}", "[1]", "7", "", None, [1], "[" * 100_000])
def test_arguments_that_are_no_object_are_none(value: Any) -> None:
    assert arguments_of(value) == {}


def test_a_manifest_beside_the_shard_says_where_it_comes_from(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    entry = {
        "file": "runs/a.json",
        "repo": "x/y",
        "commit": "c" * 40,
        "license": "MIT",
        "path": "p",
    }
    (tmp_path / "MANIFEST.json").write_text(json.dumps([entry]))
    known = provenance(tmp_path / "runs" / "a.json", repo="r", pin="d", license="NOASSERTION")
    other = provenance(tmp_path / "runs" / "b.json", repo="r", pin="d", license="NOASSERTION")
    assert (known.repo, known.commit, known.license, known.path) == ("x/y", "c" * 40, "MIT", "p")
    assert (other.repo, other.commit, other.license, other.path) == (
        "r",
        "d",
        "NOASSERTION",
        "b.json",
    )


@pytest.mark.parametrize("text", ["", "{}", "[1]", "[" * 100_000, '[{"repo": "x"}]'])
def test_a_broken_manifest_is_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "MANIFEST.json").write_text(text)
    found = provenance(tmp_path / "a.json", repo="r", pin="d", license="MIT")
    assert found.repo == "r"
