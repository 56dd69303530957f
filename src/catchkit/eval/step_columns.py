"""What a step looks like from outside: where it stands, who acts, how the work is handed over."""

from collections import Counter
from itertools import pairwise

import numpy as np

from catchkit.eval.auc import Values
from catchkit.eval.traces import Traces


def relative_position(traces: Traces) -> Values:
    """Return each step's position as a share of its run, 0 for the first and 1 for the last."""
    last = np.maximum(traces.sizes - 1, 1)[traces.run_of_step]
    return traces.positions / last


def execution_columns(traces: Traces) -> Values:
    """Return the eight columns of the original's execution ranker, shape (steps, 8).

    Position; is a tool call; share of the run's decisions by this actor; is the most active
    decider; its activity rank; actors seen so far; whom it hands over to; who hands over to it,
    the last four as shares of the number of actors.
    """
    rows = [
        row
        for start, end in pairwise(traces.starts.tolist())
        for row in _rows(
            traces.runs.actor[start:end].tolist(), traces.runs.is_tool[start:end].tolist()
        )
    ]
    return np.column_stack([relative_position(traces), np.array(rows, dtype=np.float64)])


def _rows(actors: list[int], is_tool: list[bool]) -> list[list[float]]:
    """Return the seven columns beyond the position for each step of one run."""
    pairs = zip(actors, is_tool, strict=True)
    decisions = Counter(actor for actor, tool in pairs if not tool)
    # The most active first, ties in order of their first decision; who never decides is last.
    rank = {actor: at for at, (actor, _) in enumerate(decisions.most_common())}
    total, count = max(decisions.total(), 1), len(set(actors))
    handed = {(a, b) for a, b in pairwise(actors) if a != b}
    seen: set[int] = set()
    rows = []
    for actor, tool in zip(actors, is_tool, strict=True):
        seen.add(actor)
        rows.append(
            [
                float(tool),
                decisions[actor] / total,
                float(rank.get(actor) == 0),
                rank.get(actor, count) / count,
                len(seen) / count,
                sum(a == actor for a, _ in handed) / count,
                sum(b == actor for _, b in handed) / count,
            ]
        )
    return rows
