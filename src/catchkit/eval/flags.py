"""A prediction for every roster: what is flagged, and where nothing is said."""

from dataclasses import dataclass

import numpy as np

from catchkit.eval.rosters import Flagged, Rosters


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """Which of ``m`` capabilities are flagged in ``n`` rosters."""

    flagged: Flagged
    """Length m; false throughout an abstained roster."""

    abstained: Flagged
    """Length n; an abstention is not an empty prediction."""

    undecided: Flagged | None = None
    """Length m; where a prior is tied or has seen nothing, counted as needed. Else ``None``."""

    @classmethod
    def of(cls, rosters: Rosters, flagged: Flagged, undecided: Flagged | None = None) -> "Flags":
        """Return a prediction that abstains nowhere."""
        return cls(
            flagged=np.asarray(flagged, dtype=bool),
            abstained=np.zeros(len(rosters.ids), dtype=bool),
            undecided=undecided,
        )

    def lists(self, rosters: Rosters) -> list[list[bool] | None]:
        """Return one list of flags per roster, ``None`` for an abstention."""
        parts = np.split(self.flagged, rosters.offsets[1:-1])
        return [
            None if silent else part.tolist()
            for part, silent in zip(parts, self.abstained, strict=True)
        ]
