"""How far judges agree, capability by capability."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from catchkit.schema import PreRecord

POOLED = "pooled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Two judges over the configurations that both have voted on."""

    source: str
    """A source, or ``pooled`` for all of them together."""

    judges: tuple[str, str]
    configs: int
    capabilities: int
    agreement: float
    """Share of capabilities on which both say the same, in [0, 1]; ``nan`` of none."""

    kappa: float
    """Cohen's kappa of the two; ``nan`` where chance alone would agree always."""

    excess_share: float
    """Share of capabilities that neither judge needs, in [0, 1]; ``nan`` of none."""


def agreements(records: Iterable[PreRecord]) -> list[Agreement]:
    """Return the agreement of every two judges, per source and pooled."""
    voted = [record for record in records if record.votes]
    judges = sorted({vote.judge for record in voted for vote in record.votes})
    sources = sorted({record.source for record in voted})
    return [
        _agreement(source, pair, [r for r in voted if source in (r.source, POOLED)])
        for pair in combinations(judges, 2)
        for source in (*sources, POOLED)
    ]


def _agreement(source: str, judges: tuple[str, str], records: Sequence[PreRecord]) -> Agreement:
    ballots = [{vote.judge: vote.needed for vote in record.votes} for record in records]
    both = [ballot for ballot in ballots if set(judges) <= set(ballot)]
    first, second = ([needed for b in both for needed in b[judge]] for judge in judges)
    pairs = list(zip(first, second, strict=True))
    return Agreement(
        source=source,
        judges=judges,
        configs=len(both),
        capabilities=len(pairs),
        agreement=_share([one == other for one, other in pairs]),
        kappa=_kappa(first, second),
        excess_share=_share([not (one or other) for one, other in pairs]),
    )


def _share(truths: Sequence[bool]) -> float:
    return sum(truths) / len(truths) if truths else math.nan


def _kappa(first: Sequence[bool], second: Sequence[bool]) -> float:
    from sklearn.metrics import cohen_kappa_score  # takes a second, which counting does not need

    if len({*first, *second}) < 2:
        return math.nan
    return float(cohen_kappa_score(first, second))
