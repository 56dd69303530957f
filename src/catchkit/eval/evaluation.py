"""What every evaluation reports, whatever the config asks."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from catchkit.loaders.files import sha256_of


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """Everything ``catchkit evaluate`` reports, unrounded."""

    score: Any
    """The metrics of the predictions over the whole config, with how many rows were scored."""

    floors: Mapping[str, Any]
    """What guessing reaches on the same rows."""

    references: Mapping[str, Any]
    """What each baseline reaches on the same rows."""

    sources: Mapping[str, Any]
    """The same for each source of a PRE config, or each domain of a corpus."""

    config: str
    column: str
    predictions: Mapping[str, str]
    data: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Return plain mappings and numbers."""
        return asdict(self)

    def to_json(self) -> str:
        """Return one JSON object; the file's own score comes first."""
        return json.dumps(self.to_dict(), indent=1, allow_nan=False)


def described(origin: str, predictions: object) -> dict[str, str]:
    """Return where predictions came from, with the digest of a file."""
    if isinstance(predictions, str | Path):
        return {"origin": origin, "sha256": sha256_of(Path(predictions))}
    return {"origin": origin}
