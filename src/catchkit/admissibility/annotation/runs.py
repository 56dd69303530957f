"""The rows of a sheet on Gold: a version of a run with one place marked."""

from collections.abc import Iterator, Sequence
from itertools import islice

from catchkit.admissibility.annotation.sheet import (
    MARK,
    MAX_TEXT,
    NO_MARK,
    Question,
    SheetItem,
    Subject,
    item_name,
    one_line,
)
from catchkit.admissibility.substrate import Candidate, Level, Pair, Run, StepRun, Substrate
from catchkit.builders.record import RecordEvent
from catchkit.seeds import generator

ASKS = "Is the marked step a fault: does the agent rely on something stale, or on nothing at all?"
LEGENDS: dict[Level, tuple[tuple[str, str], ...]] = {
    "steps": (
        (MARK.strip(), "the step that is asked about"),
        ("12", "the number of a step"),
        ("edit <file:…>", "the tool that a step calls, and the files that it is about"),
        ("(decision)", "a step that calls no tool"),
        ("relies on 3 7", "the earlier steps whose outcome a step uses"),
    ),
    "values": (
        (MARK.strip(), "the event that is asked about"),
        ("name=value <<", "the argument in it that is asked about"),
        ("12", "the number of an event"),
        ("call, result, message", "what an event is, followed by its tool or by who speaks"),
        ("name=value", "an argument of a call, or a field of a result"),
        ("value", "a value that a text mentions; the text itself is not shown"),
    ),
}


def runs_asked(substrate: Substrate) -> Subject:
    """Ask of places in runs whether they are faulty."""

    def draw(count: int, seed: int) -> list[SheetItem]:
        drawn = generator(seed, "annotation sheet", substrate.name).permutation(len(runs))
        fitting = (runs[at] for at in drawn.tolist() if fits(runs[at]))
        chosen = [*islice(fitting, 2 * (count // 2))]
        half = len(chosen) // 2
        return [_item(pair, at < half, seed) for at, pair in enumerate(chosen[: 2 * half])]

    by_run = {pair.run_id: pair for pair in substrate.pairs}
    runs = [by_run[run] for run in sorted(by_run)]
    question = Question(
        asks=ASKS,
        shows="run",
        answer="faulty",
        positive="injected",
        negative="clean",
        legend=LEGENDS[substrate.level],
    )
    return Subject(name=substrate.name, digest=substrate.digest, question=question, draw=draw)


def fits(pair: Pair) -> bool:
    """Return whether both versions of a run fit into a cell, so that fitting says nothing."""
    versions = (pair.clean, pair.injected)
    return all(len(shown(run, pair.target)) <= MAX_TEXT for run in versions)


def _item(pair: Pair, is_injected: bool, seed: int) -> SheetItem:
    rng = generator(seed, "marked place", pair.pair_id)
    place = pair.target if is_injected else pair.eligible[rng.integers(len(pair.eligible))]
    run = pair.injected if is_injected else pair.clean
    return SheetItem(item_name(seed, pair.pair_id), shown(run, place), is_injected)


def shown(run: Run, place: Candidate) -> str:
    """Write a run as lines of text, the place marked."""
    lines = _steps(run) if isinstance(run, StepRun) else _events(run.events, place)
    return "\n".join(
        f"{MARK if at == place.event else NO_MARK}{at:3} {one_line(line)}"
        for at, line in enumerate(lines)
    )


def _steps(run: StepRun) -> Iterator[str]:
    for tool, files, writers in zip(run.tools, run.resources, run.writers, strict=True):
        relies = ["relies on", *map(str, sorted(writers))] if writers else []
        yield " ".join([tool or "(decision)", *sorted(files), *relies])


def _events(events: Sequence[RecordEvent], place: Candidate) -> Iterator[str]:
    for at, event in enumerate(events):
        leaves = [
            f"{leaf.path}={leaf.token}"
            + (" <<" if at == place.event and leaf.path == place.path else "")
            for leaf in event.leaves
        ]
        yield " ".join([event.kind, event.tool or event.role, *leaves, *event.mentions])
