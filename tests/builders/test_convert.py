"""A conversion is whole or says that it is not, and is the same however it was made."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from catchkit.builders.conversion import convert
from catchkit.builders.convert import ShardReport, convert_shard
from catchkit.builders.dataset import features, records
from catchkit.cli.main import main
from catchkit.errors import ReleaseError, UsageError
from catchkit.loaders.dataset import load
from catchkit.loaders.release import Release

FIXTURES = Path(__file__).parent.parent / "fixtures"
FIXTURE = FIXTURES / "tau_bench" / "trajectories" / "shop_retail.json"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Six shards whose runs differ."""
    folder = tmp_path / "raw" / "trajectories"
    folder.mkdir(parents=True)
    for at in range(6):
        runs = json.loads(FIXTURE.read_text("utf-8")) * 3
        for trial, run in enumerate(runs):
            run["trial"] = trial
        (folder / f"shop_{at}_retail.json").write_text(json.dumps(runs))
    return tmp_path / "raw"


PROGRAM = """
import sys
from pathlib import Path
from catchkit.builders.conversion import convert

if __name__ == "__main__":
    print("ready", flush=True)
    convert(["tau_bench"], Path(sys.argv[1]), Path(sys.argv[2]), workers=int(sys.argv[3]))
"""


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_output_is_the_same_for_one_and_two_workers(corpus: Path, tmp_path: Path) -> None:
    for workers in (1, 2):
        convert(["tau_bench"], corpus, tmp_path / str(workers), workers=workers)
    assert files(tmp_path / "1") == files(tmp_path / "2")


def test_the_output_loads_as_configs(corpus: Path, tmp_path: Path) -> None:
    (account,) = convert(["tau_bench"], corpus, tmp_path / "out")
    rows = load("post_tau_bench", labels=True, data=tmp_path / "out")
    assert len(rows) == account.runs == len(set(rows["run_id"]))
    assert len(list(records("tau_bench", tmp_path / "out"))) == account.runs
    live = features("live_tau_bench", data=tmp_path / "out")
    assert set(live.column("n_steps").to_pylist()) <= {2, 4, 8, 16}


