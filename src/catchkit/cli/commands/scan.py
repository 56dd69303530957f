"""``catchkit scan``: looks for identifiers in published tables."""

import json
from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from catchkit.cli.command import Command, Exit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from catchkit.deidentify.scan import Located, Scan
    from catchkit.deidentify.second_opinion import Reader

SHOWN = 3
"""Rows shown of each kind, file and column."""


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("target", type=Path, help="a Parquet file or a release folder")
    second = parser.add_mutually_exclusive_group()
    second.add_argument(
        "--stock",
        action="store_true",
        help="let presidio-analyzer's stock recognisers give the second opinion; "
        "they take names of code for addresses",
    )
    second.add_argument(
        "--patterns-only", action="store_true", help="no second opinion: the seven patterns alone"
    )
    parser.add_argument(
        "--show-values", action="store_true", help="print what was found instead of masking it"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per finding")


def _run(options: Namespace) -> Exit:
    from catchkit.cli.progress import working
    from catchkit.deidentify.scan import scan

    with working(f"scanning {options.target}"):
        result = scan(options.target, second=_second(options))
    if options.json:
        for entry in result.located:
            print(json.dumps(_plain(entry, show=options.show_values), ensure_ascii=False))
    else:
        _report(result, options)
    return Exit.DONE if result.is_clean else Exit.ANSWER_IS_NO


def _second(options: Namespace) -> "Reader | None":
    from catchkit.deidentify.second_opinion import own_reader, stock_reader

    if options.patterns_only:
        return None
    return stock_reader() if options.stock else own_reader()


def _report(result: "Scan", options: Namespace) -> None:
    from catchkit.cli.tables import show_table

    counts = Counter(
        (entry.finding.status, entry.finding.kind, entry.finding.column) for entry in result.located
    )
    if counts:
        rows = [[status, kind, column, str(n)] for (status, kind, column), n in counts.items()]
        show_table(["status", "kind", "column", "findings"], sorted(rows))
    for group in _grouped(result.with_status("hit") + result.with_status("review")):
        for entry in group[:SHOWN]:
            print(_line(entry, show=options.show_values))
        if len(group) > SHOWN:
            print(f"  and {len(group) - SHOWN} more of these; --json lists all")
    answer = "clean" if result.is_clean else f"{len(result.with_status('hit'))} hits"
    print(f"{options.target}: {answer} ({len(result.files)} files, {result.rows} rows read)")


def _grouped(entries: "Sequence[Located]") -> "list[list[Located]]":
    groups: dict[tuple[str, ...], list[Located]] = {}
    for entry in entries:
        finding = entry.finding
        key = (finding.status, finding.kind, entry.file, finding.column)
        groups.setdefault(key, []).append(entry)
    return list(groups.values())


def _line(entry: "Located", *, show: bool) -> str:
    finding = entry.finding
    value = finding.found if show else finding.masked
    row = f"row {finding.row} ({entry.row_id})" if entry.row_id else "schema"
    remedy = " (to review; --mode structured replaces it)" if finding.is_in_name else ""
    place = f"{entry.file}, {row}, {finding.column}"
    return f"{finding.status}: {finding.kind} in {place}: {value!r}{remedy}"


def _plain(entry: "Located", *, show: bool) -> dict[str, str | int]:
    finding = entry.finding
    return {
        "status": finding.status,
        "kind": finding.kind,
        "file": entry.file,
        "row": finding.row,
        "row_id": entry.row_id,
        "column": finding.column,
        "found": finding.found if show else finding.masked,
        "reason": finding.reason,
    }


COMMAND = Command(
    name="scan",
    summary="Look for identifiers in every string of every column; exit 1 on an unreviewed one.",
    configure=_configure,
    run=_run,
)
