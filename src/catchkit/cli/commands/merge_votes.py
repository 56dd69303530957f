"""``catchkit merge-votes``: labels records by what every judge calls unneeded."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from catchkit.cli.command import Command, Exit

if TYPE_CHECKING:
    from catchkit.builders.agreement import Agreement
    from catchkit.builders.votes import Merge

SHOWN = 5


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "votes",
        type=Path,
        nargs="+",
        metavar="VOTES",
        help="one JSONL file per judge: instance_id, judge, needed (names, or null if unreadable)",
    )
    parser.add_argument("--records", type=Path, required=True, help="the records as Parquet")
    parser.add_argument("--out", type=Path, required=True, help="where the labelled records go")


def _run(options: Namespace) -> Exit:
    from catchkit.builders.agreement import agreements
    from catchkit.builders.records import read_records, write_records
    from catchkit.builders.votes import merge, read_ballots

    merged = merge(read_records(options.records), [read_ballots(path) for path in options.votes])
    table = agreements(merged.records)
    write_records(options.out, merged.records)
    _show_agreement(table)
    _show_rest(merged)
    labelled = sum(record.excess is not None for record in merged.records)
    print(f"{options.out}: {labelled} of {len(merged.records)} records have a label")
    return Exit.INCOMPLETE if merged.unlabelled else Exit.DONE


def _show_agreement(table: "list[Agreement]") -> None:
    from catchkit.cli.tables import show_table

    header = ["source", "judges", "configs", "capabilities", "agreement", "kappa", "excess"]
    rows = [
        [
            entry.source,
            " / ".join(entry.judges),
            str(entry.configs),
            str(entry.capabilities),
            *(f"{x:.3f}" for x in (entry.agreement, entry.kappa, entry.excess_share)),
        ]
        for entry in table
    ]
    if rows:
        show_table(header, rows)


def _show_rest(merged: "Merge") -> None:
    shown = [
        ("records without every judge's list", [*merged.unlabelled]),
        ("ids voted on that belong to no judged record", [*merged.unmatched]),
        ("names that no roster declares, left out", [repr(e[2]) for e in merged.undeclared]),
    ]
    for what, entries in shown:
        if entries:
            print(f"{len(entries)} {what} (first: {', '.join(entries[:SHOWN])})")


COMMAND = Command(
    name="merge_votes",
    summary="Label records by what every judge calls unneeded; agreement and Cohen's kappa.",
    configure=_configure,
    run=_run,
)
