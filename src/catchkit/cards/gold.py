"""The card of a Gold folder: what is in it, every figure computed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from catchkit.cards.header import header
from catchkit.cards.markdown import counts, markdown_table
from catchkit.injection.injector import injectors
from catchkit.injection.planted import Planted
from catchkit.injection.summary import Summary
from catchkit.loaders.release import Release

CARD, SUMMARY = "README.md", "summary.json"

TEXT = """\
# Gold {version} of {corpus}, seed {seed}

Runs of {corpus} with a known fault planted in them, and the same runs without it. {clean_runs} runs
could be clean controls. Draws: `{stream}`.{extraction} Load a config with
`load_dataset(FOLDER, "{first}", split="test")`, or without its answers with
`catchkit.load("{first}", data=FOLDER)`.

{configs}

## Faults

{faults}

## Clean and faulty runs as a whole

Edges per run and the largest span of a run, from clean to faulty.

{summaries}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Facts:
    name: str
    rows: int
    digest: str
    num_bytes: int
    download_size: int
    files: tuple[str, ...]


def gold_texts(release: Release, planted: Planted) -> Mapping[str, str]:
    """Return the texts of a Gold folder whose tables are written: card and summary."""
    return {CARD: _card(release, planted), SUMMARY: _summary(planted)}


def _card(release: Release, planted: Planted) -> str:
    facts = [_facts(release, planted, name) for name in release.manifest.configs]
    read = f" Values: `{planted.extraction}`." if planted.extraction else ""
    body = TEXT.format(
        version=planted.version,
        corpus=planted.corpus,
        seed=planted.seed,
        clean_runs=planted.clean_runs,
        stream=planted.stream,
        extraction=read,
        first=facts[0].name,
        configs=_configs(planted),
        faults=_faults(planted),
        summaries=markdown_table(
            ["config", "fault", "edges", "span", "span, 95 %", "span grew in"],
            [
                [f"`{name}`", *summary_cells(summary)]
                for name, config in planted.configs.items()
                for summary in config.summaries
            ],
        ),
    )
    return f"---\n{header(facts)}---\n\n{body}"


def summary_cells(summary: Summary) -> list[str]:
    """Return a summary as the cells of a table: fault, edges, spans, and how many grew."""
    return [
        summary.fault,
        f"{summary.edges_clean:.1f} to {summary.edges_faulty:.1f}",
        f"{summary.span_clean:.1f} to {summary.span_faulty:.1f}",
        f"{summary.span_p95_clean:.1f} to {summary.span_p95_faulty:.1f}",
        f"{summary.span_increased} of {summary.pairs}",
    ]


def _facts(release: Release, planted: Planted, name: str) -> _Facts:
    entry = release.entry(name)
    return _Facts(
        name=name,
        rows=entry.rows,
        digest=entry.digest,
        num_bytes=planted.configs[name].table.nbytes,
        download_size=sum(release.manifest.files[file].bytes for file in entry.files),
        files=entry.files,
    )


def _configs(planted: Planted) -> str:
    return markdown_table(
        ["config", "rows", "pairs by fault"],
        [
            [
                f"`{name}`",
                config.table.num_rows,
                counts(dict(sorted(config.faults.items()))) or "none: not written",
            ]
            for name, config in planted.configs.items()
        ],
    )


def _faults(planted: Planted) -> str:
    held = {fault for config in planted.configs.values() for fault in config.faults}
    return markdown_table(
        ["fault", "what it changes", "where it may go", "what it stands for"],
        [
            [f"`{name}`", fault.summary, fault.eligible, fault.failure_mode]
            for name, fault in injectors().items()
            if name in held
        ],
    )


def _summary(planted: Planted) -> str:
    rows = {
        name: [summary.to_row() for summary in config.summaries]
        for name, config in planted.configs.items()
    }
    return json.dumps(rows, indent=1, sort_keys=True) + "\n"