def test_a_second_run_does_only_what_changed(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    convert(["tau_bench"], corpus, out)
    before = {path: path.stat().st_ino for path in out.glob("shards/*/records.parquet")}
    changed = corpus / "trajectories" / "shop_3_retail.json"
    changed.write_text(json.dumps(json.loads(changed.read_text("utf-8"))[:-1]))
    convert(["tau_bench"], corpus, out)
    after = {path: path.stat().st_ino for path in out.glob("shards/*/records.parquet")}
    assert [p.parent.name for p in before if before[p] != after[p]] == [
        "trajectories__shop_3_retail.json"
    ]


def test_a_shard_that_is_gone_leaves_nothing_behind(corpus: Path, tmp_path: Path) -> None:
    convert(["tau_bench"], corpus, tmp_path / "out")
    (corpus / "trajectories" / "shop_2_retail.json").unlink()
    convert(["tau_bench"], corpus, tmp_path / "out")
    convert(["tau_bench"], corpus, tmp_path / "fresh")
    assert files(tmp_path / "out") == files(tmp_path / "fresh")


def test_a_changed_table_is_made_anew(corpus: Path, tmp_path: Path) -> None:
    convert(["tau_bench"], corpus, tmp_path / "out")
    whole = files(tmp_path / "out")
    victim = next((tmp_path / "out").glob("shards/*/records.parquet"))
    victim.write_bytes(victim.read_bytes()[:-1])
    convert(["tau_bench"], corpus, tmp_path / "out")
    assert files(tmp_path / "out") == whole


def test_another_key_is_another_input(tmp_path: Path) -> None:
    one = convert_shard(FIXTURE, tmp_path / "one", corpus="tau_bench")
    other = convert_shard(FIXTURE, tmp_path / "one", corpus="tau_bench", key=b"k" * 16)
    assert one.input_digest != other.input_digest
    assert one.files != other.files


def test_a_run_that_two_files_hold_is_kept_once(tmp_path: Path) -> None:
    source = FIXTURES / "who_and_when" / "Algorithm-Generated"
    folder = tmp_path / "Algorithm-Generated"
    shutil.copytree(source, folder)
    shutil.copy(folder / "1.json", folder / "2.json")
    (account,) = convert(["who_and_when"], tmp_path, tmp_path / "out")
    assert account.runs == 1
    assert account.skipped == {"repeats a run of another file": 1}
    assert len(load("post_who_and_when", data=tmp_path / "out")) == 1


@pytest.mark.parametrize("keep", [0.0, 0.5, 0.99])
def test_one_damaged_file_makes_it_incomplete_and_the_rest_converts(
    keep: float, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    victim = corpus / "trajectories" / "shop_3_retail.json"
    victim.write_bytes(victim.read_bytes()[: int(victim.stat().st_size * keep)])
    out = tmp_path / "out"
    arguments = ["convert", "tau_bench", "--from", str(corpus), "--out", str(out)]
    assert main(arguments) == 3
    assert "shop_3_retail.json[" in capsys.readouterr().err
    intact = [ShardReport.read(folder) for folder in (out / "shards").iterdir()]
    assert sum(report is not None and report.is_complete for report in intact) == 5
    with pytest.raises(ReleaseError, match="conversion that is not whole"):
        load("post_tau_bench", data=out)


def test_mending_the_file_completes_the_conversion(corpus: Path, tmp_path: Path) -> None:
    victim = corpus / "trajectories" / "shop_3_retail.json"
    whole = victim.read_bytes()
    victim.write_bytes(whole[:100])
    (account,) = convert(["tau_bench"], corpus, tmp_path / "out")
    assert not account.is_complete
    victim.write_bytes(whole)
    convert(["tau_bench"], corpus, tmp_path / "out")
    convert(["tau_bench"], corpus, tmp_path / "fresh")
    assert files(tmp_path / "out") == files(tmp_path / "fresh")


@pytest.mark.parametrize(("workers", "kills", "latest"), [(1, 20, 0.25), (2, 6, 2.5)])
def test_killed_at_random_moments_it_ends_as_if_it_had_never_been(
    workers: int, kills: int, latest: float, corpus: Path, tmp_path: Path
) -> None:
    convert(["tau_bench"], corpus, tmp_path / "whole")
    out = tmp_path / "out"
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    moments = np.random.default_rng(0).uniform(0, latest, kills)
    for moment in moments:
        arguments = [sys.executable, str(program), str(corpus), str(out), str(workers)]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
            assert run.stdout is not None
            run.stdout.readline()
            time.sleep(moment)
            os.kill(run.pid, signal.SIGKILL)
    convert(["tau_bench"], corpus, out)
    assert files(out) == files(tmp_path / "whole")
    assert not list(out.glob("shards/.*"))


def test_a_folder_of_somebody_else_is_left_alone(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("x")
    with pytest.raises(UsageError, match=r"holds 'thesis\.tex', which no conversion wrote"):
        convert(["tau_bench"], corpus, tmp_path / "out")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tau_bnch", "--from", "."], "there is no corpus 'tau_bnch' (did you mean 'tau_bench'?)"),
        (["tau_bench", "--from", "nowhere"], "nowhere is missing"),
        (["tau_bench", "--from", "."], "holds no tau_bench runs"),
        (["tau_bench"], "tau_bench is not on the Hub"),
        (["all"], "`all` needs --from"),
        (["tau_bench", "--from", ".", "--workers", "0"], "--workers is 0"),
        (["tau_bench", "--from", ".", "--scheduler", "tcp://x"], "--scheduler needs --engine dask"),
    ],
)
def test_a_wrong_command_line_says_what_is_wrong(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["convert", *arguments, "--out", "out"]) == 2
    assert words in capsys.readouterr().err
    assert not Path("out").exists()


def test_the_manifest_lists_every_table(corpus: Path, tmp_path: Path) -> None:
    convert(["tau_bench"], corpus, tmp_path / "out")
    release = Release.open(tmp_path / "out")
    listed = {tmp_path / "out" / name for name in release.manifest.files}
    assert listed == set((tmp_path / "out").rglob("*.parquet"))
