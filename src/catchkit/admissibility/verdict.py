"""What the bar says: five items with their evidence, and digests of all that went into them."""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from catchkit.admissibility.thresholds import Thresholds

ItemVerdict: TypeAlias = Literal["pass", "fail", "undetermined", "not met"]
Answer: TypeAlias = Literal["admissible", "inadmissible", "undetermined"]

TITLES = {
    1: "fault realism",
    2: "no artefact leakage",
    3: "distributional validity",
    4: "non-circular labels",
    5: "validation by people",
}
PACKAGE = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One of the five items."""

    item: int
    verdict: ItemVerdict
    because: str
    """The reason in one sentence."""

    evidence: Mapping[str, Any]
    """Plain mappings, lists, numbers and strings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Five items and what follows from them."""

    subject: str
    panel: str
    items: tuple[Item, ...]
    data: Mapping[str, str]
    thresholds: Thresholds
    earlier: tuple[Mapping[str, Any], ...] = ()
    """Readings that stood in the same file before: when thresholds change, it shows."""

    @property
    def verdict(self) -> Answer:
        """Admissible only if all five pass; inadmissible if any fails."""
        found = [item.verdict for item in self.items]
        if "fail" in found:
            return "inadmissible"
        return "admissible" if set(found) == {"pass"} else "undetermined"

    def to_dict(self) -> dict[str, Any]:
        """Return plain mappings and numbers."""
        return {
            "verdict": self.verdict,
            "subject": self.subject,
            "panel": self.panel,
            "items": [
                {
                    "item": item.item,
                    "title": TITLES[item.item],
                    "verdict": item.verdict,
                    "because": item.because,
                    "evidence": item.evidence,
                }
                for item in self.items
            ],
            "digests": {
                **self.data,
                "code": code_digest(),
                "thresholds": self.thresholds.digest,
            },
            "thresholds": asdict(self.thresholds),
            "earlier": list(self.earlier),
        }

    def to_json(self) -> str:
        """Return one JSON object."""
        return json.dumps(_finite(self.to_dict()), indent=1, allow_nan=False) + "\n"


def _finite(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Write numbers that are not finite as null: JSON has no other word for them."""
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def code_digest() -> str:
    """Return a digest of every source file that a verdict can depend on."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return f"sha256:{digest.hexdigest()}"


def earlier_readings(path: Path) -> tuple[Mapping[str, Any], ...]:
    """Return what an existing verdict file says in short, and what it remembers itself."""
    try:
        found = json.loads(path.read_text("utf-8"))
        short = {
            "verdict": found["verdict"],
            "items": {str(item["item"]): item["verdict"] for item in found["items"]},
            "digests": found["digests"],
            "thresholds_version": found["thresholds"]["version"],
        }
        return (*found["earlier"], short)
    except (OSError, ValueError, KeyError, TypeError):
        return ()
