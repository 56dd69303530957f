"""``catchkit verify``: checks a release folder."""

import json
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path

from catchkit.cli.command import Command, Exit


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="release folder")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _run(options: Namespace) -> Exit:
    from catchkit.cards.verify import CHECKS, verify
    from catchkit.cli.progress import working

    with working(f"verifying {options.folder}"):
        faults = verify(options.folder)
    if options.json:
        print(json.dumps({"whole": not faults, "faults": [asdict(fault) for fault in faults]}))
    else:
        for fault in faults:
            rest = f" (and {fault.more} more)" if fault.more else ""
            print(f"{fault.kind}: {fault.problem}{rest}")
        if not faults:
            print(f"{options.folder}: whole ({', '.join(CHECKS)} checked)")
    return Exit.ANSWER_IS_NO if faults else Exit.DONE


COMMAND = Command(
    name="verify",
    summary="Check every hash, footer, count, record and card entry, and that it loads.",
    configure=_configure,
    run=_run,
)
