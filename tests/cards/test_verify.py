"""A release damaged in one way is found out, with the file, row and column named."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from catchkit.cards import verify as verify_module
from catchkit.cards.verify import CHECKS, verify
from catchkit.cli.main import main
from catchkit.configs import PRE, Family
from catchkit.loaders.files import sha256_of
from catchkit.loaders.tables import write_table
from catchkit.trace_configs import LIVE, POST
from factories import REPOSITORY

MCP = "data/pre_mcp/test-00000-of-00001.parquet"
WHEN = "data/post_who_and_when/test-00000-of-00001.parquet"
LIVE_RUNS = "data/live_openhands/test-00000-of-00001.parquet"
Damage = Callable[[Path], object]


@pytest.fixture
def release(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "catchbench"))


def edit_rows(
    change: Callable[[list[dict[str, Any]]], object], file: str = MCP, family: Family = PRE
) -> Damage:
    """Change rows of a file and make the manifest's hash follow."""

    def damage(folder: Path) -> None:
        rows = pq.read_table(folder / file).to_pylist()
        change(rows)
        rewrite(folder, pa.Table.from_pylist(rows, schema=family.arrow_schema), file)

    return damage


def rewrite(folder: Path, table: pa.Table, file: str = MCP) -> None:
    write_table(folder / file, table)

    def follow(manifest: dict[str, Any]) -> None:
        size = (folder / file).stat().st_size
        manifest["files"][file] |= {"sha256": sha256_of(folder / file), "bytes": size}

    edit_manifest(follow)(folder)


def edit_manifest(change: Callable[[dict[str, Any]], object]) -> Damage:
    def damage(folder: Path) -> None:
        manifest = json.loads((folder / "manifest.json").read_text())
        change(manifest)
        (folder / "manifest.json").write_text(json.dumps(manifest))

    return damage


def replace_text(file: str, old: str, new: str) -> Damage:
    def damage(folder: Path) -> None:
        text = (folder / file).read_text()
        assert old in text
        (folder / file).write_text(text.replace(old, new, 1))

    return damage


def flip_a_byte(folder: Path) -> None:
    content = bytearray((folder / MCP).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / MCP).write_bytes(content)


def drop_a_column(folder: Path) -> None:
    rewrite(folder, pq.read_table(folder / MCP).drop_columns(["group"]))


