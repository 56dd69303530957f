"""Small Gold folders for the tests of the bar."""

from pathlib import Path

from catchkit.injection.gold import file_of
from catchkit.loaders.release import packaged
from catchkit.loaders.writer import write_folder

FILE_GOLD, VALUE_GOLD = "gold_v1_openhands", "gold_v2_tau_bench_stale_value"


def gold_folder(folder: Path, *configs: str) -> Path:
    """Write a folder that holds some of the packaged Gold configs."""
    release = packaged()
    write_folder(
        folder,
        tables={file_of(name): release.table(name) for name in configs},
        parts={name: [file_of(name)] for name in configs},
        sources={},
    )
    return folder
