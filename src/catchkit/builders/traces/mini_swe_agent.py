"""Runs of an agent with nothing but a shell on repository issues."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from catchkit.builders import shell_grammar
from catchkit.builders.coding import model_name, run_in_shell
from catchkit.builders.corpus import Call, Corpus, Event, Skipped, Trace
from catchkit.builders.streams import (
    Located,
    Provenance,
    json_lines,
    provenance,
    text_of,
    traces,
)

REPO = "gruckion/mini-swe-agent"
PIN = "d12a71affd95403b036b2bdbd827349b77bfffb9"

_BLOCK = re.compile(r"```bash\s*\n(.*?)\n```", re.DOTALL)
_FAILED = re.compile(r"\s*(<returncode>(?!0</returncode>)|The last command )")
_RESULT = re.compile(r"\s*(<returncode>|The last command )")


def read(path: Path) -> Iterator[Trace | Skipped]:
    """Read the runs of a pack, one per line."""
    shell_grammar.parser()  # its absence is no damage of the records
    source = provenance(path, repo=REPO, pin=PIN, license="MIT")
    return traces(json_lines(path), partial(_parse, source=source))


def _parse(located: Located, *, source: Provenance) -> Trace | Skipped:
    line, run = located.record, located.record["record"]
    settings = (run["info"].get("config") or {}).get("environment") or {}
    resolved = line["outcome"].get("resolved")
    return Trace(
        key=str(line["run_id"]),
        task_id=str(line["instance_id"]),
        model=model_name(line.get("model")),
        events=tuple(_events(run["messages"], cwd=str(settings.get("cwd") or ""))),
        failed=None if resolved is None else not resolved,
        repo=source.repo,
        commit=source.commit,
        path=source.path,
        license=source.license,
    )


def _events(messages: list[dict[str, Any]], cwd: str) -> Iterator[Event]:
    """Yield the messages; every command begins in the same folder, with the files as they are."""
    is_called = False
    texts: Mapping[str, str] = {}
    for message in messages:
        role, text = message["role"], text_of(message.get("content"))
        if role == "assistant":
            blocks = _BLOCK.findall(text)
            calls: tuple[Call, ...] = ()
            if len(blocks) == 1:
                call = Call(tool="bash", arguments={"command": blocks[0]})
                call, reading = run_in_shell(call, blocks[0], cwd, texts)
                calls, texts = (call,), reading.texts
            yield Event(role="assistant", actor="agent", text=text, calls=calls)
            is_called = bool(calls)
        elif is_called and _RESULT.match(text):
            failed = bool(_FAILED.match(text))
            yield Event(role="tool", actor="env", text=text, tool="bash", is_error=failed)
            is_called = False
        elif role == "system":
            yield Event(role="system", actor="system", text=text)
        else:  # the issue, a remark on the format, or the patch that was handed in
            yield Event(role="user", actor="user", text=text)


CORPUS = Corpus(
    name="mini_swe_agent",
    title="mini-swe-agent on SWE-bench Verified",
    repo=REPO,
    pin=PIN,
    license="MIT",
    is_synthetic=False,
    label_process="outcome",
    has_both_outcomes=True,
    label_rule="`outcome.resolved`, from the evaluation report; the exit status says nothing.",
    identity_rule="A run is `run_id`, a task the SWE-bench `instance_id`, the model `model`.",
    shards=("**/*.jsonl*",),
    read=read,
    step_form="call",
    published_rule="last_on_file",
    counts_shell=True,
    min_steps=2,
)
