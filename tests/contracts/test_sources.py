import pytest

from catchkit.builders.source import Source, sources
from catchkit.configs import config
from catchkit.loaders.release import Release
from catchkit.schema import LABEL_PROCESSES


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
