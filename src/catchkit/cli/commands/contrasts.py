"""``catchkit contrasts``: pre-declared families of comparisons, corrected within each."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from catchkit.cli.command import Command, Exit, add_data_option


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "families", help="TOML file, or `published` for those of the original benchmark"
    )
    parser.add_argument(
        "--predictions",
        type=Path,
        metavar="DIR",
        help="folder with CONFIG/ENTRANT.parquet, .csv or .jsonl (default: what is bundled)",
    )
    parser.add_argument(
        "--recipe", choices=("default", "published"), help="override what the file declares"
    )
    parser.add_argument(
        "--margin",
        type=float,
        default=0.05,
        metavar="M",
        help="difference below which two entrants count as equivalent (default: 0.05)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, unrounded")
    parser.add_argument("--counts", action="store_true", help="print the counts only")
    add_data_option(parser)


def _run(options: Namespace) -> Exit:
    from catchkit.cli.progress import working
    from catchkit.cli.report_contrasts import show_contrasts, show_counts
    from catchkit.eval.contrasts import run_contrasts

    with working(f"comparing {options.families}"):
        found = run_contrasts(
            options.families,
            predictions=options.predictions,
            data=options.data,
            recipe=options.recipe,
            margin=options.margin,
        )
    if options.json:
        print(found.to_json())
    elif options.counts:
        show_counts(found)
    else:
        show_contrasts(found)
    return Exit.DONE


COMMAND = Command(
    name="contrasts",
    summary="Run pre-declared families of comparisons, corrected within each family.",
    configure=_configure,
    run=_run,
)
