"""``catchkit compare``: two prediction files on the same rows."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from catchkit.cli.command import Command, Exit, add_data_option


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("config", help="config to compare on, such as post_tau_bench")
    parser.add_argument("a", type=Path, help="prediction file: .parquet, .csv or .jsonl")
    parser.add_argument("b", type=Path, help="another one")
    parser.add_argument("--column", default="prediction", help="value column (default: prediction)")
    parser.add_argument(
        "--threshold", type=float, metavar="T", help="for PRE scores: flagged when at least T"
    )
    parser.add_argument(
        "--margin",
        type=float,
        default=0.05,
        metavar="M",
        help="difference below which the two count as equivalent (default: 0.05)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, unrounded")
    add_data_option(parser)


def _run(options: Namespace) -> Exit:
    from catchkit.cli.report_contrasts import show_comparison
    from catchkit.eval.compare import compare

    comparison = compare(
        options.config,
        options.a,
        options.b,
        column=options.column,
        threshold=options.threshold,
        margin=options.margin,
        data=options.data,
    )
    if options.json:
        print(comparison.to_json())
    else:
        show_comparison(comparison)
    return Exit.DONE


COMMAND = Command(
    name="compare",
    summary="Compare two prediction files: difference, interval, test and what could be seen.",
    configure=_configure,
    run=_run,
)
