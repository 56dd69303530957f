"""A blinded, balanced annotation sheet, and what people who filled it in say."""

import csv
import html
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from catchkit.admissibility.substrate import Candidate, Pair, Run, StepRun, Substrate
from catchkit.admissibility.thresholds import Thresholds
from catchkit.builders.record import RecordEvent
from catchkit.errors import UsageError
from catchkit.loaders.files import written_whole
from catchkit.seeds import generator, opaque

HEADER = ("item", "run", "faulty")
ANSWERS = {"yes": True, "no": False, "unsure": None}
QUESTION = (
    "Is the marked step a fault: does the agent rely on something stale, or on nothing at all?"
)
MARK = ">>"
MAX_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class SheetItem:
    """One row: a version of a run with one place marked."""

    item: str
    text: str
    is_injected: bool
    """Known to the reader of the answers only; nothing in the sheet tells it."""


def sheet_items(substrate: Substrate, count: int, seed: int) -> tuple[SheetItem, ...]:
    """Draw the rows of a sheet: half injected at their site, half clean at an eligible place.

    No run is shown twice, and the order says nothing. The same substrate and seed give the same
    rows, so that no key has to be kept beside the sheet.
    """
    by_run = {pair.run_id: pair for pair in substrate.pairs}
    runs = [by_run[run] for run in sorted(by_run)]
    drawn = generator(seed, "annotation sheet", substrate.name).permutation(len(runs))
    wanted = min(count, len(runs)) // 2
    chosen = [runs[at] for at in drawn[: 2 * wanted].tolist()]
    made = [_item(pair, at < wanted, seed) for at, pair in enumerate(chosen)]
    return tuple(sorted(made, key=lambda item: item.item))


def _item(pair: Pair, is_injected: bool, seed: int) -> SheetItem:
    rng = generator(seed, "marked place", pair.pair_id)
    place = pair.target if is_injected else pair.eligible[rng.integers(len(pair.eligible))]
    run = pair.injected if is_injected else pair.clean
    return SheetItem(opaque(f"sheet {seed}", pair.pair_id), shown(run, place), is_injected)


def shown(run: Run, place: Candidate) -> str:
    """Write a run as lines of text, the place marked."""
    lines = _steps(run) if isinstance(run, StepRun) else _events(run.events, place)
    marks = (MARK if at == place.event else "  " for at in range(len(lines)))
    numbered = zip(marks, enumerate(lines), strict=True)
    return "\n".join(f"{mark} {at:3} {line}" for mark, (at, line) in numbered)


def _steps(run: StepRun) -> list[str]:
    return [
        " ".join(
            [
                tool or "(decision)",
                *sorted(files),
                *(["relies on", *map(str, sorted(writers))] if writers else []),
            ]
        )
        for tool, files, writers in zip(run.tools, run.resources, run.writers, strict=True)
    ]


def _events(events: Sequence[RecordEvent], place: Candidate) -> list[str]:
    lines = []
    for at, event in enumerate(events):
        leaves = [
            f"{leaf.path}={leaf.token}"
            + (" <<" if at == place.event and leaf.path == place.path else "")
            for leaf in event.leaves
        ]
        words = [event.kind, event.tool or event.role, *leaves, *event.mentions]
        lines.append(" ".join(words))
    return lines


def write_sheet(substrate: Substrate, folder: Path, thresholds: Thresholds, seed: int) -> int:
    """Write the sheet as HTML and CSV, and return how many rows it has.

    Raises:
        UsageError: The folder holds answers already.
    """
    if folder.exists() and any(folder.glob("answers-*.csv")):
        raise UsageError(f"{folder} holds answers; choose another folder")
    items = sheet_items(substrate, thresholds.validation.items, seed)
    folder.mkdir(parents=True, exist_ok=True)
    about = {
        "config": substrate.name,
        "data": substrate.digest,
        "seed": seed,
        "items": len(items),
        "thresholds": thresholds.digest,
    }
    texts = {
        "sheet.csv": _csv(items),
        "sheet.html": _html(substrate.name, items),
        "sheet.json": json.dumps(about, indent=1) + "\n",
    }
    for name, text in texts.items():
        with written_whole(folder / name) as place:
            place.write_text(text, "utf-8")
    return len(items)


def _csv(items: Sequence[SheetItem]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    # Every run begins with a blank or a mark, so that no spreadsheet takes it for a formula.
    writer.writerows((item.item, item.text, "") for item in items)
    return text.getvalue()


def _html(name: str, items: Sequence[SheetItem]) -> str:
    rows = "".join(
        f"<section><h2>{at} of {len(items)}: {item.item}</h2><pre>{html.escape(item.text)}</pre>"
        "</section>"
        for at, item in enumerate(items, start=1)
    )
    how = (
        f"{QUESTION} Copy <code>sheet.csv</code> to <code>answers-NAME.csv</code> and write yes, "
        "no or unsure in its last column, without speaking to other annotators."
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(name)}</title>'
        f"<h1>{html.escape(name)}</h1><p>{how}</p>{rows}</html>\n"
    )


def read_answers(
    folder: Path, substrate: Substrate
) -> tuple[tuple[SheetItem, ...], dict[str, list[bool | None]], dict[str, int]]:
    """Read every filled-in copy of a sheet.

    Returns:
        The rows, the answers of each annotator aligned with them, and for each how many of them
        are still empty.

    Raises:
        UsageError: The sheet is of other data, or an answer cannot be read.
    """
    items = _items_of(folder, substrate)
    answers, empty = {}, {}
    for path in sorted(folder.glob("answers-*.csv")):
        name = path.stem.removeprefix("answers-")
        given = _answers(path)
        unknown = sorted(set(given) - {item.item for item in items})
        if unknown:
            raise UsageError(f"{path}: there is no item {unknown[0]!r} in the sheet")
        empty[name] = sum(not given.get(item.item) for item in items)
        answers[name] = [ANSWERS.get(given.get(item.item, "")) for item in items]
    return items, answers, empty


def _items_of(folder: Path, substrate: Substrate) -> tuple[SheetItem, ...]:
    path = folder / "sheet.json"
    try:
        about = json.loads(path.read_text("utf-8"))
        made_of, seed, count = about["data"], int(about["seed"]), int(about["items"])
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise UsageError(f"{path}: not the description of a sheet ({problem})") from None
    if made_of != substrate.digest:
        raise UsageError(f"{folder}: the sheet was made from other data than {substrate.name}")
    return sheet_items(substrate, count, seed)


def _answers(path: Path) -> dict[str, str]:
    if path.stat().st_size > MAX_BYTES:
        raise UsageError(f"{path}: larger than {MAX_BYTES} bytes")
    try:
        rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig")), strict=True))
        found = {row["item"]: (row["faulty"] or "").strip().casefold() for row in rows}
    except (OSError, ValueError, KeyError, csv.Error) as problem:
        raise UsageError(f"{path}: not a filled-in sheet ({problem!r})") from None
    if len(found) < len(rows):
        raise UsageError(f"{path}: an item stands in it twice")
    for item, answer in found.items():
        if answer and answer not in ANSWERS:
            raise UsageError(f"{path}: {item} is {answer!r}, expected {', '.join(ANSWERS)}")
    return found
