"""The thresholds of the bar: one versioned file, whose digest every verdict carries."""

import hashlib
import tomllib
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from catchkit.errors import UsageError

SHIPPED = Path(__file__).with_name("thresholds.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Leakage:
    """Item 2; what each number decides stands beside it in the file."""

    alpha: float
    margin_top1: float
    margin_paired: float
    artefact: float
    power: float
    sample_power: float
    replicates: int

    def margin(self, output: str) -> float:
        """Return the band of a reading."""
        return self.margin_top1 if output == "top1" else self.margin_paired


@dataclass(frozen=True, slots=True, kw_only=True)
class Adversary:
    """The learned adversary of items 2 and 3."""

    folds: int
    iterations: int
    learning_rate: float
    leaves: int
    min_leaf: int
    replicates: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Realism:
    """Item 1."""

    min_natural: int
    max_auc: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """Item 3."""

    max_standardised_difference: float
    margin_paired: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """Item 5."""

    items: int
    min_annotators: int
    min_alpha: float
    min_found: float
    max_false: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterLimits:
    """The shortcuts of declared configurations."""

    margin: float
    replicates: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Everything that decides an item."""

    version: int
    leakage: Leakage
    adversary: Adversary
    realism: Realism
    distribution: Distribution
    validation: Validation
    rosters: RosterLimits
    digest: str
    """SHA-256 of the file."""

    is_shipped: bool
    """Whether it is the file of this toolkit, byte for byte."""


SECTIONS = {
    "leakage": Leakage,
    "adversary": Adversary,
    "realism": Realism,
    "distribution": Distribution,
    "validation": Validation,
    "rosters": RosterLimits,
}


@cache
def shipped() -> Thresholds:
    """Return the thresholds of this toolkit.

    Example:
        >>> shipped().leakage.margin("top1")
        0.05
    """
    return read_thresholds(SHIPPED)


def read_thresholds(path: Path) -> Thresholds:
    """Read a thresholds file.

    Raises:
        UsageError: It is missing, or lacks a number, or holds one that means nothing here.
    """
    try:
        content = path.read_bytes()
        values = tomllib.loads(content.decode())
        sections: dict[str, Any] = {
            name: _section(kind, values.pop(name)) for name, kind in SECTIONS.items()
        }
        version = values.pop("version")
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise UsageError(f"{path}: no thresholds ({problem})") from None
    if values:
        raise UsageError(f"{path}: unknown entries {', '.join(sorted(values))}")
    return Thresholds(
        version=version,
        **sections,
        digest=f"sha256:{hashlib.sha256(content).hexdigest()}",
        is_shipped=content == SHIPPED.read_bytes(),
    )


def _section(kind: type[Any], values: dict[str, Any]) -> object:
    for entry in fields(kind):
        value = values[entry.name]
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            raise ValueError(f"{entry.name} is {value!r}, expected a number of at least 0")
        if entry.name in ("alpha", "sample_power") and not 0 < value < 1:
            raise ValueError(f"{entry.name} is {value!r}, expected a share between 0 and 1")
        if entry.type is int and not isinstance(value, int):
            raise ValueError(f"{entry.name} is {value!r}, expected a whole number")
    return kind(**values)
