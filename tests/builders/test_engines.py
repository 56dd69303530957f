"""A cluster writes what one process writes, even when a worker is killed on the way."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from catchkit.builders import engines
from catchkit.builders.conversion import convert
from catchkit.builders.engines import Task, run_tasks
from catchkit.errors import CatchkitError, MissingExtraError

FIXTURE = Path(__file__).parent.parent / "fixtures/tau_bench/trajectories/shop_retail.json"

ON_A_CLUSTER = """
import os, signal, sys, threading, time
from pathlib import Path
from distributed import Client, LocalCluster
from catchkit.builders.conversion import convert

def kill_one_when_some_are_done(out, client):
    while len(list(out.glob("shards/*/report.json"))) < 5:
        time.sleep(0.01)
    pids = client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)

if __name__ == "__main__":
    source, out = map(Path, sys.argv[1:])
    options = {"processes": True, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(n_workers=2, **options) as cluster, Client(cluster) as client:
        killer = threading.Thread(target=kill_one_when_some_are_done, args=(out, client))
        killer.start()
        convert(["tau_bench"], source, out, engine="dask", scheduler=cluster.scheduler_address)
        killer.join()
    print("done")
"""


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_cluster_that_loses_a_worker_writes_the_same_bytes(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    source = tmp_path / "raw" / "trajectories"
    source.mkdir(parents=True)
    runs = json.loads(FIXTURE.read_text("utf-8"))
    for at in range(24):
        many = [{**run, "trial": 10 * copy + run["trial"]} for copy in range(8) for run in runs]
        (source / f"shop_{at}_retail.json").write_text(json.dumps(many))
    convert(["tau_bench"], tmp_path / "raw", tmp_path / "here")
    program = tmp_path / "program.py"
    program.write_text(ON_A_CLUSTER)
    done = subprocess.run(
        [sys.executable, program, tmp_path / "raw", tmp_path / "cluster"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout.splitlines()[-1:] == ["done"], done.stderr
    assert files(tmp_path / "cluster") == files(tmp_path / "here")


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'catchkit\[dask\]'"):
        list(run_tasks([], engine="dask"))


def test_a_killed_worker_of_the_pool_is_an_error_that_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines.Task, "run", _die)
    task = Task(FIXTURE, tmp_path / "out", "tau_bench", b"")
    with pytest.raises(CatchkitError, match="run the command again to go on"):
        list(run_tasks([task, task], workers=2))


def _die(_: Task) -> None:
    os._exit(9)
