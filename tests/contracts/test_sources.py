from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchkit.builders.harvest import Harvest, harvest, harvest_places
from catchkit.builders.material import Material
from catchkit.builders.places import Place
from catchkit.builders.source import Source, sources
from catchkit.configs import config
from catchkit.loaders.release import Release
from catchkit.schema import LABEL_PROCESSES
from factories import FIXTURES


@pytest.fixture(params=sorted(sources()))
def source(request: pytest.FixtureRequest) -> Source:
    return sources()[request.param]


def test_it_has_a_config_of_its_own_and_is_part_of_the_pooled_one(source: Source) -> None:
    assert config(f"pre_{source.name}").parts == (f"pre_{source.name}",)
    assert f"pre_{source.name}" in config("pre").parts


def test_every_row_carries_the_label_process_it_declares(source: Source, snapshot: Release) -> None:
    assert source.label_process in LABEL_PROCESSES
    table = snapshot.table(f"pre_{source.name}")
    assert set(table.column("label_process").to_pylist()) == {source.label_process}
    assert set(table.column("source").to_pylist()) == {source.name}


def test_no_group_is_shared_with_another_source(source: Source, snapshot: Release) -> None:
    table = snapshot.table("pre")
    owners = zip(table.column("group").to_pylist(), table.column("source").to_pylist(), strict=True)
    mine = {group for group, owner in set(owners) if owner == source.name}
    owners = zip(table.column("group").to_pylist(), table.column("source").to_pylist(), strict=True)
    others = {group for group, owner in set(owners) if owner != source.name}
    assert mine
    assert not mine & others


def test_its_fixture_gives_records_and_counted_skips(source: Source) -> None:
    found = _harvest(source)
    assert found.records
    assert found.skipped
    assert sum(found.reasons().values()) == len(found.skipped)


def test_it_labels_what_it_can_and_leaves_the_rest_to_judges(source: Source) -> None:
    for record in _harvest(source).records:
        assert (record.excess is None) == (source.label_process == "llm_judge")


def test_the_order_of_the_files_changes_nothing(source: Source) -> None:
    files = _fixture(source)
    forward = Material(repo="owner/name", files=files)
    backward = Material(repo="owner/name", files=dict(reversed(files.items())))
    assert harvest(source, [forward]) == harvest(source, [backward])


def test_the_prose_of_a_task_reaches_no_record(source: Source) -> None:
    for entry in source.parse(Material(repo="owner/name", files=_fixture(source))):
        text = getattr(entry, "text", "")
        if " " in text:
            assert text not in str(_harvest(source).records)


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "truncated": lambda data: data.rstrip()[:-1],
    "wrong encoding": lambda data: data.decode().encode("utf-16"),
    "trailing data": lambda data: data + b"]",
    "deep lists": lambda _: b"[" * 200_000,
    "deep mappings": lambda _: b'{"a":' * 200_000,
    "huge number": lambda _: b'{"id": ' + b"9" * 10_000 + b"}",
    "huge exponent": lambda _: b'{"id": 1e999}',
    "duplicate key": lambda _: b'{"a": 1, "a": 2}',
    "half a character": lambda _: b'{"name": "\\ud800"}',
    "binary": lambda _: b"\x00\xff\xfe",
    "empty": lambda _: b"",
}
"""What makes a JSON file unreadable, whatever is in it."""


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_json_file_is_a_counted_skip_that_names_it(source: Source, damage: str) -> None:
    files = _fixture(source)
    for path in (path for path in files if path.endswith((".json", ".traj"))):
        damaged = {**files, path: DAMAGES[damage](files[path])}
        skipped = harvest(source, [Material(repo="r", files=damaged)]).skipped
        assert any(path in skip.what or path in skip.detail for skip in skipped)


@pytest.mark.parametrize("shape", [b"null", b"[]", b"{}", b'[[], {}, 1, "a", null]', b'"text"'])
def test_json_of_another_shape_is_a_skip(source: Source, shape: bytes) -> None:
    files = dict.fromkeys(_fixture(source), shape)
    found = harvest(source, [Material(repo="r", files=files)])
    assert not found.records
    assert found.skipped


@given(
    cut=st.integers(0, 4000),
    piece=st.binary(max_size=12)
    | st.sampled_from([b'"', b"{", b"[", b"null", b"-1e999", b"&a *a"]),
)
def test_no_damage_escapes_as_anything_but_a_skip(cut: int, piece: bytes) -> None:
    for source in sources().values():
        files = {
            path: data[:cut] + piece + data[cut + len(piece) :]
            for path, data in _fixture(source).items()
        }
        harvest(source, [Material(repo="r", files=files)])


def _fixture(source: Source) -> dict[str, bytes]:
    folder = FIXTURES / source.name
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _harvest(source: Source) -> Harvest:
    def no_network(url: str) -> bytes:
        raise AssertionError(url)

    folder: Path = FIXTURES / source.name
    return harvest_places(source, [Place(where=str(folder))], no_network)
