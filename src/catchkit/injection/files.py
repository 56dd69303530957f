"""A run as file faults see it: which step touched which file and relied on which earlier step."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from catchkit.builders.corpus import Corpus
from catchkit.builders.graph import TraceGraph
from catchkit.schema import require

MIN_STEPS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRun:
    """The steps of a run with their files and dependencies."""

    run_id: str
    is_tool: tuple[bool, ...]
    files: tuple[frozenset[str], ...]
    """Per step; empty for one that touches none."""

    deps: tuple[tuple[int, ...], ...]
    """Per step, the earlier steps it relied on."""

    def __post_init__(self) -> None:
        sizes = {len(self.is_tool), len(self.files), len(self.deps)}
        require(len(sizes) == 1, "deps", "is not as long as the other columns")
        for at, deps in enumerate(self.deps):
            earlier = all(0 <= dep < at for dep in deps)
            require(earlier, "deps", f"step {at} relies on one that is not earlier")

    @property
    def n_steps(self) -> int:
        """Number of steps."""
        return len(self.files)

    @property
    def n_edges(self) -> int:
        """Number of distinct dependencies."""
        return sum(len(set(deps)) for deps in self.deps)

    @property
    def spans(self) -> tuple[int, ...]:
        """Per step, how far back its farthest dependency lies; 0 without one."""
        return tuple(at - min(deps, default=at) for at, deps in enumerate(self.deps))

    def with_deps(self, at: int, deps: Sequence[int]) -> "FileRun":
        """Return the run with other dependencies at one step."""
        return replace(self, deps=(*self.deps[:at], tuple(deps), *self.deps[at + 1 :]))


def file_run(graph: TraceGraph, corpus: Corpus) -> FileRun:
    """Return the files and file dependencies of a graph.

    Files of shell commands count exactly where the corpus's published rule counts them.
    """
    files: list[set[str]] = [set() for _ in graph.kind]
    for touch in graph.touches:
        if corpus.counts_shell or touch.origin == "tool":
            files[touch.step].add(touch.resource)
    deps: list[list[int]] = [[] for _ in graph.kind]
    for edge in graph.edges:
        if edge.kind == "file":
            deps[edge.reader].append(edge.writer)
    return FileRun(
        run_id=graph.run_id,
        is_tool=tuple(kind == "tool_call" for kind in graph.kind),
        files=tuple(map(frozenset, files)),
        deps=tuple(map(tuple, deps)),
    )


def can_be_clean(run: FileRun) -> bool:
    """Return whether a run is long enough and relies on anything."""
    return run.n_steps >= MIN_STEPS and any(run.deps)


def redirections(run: FileRun, at: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return each dependency of a step on a file it shares, with the older steps on that file.

    Steps that the one at hand relies on already are no alternative; dependencies without an
    alternative are left out.
    """
    return _redirections(run, at, _steps_on(run))


def redirectable(run: FileRun) -> tuple[int, ...]:
    """Return the steps that have a dependency with an alternative."""
    on = _steps_on(run)
    return tuple(at for at in range(run.n_steps) if run.deps[at] and _redirections(run, at, on))


def _steps_on(run: FileRun) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for at, files in enumerate(run.files):
        for file in files:
            found[file].append(at)
    return found


def _redirections(
    run: FileRun, at: int, steps_on: dict[str, list[int]]
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    own, found = run.deps[at], []
    for dep in dict.fromkeys(own):
        shared = run.files[at] & run.files[dep]
        older = {step for file in shared for step in steps_on[file] if step < dep}
        if alternatives := tuple(sorted(older.difference(own))):
            found.append((dep, alternatives))
    return tuple(found)
