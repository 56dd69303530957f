"""What planting faults under one seed yields."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

Version = Literal["v1", "v2"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """Every config of a version, for one corpus and one seed."""

    version: Version
    corpus: str
    seed: int
    clean_runs: int
    """Runs that could have been taken."""

    tables: Mapping[str, pa.Table]
    """The rows of each config; none where no run can take its fault."""
