"""Records per second when everything stored of the sources is parsed and de-identified on one core.

Files are read beforehand; parsing and de-identifying are timed apart, in CPU time. The real inputs
must lie beside the repository, in ``../shared/raw``.

    python benchmarks/harvest.py [ROUNDS]
"""

import os
import statistics
import sys
import time
from pathlib import Path

from catchkit.builders.harvest import harvest, record_of
from catchkit.builders.material import Material, RawConfig
from catchkit.builders.places import Place, materials
from catchkit.builders.source import Source, sources

RAW = Path(__file__).parents[2] / "shared" / "raw"
FOLDERS = {"mcp": ["mcp", "mcp_official"], "n8n": ["n8n", "n8n_extra"]}


def read(source: Source) -> list[Material]:
    """Return everything stored of a source."""

    def no_network(url: str) -> bytes:
        raise AssertionError(url)

    return [
        found
        for folder in FOLDERS.get(source.name, [source.name])
        for found in materials(Place(where=str(RAW / folder)), source.wants, no_network)
        if isinstance(found, Material)
    ]


def seconds_of(source: Source, stored: list[Material]) -> tuple[float, float, int]:
    """Return the CPU seconds of parsing and of de-identifying, and the number of records."""
    started = time.process_time()
    parsed = [entry for material in stored for entry in source.parse(material)]
    configs = [entry for entry in parsed if isinstance(entry, RawConfig)]
    chosen = [entry for entry in source.select(configs) if isinstance(entry, RawConfig)]
    between = time.process_time()
    records = [record_of(source, config) for config in chosen]
    ended = time.process_time()
    return between - started, ended - between, len(records)


def main(rounds: int = 5) -> None:
    """Time every source and print medians, rates and the share of de-identification."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f"{'source':12}{'records':>8}{'MB':>7}{'parse s':>9}{'deid s':>8}{'records/s':>11}")
    total_seconds = total_deid = 0.0
    total_records = 0
    for name, source in sources().items():
        if not (RAW / name).is_dir():
            continue
        stored = read(source)
        harvest(source, stored)  # warms the word lists up, which are built once
        found = [seconds_of(source, stored) for _ in range(rounds)]
        parse = statistics.median(row[0] for row in found)
        deid = statistics.median(row[1] for row in found)
        records = found[0][2]
        megabytes = sum(len(data) for material in stored for data in material.files.values()) / 1e6
        rate = records / (parse + deid)
        print(f"{name:12}{records:8}{megabytes:7.1f}{parse:9.3f}{deid:8.3f}{rate:11.0f}")
        total_seconds, total_deid = total_seconds + parse + deid, total_deid + deid
        total_records += records
    print(f"all: {total_records} records in {total_seconds:.2f} s, one core")
    print(f"records per second: {total_records / total_seconds:.0f}")
    print(f"share of de-identification: {total_deid / total_seconds:.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
