"""The packaged Gold: every shipped config, and exactly what its records give at the seed."""

import pyarrow.compute as pc
import pytest

from catchkit.gold_configs import SHIPPED_SEED, WITHOUT_SITES, gold_configs
from catchkit.injection.gold import gold
from catchkit.loaders.release import packaged
from catchkit.loaders.tables import content_digest

SHIPPED = sorted(config.name for config in gold_configs() if config.is_shipped)


def test_every_shipped_config_is_there_with_rows() -> None:
    held = packaged().manifest.configs
    assert [name for name in held if name.startswith("gold_v")] == SHIPPED
    assert all(held[name].rows for name in SHIPPED)


@pytest.mark.parametrize("corpus", ["openhands", "moatless"])
def test_it_is_what_the_packaged_records_give(corpus: str) -> None:
    held = packaged().manifest.configs
    for name, table in gold("v1", corpus).plant(SHIPPED_SEED).tables.items():
        assert held[name].digest == content_digest(table), "run catchkit gold-snapshot"


@pytest.mark.parametrize("name", sorted(WITHOUT_SITES))
def test_a_config_without_sites_has_none(name: str) -> None:
    mixed, _, fault = name.partition("_stale")
    found = pc.unique(packaged().table(mixed).column("fault")).to_pylist()
    assert f"stale{fault}" not in found


@pytest.mark.parametrize("name", ["gold_v1_mini_swe_agent", "gold_v2_agentdojo"])
def test_pairs_are_whole_and_say_the_seed(name: str) -> None:
    table = packaged().table(name)
    rows = table.select(["pair_id", "is_injected", "seed", "label_process"]).to_pylist()
    versions: dict[str, list[bool]] = {}
    for row in rows:
        versions.setdefault(row["pair_id"], []).append(row["is_injected"])
        assert (row["seed"], row["label_process"]) == (SHIPPED_SEED, "injection")
    assert {tuple(sorted(held)) for held in versions.values()} == {(False, True)}
