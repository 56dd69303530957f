"""Plants a fault that leaves no trace in real runs: an injector that the bar must not fail.

Every identifier of a run gets an alias, in both versions. From the first time that the agent uses
one which it has read, the injected version goes on with a second alias, drawn in the same way. No
value is of another run then, and the rest of the run agrees with the fault.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from catchkit.admissibility.context import Context
from catchkit.admissibility.leaks import Inject, Leak, in_rows, injected
from catchkit.admissibility.plants import ATTEMPTS, value_run
from catchkit.admissibility.substrate import Candidate, Pair, Run, Substrate, ValueRun
from catchkit.builders.corpus import corpus_named
from catchkit.injection.extraction import Extraction
from catchkit.injection.values import Consumption, consumptions, value_run_of
from catchkit.seeds import generator

FAULT = "renaming"


def renamed(substrate: Substrate, *, seed: int = 0, leak: Leak | None = None) -> Substrate:
    """Return the clean runs of a substrate of values with the fault in each that can take it.

    Args:
        substrate: Its corpus has to be known.
        seed: For aliases, sites and the order of rows.
        leak: What the injector does wrong; ``None`` for a clean one.

    Raises:
        ValueError: Nothing says how the values of a run are read.
    """
    streams = {pair.run_id: generator(seed, "renaming", pair.run_id) for pair in substrate.pairs}
    clean = [
        aliased
        for pair, run in substrate.by_run()
        if (aliased := _aliased(pair, value_run(run), streams[pair.run_id])) is not None
    ]
    bare = replace(
        substrate,
        name=f"{substrate.name}, renamed",
        pairs=tuple(clean),
        modes={FAULT: "An identifier is not the one that was read."},
    )
    context = Context.of(bare)
    made = [
        injected(pair, _renaming(pair, rng), context, rng, leak)
        for pair in clean
        for rng in [streams[pair.run_id]]
    ]
    return replace(bare, pairs=in_rows(made, seed, leak))


def _aliased(pair: Pair, run: ValueRun, rng: np.random.Generator) -> Pair | None:
    """Return the run under other names, unmarked; ``None`` where there is no place for a fault."""
    uses = list(_uses(pair, run))
    names = _aliases([use.value for use in uses], set(run.occurrences), rng)
    clean = run.renamed(names)
    eligible = tuple(
        sorted(
            Candidate(use.at, use.path)
            for use in uses
            if use.value in names and _is_first(use, run)
        )
    )
    if not eligible:
        return None
    site = int(rng.integers(len(eligible)))
    return replace(pair, fault=FAULT, clean=clean, injected=clean, eligible=eligible, site=site)


def _renaming(pair: Pair, rng: np.random.Generator) -> Inject:
    run = value_run(pair.clean)

    def inject(place: Candidate) -> Run:
        names = _aliases([run.arguments[place].token], set(run.occurrences), rng)
        return run.renamed(names, place.event)

    return inject


def _uses(pair: Pair, run: ValueRun) -> Iterator[Consumption]:
    """Yield the arguments of a run that are identifiers, placed among its events."""
    if pair.corpus is None:
        raise ValueError(f"{pair.run_id}: nothing says how its values are read")
    corpus = corpus_named(pair.corpus)
    reading = Extraction.of(corpus, pair.extraction)
    read = value_run_of(pair.run_id, run.events, corpus, reading)
    for use in consumptions(read):
        if reading.is_identifier(use.value, use.key):
            yield replace(use, at=read.events[use.at].at)


def _is_first(use: Consumption, run: ValueRun) -> bool:
    """Return whether the agent uses here for the first time what it has read and was not told."""
    said = {at for word in {*_spellings(use.value)} for at in run.occurrences.get(word, ())}
    by_agent = min(at for at in said if run.events[at].role == "assistant")
    is_told = any(run.events[at].role in ("user", "system") for at in said)
    return use.grounding == "derived" and by_agent == use.at and not is_told


def _aliases(values: Sequence[str], taken: set[str], rng: np.random.Generator) -> dict[str, str]:
    """Return another name of the same shape for each value that has one, in each spelling."""
    names: dict[str, str] = {}
    for value in dict.fromkeys(values):
        drawn = (_redrawn(value, rng) for _ in range(ATTEMPTS))
        alias = next((one for one in drawn if taken.isdisjoint(_spellings(one))), None)
        if alias is not None:
            names |= zip(_spellings(value), _spellings(alias), strict=True)
            taken |= {*_spellings(alias)}
    return names


def _spellings(value: str) -> tuple[str, str]:
    """Return a value as it is held and as a text mentions it: people leave the ``#`` out."""
    return value, value.removeprefix("#")


def _redrawn(value: str, rng: np.random.Generator) -> str:
    return "".join(str(rng.integers(10)) if char.isdigit() else char for char in value)
