"""``catchkit evaluate``: scores a prediction column."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from catchkit.cli.command import Command, Exit, add_data_option


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("config", help="config to score against, such as pre or post_who_and_when")
    parser.add_argument(
        "predictions", nargs="?", type=Path, help="prediction file: .parquet, .csv or .jsonl"
    )
    parser.add_argument(
        "--column",
        default="prediction",
        help="value column (default: prediction); `seed_*` takes the seeds of one method",
    )
    parser.add_argument(
        "--threshold", type=float, metavar="T", help="for PRE scores: flagged when at least T"
    )
    parser.add_argument(
        "--failure-rate",
        type=float,
        default=0.1,
        metavar="P",
        help="share of failing runs for which precision is worked out (default: 0.1)",
    )
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help="add the score to a leaderboard, a .jsonl file"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, unrounded")
    parser.add_argument("--explain", action="store_true", help="say what a prediction file holds")
    parser.add_argument(
        "--example", type=Path, metavar="FILE", help="with --explain: write a file of two rows"
    )
    add_data_option(parser)


def _run(options: Namespace) -> Exit:
    from catchkit.errors import UsageError

    if options.explain:
        return _explain(options)
    if options.predictions is None or options.example is not None:
        raise UsageError("name a prediction file, or ask with --explain what it should hold")
    from catchkit.eval.evaluate import evaluate

    evaluation = evaluate(
        options.config,
        options.predictions,
        column=options.column,
        threshold=options.threshold,
        failure_rate=options.failure_rate,
        data=options.data,
    )
    if options.record is not None:
        from catchkit.eval.record import record

        rows = record(evaluation, options.record)
        print(f"{options.record}: {rows} rows", file=sys.stderr)
    if options.json:
        print(evaluation.to_json())
    else:
        from catchkit.cli.report import show_evaluation

        show_evaluation(evaluation)
    return Exit.DONE


def _explain(options: Namespace) -> Exit:
    from catchkit.eval.explain import example_table, explanation
    from catchkit.eval.write import write_predictions

    example = example_table(options.config, options.data)
    print(explanation(options.config, example, options.data))
    if options.example is not None:
        write_predictions(options.example, example)
        print(f"\n{options.example}: an example of two rows")
    return Exit.DONE


COMMAND = Command(
    name="evaluate",
    summary="Score a prediction column against a config.",
    configure=_configure,
    run=_run,
)
