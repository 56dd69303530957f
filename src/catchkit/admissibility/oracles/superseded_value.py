"""Names the values that a field of an observed object had lost before the call."""

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import Oracle
from catchkit.admissibility.plants import scored, value_run
from catchkit.admissibility.substrate import Candidate, Pair, Run, ValueRun
from catchkit.builders.corpus import corpus_named
from catchkit.eval.matched import Values
from catchkit.injection.extraction import Extraction
from catchkit.injection.supersession import superseded_uses
from catchkit.injection.values import value_run_of


def _score(_: Context, pair: Pair, run: Run) -> Values:
    superseded = _superseded(pair, value_run(run))
    return scored(pair, lambda candidate: candidate in superseded)


def _superseded(pair: Pair, run: ValueRun) -> frozenset[Candidate]:
    if pair.corpus is None:
        return frozenset()
    corpus = corpus_named(pair.corpus)
    read = value_run_of(pair.run_id, run.events, corpus, Extraction.of(corpus, pair.extraction))
    return frozenset(Candidate(read.events[use.at].at, use.path) for use in superseded_uses(read))


ORACLE = Oracle(
    name="superseded_value",
    summary="Whether a field held the value and had lost it when last observed before the call.",
    levels=("values",),
    score=_score,
)
