from pathlib import Path

import pyarrow.parquet as pq
import pytest

from catchkit.builders.harvest import (
    Harvest,
    harvest,
    harvest_configs,
    harvest_places,
    record_of,
    write_harvest,
)
from catchkit.builders.material import Material, RawConfig, Skipped
from catchkit.builders.places import Place
from catchkit.builders.published import roster_order
from catchkit.builders.source import sources
from catchkit.builders.web import GoneError
from catchkit.configs import PRE
from catchkit.errors import SourceError
from catchkit.loaders.tables import read_table
from factories import FIXTURES, make_capability, make_record


def make_config(names: str = "a b c", **fields: object) -> RawConfig:
    defaults: dict[str, object] = {
        "instance_id": "n8n-1",
        "text": "Search for x@example.org",
        "capabilities": tuple(make_capability(name) for name in names.split()),
        "repo": "r",
        "commit": "c",
        "path": "p",
        "license": "MIT",
    }
    return RawConfig(**{**defaults, **fields})  # type: ignore[arg-type]


def test_a_record_shows_its_roster_shuffled_with_the_declared_order_beside_it() -> None:
    record = record_of(sources()["n8n"], make_config("a b c d e"))
    assert record.declared_position == roster_order("n8n-1", 5)
    assert [c.name for c in record.capabilities] == ["abcde"[n] for n in record.declared_position]
    assert record.excess is None
    assert record.spec_tokens == ("search",)


def test_what_the_task_does_not_need_is_excess() -> None:
    config = make_config(instance_id="owner__name-1", needed=("b",))
    record = record_of(sources()["sweagent"], config)
    flags = zip(record.capabilities, record.excess or (), strict=True)
    assert {c.name: flag for c, flag in flags} == {"a": True, "b": False, "c": True}


def test_a_configuration_that_breaks_the_schema_is_a_skip() -> None:
    found = harvest_configs(sources()["n8n"], [make_config("a a"), make_config("a")])
    assert len(found.records) == 1
    assert found.reasons() == {"breaks the schema": 1}


def test_material_without_a_file_of_the_source_is_a_skip() -> None:
    found = harvest(sources()["n8n"], [Material(repo="owner/name", files={})])
    assert found.skipped == (Skipped("owner/name: any file", "no file of this source"),)


def test_reasons_are_counted_the_most_frequent_first() -> None:
    skipped = tuple(Skipped("x", reason) for reason in ("b", "a", "c", "c"))
    assert list(Harvest(records=(), skipped=skipped).reasons().items()) == [
        ("c", 2),
        ("a", 1),
        ("b", 1),
    ]


def answer(url: str) -> bytes:
    if url.endswith("gone"):
        raise GoneError(f"{url}: answers 404")
    if url.endswith("broken"):
        raise SourceError(f"{url}: answers 500")
    return (FIXTURES / "n8n/101.json").read_bytes()


def test_a_place_that_fails_makes_a_harvest_incomplete_and_one_that_is_gone_does_not() -> None:
    where = ["https://x.example/101", "https://x.example/gone"]
    whole = harvest_places(sources()["n8n"], [Place(where=url) for url in where], answer)
    assert (len(whole.records), whole.incomplete) == (1, False)
    where.append("https://x.example/broken")
    torn = harvest_places(sources()["n8n"], [Place(where=url) for url in where], answer)
    assert (len(torn.records), torn.incomplete) == (1, True)
    assert torn.reasons() == {"gone upstream": 1, "place cannot be read": 1}


def test_the_only_place_that_fails_is_an_error() -> None:
    with pytest.raises(SourceError, match="answers 500"):
        harvest_places(sources()["n8n"], [Place(where="https://x.example/broken")], answer)


def test_what_is_written_is_read_back_through_the_schema(tmp_path: Path) -> None:
    record = make_record()
    write_harvest(tmp_path / "r.parquet", Harvest(records=(record,), skipped=()))
    assert read_table(tmp_path / "r.parquet", PRE).to_pylist() == [record.to_row()]
    assert pq.read_schema(tmp_path / "r.parquet").names == PRE.arrow_schema.names


def test_a_harvest_without_a_record_names_what_it_found_instead(tmp_path: Path) -> None:
    empty = Harvest(records=(), skipped=(Skipped("a.json", "file unreadable", "not JSON"),))
    with pytest.raises(SourceError, match=r"a\.json: file unreadable \(not JSON\)"):
        write_harvest(tmp_path / "r.parquet", empty)