DAMAGES: dict[str, tuple[Damage, str, str]] = {
    "byte": (flip_a_byte, "hash", "test-00000-of-00001.parquet: sha256 is"),
    "file gone": (lambda f: (f / MCP).unlink(), "hash", f"{MCP}: listed in manifest.json"),
    "extra file": (
        lambda f: (f / "data" / "more.parquet").write_bytes(b""),
        "unlisted file",
        "data/more.parquet: not listed",
    ),
    "extra link": (
        lambda f: (f / "link").symlink_to("/"),
        "unlisted file",
        "link: not listed",
    ),
    "column gone": (drop_a_column, "footer", f"{MCP}: column 'group' is missing"),
    "row gone": (edit_rows(lambda rows: rows.pop()), "count", f"{MCP}: 143 rows"),
    "count": (
        edit_manifest(lambda m: m["configs"]["pre"].update(rows=7)),
        "count",
        "config 'pre': 1187 rows, manifest.json says 7",
    ),
    "label too short": (
        edit_rows(lambda rows: rows[5]["excess"].pop()),
        "record",
        f"{MCP}: row 5, column 'excess': has",
    ),
    "label null": (
        edit_rows(lambda rows: rows[6].update(excess=None)),
        "record",
        f"{MCP}: row 6, column 'excess': is not what every judge calls unneeded",
    ),
    "label and votes gone": (
        edit_rows(lambda rows: rows[6].update(excess=None, votes=[])),
        "record",
        f"{MCP}: row 6, column 'excess': is null",
    ),
    "level": (
        edit_rows(lambda rows: rows[7]["capabilities"][0].update(permission_level="root")),
        "record",
        f"{MCP}: row 7, column 'capabilities': ",
    ),
    "id twice": (
        edit_rows(lambda rows: rows[9].update(instance_id=rows[8]["instance_id"])),
        "record",
        f"{MCP}: row 9, column 'instance_id': 'mcp-",
    ),
    "source": (
        edit_rows(lambda rows: rows[3].update(source="n8n")),
        "record",
        f"{MCP}: row 3, column 'source': 'n8n' in config 'pre_mcp'",
    ),
    "edge": (
        edit_rows(lambda rows: rows[3]["edge_writer"].__setitem__(0, 99), WHEN, POST),
        "trace",
        f"{WHEN}: row 3, column 'edge_writer': 99 is not before reader",
    ),
    "run twice": (
        edit_rows(lambda rows: rows[9].update(run_id=rows[8]["run_id"]), WHEN, POST),
        "trace",
        f"{WHEN}: row 9, column 'run_id': 'who_and_when-",
    ),
    "gold step": (
        edit_rows(lambda rows: rows[2].update(mistake_step=77), WHEN, POST),
        "trace",
        f"{WHEN}: row 2, column 'mistake_step': is 77 of",
    ),
    "a look ahead": (
        edit_rows(lambda rows: rows[4]["tool"].__setitem__(0, "later"), LIVE_RUNS, LIVE),
        "trace",
        f"{LIVE_RUNS}: row 4, column 'tool': is not what the run began with",
    ),
    "prefix gone": (
        edit_rows(lambda rows: rows.pop(), LIVE_RUNS, LIVE),
        "trace",
        "config 'live_openhands': row '",
    ),
    "value": (edit_rows(lambda rows: rows[3].update(license="ISC")), "digest", "config 'pre'"),
    "config gone": (
        edit_manifest(lambda m: m["configs"].pop("pre_n8n")),
        "config",
        "config 'pre_n8n' is missing",
    ),
    "config unknown": (
        edit_manifest(lambda m: m["configs"].update(post=m["configs"]["pre"])),
        "config",
        "config 'post' is unknown",
    ),
    "schema digest": (
        edit_manifest(lambda m: m["configs"]["pre"].update(schema_digest="sha256:0")),
        "config",
        "config 'pre' has another schema",
    ),
    "card figure": (
        replace_text("README.md", "| 1187 | 6734 | 2893 |", "| 1187 | 6734 | 2894 |"),
        "card",
        "README.md: line ",
    ),
    "card shortcut": (
        replace_text("README.md", "| `type_prior` | **0.704** |", "| `type_prior` | **0.694** |"),
        "card",
        "the rows say '| `type_prior` | **0.704** |",
    ),
    "card header": (
        replace_text("README.md", "num_examples: 144\n", "num_examples: 143\n"),
        "loading",
        "NonMatchingSplitsSizesError",
    ),
    "manifest": (lambda f: (f / "manifest.json").write_text("{"), "manifest", "not a manifest"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damage_is_found_and_named(
    name: str, release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damage, kind, words = DAMAGES[name]
    # The one check alone: all of them together read every row of the release several times.
    monkeypatch.setattr(verify_module, "CHECKS", {k: c for k, c in CHECKS.items() if k == kind})
    damage(release)
    found = {fault.kind: fault.problem for fault in verify(release)}
    assert kind in found, found
    assert words in found[kind]


def test_every_kind_of_check_has_a_damage_that_it_alone_is_blamed_for() -> None:
    assert {kind for _, kind, _ in DAMAGES.values()} == {*CHECKS, "manifest"}


def test_the_command_answers_no_with_exit_code_one(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flip_a_byte(release)
    assert main(["verify", str(release), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert not answer["whole"]
    assert answer["faults"][0]["kind"] == "hash"


def test_a_folder_that_is_absent_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "nowhere"]) == 2
    assert "nowhere: no such folder" in capsys.readouterr().err


def test_a_gold_folder_and_a_conversion_are_verified_as_what_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quick = {key: check for key, check in CHECKS.items() if key != "loading"}
    monkeypatch.setattr(verify_module, "CHECKS", quick)
    runs = str(REPOSITORY / "tests" / "fixtures" / "tau_bench")
    assert main(["convert", "tau_bench", "--from", runs, "--out", "runs"]) == 0
    assert main(["gold", "v1", "--corpus", "openhands", "--out", "gold"]) == 0
    assert verify(tmp_path / "runs") == []
    assert verify(tmp_path / "gold") == []
    capsys.readouterr()
    (tmp_path / "gold" / "README.md").write_text("nothing")
    assert {fault.kind for fault in verify(tmp_path / "gold")} == {"hash", "card"}
