"""Wall time, throughput and peak memory of converting a folder of corpora.

    python benchmarks/trace_conversion.py ../shared/traces [REPEATS]

With REPEATS, ``tau_bench`` is also converted so often repeated, as files of their own, and its peak
memory compared with that of a single copy.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from catchkit.builders.conversion import present
from catchkit.builders.corpus import corpus_named, shards_of
from catchkit.builders.streams import opened

PROGRAM = """
import resource, sys
from catchkit.cli.main import main
code = main(sys.argv[1:])
own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print("PEAK", max(own, children), code)
"""


def convert(name: str, place: Path, workers: int) -> tuple[float, float]:
    """Return seconds and peak MB of the largest process of one conversion."""
    with tempfile.TemporaryDirectory() as out:
        arguments = ["convert", name, "--from", str(place), "--out", f"{out}/o"]
        arguments += ["--workers", str(workers)]
        start = perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=True
        )
        wall = perf_counter() - start
    found = re.search(r"PEAK (\d+) (\d+)", done.stdout)
    if found is None or found[2] != "0":
        raise SystemExit(done.stdout + done.stderr)
    return wall, int(found[1]) / 1024


def megabytes(place: Path) -> float:
    """Return the size of the shards of every corpus, decompressed."""
    total = 0
    for name in present(place):
        corpus = corpus_named(name)
        for shard in shards_of(corpus, place / (corpus.folder or name)):
            with opened(shard) as stream:
                while chunk := stream.read(1 << 20):
                    total += len(chunk)
    return total / 1e6


def main(place: Path, repeats: int) -> None:
    """Print the figures."""
    size = megabytes(place)
    for workers in (1, 2):
        wall, peak = convert("all", place, workers)
        speed = f"{wall:.1f} s, {size / wall:.2f} MB/s of {size:.0f} MB decompressed"
        print(f"{workers} worker(s): {speed}, peak {peak:.0f} MB")
    if repeats:
        with tempfile.TemporaryDirectory() as folder:
            many = Path(folder)
            for path in (place / "tau_bench" / "trajectories").iterdir():
                for copy in range(repeats):
                    (many / "trajectories").mkdir(exist_ok=True)
                    shutil.copy(path, many / "trajectories" / f"{copy}_{path.name}")
            _, once = convert("tau_bench", place / "tau_bench", 1)
            _, often = convert("tau_bench", many, 1)
        print(
            f"tau_bench: peak {once:.0f} MB; {repeats} times: {often:.0f} MB ({often / once:.3f})"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
