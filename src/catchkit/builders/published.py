"""Turns the published records of the original benchmark into PreRecords."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from catchkit.builders.source import Origin, Source, sources
from catchkit.errors import MissingExtraError, SourceError
from catchkit.loaders.files import sha256_of
from catchkit.schema import Capability, Overrides, PreRecord, Vote
from catchkit.seeds import generator

PEER = "catchbench"
PEER_VERSION = "0.1.3"
ROSTER_SEED = 0
"""Seed of the presentation order of every roster."""

JUDGE = "llama-3.3-70b"
"""The held-out judge: it made no label."""

PIN_FILE = Path(__file__).with_name("published.sha256")
"""What each file held when it was read, in the format of ``sha256sum``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What the import yields."""

    records: Mapping[str, tuple[PreRecord, ...]]
    """The records of each source, in published order."""

    judge: Mapping[str, tuple[str, ...] | None]
    """What the held-out judge flags in each configuration; ``None`` where its reply was
    unreadable."""


def read_published() -> Published:
    """Read the records, votes and judge answers of the installed ``catchbench`` 0.1.3.

    Raw model replies are not read. Rosters come out in a seeded order with the published one
    beside it.

    Raises:
        MissingExtraError: The original is not installed.
        SourceError: It is another version, or a file's bytes are not the pinned ones.
    """
    folder = _data_folder()
    records = {name: tuple(_records(source, folder)) for name, source in sources().items()}
    needed = _read(folder, f"pre/llm_judge_method/{JUDGE}.json")
    judge = {
        record.instance_id: _flagged(record, needed.get(record.instance_id))
        for rows in records.values()
        for record in rows
    }
    return Published(records=records, judge=judge)


def pins() -> dict[str, str]:
    """Return file name below the original's data folder -> pinned SHA-256.

    Example:
        >>> len(pins()["pre/mcp.json"])
        64
    """
    lines = PIN_FILE.read_text("utf-8").splitlines()
    return {name: digest for digest, name in (line.split(maxsplit=1) for line in lines)}


def _data_folder() -> Path:
    try:
        peer = distribution(PEER)
    except PackageNotFoundError:
        raise MissingExtraError(f"{PEER} {PEER_VERSION}", "peer") from None
    if peer.version != PEER_VERSION:
        raise SourceError(f"{PEER} {peer.version} is installed, the pins are of {PEER_VERSION}")
    return Path(str(peer.locate_file(f"{PEER}/data")))


def read_pinned(name: str, pinned: Mapping[str, str]) -> Any:  # noqa: ANN401 - any JSON
    """Return a JSON file of the installed original, after checking that it is the pinned one.

    Raises:
        MissingExtraError: The original is not installed.
        SourceError: It is another version, or the file's bytes are not the pinned ones.
    """
    return _checked(_data_folder(), name, pinned[name])


def _read(folder: Path, name: str) -> Any:  # noqa: ANN401 - JSON of three shapes
    return _checked(folder, name, pins()[name])


def _checked(folder: Path, name: str, pin: str) -> Any:  # noqa: ANN401
    path = folder / name
    if not path.is_file():
        raise SourceError(f"{path} is missing: reinstall {PEER}=={PEER_VERSION}")
    if (found := sha256_of(path)) != pin:
        raise SourceError(f"{path}: sha256 is {found}, pinned is {pin}")
    return json.loads(path.read_bytes())


def _records(source: Source, folder: Path) -> Iterator[PreRecord]:
    votes = _votes(source, folder)
    for row in _read(folder, f"pre/{source.name}.json"):
        yield _record(source, row, votes.get(row["instance_id"], {}))


def _votes(source: Source, folder: Path) -> dict[str, dict[str, list[str]]]:
    """Return instance id -> judge -> needed names, for a source that judges labelled."""
    if source.label_process != "llm_judge":
        return {}
    gpt = _read(folder, f"pre/gpt_judge_votes/{source.name}.json")
    claude = _read(folder, f"pre/claude_judge_votes/{source.name}.json")
    votes: dict[str, dict[str, list[str]]] = {}
    for instance_id, entry in gpt.items():
        votes.setdefault(instance_id, {})[entry["model"]] = entry["needed"]
    for entry in claude:
        votes.setdefault(entry["instance_id"], {})[entry["model"]] = entry["needed"]
    return votes


def _record(source: Source, row: Mapping[str, Any], votes: Mapping[str, list[str]]) -> PreRecord:
    instance_id, provenance = row["instance_id"], row["provenance"]
    declared = row["declared_capabilities"]
    framework = row["source"].removeprefix("synth_") if source.name == "synthetic" else None
    order = roster_order(instance_id, len(declared))
    listed = [declared[position]["name"] for position in order]
    excess = set(row["labels"]["excess_set"])
    origin = Origin(
        instance_id=instance_id,
        repo=provenance["repo"],
        framework=framework,
        needed=tuple(entry["name"] for entry in declared if entry["name"] not in excess),
    )
    return PreRecord(
        instance_id=instance_id,
        source=source.name,
        framework=framework,
        capabilities=tuple(Capability(**declared[position]) for position in order),
        declared_position=order,
        excess=tuple(name in excess for name in listed),
        label_process=row["labels"]["label_source"],
        votes=tuple(
            Vote(judge=judge, needed=tuple(name in needed for name in listed))
            for judge, needed in sorted(votes.items())
        ),
        spec_tokens=tuple(row["spec_tokens"]),
        spec_overrides=Overrides(
            **{name: tuple(words) for name, words in row["spec_token_overrides"].items()}
        ),
        attack_type=row["labels"].get("attack_type"),
        group=source.group(origin),
        repo=provenance["repo"],
        commit=provenance["commit"],
        path=provenance["path"],
        license=provenance["license"],
    )


def roster_order(instance_id: str, size: int) -> tuple[int, ...]:
    """Return the declared positions in presentation order, a shuffle that depends on the id alone.

    Example:
        >>> sorted(roster_order("n8n-6270", 4))
        [0, 1, 2, 3]
    """
    shuffled = generator(ROSTER_SEED, "roster order", instance_id).permutation(size)
    return tuple(int(position) for position in shuffled)


def _flagged(record: PreRecord, needed: list[str] | None) -> tuple[str, ...] | None:
    """Return what a list of needed names leaves over, sorted; ``None`` for no answer."""
    if needed is None:
        return None
    return tuple(sorted({c.name for c in record.capabilities} - set(needed)))
