"""Authored tasks for four frameworks, with capabilities granted beyond the need."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from catchkit.builders.material import NO_COMMIT, Material, Parsed, RawConfig, Skipped
from catchkit.builders.source import Origin, Source
from catchkit.builders.untrusted import read_yaml
from catchkit.errors import RecordError, SourceError
from catchkit.schema import Capability
from catchkit.seeds import generator

FRAMEWORKS = ("crewai", "mcp", "flowise", "sweagent")
CASES = Path(__file__).parent.parent / "cases"


def authored(seed: int) -> Iterator[Parsed]:
    """Yield the packaged cases with grants drawn and rosters shuffled under a seed.

    Every case gets at least one grant beyond its need. The ids name the seed, so that no two
    seeds, and none of the released records, share one.

    Example:
        >>> first = next(authored(11))
        >>> first.instance_id, first.framework
        ('synth-crewai-s11-0001', 'crewai')
    """
    for framework in FRAMEWORKS:
        data = (CASES / f"{framework}.yaml").read_bytes()
        yield from cases_of(framework, data, seed)


def cases_of(framework: str, data: bytes, seed: int) -> Iterator[Parsed]:
    """Yield one configuration per case of a file.

    Args:
        framework: Whose tool table the file holds.
        data: YAML with ``tools``, name -> type and level, and ``cases``, each with a ``task``,
            what it ``needs`` and the grants ``beyond`` the need to draw from.
        seed: Decides which grants are drawn and the order of the roster.
    """
    name = f"{framework}.yaml"
    try:
        found = read_yaml(data, name)
        tools = {key: _tool(key, *about) for key, about in found["tools"].items()}
        cases = list(found["cases"])
    except (SourceError, RecordError) as problem:
        yield Skipped(name, "file unreadable", str(problem))
        return
    except (TypeError, KeyError, AttributeError):
        yield Skipped(name, "not a file of cases")
        return
    for number, case in enumerate(cases, start=1):
        instance_id = f"synth-{framework}-s{seed}-{number:04d}"
        try:
            yield _config(instance_id, framework, case, tools, seed)
        except (TypeError, KeyError, ValueError):
            yield Skipped(f"{name}#{number}", "not a case")


def _tool(name: str, kind: str, level: str) -> Capability:
    return Capability(name=name, type=kind, permission_level=level)


def _config(
    instance_id: str,
    framework: str,
    case: Mapping[str, Any],
    tools: Mapping[str, Capability],
    seed: int,
) -> RawConfig:
    task, needed, pool = case["task"], tuple(case["needs"]), list(case["beyond"])
    if not isinstance(task, str):
        raise TypeError("a task is a text")
    drawn = generator(seed, "over-grants", instance_id)
    count = int(drawn.integers(1, len(pool), endpoint=True))
    extra = [pool[int(at)] for at in drawn.permutation(len(pool))[:count]]
    granted = [*needed, *extra]
    order = generator(seed, "declared order", instance_id).permutation(len(granted))
    return RawConfig(
        instance_id=instance_id,
        text=task,
        capabilities=tuple(tools[granted[int(at)]] for at in order),
        needed=needed,
        framework=framework,
        repo="authored",
        commit=NO_COMMIT,
        path=f"synthetic/{framework}",
        license="MIT",
    )


def _wants(path: str) -> bool:
    return path in {f"{framework}.yaml" for framework in FRAMEWORKS}


def _parse(material: Material) -> Iterator[Parsed]:
    """Yield the cases of a folder of case files under seed 0."""
    for framework in FRAMEWORKS:
        if data := material.files.get(f"{framework}.yaml"):
            yield from cases_of(framework, data, seed=0)


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
    group=_group,
    group_rule="The family of cases written over one framework's tool table.",
)
