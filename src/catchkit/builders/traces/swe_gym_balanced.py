"""As many failed as resolved SWE-Gym runs, of the one sampling that has most of both."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from catchkit.builders.corpus import Run
from catchkit.builders.traces import swe_gym


def balanced(runs: Sequence[Run]) -> list[str]:
    """Choose the first k resolved and the first k failed runs of the most balanced sampling.

    Args:
        runs: The runs of the whole corpus in their published order.

    Returns:
        Run ids, all resolved ones first; k is what the rarer outcome of that sampling has.
    """
    tags: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for run in runs:
        if run.failed is not None:
            tags[run.key.rsplit("/", 2)[0]][run.failed].append(run.run_id)
    if not tags:
        return []
    resolved, failed = max(tags.values(), key=lambda outcomes: min(map(len, outcomes)))
    k = min(len(resolved), len(failed))
    return resolved[:k] + failed[:k]


CORPUS = replace(
    swe_gym.CORPUS,
    name="swe_gym_balanced",
    title="SWE-Gym's OpenHands samples, balanced",
    folder="swe_gym",
    select=balanced,
)
