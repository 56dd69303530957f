"""Runs the conversion of many shards: here, in a pool of processes, or on a Dask cluster."""

import os
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Literal

from catchkit.builders.convert import ShardReport, convert_shard
from catchkit.errors import CatchkitError, MissingExtraError

Engine = Literal["process", "dask"]
DASK_RETRIES = 3
"""How often a shard is tried again on another worker after one was lost."""

WATCH_SECONDS = 0.2
"""How often a worker looks whether its parent is still there."""


@dataclass(frozen=True, slots=True)
class Task:
    """One shard to convert."""

    src: Path
    dst: Path
    corpus: str
    key: bytes

    def run(self) -> ShardReport:
        """Convert it."""
        return convert_shard(self.src, self.dst, corpus=self.corpus, key=self.key)


def run_tasks(
    tasks: Sequence[Task],
    *,
    workers: int = 1,
    engine: Engine = "process",
    scheduler: str | None = None,
) -> Iterator[ShardReport]:
    """Yield the report of every task, in the order of the tasks.

    What is written does not depend on the engine or the number of workers.

    Args:
        tasks: The shards.
        workers: Processes; with one the work is done in this process.
        engine: ``process`` for a pool on this machine, ``dask`` for a cluster.
        scheduler: Address of a Dask scheduler; without it a cluster of ``workers`` is started
            here.

    Raises:
        MissingExtraError: Dask is asked for and not installed.
        CatchkitError: A worker process was lost; what was finished stays, and is not done again.
    """
    if engine == "dask":
        yield from _on_dask(tasks, workers, scheduler)
    elif workers == 1:
        yield from map(Task.run, tasks)
    else:
        yield from _in_pool(tasks, workers)


def _in_pool(tasks: Sequence[Task], workers: int) -> Iterator[ShardReport]:
    # Not forked: the threads of the Arrow library do not survive a fork.
    with ProcessPoolExecutor(
        workers,
        mp_context=get_context("spawn"),
        initializer=_leave_with,
        initargs=(os.getpid(),),
    ) as pool:
        try:
            yield from pool.map(Task.run, tasks)
        except BrokenProcessPool:
            raise CatchkitError(
                "a worker process was killed; run the command again to go on where it stopped"
            ) from None


def _leave_with(parent: int) -> None:
    """End this worker when its parent is gone.

    A killed parent cannot end it, and it would wait for ever, or write beside the next run.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _on_dask(tasks: Sequence[Task], workers: int, scheduler: str | None) -> Iterator[ShardReport]:
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtraError("distributed", "dask") from None
    options = (
        {"address": scheduler}
        if scheduler
        else {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
    )
    with Client(**options) as client:  # type: ignore[no-untyped-call]
        futures = client.map(Task.run, tasks, retries=DASK_RETRIES, pure=False)
        for future in futures:
            yield future.result()
