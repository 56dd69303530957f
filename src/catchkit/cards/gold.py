"""What a card says of Gold configs, and the card of a folder that holds nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

import pyarrow.compute as pc

from catchkit.cards.facts import Facts, common_facts, counted
from catchkit.cards.header import header
from catchkit.cards.markdown import columns_table, counts, markdown_table
from catchkit.configs import SPLIT, config
from catchkit.gold_configs import GOLD_V1, GOLD_V1_ONLINE, GOLD_V2
from catchkit.injection.injector import injectors
from catchkit.injection.summary import Summary, summaries
from catchkit.loaders.release import Release, known_entries

GOLD_FAMILIES = (GOLD_V1, GOLD_V1_ONLINE, GOLD_V2)

CARD = """\
# CatchBench Gold

Load a config with `load_dataset(FOLDER, CONFIG, split="{split}")`, or without its answers with
`catchkit.load(CONFIG, data=FOLDER)`.

{section}"""

SUMMARY_COLUMNS = ("fault", "edges", "span", "span, 95 %", "span grew in", "pool", "pools of one")


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldFacts(Facts):
    """What a Gold config holds besides."""

    seeds: Mapping[str, int]
    """Rows of each seed."""

    streams: Mapping[str, int]
    faults: Mapping[str, int]
    """Faulty versions of each fault."""

    summaries: tuple[Summary, ...]


def gold_facts_of(release: Release, name: str) -> GoldFacts:
    """Compute what a card says of one Gold config.

    Raises:
        ReleaseError: The config cannot be read.
    """
    table = release.table(name)
    return GoldFacts(
        **common_facts(release, name, table),
        seeds=counted(table, "seed"),
        streams=counted(table, "stream"),
        faults=counted(table.filter(pc.field("is_injected")), "fault"),
        summaries=summaries(table),
    )


def gold_section(facts: Mapping[str, GoldFacts]) -> str:
    """Return what a card says of its Gold configs; nothing where there is none."""
    if not facts:
        return ""
    template = files("catchkit.cards").joinpath("templates", "gold.md").read_text("utf-8")
    families = {config(name).family.name: config(name).family for name in facts}
    columns = [f"`{name}`:\n\n{columns_table(held)}" for name, held in families.items()]
    return template.format(
        configs_table=_configs_table(facts),
        faults_table=_faults_table(facts),
        summaries_table=_summaries_table(facts),
        columns_tables="\n\n".join(columns),
    )


def _configs_table(facts: Mapping[str, GoldFacts]) -> str:
    return markdown_table(
        ["config", "rows", "tasks", "seed", "draws", "faulty versions"],
        [
            [
                f"`{name}`",
                entry.rows,
                entry.groups,
                ", ".join(map(str, sorted(entry.seeds))),
                ", ".join(sorted(entry.streams)),
                counts(entry.faults),
            ]
            for name, entry in facts.items()
        ],
    )


def _summaries_table(facts: Mapping[str, GoldFacts]) -> str:
    return markdown_table(
        ["config", *SUMMARY_COLUMNS],
        [
            [f"`{name}`", *summary_cells(summary)]
            for name, entry in facts.items()
            for summary in entry.summaries
        ],
    )


def summary_cells(summary: Summary) -> list[str]:
    """Return a summary as the cells of ``SUMMARY_COLUMNS``."""
    return [
        summary.fault,
        f"{summary.edges_clean:.1f} to {summary.edges_faulty:.1f}",
        f"{summary.span_clean:.1f} to {summary.span_faulty:.1f}",
        f"{summary.span_p95_clean:.1f} to {summary.span_p95_faulty:.1f}",
        f"{summary.span_increased} of {summary.pairs}",
        f"{summary.pool:.1f}",
        str(summary.pools_of_one),
    ]


def render_gold_card(release: Release) -> str:
    """Return the card of a folder of Gold configs, every figure in it computed from its rows."""
    facts = {name: gold_facts_of(release, name) for name in known_entries(release)}
    body = CARD.format(split=SPLIT, section=gold_section(facts))
    return f"---\n{header(list(facts.values()))}---\n\n{body}"


def _faults_table(facts: Mapping[str, GoldFacts]) -> str:
    held = {fault for entry in facts.values() for fault in entry.faults}
    return markdown_table(
        ["fault", "what it changes", "where it may go", "what it stands for"],
        [
            [f"`{name}`", fault.summary, fault.eligible, fault.failure_mode]
            for name, fault in injectors().items()
            if name in held
        ],
    )
