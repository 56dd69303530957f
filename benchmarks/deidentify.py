"""How long de-identification takes: texts per second, and our recognisers against the stock ones.

Reads the texts it is given (JSONL of instance_id and text), or, without one, invented task texts
with identifiers planted in them. Prints rates and ratios measured in one run, on one core.

    python benchmarks/deidentify.py [TEXTS]
"""

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from catchkit.builders.texts import read_texts
from catchkit.deidentify.redteam import ROSTER, plants
from catchkit.deidentify.scrub import scrub
from catchkit.deidentify.second_opinion import Reader, own_reader, stock_reader
from catchkit.deidentify.spec import derive
from catchkit.deidentify.structured import describe

REPEATS = 5


def main(arguments: Sequence[str]) -> None:
    """Time each pass over the texts and print rates and ratios."""
    texts = _texts(arguments)
    characters = sum(map(len, texts))
    print(f"{len(texts)} texts, {characters:,} characters")
    passes: dict[str, Callable[[], object]] = {
        "seven patterns (scrub)": lambda: [scrub(text) for text in texts],
        "published tokens and overrides": lambda: [derive(text, ROSTER) for text in texts],
        "structured": lambda: [describe(text, ROSTER) for text in texts],
    }
    for name, run in passes.items():
        seconds = _best(run)
        print(f"{name}: {len(texts) / seconds:,.0f} texts/s, {characters / seconds / 1e6:.2f} MB/s")
    for name, read in {"all in one call": _together, "one per call": _one_by_one}.items():
        ours, theirs = _best_in_turns(
            partial(read, own_reader(), texts), partial(read, stock_reader(), texts)
        )
        print(
            f"presidio, {name}: ours {ours:.2f} s, stock {theirs:.2f} s, "
            f"ratio stock / ours: {theirs / ours:.1f}"
        )


def _together(read: Reader, texts: Sequence[str]) -> None:
    read(texts)


def _one_by_one(read: Reader, texts: Sequence[str]) -> None:
    for text in texts:
        read([text])


def _texts(arguments: Sequence[str]) -> list[str]:
    if arguments:
        return list(read_texts(Path(arguments[0])).values())
    return [plant.text for plant in plants(seed=0, count=120)]


def _best(run: Callable[[], object]) -> float:
    return _best_in_turns(run)[0]


def _best_in_turns(*runs: Callable[[], object]) -> list[float]:
    """Return the shortest time of each, in seconds; in turns, so that all meet the same load."""
    taken: list[list[float]] = [[] for _ in runs]
    for _ in range(REPEATS):
        for run, times in zip(runs, taken, strict=True):
            started = time.perf_counter()
            run()
            times.append(time.perf_counter() - started)
    return [min(times) for times in taken]


if __name__ == "__main__":
    main(sys.argv[1:])
