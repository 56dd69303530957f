"""``catchkit judge``: asks a model which capabilities each task needs."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from catchkit.cli.command import Command, Exit

if TYPE_CHECKING:
    from catchkit.builders.judge import Outcome

SHOWN = 3


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("--records", type=Path, required=True, help="the records as Parquet")
    parser.add_argument(
        "--texts",
        type=Path,
        required=True,
        help="JSONL of instance_id and text: the tasks as worded upstream, which no record holds",
    )
    parser.add_argument("--endpoint", required=True, help="base address, such as https://host/v1")
    parser.add_argument("--model", required=True, help="also the judge's name in the votes")
    parser.add_argument(
        "--out", type=Path, required=True, help="votes file (JSONL); an existing one is continued"
    )
    parser.add_argument("--temperature", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-seed", action="store_true", help="for endpoints that refuse a seed")
    parser.add_argument("--max-tokens", type=int, default=4000)
    parser.add_argument("--timeout", type=float, default=120.0, metavar="SECONDS", help="per reply")
    parser.add_argument(
        "--key-variable",
        default="CATCHKIT_API_KEY",
        metavar="NAME",
        help="environment variable with the key, if one is needed (default: CATCHKIT_API_KEY)",
    )
    parser.add_argument("--limit", type=int, metavar="N", help="ask about N more records at most")


def _run(options: Namespace) -> Exit:
    import os
    from functools import partial

    from catchkit.builders.chat import Settings, ask
    from catchkit.builders.judge import cases, collect, open_cases
    from catchkit.builders.records import read_records
    from catchkit.builders.texts import read_texts

    settings = Settings(
        endpoint=options.endpoint,
        model=options.model,
        temperature=options.temperature,
        seed=None if options.no_seed else options.seed,
        max_tokens=options.max_tokens,
        timeout_seconds=options.timeout,
    )
    known = cases(read_records(options.records), read_texts(options.texts))
    wanted = open_cases(options.out, known, settings)
    asked = wanted[: options.limit]
    print(
        f"{options.out}: {len(known) - len(wanted)} of {len(known)} votes are there. Sending "
        f"{len(asked)} task texts, as worded upstream, to {settings.address} ({settings.model})",
        flush=True,
    )
    api_key = os.environ.get(options.key_variable, "").strip()
    outcome = collect(
        options.out, asked, settings, partial(ask, settings=settings, api_key=api_key)
    )
    _report(outcome)
    complete = not outcome.failed and not outcome.unasked and len(asked) == len(wanted)
    return Exit.DONE if complete else Exit.INCOMPLETE


def _report(outcome: "Outcome") -> None:
    print(f"{outcome.voted} votes, {outcome.unreadable} of them unreadable")
    for instance_id, problem in list(outcome.failed.items())[:SHOWN]:
        print(f"no reply for {instance_id}: {problem}")
    if outcome.failed or outcome.unasked:
        left = len(outcome.failed) + outcome.unasked
        print(f"{left} records are still open; the same command goes on from here")


COMMAND = Command(
    name="judge",
    summary="Ask an OpenAI-compatible endpoint for votes; says what it contacts, resumes.",
    configure=_configure,
    run=_run,
)
