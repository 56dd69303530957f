"""Small Gold folders for the tests of the bar."""

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa

from catchkit.injection.gold import file_of
from catchkit.loaders.release import packaged
from catchkit.loaders.writer import write_folder

FILE_GOLD, VALUE_GOLD = "gold_v1_openhands", "gold_v2_tau_bench_stale_value"


def gold_folder(folder: Path, *configs: str) -> Path:
    """Write a folder that holds some of the packaged Gold configs."""
    return write_gold(folder, {name: packaged().table(name) for name in configs})


def write_gold(folder: Path, tables: Mapping[str, pa.Table]) -> Path:
    """Write a folder of Gold configs."""
    write_folder(
        folder,
        tables={file_of(name): table for name, table in tables.items()},
        parts={name: [file_of(name)] for name in tables},
        sources={},
    )
    return folder
