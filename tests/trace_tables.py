"""Small POST, LIVE and Gold folders, written by us."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from catchkit.builders.tables import fraction_rows, live_rows
from catchkit.configs import config
from catchkit.loaders.writer import write_folder

Row = dict[str, Any]


def make_run(run_id: str = "r0", steps: int = 4, **fields: Any) -> Row:
    """Return a ``post`` row: decisions and tool calls in turns, each step on the one before."""
    return {
        "run_id": run_id,
        "task_id": run_id,
        "domain": None,
        "model": None,
        "corpus": "c",
        "group": f"c/{run_id}",
        "kind": ["decision", "tool_call"] * (steps // 2) + ["decision"] * (steps % 2),
        "actor": ["agent", "env"] * (steps // 2) + ["agent"] * (steps % 2),
        "tool": [None, "t"] * (steps // 2) + [None] * (steps % 2),
        "touches": [],
        "edge_reader": list(range(1, steps)),
        "edge_writer": list(range(steps - 1)),
        "edge_kind": ["full_context"] * (steps - 1),
        "n_steps": steps,
        "fold": sum(map(ord, run_id)) % 5,
        "failed": None,
        "mistake_step": None,
        "mistake_actor": None,
        "label_process": "outcome",
        "license": "MIT",
        "repo": "r",
        "commit": "c",
        "path": f"{run_id}.json",
        **fields,
    }


def make_version(row_id: str, pair: str, *, injected: bool, **fields: Any) -> Row:
    """Return a ``gold_v1`` row: a stale read at step 3 of 6, which step 1 could have taken too."""
    run = make_run(row_id, steps=6)
    kept = {name: run[name] for name in config(GOLD).family.arrow_schema.names if name in run}
    fault = {"site": 3, "changed_from": 2, "changed_to": 0} if injected else {}
    return {
        **kept,
        "row_id": row_id,
        "seed": 0,
        "stream": "addressed",
        "group": f"c/{pair}",
        "pair_id": pair,
        "is_injected": injected,
        "fault": "stale_read",
        "site": None,
        "changed_from": None,
        "changed_to": None,
        "eligible": [1, 3],
        "failed": False,
        **fault,
        **fields,
    }


STEPS, RUNS, LIVE, GOLD = (
    "post_who_and_when",
    "post_tau_bench",
    "live_tau_bench",
    "gold_v1_moatless",
)


def write_config(folder: Path, name: str, rows: Sequence[Row]) -> Path:
    """Write a folder that holds nothing but one config."""
    table = pa.Table.from_pylist(list(rows), schema=config(name).family.arrow_schema)
    write_folder(folder, tables={"rows.parquet": table}, parts={name: ["rows.parquet"]}, sources={})
    return folder


def labelled_runs(mistakes: Sequence[int], steps: int = 5) -> list[Row]:
    """Return runs with a labelled step each."""
    return [
        make_run(f"r{at}", steps, failed=True, mistake_step=step)
        for at, step in enumerate(mistakes)
    ]


def mixed_runs(outcomes: Sequence[bool], *, domain: str | None = None) -> list[Row]:
    """Return runs that failed or not; the failed ones are longer."""
    return [
        make_run(f"r{at}", 6 + 2 * failed + at % 3, failed=failed, domain=domain)
        for at, failed in enumerate(outcomes)
    ]


def prefixes_of(rows: Sequence[Row], *, by_fraction: bool = False) -> list[Row]:
    """Return the ``live`` rows of runs."""
    cut = fraction_rows if by_fraction else live_rows
    name = f"{LIVE}_fraction" if by_fraction else LIVE
    names = config(name).family.arrow_schema.names
    return [{key: part[key] for key in names} for row in rows for part in cut(row)]
