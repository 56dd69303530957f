"""A prediction for every step, run or prefix of a trace config, over one or several seeds."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from catchkit.eval.auc import Mask, Values
from catchkit.eval.traces import Traces


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Scores of ``n`` rows, or of all ``m`` steps of them; higher is more suspicious."""

    values: Values
    """Shape (seeds, m) for the question which step, else (seeds, n)."""

    abstained: Mask
    """Length n; an abstention is not a low score. Its values are 0."""

    names_one: bool = False
    """Whether each answer names one step and says nothing about the others."""

    @classmethod
    def of(cls, traces: Traces, values: npt.ArrayLike) -> "Scores":
        """Return scores that abstain nowhere, of one seed or of several."""
        return cls(
            values=np.atleast_2d(np.asarray(values, dtype=np.float64)),
            abstained=np.zeros(len(traces.ids), dtype=bool),
        )

    def lists(self, traces: Traces, seed: int = 0) -> list[float | list[float] | None]:
        """Return what a prediction file holds for each row, ``None`` for an abstention."""
        values = self.values[seed]
        parts: list[float | list[float]] = (
            [part.tolist() for part in np.split(values, traces.starts[1:-1])]
            if traces.asks_parts
            else values.tolist()
        )
        return [
            None if silent else part for part, silent in zip(parts, self.abstained, strict=True)
        ]
