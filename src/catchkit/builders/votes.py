"""Votes of judges, and the labels they merge to."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from catchkit.builders.jsonl import read_objects
from catchkit.errors import SourceError
from catchkit.schema import JUDGED, PreRecord, Vote


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballots:
    """What one judge says of many configurations."""

    judge: str
    needed: Mapping[str, tuple[str, ...] | None]
    """Instance id -> names it holds to be needed; ``None`` where its reply was unreadable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Records with the labels their judges agree on, and what stood in the way."""

    records: tuple[PreRecord, ...]
    """All records in the order given; a judged one that lacks a judge's list has no label."""

    unlabelled: Mapping[str, tuple[str, ...]]
    """Id of such a record -> the judges whose list is missing or was unreadable."""

    undeclared: tuple[tuple[str, str, str], ...]
    """Judge, id and name, for each name called needed that the roster does not declare."""

    unmatched: tuple[str, ...]
    """Ids that were voted on and belong to no judged record, sorted."""


def read_ballots(path: Path) -> Ballots:
    """Read the votes of one judge: lines with ``instance_id``, ``judge`` and ``needed``.

    Other keys are left alone, so what ``catchkit judge`` writes can be read as it is.

    Raises:
        SourceError: A line is malformed, names another judge, or repeats an id.
    """
    judge = ""
    needed: dict[str, tuple[str, ...] | None] = {}
    for where, vote in read_objects(path):
        instance_id, voter = (_text(vote, key, where) for key in ("instance_id", "judge"))
        if instance_id in needed:
            raise SourceError(f"{where}: {instance_id!r} is voted on twice")
        if judge not in ("", voter):
            raise SourceError(f"{where}: judge {voter!r}, above it {judge!r}; one file per judge")
        judge = voter
        needed[instance_id] = _names(vote, where)
    if not needed:
        raise SourceError(f"{path}: holds no vote")
    return Ballots(judge=judge, needed=needed)


def merge(records: Iterable[PreRecord], ballots: Sequence[Ballots]) -> Merge:
    """Label records by what every judge calls unneeded.

    A capability is needed when one judge says so, and in excess when none does. Records whose
    label has another origin than judges pass through as they are.

    Args:
        records: In any order; ids unique.
        ballots: At least one judge's.

    Raises:
        SourceError: Two files come from one judge, or there is none.
    """
    judges = [entry.judge for entry in ballots]
    if not judges or len(set(judges)) < len(judges):
        raise SourceError(f"one votes file per judge is needed, got {', '.join(judges) or 'none'}")
    merged, unlabelled, undeclared = [], {}, []
    for record in records:
        missing = tuple(b.judge for b in ballots if b.needed.get(record.instance_id) is None)
        if record.label_process != JUDGED:
            merged.append(record)
            continue
        if missing:
            unlabelled[record.instance_id] = missing
        votes = () if missing else tuple(_vote(record, entry) for entry in ballots)
        merged.append(_labelled(record, votes))
        undeclared += [] if missing else list(_undeclared(record, ballots))
    judged = {record.instance_id for record in merged if record.label_process == JUDGED}
    voted = {instance_id for entry in ballots for instance_id in entry.needed}
    return Merge(
        records=tuple(merged),
        unlabelled=unlabelled,
        undeclared=tuple(undeclared),
        unmatched=tuple(sorted(voted - judged)),
    )


def _labelled(record: PreRecord, votes: Sequence[Vote]) -> PreRecord:
    ordered = tuple(sorted(votes, key=lambda vote: vote.judge))
    columns = zip(*(vote.needed for vote in ordered), strict=True)
    excess = tuple(not any(needed) for needed in columns) if votes else None
    return replace(record, votes=ordered, excess=excess)


def _vote(record: PreRecord, ballots: Ballots) -> Vote:
    needed = set(ballots.needed[record.instance_id] or ())
    return Vote(judge=ballots.judge, needed=tuple(c.name in needed for c in record.capabilities))


def _undeclared(record: PreRecord, ballots: Sequence[Ballots]) -> Iterator[tuple[str, str, str]]:
    declared = {capability.name for capability in record.capabilities}
    for entry in ballots:
        for name in entry.needed[record.instance_id] or ():
            if name not in declared:
                yield entry.judge, record.instance_id, name


def _text(vote: Mapping[str, Any], key: str, where: str) -> str:
    value = vote.get(key)
    if not isinstance(value, str) or not value:
        raise SourceError(f"{where}: {key!r} must be a text, got {value!r}")
    return value


def _names(vote: Mapping[str, Any], where: str) -> tuple[str, ...] | None:
    if "needed" not in vote:
        raise SourceError(f"{where}: 'needed' is missing; write null where a reply is unreadable")
    value = vote["needed"]
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise SourceError(f"{where}: 'needed' must be a list of names or null, got {value!r}")
    return tuple(value)
