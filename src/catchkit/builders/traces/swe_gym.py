"""Runs of OpenHands that SWE-Gym sampled, as published on the Hub."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from catchkit.builders import shell_grammar
from catchkit.builders.corpus import Hub, Skipped, Trace
from catchkit.builders.streams import provenance
from catchkit.builders.tabular import parquet_rows
from catchkit.builders.traces import openhands

COLUMNS = ("instance_id", "run_id", "resolved", "messages")


def read(path: Path) -> Iterator[Trace | Skipped]:
    """Read the runs of a Parquet shard."""
    shell_grammar.parser()  # its absence is no damage of the records
    source = provenance(path, repo=openhands.GYM_REPO, pin=openhands.GYM_PIN, license="NOASSERTION")
    parse = partial(openhands.sampled_run, source=source)
    return openhands.sampled(parquet_rows(path, COLUMNS), parse)


CORPUS = replace(
    openhands.CORPUS,
    name="swe_gym",
    title="SWE-Gym's OpenHands samples",
    repo=openhands.GYM_REPO,
    pin=openhands.GYM_PIN,
    license="NOASSERTION",
    label_rule="`resolved`.",
    identity_rule=(
        "A run is its sampling tag `run_id`, its task and a digest of the messages: tag and task "
        "repeat. A task is the upstream `instance_id`; the model begins the tag."
    ),
    shards=("**/*raw*.parquet",),
    read=read,
    fold_salt=0,
    hub=Hub(repo_id=openhands.GYM_REPO, revision=openhands.GYM_PIN, files=("**/*raw*.parquet",)),
)
