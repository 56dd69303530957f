"""Failed runs of a software team of agents with a fault planted in one step."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from catchkit.builders.corpus import Corpus, Event, Skipped, Trace
from catchkit.builders.streams import Located, Provenance, provenance, text_of, traces
from catchkit.builders.tabular import parquet_rows

REPO = "bingreeky/AgenTracer"
PIN = "30544fd08ce3d046f234d456466e39a5f5a6b12e"
COLUMNS = ("question_ID", "history", "mistake_agent", "mistake_step")


def read(path: Path) -> Iterator[Trace | Skipped]:
    """Read the runs of a Parquet file, one per row."""
    source = provenance(path, repo=REPO, pin=PIN, license="NOASSERTION")
    return traces(parquet_rows(path, COLUMNS), partial(_parse, source=source))


def _parse(located: Located, *, source: Provenance) -> Trace | Skipped:
    record = located.record
    step = int(record["mistake_step"])
    positions = {int(message["step"]): at for at, message in enumerate(record["history"])}
    if step not in positions:
        return Skipped(where=located.where, reason="the labelled step is outside the run")
    return Trace(
        key=str(record["question_ID"]),
        task_id=str(record["question_ID"]),
        model=None,
        events=tuple(_event(message) for message in record["history"]),
        failed=True,
        mistake_step=positions[step],
        mistake_actor=str(record["mistake_agent"]),
        repo=source.repo,
        commit=source.commit,
        path=source.path,
        license=source.license,
    )


def _event(message: dict[str, Any]) -> Event:
    actor = message.get("name") or message.get("role") or "unknown"
    return Event(role="assistant", actor=str(actor), text=text_of(message.get("content")))


CORPUS = Corpus(
    name="agentracer",
    title="AgenTracer, code test split",
    repo=REPO,
    pin=PIN,
    license="NOASSERTION",
    is_synthetic=False,
    label_process="injection",
    has_both_outcomes=False,
    label_rule="`mistake_step`, the `step` of a message, and `mistake_agent`; all failed.",
    identity_rule="A run and its task are `question_ID`; no model is recorded.",
    shards=("**/*.parquet",),
    read=read,
    step_form="message",
    published_rule="full_context",
    min_steps=2,
)
