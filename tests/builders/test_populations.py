"""Parsing every real file gives the runs and labels that its manifest and FORMAT.md state.

Where a figure differs the reason stands beside it. The figures are those of the files' own
documentation, not of the readers.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from statistics import median

import pytest

from catchkit.builders.corpus import Trace, corpora, corpus_named
from reading import REAL, real, real_entries

BALANCES = {
    "agentdojo": {
        "benign.jsonl.gz": (1483, 1145),
        "important_instructions__gpt-4o-2024-05-13.jsonl.gz": (315, 314),
        "important_instructions__claude-3-7-sonnet-20250219.jsonl.gz": (779, 170),
        "important_instructions__gemini-2.0-flash-001.jsonl.gz": (373, 576),
        "important_instructions__meta-llama_Llama-3.3-70B-Instruct.jsonl.gz": (393, 556),
    },
    "agentracer": {"tracertraj-code-test.parquet": (0, 127)},
    "mini_swe_agent": {"gemini-3-pro_verified_balanced.jsonl.gz": (129, 129)},
    "moatless": {
        "20240617_gpt-4o.jsonl.gz": (74, 226),
        "20240623_claude-3.5-sonnet.jsonl.gz": (80, 211),
        "20241117_claude-3-5-sonnet-20241022.stripped.jsonl.gz": (110, 161),
    },
    # 44 records are 31 / 13. Two resolved ones repeat another record under an id with a copy
    # number. "41 distinct, 28 / 13" counts task and tag once more: one pair of them holds two
    # different conversations, which are two runs here.
    "openhands": {
        "claude-3-5-sonnet_verified50.jsonl.gz": (26, 24),
        "swe-gym_sampled_raw44.jsonl.gz": (29, 13),
    },
    "swe_agent": {
        "cost_2_1.jsonl.gz": (28, 247),
        "cost_2_2.jsonl.gz": (33, 243),
        "cost_2_3.jsonl.gz": (28, 247),
        "nebius_sample8.jsonl.gz": (5, 3),
    },
    "tau_bench": {
        "sierra_gpt-4o_airline.json.gz": (84, 116),
        "aaronwu_llama-3.1-8b_airline.json.gz": (67, 133),
        "yiphei_neo-test_airline27.json.gz": (38, 70),
        "yiphei_neo-revised_airline27.json.gz": (56, 52),
        "shahabeddin_gpt-4.1-mini_retail.json.gz": (76, 39),
        "sierra-pr_grok-3_retail_composite-reward.json.gz": (78, 37),
        "avaljotsingh_preconditions_retail.json.gz": (70, 30),
    },
}
"""Successes and failures per file, for each file that is here."""

TAU2 = {
    "airline": (435, 361),
    "retail": (164, 30),
    "telecom": (132, 68),
    "airline_tighter_policy": (24, 24),
    "telecom-workflow": (12, 8),
    "medical_triage": (69, 0),
}
"""Likewise per domain, over all 1,329 runs, some files of which are kept apart."""

MESSAGES = {
    "agentdojo": {
        "benign.jsonl.gz": (2, 7, 51),
        "important_instructions__gpt-4o-2024-05-13.jsonl.gz": (3, 11, 27),
        "important_instructions__claude-3-7-sonnet-20250219.jsonl.gz": (5, 7, 33),
    },
    "agentracer": {"tracertraj-code-test.parquet": (2, 13, 151)},
    "mini_swe_agent": {"gemini-3-pro_verified_balanced.jsonl.gz": (38, 77, 292)},
    # One more than the 18 / 39 / 100 of the logged messages: the last response.
    "openhands": {"claude-3-5-sonnet_verified50.jsonl.gz": (19, 40, 101)},
    "swe_agent": {"nebius_sample8.jsonl.gz": (11, 31, 93)},
    "tau_bench": {
        "sierra_gpt-4o_airline.json.gz": (6, 24, 62),
        "aaronwu_llama-3.1-8b_airline.json.gz": (0, 8, 62),
    },
}
"""Shortest, median and longest run in messages, for some files."""

REPEATS = {"openhands": {"the same run a second time": 2}}
"""Runs left out on purpose."""


@dataclass
class Summary:
    """What is kept of a file or domain."""

    outcomes: Counter[bool | None] = field(default_factory=Counter)
    lengths: list[int] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    solved: set[str] = field(default_factory=set)


@dataclass
class Population:
    """What is kept of a corpus."""

    shards: dict[str, Summary] = field(default_factory=dict)
    domains: dict[str | None, Summary] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    damaged: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    pins: set[tuple[str, str, str]] = field(default_factory=set)

    def add(self, shard: str, trace: Trace) -> None:
        self.keys.append(trace.key)
        self.pins.add((trace.repo, trace.commit, trace.license))
        for summary in (
            self.shards.setdefault(shard, Summary()),
            self.domains.setdefault(trace.domain, Summary()),
        ):
            summary.outcomes[trace.failed] += 1
            summary.lengths.append(len(trace.events))
            summary.solved |= {trace.task_id} if trace.failed is False else set()
            summary.counts.update(counted(trace))


def counted(trace: Trace) -> Counter[str]:
    counts: Counter[str] = Counter()
    for event in trace.events:
        counts[event.role] += 1
        counts["errors"] += event.is_error
        counts["several calls"] += len(event.calls) > 1
        counts["no call"] += event.role == "assistant" and not event.calls
        for call in event.calls:
            counts[f"{call.tool} {call.arguments.get('command')}"] += 1
            counts[call.tool] += 1
    return counts


@cache
def population(name: str) -> Population:
    kept = Population()
    for shard, entry in real_entries(name):
        if isinstance(entry, Trace):
            kept.add(shard.relative_to(real(name)).as_posix(), entry)
        elif entry.is_damage:
            kept.damaged.append(f"{entry.where}: {entry.detail}")
        else:
            kept.skipped[entry.reason] += 1
    return kept


def shard_of(name: str, file: str) -> Summary:
    """Return what was kept of a file, or skip the test where it is not here."""
    real(name)
    found = [kept for path, kept in population(name).shards.items() if path.endswith(file)]
    if not found:
        pytest.skip(f"{file} is kept apart")
    return found[0]


PRESENT = sorted(
    name
    for name, corpus in corpora().items()
    if corpus.hub is None or name.startswith("who_and_when")
    if name != "messages"
)
FILES = [
    (name, file, figures) for name, files in BALANCES.items() for file, figures in files.items()
]
SPANS = [
    (name, file, figures) for name, files in MESSAGES.items() for file, figures in files.items()
]


@pytest.mark.parametrize("name", PRESENT)
def test_every_file_holds_the_runs_of_its_manifest(name: str) -> None:
    manifest = json.loads((real(name) / "MANIFEST.json").read_bytes())
    shards = {entry["file"]: entry["n_runs"] for entry in manifest if entry["n_runs"]}
    if name.startswith("who_and_when"):  # one folder, two corpora
        folder = "Hand" if name.endswith("hand_crafted") else "Algorithm"
        shards = {file: runs for file, runs in shards.items() if file.startswith(folder)}
    found = {file: sum(kept.outcomes.values()) for file, kept in population(name).shards.items()}
    assert set(found) == set(shards)
    left_out = {file: shards[file] - found[file] for file in shards if shards[file] != found[file]}
    assert sum(left_out.values()) == sum(population(name).skipped.values())
    assert dict(population(name).skipped) == REPEATS.get(name, {})


@pytest.mark.parametrize("name", PRESENT)
def test_no_real_record_is_damaged_and_every_key_is_unique(name: str) -> None:
    real(name)
    assert population(name).damaged == []
    assert len(set(population(name).keys)) == len(population(name).keys)


@pytest.mark.parametrize("name", PRESENT)
def test_every_run_is_pinned_to_a_full_revision(name: str) -> None:
    manifest = json.loads((real(name) / "MANIFEST.json").read_bytes())
    stated = {(entry["repo"], entry["commit"], entry["license"]) for entry in manifest}
    assert population(name).pins <= stated
    assert all(re.fullmatch("[0-9a-f]{40}", commit) for _, commit, _ in population(name).pins)


@pytest.mark.parametrize(("name", "file", "balance"), FILES, ids=[file for _, file, _ in FILES])
def test_every_file_has_the_stated_balance(name: str, file: str, balance: tuple[int, int]) -> None:
    outcomes = shard_of(name, file).outcomes
    assert (outcomes[False], outcomes[True]) == balance
    assert outcomes[None] == 0


@pytest.mark.parametrize(("name", "file", "span"), SPANS, ids=[file for _, file, _ in SPANS])
def test_every_file_has_runs_of_the_stated_length(
    name: str, file: str, span: tuple[int, int, int]
) -> None:
    lengths = shard_of(name, file).lengths
    assert (min(lengths), median(lengths), max(lengths)) == span


@pytest.mark.parametrize(
    ("name", "file", "report"),
    [
        ("swe_agent", "cost_2_1.jsonl.gz", "cost_2_1.final_report.json"),
        ("swe_agent", "cost_2_2.jsonl.gz", "cost_2_2.final_report.json"),
        ("moatless", "20240617_gpt-4o.jsonl.gz", "20240617_gpt-4o.result.json"),
        (
            "moatless",
            "20240623_claude-3.5-sonnet.jsonl.gz",
            "20240623_claude-3.5-sonnet.result.json",
        ),
    ],
)
def test_what_succeeded_is_what_the_evaluation_resolved(name: str, file: str, report: str) -> None:
    resolved = json.loads((real(name) / report).read_bytes())["resolved"]
    assert shard_of(name, file).solved == set(resolved)


@pytest.mark.parametrize(
    ("name", "runs", "messages"),
    [("who_and_when", 126, 1099), ("who_and_when_hand_crafted", 58, 2993)],
)
def test_who_and_when_has_its_runs_and_messages(name: str, runs: int, messages: int) -> None:
    real(name)
    shards = population(name).shards.values()
    assert sum((kept.outcomes for kept in shards), Counter()) == {True: runs}
    assert sum(sum(kept.lengths) for kept in shards) == messages


def test_tau2_has_the_stated_balance_where_all_of_a_domain_is_here() -> None:
    real("tau2_bench")
    domains = population("tau2_bench").domains
    found = {name: (kept.outcomes[False], kept.outcomes[True]) for name, kept in domains.items()}
    partial = {name for name in TAU2 if found[name] != TAU2[name]}
    assert partial <= {"airline", "airline_tighter_policy"}  # in files that are kept apart
    assert all(f <= s for name in partial for f, s in zip(found[name], TAU2[name], strict=True))
    assert sum(kept.outcomes[None] for kept in domains.values()) == 2


def test_mini_swe_agent_has_the_stated_messages_without_one_command() -> None:
    kept = shard_of("mini_swe_agent", "gemini-3-pro_verified_balanced.jsonl.gz")
    assert kept.counts["no call"] == 420


@pytest.mark.parametrize("name", ["mini_swe_agent", "openhands"])
def test_what_cannot_be_parsed_is_what_bash_or_python_refused(name: str) -> None:
    refused = re.compile("SyntaxError|IndentationError|syntax error|unexpected EOF")
    for _, entry in real_entries(name):
        events = entry.events if isinstance(entry, Trace) else ()
        for event, answer in pairwise(events):
            if any(call.is_unparsed for call in event.calls):
                assert refused.search(answer.text)


def test_openhands_has_the_stated_calls() -> None:
    counts = shard_of("openhands", "claude-3-5-sonnet_verified50.jsonl.gz").counts
    # In the last responses, which the stated 548 and 504 leave out, five runs call no `finish`.
    stated = {"create": 172, "str_replace": 227, "view": 149}
    found = {command: counts[f"str_replace_editor {command}"] for command in stated}
    extra = sum(found.values()) - sum(stated.values()) + counts["execute_bash"] - 504
    assert (counts["finish"], extra) == (45, 5)
    assert all(found[command] >= stated[command] for command in stated)


def test_agentdojo_has_the_stated_errors() -> None:
    real("agentdojo")
    counts = sum((kept.counts for kept in population("agentdojo").shards.values()), Counter())
    assert counts["errors"] == 1068


def test_agentracer_has_the_stated_labels() -> None:
    runs = [entry for _, entry in real_entries("agentracer") if isinstance(entry, Trace)]
    assert Counter(trace.mistake_actor for trace in runs) == {
        "Engineer": 92, "Product Manager": 19, "Team Leader": 11, "Architect": 5,
    }  # fmt: skip
    assert Counter(trace.mistake_step for trace in runs)[4] == 42
    for trace in runs:
        assert trace.mistake_step is not None
        assert trace.events[trace.mistake_step].actor == trace.mistake_actor


def test_swe_agent_edits_the_file_that_its_observation_shows() -> None:
    shown = re.compile(r"\[File: (\S+) \(")
    compared = 0
    for _, entry in real_entries("swe_agent"):
        assert isinstance(entry, Trace)
        for event, answer in pairwise(entry.events):
            seen = shown.match(answer.text) if answer.role == "tool" else None
            for touch in event.calls[0].touches if seen and event.calls else ():
                if touch.origin == "tool":
                    assert seen is not None
                    assert touch.resource == seen[1]
                    compared += 1
    assert compared > 2000


def test_every_tau2_message_has_one_result_per_call_right_behind_it() -> None:
    for _, entry in real_entries("tau2_bench"):
        assert isinstance(entry, Trace)
        for at, event in enumerate(entry.events):
            answers = entry.events[at + 1 : at + 1 + len(event.calls)]
            assert [answer.call_id for answer in answers] == [call.id for call in event.calls]


def test_every_corpus_of_the_shared_folder_has_a_reader() -> None:
    if not REAL.is_dir():
        pytest.skip("no real corpora at ../shared/traces")
    folders = {path.parent.name for path in REAL.glob("*/MANIFEST.json")}
    assert folders <= {corpus_named(name).folder or name for name in corpora()}
