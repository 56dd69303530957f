"""What our readers make of the real inputs, against the released records."""

import os
from pathlib import Path

import pytest

import parity
from catchkit.builders.harvest import harvest_places, write_harvest
from catchkit.builders.material import RawConfig, Skipped
from catchkit.builders.places import Place
from catchkit.builders.source import sources
from catchkit.configs import PRE
from catchkit.loaders.release import Release
from catchkit.loaders.tables import content_digest, read_table
from factories import needs_shared
from parity import MIRRORS, Parity

pytestmark = needs_shared

# The registry's text at harvest time was not what these files say.
REWORDED_SERVERS = {
    "mcp-0034-ai-thinkneo-control-plane",
    "mcp-0045-app-toolsnap-toolsnap-mcp",
    "mcp-0057-co-ainumbers-tools",
    "mcp-0087-com-100hires-100hires",
    "mcp-0142-com-memxus-memxus",
    "mcp-0150-com-onchaindiligence-compliance",
}


def numbers(result: Parity) -> tuple[int, int, int]:
    print(result)  # noqa: T201 - shown with -s, one line per miss
    return result.equal, result.present, result.published


def test_injecagent_is_equal_in_every_field() -> None:
    assert numbers(parity.injecagent()) == (340, 340, 340)


def test_injecagent_comes_out_as_the_released_table(tmp_path: Path, snapshot: Release) -> None:
    place = Place(where=str(parity.RAW / "injecagent"))
    harvested = harvest_places(sources()["injecagent"], [place], parity.no_network)
    write_harvest(tmp_path / "r.parquet", harvested)
    written = read_table(tmp_path / "r.parquet", PRE)
    assert content_digest(written) == content_digest(snapshot.table("pre_injecagent"))


def test_n8n_is_equal_in_all_that_judges_do_not_add() -> None:
    assert numbers(parity.n8n()) == (159, 159, 219)


def test_sweagent_is_equal_where_another_models_runs_can_be() -> None:
    names, texts = parity.sweagent()
    assert numbers(names) == (94, 94, 130)
    assert numbers(texts) == (94, 94, 130)


def test_every_run_ends_in_a_roster_with_more_than_a_shell_or_in_a_skip() -> None:
    found = [entry for _, entry in parity.parsed("sweagent")]
    assert len(found) == 113
    for entry in found:
        assert isinstance(entry, Skipped) or {c.name for c in entry.capabilities} - {
            "bash",
            "python",
        }


def test_mcp_is_equal_where_the_stored_texts_are_those_of_the_harvest() -> None:
    texts, tools = parity.mcp()
    assert numbers(texts) == (30, 36, 144)
    assert set(texts.misses) == REWORDED_SERVERS
    assert numbers(tools) == (235, 235, 235)


def test_a_container_catalogue_is_read_folder_by_folder() -> None:
    found = [entry for _, entry in parity.parsed("mcp")]
    rosters = [entry.capabilities for entry in found if isinstance(entry, RawConfig)]
    reasons = [entry.reason for entry in found if isinstance(entry, Skipped)]
    assert (len(rosters), sum(map(len, rosters))) == (21, 537)
    assert reasons == ["no tools"] * 41


def test_crews_are_equal_as_far_as_their_yaml_goes() -> None:
    full, exact, other = parity.crewai_yaml()
    assert numbers(full) == (42, 42, 298)
    assert numbers(exact) == (123, 123, 298)
    assert numbers(other) == (46, 47, 298)
    assert other.misses == ["crewai-0203 Thiagovilela2001/Crew_ai_v1"]


@pytest.mark.skipif(MIRRORS not in os.environ, reason=f"{MIRRORS} names no folder of repositories")
def test_crews_are_equal_in_all_with_the_python_of_their_repositories() -> None:
    released, surplus = parity.crewai_mirrors(Path(os.environ[MIRRORS]))
    equal, present, _ = numbers(released)
    assert equal == present > 0
    # A repository that cannot be had may hold the first of two equal crews.
    numbers(surplus)
    assert all("Vipul111196" in miss for miss in surplus.misses)
