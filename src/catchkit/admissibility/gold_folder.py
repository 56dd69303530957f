"""Reads the pairs of a Gold config from a release folder."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from catchkit.admissibility.substrate import (
    Candidate,
    Level,
    Pair,
    Run,
    StepRun,
    Substrate,
    ValueRun,
)
from catchkit.builders.corpus import corpus_named
from catchkit.builders.record import Access, Leaf, RecordEvent
from catchkit.errors import ReleaseError, UsageError
from catchkit.injection.injector import injectors
from catchkit.loaders.release import Release

Row = Mapping[str, Any]
LEVELS: dict[str, Level] = {"gold_v1": "steps", "gold_v2": "values", "gold_v3": "values"}


def gold_config(release: Release, name: str | None = None) -> str:
    """Return the Gold config to test: the one named, or the one of mixed faults of a folder.

    Raises:
        UsageError: The folder holds several and none is named, or none at all.
    """
    held = sorted(one for one in release.manifest.configs if one.startswith("gold_"))
    if name is not None:
        release.entry(name)
        return name
    if not held:
        raise UsageError(f"{release.root} holds no Gold config")
    shortest = min(held, key=len)
    if not all(one.startswith(shortest) for one in held):
        raise UsageError(f"{release.root} holds several; choose with --config: {', '.join(held)}")
    return shortest


def substrate_of(release: Release, name: str) -> Substrate:
    """Read the pairs of a Gold config, after checking the hash of every file of it.

    Raises:
        ReleaseError: The folder is damaged, or a row contradicts its twin.
        UsageError: It is no Gold config.
    """
    level = next((level for at, level in LEVELS.items() if name.startswith(at)), None)
    if level is None:
        raise UsageError(f"{name!r} is not a Gold config")
    rows = _by_pair(release.table(name), release)
    modes = {fault.name: fault.failure_mode for fault in injectors().values()}
    pairs = tuple(_pair(pair_id, rows[pair_id], level, release) for pair_id in sorted(rows))
    if not pairs:
        raise ReleaseError(f"{release.root}: {name!r} holds no pairs")
    return Substrate(
        name=name,
        level=level,
        pairs=pairs,
        modes={fault: modes[fault] for fault in {p.fault for p in pairs} & set(modes)},
        origin=release.described,
        digest=release.entry(name).digest,
    )


def _by_pair(table: pa.Table, release: Release) -> dict[str, dict[bool, Row]]:
    found: dict[str, dict[bool, Row]] = {}
    for at, row in enumerate(table.to_pylist()):
        members = found.setdefault(row["pair_id"], {})
        if row["is_injected"] in members:
            raise ReleaseError(
                f"{release.root}: pair {row['pair_id']} has two members of one kind, so there is "
                "no clean twin: in the attribution view both versions are injected"
            )
        members[row["is_injected"]] = {**row, "row": at}
    for pair_id, members in found.items():
        if len(members) < 2:
            raise ReleaseError(f"{release.root}: pair {pair_id} has one member only")
    return found


def _pair(pair_id: str, members: Mapping[bool, Row], level: Level, release: Release) -> Pair:
    clean, injected = members[False], members[True]
    try:
        eligible = tuple(sorted(map(_candidate, injected["eligible"])))
        site = Candidate(injected["site"], injected.get("site_path") or "")
        if site not in eligible:
            raise ValueError("its site is not among its eligible places")
        if clean["run_id"] != injected["run_id"]:
            raise ValueError("its members are of two runs")
        runs = {"clean": _run(clean, level), "injected": _run(injected, level)}
        lost = [place for place in eligible for run in runs.values() if not run.has(place)]
        if lost:
            raise ValueError(f"one of its versions has no {lost[0]}")
        return Pair(
            **runs,
            pair_id=pair_id,
            run_id=clean["run_id"],
            group=clean["group"],
            domain=clean["domain"] or "",
            model=clean["model"] or "",
            corpus=clean["corpus"],
            extraction=clean.get("extraction", "repaired"),
            fault=injected["fault"],
            eligible=eligible,
            site=eligible.index(site),
        )
    except (ValueError, KeyError, TypeError) as problem:
        raise ReleaseError(f"{release.root}: pair {pair_id}: {problem}") from None


def _candidate(place: int | Mapping[str, Any]) -> Candidate:
    return Candidate(place) if isinstance(place, int) else Candidate(place["event"], place["path"])


def _run(row: Row, level: Level) -> Run:
    if level == "values":
        return ValueRun(events=tuple(map(_event, row["events"])), row=row["row"])
    counts_shell = corpus_named(row["corpus"]).counts_shell
    resources: list[set[str]] = [set() for _ in row["kind"]]
    writers: list[set[int]] = [set() for _ in row["kind"]]
    for touch in row["touches"]:
        if counts_shell or touch["origin"] == "tool":
            resources[touch["step"]].add(touch["resource"])
    edges = zip(row["edge_reader"], row["edge_writer"], row["edge_kind"], strict=True)
    for reader, writer, kind in edges:
        if kind == "file":
            writers[reader].add(writer)
    return StepRun(
        tools=tuple(row["tool"]),
        resources=tuple(map(frozenset, resources)),
        writers=tuple(map(frozenset, writers)),
        row=row["row"],
    )


def _event(row: Row) -> RecordEvent:
    return RecordEvent(
        **{
            **row,
            "mentions": tuple(row["mentions"]),
            "leaves": tuple(Leaf(**leaf) for leaf in row["leaves"]),
            "touches": tuple(Access(**touch) for touch in row["touches"]),
            "uses": tuple(row["uses"]),
        }
    )
