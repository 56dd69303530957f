"""The tau-bench runs of the published boards: 165 tasks, four models, from the Hub."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from catchkit.builders.corpus import Hub, Json, Skipped, Trace
from catchkit.builders.streams import Located, Provenance, json_lines, provenance, traces
from catchkit.builders.traces import tau_bench

REPO = "AgentSuite/tau-bench-trajectories"
PIN = "382e57d1784b55c5155f4ef394ef48f1c747a287"
FILES = (
    "claude-4.5-sonnet-thinking-on-10k.jsonl",
    "gpt-4.1.jsonl",
    "gpt-4o-mini.jsonl",
    "Kimi-K2-Instruct.jsonl",
)
PARTS = ("eval_result", "meta")
"""Members of a record in which a field may stand that is not at its top."""


def read(path: Path) -> Iterator[Trace | Skipped]:
    """Read the runs of a file, one per line."""
    source = provenance(path, repo=REPO, pin=PIN, license="NOASSERTION")
    return traces(json_lines(path), partial(_parse, source=source))


def _parse(located: Located, *, source: Provenance) -> Trace | Skipped:
    record = located.record
    messages, model = record["messages"], str(record["model_path"])
    matches = _field(record, "db_match")
    if matches is None:
        return Skipped(where=located.where, reason="no outcome: db_match is missing")
    name = str(record.get("task_name") or _field(record, "domain") or "tau-bench")
    number = next(
        (value for key in ("task_id", "id") if (value := _field(record, key)) is not None), None
    )
    if number is None:
        raise KeyError("task_id")
    domain = next((known for known in ("airline", "retail") if known in name), name)
    return Trace(
        key=f"{model}/{name}/{number}",
        task_id=f"{domain}-{number}",
        model=model,
        domain=domain,
        events=tuple(tau_bench.event(message, agent=model) for message in messages),
        failed=not matches,
        repo=source.repo,
        commit=source.commit,
        path=source.path,
        license=source.license,
    )


def _field(record: dict[str, Any], name: str) -> Json:
    """Return a field of a record, or of a part of it; ``None`` when it is missing or null."""
    places = (record, *(record.get(part) for part in PARTS))
    found = (place[name] for place in places if isinstance(place, dict) and name in place)
    return next((value for value in found if value is not None), None)


CORPUS = replace(
    tau_bench.CORPUS,
    name="tau_bench_hub",
    title="tau-bench, the runs of the published boards",
    repo=REPO,
    pin=PIN,
    license="NOASSERTION",
    label_rule="`db_match` false is failure; a record without it is left out.",
    identity_rule="A run is model, task name and task number; the model is `model_path`.",
    shards=tuple(f"**/{name}" for name in FILES),
    read=read,
    hub=Hub(repo_id=REPO, revision=PIN, files=FILES),
)
