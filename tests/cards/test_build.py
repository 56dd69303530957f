"""Builds, kills and loads releases in processes of their own, as a user does."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from catchkit.cards.verify import verify
from catchkit.configs import configs
from catchkit.loaders.release import Release

CATCHKIT = (sys.executable, "-m", "catchkit")


def build(folder: Path, *arguments: str, **environment: str) -> None:
    subprocess.run(
        [*CATCHKIT, "build", "--out", str(folder), *arguments],
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
    )


def bytes_of(folder: Path) -> dict[str, bytes]:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_a_rebuild_is_byte_identical_whatever_the_hash_seed_workers_folder_and_day(
    built: Path, tmp_path: Path
) -> None:
    expected = bytes_of(built)
    assert {"README.md", "manifest.json"} < set(expected)
    shipped = [config for config in configs().values() if config.is_shipped]
    assert len(expected) == 2 + sum(config.parts == (config.name,) for config in shipped)
    build(tmp_path / "one", PYTHONHASHSEED="1", TZ="Pacific/Kiritimati")
    build(tmp_path / "other", "--workers", "4", PYTHONHASHSEED="42", LC_ALL="C")
    assert bytes_of(tmp_path / "one") == expected
    assert bytes_of(tmp_path / "other") == expected


def test_a_build_killed_at_any_moment_leaves_the_old_or_the_new_release(
    built: Path, tmp_path: Path
) -> None:
    target = tmp_path / "catchbench"
    shutil.copytree(built, target)
    # An older release, told apart by a file that the new one does not have.
    (target / "OLD").write_text("")
    start = time.monotonic()
    build(tmp_path / "timed")
    whole_build = time.monotonic() - start
    rng = random.Random(0)
    for _ in range(8):
        process = subprocess.Popen([*CATCHKIT, "build", "--out", str(target)])
        time.sleep(rng.uniform(0.3, 1.0) * whole_build)
        process.send_signal(signal.SIGKILL)
        process.wait()
        found = bytes_of(target)
        found.pop("OLD", None)
        assert found == bytes_of(built)
    build(target)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    assert not (target / "OLD").exists()


LOAD = """
import json, sys
from datasets import load_dataset
rows = load_dataset("catchbench", sys.argv[1], split="test", streaming=len(sys.argv) > 2)
print(json.dumps([row["license"] for row in rows]))
"""


def load_in_new_process(place: Path, cache: Path, config: str, *arguments: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    done = subprocess.run(
        [sys.executable, "-c", LOAD, config, *arguments],
        cwd=place,
        env={**kept, "HF_HOME": str(cache), "HF_HUB_OFFLINE": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.splitlines()[-1]


def test_a_rebuild_with_one_changed_record_is_loaded_without_clearing_any_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from catchkit.cards import release as release_module
    from catchkit.loaders import release as loader
    from catchkit.loaders.release import SNAPSHOT

    target, cache = tmp_path / "catchbench", tmp_path / "cache"
    release_module.write_release(target)
    before = load_in_new_process(tmp_path, cache, "pre_mcp")
    assert before == load_in_new_process(tmp_path, cache, "pre_mcp")
    assert "ISC" not in before

    changed = snapshot_with_a_changed_record(SNAPSHOT, tmp_path / "snapshot")
    monkeypatch.setattr(loader, "SNAPSHOT", changed)
    release_module.write_release(target)
    after = load_in_new_process(tmp_path, cache, "pre_mcp")
    assert after.count("ISC") == 1
    assert after == load_in_new_process(tmp_path, cache, "pre_mcp", "streaming")
    # The pooled config reads the same file under another header entry.
    assert load_in_new_process(tmp_path, cache, "pre").count("ISC") == 1


def snapshot_with_a_changed_record(snapshot: Path, folder: Path) -> Path:
    import pyarrow as pa

    from catchkit.loaders.tables import read_table
    from catchkit.loaders.writer import write_folder

    manifest = Release.open(snapshot).manifest
    parts = {name: list(entry.files) for name, entry in manifest.configs.items()}
    family = configs()["pre"].family
    files = {file for names in parts.values() for file in names}
    tables = {file: read_table(snapshot / file, family) for file in sorted(files)}
    rows = tables["pre/mcp.parquet"].to_pylist()
    rows[17]["license"] = "ISC"
    tables["pre/mcp.parquet"] = pa.Table.from_pylist(rows, schema=family.arrow_schema)
    write_folder(folder, tables=tables, parts=parts, sources=manifest.sources)
    for part in sorted(snapshot.glob("*/manifest.json")):
        shutil.copytree(part.parent, folder / part.parent.name)
    return folder


def test_a_wrong_row_count_in_the_card_is_noticed_by_datasets(built: Path, tmp_path: Path) -> None:
    target = tmp_path / "catchbench"
    shutil.copytree(built, target)
    card = target / "README.md"
    text = card.read_text()
    assert text.count("num_examples: 144\n") == 1
    card.write_text(text.replace("num_examples: 144\n", "num_examples: 143\n"))
    with pytest.raises(subprocess.CalledProcessError) as failed:
        load_in_new_process(tmp_path, tmp_path / "cache", "pre_mcp")
    assert "NonMatchingSplitsSizesError" in failed.value.stderr


def test_a_fresh_build_is_whole(built: Path) -> None:
    assert verify(built) == []
