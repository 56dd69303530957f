"""Small objects with sensible defaults; a test names only what it is about."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from catchkit.builders.snapshot import pre_table
from catchkit.loaders.writer import write_folder
from catchkit.schema import Capability, Overrides, PreRecord

REPOSITORY = Path(__file__).parent.parent
SHARED = REPOSITORY.parent / "shared"
FIXTURES = Path(__file__).parent / "fixtures"

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"the real inputs are not beside the repository ({SHARED})"
)


def make_capability(name: str = "read_file", **fields: Any) -> Capability:
    return Capability(**{"name": name, "type": "file", "permission_level": "read", **fields})


def make_record(
    instance_id: str = "synth-crewai-0001", names: Sequence[str] = ("a", "b"), **fields: Any
) -> PreRecord:
    """Return a valid record whose first capability is needed and whose others are excess."""
    defaults: dict[str, Any] = {
        "instance_id": instance_id,
        "source": "synthetic",
        "capabilities": tuple(make_capability(name) for name in names),
        "declared_position": tuple(range(len(names))),
        "excess": tuple(at > 0 for at in range(len(names))),
        "label_process": "synthetic_inject",
        "spec_overrides": Overrides(),
        "group": "g",
        "repo": "authored",
        "commit": "n/a",
        "path": "p",
        "license": "MIT",
    }
    return PreRecord(**{**defaults, **fields})


def make_release(folder: Path, *records: PreRecord) -> Path:
    """Write a folder that holds nothing but a small ``pre_synthetic``."""
    file = "data/rows.parquet"
    tables = {file: make_table(*records)}
    write_folder(folder, tables=tables, parts={"pre_synthetic": [file]}, sources={})
    return folder


def make_table(*records: PreRecord) -> pa.Table:
    return pre_table(records or [make_record()])
