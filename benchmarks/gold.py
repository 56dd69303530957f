"""What Gold costs: injection beside the original's, ten seeds written, and every promise swept.

Reads the raw tau-bench runs of a folder, whose trajectories the original's own functions read too.
Prints ratios measured in one run, on one core.

    python benchmarks/gold.py speed RUNS        ours and the original's on the same runs
    python benchmarks/gold.py seeds             ten seeds of v2, packaged runs, one command
    python benchmarks/gold.py promises [SEEDS]  what every fault promises, packaged runs
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from catchkit.builders.corpus import corpus_named, shards_of
from catchkit.builders.streams import Located, json_array
from catchkit.gold_configs import FILE_CORPORA, VALUE_CORPORA
from catchkit.injection.donors import Donors
from catchkit.injection.extraction import Extraction
from catchkit.injection.files import FileRun
from catchkit.injection.gold import SUBSTRATES, gold
from catchkit.injection.gold_files import FileGold
from catchkit.injection.injector import Injector, Site, faults_of
from catchkit.injection.material import material
from catchkit.injection.pairs import Pair, single
from catchkit.injection.planted import Version
from catchkit.injection.randomness import Addressed, Published
from catchkit.injection.values import ValueRun, value_run
from catchkit.trace_configs import NOT_SHIPPED

SEEDS = 5
KINDS = {"stale_value": "stale", "dropped_value": "dropped"}


def main(arguments: Sequence[str]) -> None:
    """Run one of the three measurements."""
    match arguments:
        case ["speed", place]:
            _speed(Path(place))
        case ["seeds"]:
            _ten_seeds()
        case ["promises", *seeds]:
            _promises(int(seeds[0]) if seeds else 200)
        case _:
            sys.exit(__doc__)


def _speed(place: Path) -> None:
    """Time both injectors on the same runs, and check that they plant the same faults."""
    original, corpus = _original(), corpus_named("tau_bench")
    extraction = Extraction.of(corpus, "published")
    runs = [value_run(record, corpus, extraction) for record in material(corpus, place)]
    theirs = [_graph(original, str(at), run) for at, run in enumerate(_raw_runs(place))]
    place_of = {run.run_id: str(at) for at, run in enumerate(runs)}
    totals = [0.0, 0.0]
    for fault in faults_of("value"):
        for seed in range(SEEDS):
            started = time.perf_counter()
            ours = single(runs, fault, Published(seed, "value"), Donors.of(runs))
            between = time.perf_counter()
            other = original.build_single_kind_corpus(theirs, KINDS[fault.name], seed)
            own_seconds, their_seconds = between - started, time.perf_counter() - between
            same = [(place_of[p.clean.run_id], p.change.after) for p in ours] == [
                (p.clean.run_id, p.label.injected) for p in other
            ]
            totals = [totals[0] + own_seconds, totals[1] + their_seconds]
            print(
                f"{fault.name} seed {seed}: {len(ours)} pairs, ours {own_seconds:.2f} s, "
                f"original {their_seconds:.2f} s, {'same' if same else 'DIFFERENT'} faults"
            )
    print(f"all: ratio original / ours {totals[1] / totals[0]:.1f}")


def _original() -> Any:  # noqa: ANN401 - a module without types
    """Import the original's functions; what they import and never call here is stood in for."""
    for name in ("catchbench._reuse", "agent_graph_tau_bench"):
        sys.modules.setdefault(name, ModuleType(name))
    import catchbench.namedvalue

    return catchbench.namedvalue


def _raw_runs(place: Path) -> Iterator[dict[str, Any]]:
    for shard in shards_of(corpus_named("tau_bench"), place):
        yield from (held.record for held in json_array(shard) if isinstance(held, Located))


def _graph(original: Any, name: str, run: dict[str, Any]) -> Any:  # noqa: ANN401 - likewise
    events, given = original.extract_events({"messages": run["traj"]})
    return original.build_graph(name, events, given)


def _ten_seeds() -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [
            "gold",
            "v2",
            "--corpus",
            "tau_bench",
            "--seeds",
            "10",
            "--out",
            f"{folder}/gold",
        ]
        started = time.perf_counter()
        subprocess.run([sys.executable, "-m", "catchkit", *command], check=True)
        seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"ten seeds: {seconds:.1f} s, peak memory {peak:.0f} MB")


def _promises(seeds: int) -> None:
    """Try on every packaged run what the contract of the faults tries on small ones."""
    versions: dict[Version, frozenset[str]] = {"v1": FILE_CORPORA, "v2": VALUE_CORPORA}
    for version, names in versions.items():
        for corpus in sorted(names - NOT_SHIPPED):
            clean = gold(version, corpus)
            donors = Donors() if isinstance(clean, FileGold) else clean.donors
            for fault in faults_of(SUBSTRATES[version]):
                _promise(corpus, fault, list(clean.runs), donors, seeds)


def _promise(corpus: str, fault: Injector, runs: list[Any], donors: Donors, seeds: int) -> None:
    before, pairs, reached = repr(runs), 0, set()
    able = {run.run_id: set(fault.sites(run)) for run in runs}
    for seed in range(seeds):
        planted: list[Pair[Any]] = single(runs, fault, Addressed(seed), donors)
        pairs += len(planted)
        for pair in planted:
            _check(pair, able[pair.clean.run_id])
            reached.add((pair.clean.run_id, pair.change.site))
        some = {p.clean.run_id: p.change for p in planted}
        if seed < 10:
            again = single(runs[::-2], fault, Addressed(seed), donors)
            _require(all(some[p.clean.run_id] == p.change for p in again), "another run moved one")
    _require(repr(runs) == before, "an input changed")
    sites = sum(map(len, able.values()))
    print(
        f"{corpus} {fault.name}: {pairs:,} pairs of {seeds} seeds hold, "
        f"{len(reached):,} of {sites:,} sites reached",
        flush=True,
    )


def _check(pair: Pair[Any], sites: set[Site]) -> None:
    change = pair.change
    _require(change.site in sites, "the label is no site")
    _require(change.before != change.after, "nothing changed")
    differing = _steps(pair) if isinstance(pair.clean, FileRun) else _values(pair)
    place = (change.site.at, change.site.path)
    _require(differing == [place], "something else changed")


def _steps(pair: Pair[FileRun]) -> list[tuple[int, str]]:
    deps = zip(pair.clean.deps, pair.faulty.deps, strict=True)
    return [(at, "") for at, (before, after) in enumerate(deps) if before != after]


def _values(pair: Pair[ValueRun]) -> list[tuple[int, str]]:
    events = zip(pair.clean.events, pair.faulty.events, strict=True)
    return [
        (at, old.path)
        for at, (before, after) in enumerate(events)
        for old, new in zip(before.leaves, after.leaves, strict=True)
        if old != new
    ]


def _require(truth: bool, problem: str) -> None:
    if not truth:
        sys.exit(f"BROKEN: {problem}")


if __name__ == "__main__":
    main(sys.argv[1:])
