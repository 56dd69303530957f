"""Authored tasks for four frameworks, with capabilities granted beyond the need."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from catchkit.builders.material import Material, Parsed, RawConfig, Skipped
from catchkit.builders.places import Place
from catchkit.builders.source import Origin, Source
from catchkit.builders.untrusted import read_yaml
from catchkit.errors import RecordError, SourceError
from catchkit.schema import Capability
from catchkit.seeds import generator

CASES = Path(__file__).parent.parent / "cases"
"""The packaged cases, one file per framework."""


def seeded(seed: int) -> Source:
    """Return the source with grants drawn and rosters shuffled under a seed.

    Every case gets at least one grant beyond its need. The ids name the seed, so that no two
    seeds, and none of the released records, share one.

    Example:
        >>> cases = b"{tools: {a: [t, read]}, cases: [{task: T., needs: [], beyond: [a]}]}"
        >>> (only,) = seeded(11).parse(Material(repo="authored", files={"mcp.yaml": cases}))
        >>> only.instance_id, only.framework
        ('synth-mcp-s11-0001', 'mcp')
    """
    return replace(SOURCE, parse=lambda material: _parse(material, seed))


def _wants(path: str) -> bool:
    return "/" not in path and path.endswith(".yaml")


def _parse(material: Material, seed: int = 0) -> Iterator[Parsed]:
    """Yield the cases of every file, ordered by name; the name of a file is its framework."""
    for path in sorted(material.files):
        yield from _cases(material, path, seed)


def _cases(material: Material, path: str, seed: int) -> Iterator[Parsed]:
    """Yield the cases of one file.

    It is YAML with ``tools``, name -> type and level, and ``cases``, each with a ``task``, what
    it ``needs`` and the grants ``beyond`` the need to draw from.
    """
    try:
        found = read_yaml(material.files[path], path)
        tools = {name: _tool(name, *about) for name, about in found["tools"].items()}
        cases = list(found["cases"])
    except (SourceError, RecordError) as problem:
        yield Skipped(path, "file unreadable", str(problem))
        return
    except (TypeError, KeyError, AttributeError):
        yield Skipped(path, "not a file of cases")
        return
    framework = PurePosixPath(path).stem
    for number, case in enumerate(cases, start=1):
        instance_id = f"synth-{framework}-s{seed}-{number:04d}"
        try:
            task, needed, roster = _drawn(case, instance_id, seed)
            yield RawConfig(
                instance_id=instance_id,
                text=task,
                capabilities=tuple(tools[name] for name in roster),
                needed=needed,
                framework=framework,
                repo=material.repo,
                commit=material.commit,
                path=f"synthetic/{framework}",
                license=material.license,
            )
        except (TypeError, KeyError, ValueError):
            yield Skipped(f"{path}#{number}", "not a case")


def _tool(name: str, kind: str, level: str) -> Capability:
    return Capability(name=name, type=kind, permission_level=level)


def _drawn(
    case: Mapping[str, Any], instance_id: str, seed: int
) -> tuple[str, tuple[str, ...], list[str]]:
    """Return the task of a case, what it needs, and its roster under a seed.

    Raises:
        TypeError, KeyError, ValueError: It is not a case, or has nothing to grant beyond its need.
    """
    task, needed, pool = case["task"], tuple(case["needs"]), list(case["beyond"])
    if not isinstance(task, str):
        raise TypeError("a task is a text")
    grants = generator(seed, "over-grants", instance_id)
    count = int(grants.integers(1, len(pool), endpoint=True))
    extra = [pool[int(at)] for at in grants.permutation(len(pool))[:count]]
    granted = [*needed, *extra]
    order = generator(seed, "declared order", instance_id).permutation(len(granted))
    return task, needed, [granted[int(at)] for at in order]


def _places() -> Sequence[Place]:
    """Return the packaged cases, which need no network."""
    return [Place(where=str(CASES), repo="authored", license="MIT")]


def _group(origin: Origin) -> str:
    return f"authored-{origin.framework}"


SOURCE = Source(
    name="synthetic",
    title="Authored tasks with over-grants injected",
    url="https://pypi.org/project/catchbench/0.1.3",
    pin="authored cases, shuffled under one seed",
    label_process="synthetic_inject",
    license_rule="MIT, authored for the benchmark",
    wants=_wants,
    parse=_parse,
    places=_places,
    group=_group,
    group_rule="The family of cases written over one framework's tool table.",
)
