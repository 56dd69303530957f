"""Pre-declared families of contrasts, read from a TOML file."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

from catchkit import catalog
from catchkit.configs import configs
from catchkit.errors import UsageError, did_you_mean
from catchkit.eval.traces import Recipe

FOLDER = Path(__file__).with_name("families")
MAX_BYTES = 4 * 1024 * 1024

TestKind = Literal[
    "paired_ranks",
    "paired_auc",
    "auc_bar",
    "gold_ranks",
    "label_swap",
    "flags_greater",
    "flags_two_sided",
    "flags_best",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """One comparison, declared before its scores were seen."""

    id: str
    """Unique in its file, and the address of its random draws."""

    config: str
    metric: str
    a: str | None = None
    b: str | None = None
    """Entrants: prediction files below the folder given, judges, or bundled baselines."""

    prefix: str | None = None
    """Which rows of a ``live`` config: steps, or the share of the final length."""

    null: float | None = None
    """What ``a`` is compared with where there is no ``b``."""

    direction: int = 1
    """1 where A is expected to be higher, -1 lower, 0 for either."""

    fault: str | None = None
    side: Literal["greater", "less"] | None = None
    pool: str | None = None
    """For injected faults: which fault, which tail, which candidates."""

    p: float | None = None
    """A published raw p-value, which stands in for absent predictions."""

    printed: tuple[str, ...] = ()
    """What a paper prints: A, B, A - B, low, high, adjusted p, verdict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Contrasts whose p-values are corrected together."""

    name: str
    title: str
    test: TestKind
    contrasts: tuple[Contrast, ...]
    candidates: tuple[str, ...] = ()
    """For ``flags_best``: what the best is chosen from, anew in every draw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """A file of families."""

    version: str
    recipe: Recipe
    families: tuple[Family, ...]


SHARED = {"config", "metric", "null", "direction"}
"""What a family may state once for all its contrasts."""


def read_families(place: str | Path) -> Declaration:
    """Read a file of families, or the bundled one of that name.

    Raises:
        UsageError: It is missing, malformed, or names an unknown key, test or config.

    Example:
        >>> declared = read_families("published")
        >>> len(declared.families), sum(len(family.contrasts) for family in declared.families)
        (16, 118)
    """
    path = Path(place)
    bundled = FOLDER / f"{place}.toml"
    if not path.is_file() and path.parent == Path() and bundled.is_file():
        path = bundled
    if not path.is_file():
        raise UsageError(f"{place}: no such file; `published` is the bundled one")
    if path.stat().st_size > MAX_BYTES:
        raise UsageError(f"{path}: larger than {MAX_BYTES} bytes")
    try:
        return _declaration(tomllib.loads(path.read_text("utf-8")))
    except (
        tomllib.TOMLDecodeError,
        UnicodeDecodeError,
        KeyError,
        TypeError,
        ValueError,
    ) as problem:
        what = f"no {problem}" if isinstance(problem, KeyError) else str(problem)
        raise UsageError(f"{path}: {what}") from None


def _declaration(content: Mapping[str, Any]) -> Declaration:
    families = tuple(_family(entry) for entry in content["family"])
    for what, names in (
        ("family", [family.name for family in families]),
        ("contrast", [one.id for family in families for one in family.contrasts]),
    ):
        if repeated := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"{what} {repeated[0]!r} stands there twice")
    recipe = content.get("recipe", "default")
    if recipe not in get_args(Recipe):
        raise ValueError(f"recipe is {recipe!r}, expected one of {', '.join(get_args(Recipe))}")
    return Declaration(version=str(content["version"]), recipe=recipe, families=families)


def _family(entry: Mapping[str, Any]) -> Family:
    name = entry["name"]
    known = {"name", "title", "test", "contrast", "candidates", *SHARED}
    _check_keys(f"family {name!r}", entry, known)
    if entry["test"] not in get_args(TestKind):
        raise ValueError(
            f"family {name!r}: test is {entry['test']!r}, expected one of "
            f"{', '.join(get_args(TestKind))}"
        )
    if entry["test"] == "flags_best" and not entry.get("candidates"):
        raise ValueError(f"family {name!r}: flags_best needs candidates to choose from")
    shared = {key: entry[key] for key in SHARED & entry.keys()}
    return Family(
        name=name,
        title=entry.get("title", ""),
        test=entry["test"],
        contrasts=tuple(_contrast({**shared, **one}) for one in entry["contrast"]),
        candidates=tuple(entry.get("candidates", ())),
    )


def _contrast(entry: Mapping[str, Any]) -> Contrast:
    where = f"contrast {entry['id']!r}"
    _check_keys(where, entry, {field.name for field in fields(Contrast)})
    if entry["config"] not in configs():
        hint = did_you_mean(entry["config"], configs())
        raise ValueError(f"{where}: there is no config {entry['config']!r}{hint}")
    metrics = catalog.names("eval.metrics")
    if entry["metric"] not in metrics:
        hint = did_you_mean(entry["metric"], metrics)
        raise ValueError(f"{where}: there is no metric {entry['metric']!r}{hint}")
    if entry.get("direction", 1) not in (-1, 0, 1):
        raise ValueError(f"{where}: direction is {entry['direction']!r}, expected -1, 0 or 1")
    return Contrast(**{**entry, "printed": tuple(entry.get("printed", ()))})


def _check_keys(where: str, entry: Mapping[str, Any], known: set[str]) -> None:
    if unknown := sorted(entry.keys() - known):
        raise ValueError(f"{where}: unknown key {unknown[0]!r}{did_you_mean(unknown[0], known)}")
