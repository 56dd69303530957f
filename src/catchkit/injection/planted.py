"""What planting faults under one seed yields."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

from catchkit.injection.summary import Summary

Version = Literal["v1", "v2"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedConfig:
    """One Gold config."""

    table: pa.Table
    faults: Mapping[str, int]
    """Pairs of each fault."""

    summaries: tuple[Summary, ...]
    """How faulty runs differ from clean ones as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """Every config of a version, for one corpus and one seed."""

    version: Version
    corpus: str
    seed: int
    stream: str
    extraction: str | None
    """How values were read; ``None`` for file-level faults."""

    clean_runs: int
    """Runs that could have been taken."""

    configs: Mapping[str, PlantedConfig]
