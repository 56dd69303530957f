"""What a card says of the configs made from agent traces."""

from collections.abc import Mapping
from importlib.resources import files

from catchkit.builders.corpus import corpora
from catchkit.cards.facts import TraceFacts
from catchkit.cards.markdown import columns_table, counts, markdown_table
from catchkit.configs import config
from catchkit.trace_configs import FOLDS, LIVE, LIVE_FRACTION, POST, PREFIX_STEPS


def traces_section(facts: Mapping[str, TraceFacts]) -> str:
    """Return the section of a card about traces; empty where a release has none."""
    if not facts:
        return ""
    template = files("catchkit.cards").joinpath("templates", "traces.md").read_text("utf-8")
    post = {name: entry for name, entry in facts.items() if config(name).family is POST}
    live = {name: entry for name, entry in facts.items() if name not in post}
    return template.format(
        post_table=_post_table(post),
        live_table=_live_table(live),
        edges_table=_edges_table(post),
        corpora_table=_corpora_table(post),
        columns_table=columns_table(POST),
        live_columns_table=columns_table(LIVE),
        fraction_columns_table=_more_columns(),
        prefixes=", ".join(map(str, PREFIX_STEPS)),
        folds=FOLDS,
    )


def _post_table(facts: Mapping[str, TraceFacts]) -> str:
    return markdown_table(
        ["config", "runs", "failed", "base rate", "gold steps", "tasks", "models", "steps"],
        [
            [
                f"`{name}`",
                entry.rows,
                entry.failed,
                f"{entry.failed / entry.labelled:.3f}" if entry.labelled else "none",
                entry.located,
                entry.groups,
                entry.models or "not stated",
                " / ".join(map(str, entry.steps)),
            ]
            for name, entry in facts.items()
        ],
    )


def _live_table(facts: Mapping[str, TraceFacts]) -> str:
    return markdown_table(
        ["config", "rows", "runs", "rows of failed runs", "causal"],
        [
            [
                f"`{name}`",
                entry.rows,
                entry.runs,
                entry.failed,
                "no" if config(name).family is LIVE_FRACTION else "yes",
            ]
            for name, entry in facts.items()
        ],
    )


def _edges_table(facts: Mapping[str, TraceFacts]) -> str:
    return markdown_table(
        ["config", "edges by kind"],
        [[f"`{name}`", counts(entry.edges)] for name, entry in facts.items()],
    )


def _corpora_table(facts: Mapping[str, TraceFacts]) -> str:
    known = corpora()
    declared = {name: known[name.removeprefix("post_")] for name in facts}
    return markdown_table(
        ["config", "what", "label", "runs, tasks and models", "licences"],
        [
            [
                f"`{name}`",
                corpus.title,
                corpus.label_rule,
                corpus.identity_rule,
                counts(facts[name].licenses),
            ]
            for name, corpus in declared.items()
        ],
    )


def _more_columns() -> str:
    known = {column.name for column in LIVE.columns}
    more = [column for column in LIVE_FRACTION.columns if column.name not in known]
    return markdown_table(["column", "meaning"], [[f"`{c.name}`", c.meaning] for c in more])
