"""Facts and a template make the card of a release."""

from collections.abc import Mapping
from importlib.resources import files

from catchkit.admissibility.thresholds import shipped
from catchkit.builders.source import sources
from catchkit.cards.facts import ConfigFacts, facts_of, plain_facts_of, trace_facts_of
from catchkit.cards.gold import GOLD_FAMILIES, gold_facts_of, gold_section, render_gold_card
from catchkit.cards.header import header
from catchkit.cards.markdown import columns_table, counts, markdown_table
from catchkit.cards.shortcuts import meanings_table, references_table, shortcuts_table
from catchkit.cards.traces import traces_section
from catchkit.configs import DATASET, PRE, SPLIT, config
from catchkit.errors import ReleaseError
from catchkit.eval.board import FLOOR
from catchkit.loaders.release import Release, known_entries
from catchkit.trace_configs import LIVE, LIVE_FRACTION, POST

CARD = "README.md"


def render_card(release: Release) -> str:
    """Return the card of a release, every figure in it computed from its rows.

    Raises:
        ReleaseError: A config cannot be read.
    """
    held = {name: config(name).family for name in known_entries(release)}
    facts = {name: facts_of(release, name) for name, family in held.items() if family is PRE}
    traces = {
        name: trace_facts_of(release, name)
        for name, family in held.items()
        if family in (POST, LIVE, LIVE_FRACTION)
    }
    gold = {
        name: gold_facts_of(release, name)
        for name, family in held.items()
        if family in GOLD_FAMILIES
    }
    described = facts.keys() | traces.keys() | gold.keys()
    others = [plain_facts_of(release, name) for name in held if name not in described]
    if "pre" not in facts:
        raise ReleaseError(f"{release.root}: config 'pre' is missing")
    pooled = facts["pre"]
    margin = shipped().rosters.margin
    template = files("catchkit.cards").joinpath("templates", CARD).read_text("utf-8")
    body = template.format(
        dataset=DATASET,
        split=SPLIT,
        version=release.manifest.version,
        builder=release.manifest.builder,
        configs_table=_configs_table(facts),
        columns_table=columns_table(PRE),
        labels_table=_labels_table(facts),
        meanings_table=meanings_table(),
        shortcuts_table=shortcuts_table(facts, margin),
        references_table=references_table(facts),
        floor=FLOOR,
        entrant=pooled.best_entrant,
        margin=margin,
        groups_table=groups_table(),
        licenses_table=_licenses_table(facts),
        traces_section=traces_section(traces),
        gold_section=gold_section(gold),
        rows=pooled.rows,
        without_token=pooled.configurations_without_token,
        of_one=pooled.configurations_of_one,
        abstained=pooled.references["llm_judge_needed"].abstained,
    )
    return (
        f"---\n{header([*facts.values(), *traces.values(), *gold.values(), *others])}---\n\n{body}"
    )


def is_release(release: Release) -> bool:
    """Whether a folder was written by ``build``, and not by ``gold`` or ``convert``."""
    return any(config(name).family is PRE for name in known_entries(release))


def card_of(release: Release) -> str | None:
    """Return the card a folder must have; ``None`` for a conversion, which has none.

    Raises:
        ReleaseError: A config cannot be read.
    """
    families = {config(name).family for name in known_entries(release)}
    if is_release(release):
        return render_card(release)
    return render_gold_card(release) if families and families <= {*GOLD_FAMILIES} else None


def groups_table() -> str:
    """Return how each source groups its rows, as a Markdown table."""
    rows = [[source.name, source.group_rule] for source in sources().values()]
    return markdown_table(["source", "group"], rows)


def _configs_table(facts: Mapping[str, ConfigFacts]) -> str:
    titles = {f"pre_{name}": source.title for name, source in sources().items()}
    return markdown_table(
        ["config", "what", "rows", "capabilities", "excess", "base rate", "groups"],
        [
            [
                f"`{name}`",
                titles.get(name, "All sources together"),
                entry.rows,
                entry.capabilities,
                entry.excess,
                f"{entry.base_rate:.3f}",
                entry.groups,
            ]
            for name, entry in facts.items()
        ],
    )


def _labels_table(facts: Mapping[str, ConfigFacts]) -> str:
    return markdown_table(
        ["config", "label process", "configurations with any excess"],
        [
            [f"`{name}`", counts(entry.label_processes), entry.configurations_with_excess]
            for name, entry in facts.items()
        ],
    )


def _licenses_table(facts: Mapping[str, ConfigFacts]) -> str:
    rules = {f"pre_{name}": source.license_rule for name, source in sources().items()}
    return markdown_table(
        ["config", "rows by licence", "where it comes from"],
        [
            [f"`{name}`", counts(entry.licenses), rules.get(name, "as in its sources")]
            for name, entry in facts.items()
        ],
    )
