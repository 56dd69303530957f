"""The configs made from agent traces: their columns, and which corpora have which."""

from collections.abc import Iterator

from catchkit import catalog
from catchkit.configs import BOOL, INT32, STRING, Column, Config, Family, list_of, struct_of

ALL_FAILED = frozenset({"agentracer", "who_and_when", "who_and_when_hand_crafted"})
"""Corpora without a success: there is nothing to predict from a prefix, so they have no live
configs. The contract of the corpora holds this against what each declares."""

NOT_SHIPPED = frozenset(
    {"agentracer", "messages", "swe_agent", "swe_gym", "swe_gym_balanced", "tau_bench_hub"}
)
"""Corpora without a licence under which derived records may be published, and those that only
the Hub has; the contract of the corpora checks it likewise."""

PREFIX_STEPS = (2, 4, 8, 16, 32, 64)
"""Lengths at which a running agent is looked at, while the run lasts."""

FRACTIONS = (0.25, 0.5, 0.75, 1.0)
"""Shares of the final length in the view that is not causal."""

FOLDS = 5

_RUN = (
    Column(
        name="task_id", type=STRING, meaning="The task; different corpora may share a spelling."
    ),
    Column(
        name="domain",
        type=STRING,
        meaning="A part of the corpus with tasks and tools of its own; null where there is one.",
    ),
    Column(
        name="model",
        type=STRING,
        meaning="The agent's model in upstream's words; null where it is not stated.",
    ),
    Column(name="corpus", type=STRING, meaning="The corpus the run belongs to."),
    Column(
        name="group",
        type=STRING,
        meaning="The task within its corpus; cross-validation must not split a group.",
    ),
    Column(
        name="kind", type=list_of(STRING), meaning="Per step, what it is: decision or tool_call."
    ),
    Column(name="actor", type=list_of(STRING), meaning="Per step, who acted."),
    Column(
        name="tool",
        type=list_of(STRING),
        meaning="Per step, the tool that was called; null for a decision.",
    ),
    Column(
        name="touches",
        type=list_of(struct_of(step=INT32, resource=STRING, access=STRING, origin=STRING)),
        meaning=(
            "Files that steps read or wrote, as stand-ins that are equal for equal paths. "
            "`access` is read or write; `origin` says whether the tool's arguments name the file "
            "(tool) or a command was parsed for it (shell)."
        ),
    ),
    Column(
        name="edge_reader",
        type=list_of(INT32),
        meaning="Per dependency edge, the 0-based step that relied on an earlier one.",
    ),
    Column(
        name="edge_writer", type=list_of(INT32), meaning="The earlier step, aligned with the above."
    ),
    Column(
        name="edge_kind",
        type=list_of(STRING),
        meaning=(
            "The rule behind the edge, likewise: full_context, file or database (the rules of "
            "the original benchmark, one per corpus), value_first, value_last, version, content "
            "or explicit."
        ),
    ),
)

_FOLD = Column(
    name="fold",
    type=INT32,
    meaning=f"Predefined cross-validation fold, 0 to {FOLDS - 1}; it depends on the group alone.",
)

_FAILED = Column(
    name="failed",
    type=BOOL,
    hidden=True,
    meaning="The outcome: true where the run failed; null where none is known.",
)

_PROVENANCE = (
    Column(
        name="label_process",
        type=STRING,
        meaning="How the label was made: human_attribution, outcome or injection.",
    ),
    Column(
        name="license",
        type=STRING,
        meaning="The upstream licence as an SPDX id, or NOASSERTION where none is stated.",
    ),
    Column(name="repo", type=STRING, meaning="The repository or data set it was read from."),
    Column(name="commit", type=STRING, meaning="Its revision."),
    Column(name="path", type=STRING, meaning="The file or folder in it."),
)

POST = Family(
    name="post",
    id_column="run_id",
    columns=(
        Column(
            name="run_id", type=STRING, meaning="Unique and stable; the key of a prediction file."
        ),
        *_RUN,
        Column(name="n_steps", type=INT32, meaning="Number of steps."),
        _FOLD,
        _FAILED,
        Column(
            name="mistake_step",
            type=INT32,
            hidden=True,
            meaning="The decisive step, 0-based; null where nobody named one.",
        ),
        Column(
            name="mistake_actor",
            type=STRING,
            hidden=True,
            meaning="Who is at fault, in upstream's words; null likewise.",
        ),
        *_PROVENANCE,
    ),
)

_LIVE_KEYS = (
    Column(name="row_id", type=STRING, meaning="Unique and opaque; the key of a prediction file."),
    Column(name="run_id", type=STRING, meaning="The run that this is the beginning of."),
    Column(
        name="prefix_steps",
        type=INT32,
        meaning="How many steps are shown; nothing in the row depends on a later one.",
    ),
)

LIVE = Family(
    name="live", id_column="row_id", columns=(*_LIVE_KEYS, *_RUN, _FOLD, _FAILED, *_PROVENANCE)
)

LIVE_FRACTION = Family(
    name="live_fraction",
    id_column="row_id",
    columns=(
        *_LIVE_KEYS,
        Column(
            name="prefix_fraction",
            type=STRING,
            meaning=(
                "Share of the final length that is shown. NOT CAUSAL: no monitor knows it while "
                "the agent runs, and with `prefix_steps` it gives the final length away."
            ),
        ),
        *_RUN,
        _FOLD,
        _FAILED,
        *_PROVENANCE,
    ),
)

_EVENT = struct_of(
    kind=STRING,
    role=STRING,
    actor=STRING,
    tool=STRING,
    pair=INT32,
    is_error=BOOL,
    is_unparsed=BOOL,
    text=STRING,
    length=INT32,
    mentions=list_of(STRING),
    leaves=list_of(struct_of(path=STRING, key=STRING, token=STRING)),
    touches=list_of(struct_of(resource=STRING, access=STRING, origin=STRING)),
    displayed_at=INT32,
    uses=list_of(INT32),
)

TRACE = Family(
    name="trace",
    id_column="run_id",
    columns=(
        Column(name="run_id", type=STRING, meaning="As in the configs made from it."),
        Column(name="key", type=STRING, meaning="What identifies the run upstream."),
        *(column for column in _RUN if column.name in ("task_id", "domain", "model", "corpus")),
        Column(
            name="events",
            type=list_of(_EVENT),
            meaning=(
                "Messages, the calls in them and results, in order, without prose: "
                "see `catchkit.builders.record.RecordEvent`."
            ),
        ),
        _FAILED,
        Column(
            name="mistake_event",
            type=INT32,
            hidden=True,
            meaning="The decisive event, 0-based; null where nobody named one.",
        ),
        Column(
            name="mistake_actor",
            type=STRING,
            hidden=True,
            meaning="Who is at fault, in upstream's words; null likewise.",
        ),
        *_PROVENANCE,
    ),
)
"""The records that graphs and Gold are made from. They are a part of the package, not a config."""


def trace_configs() -> Iterator[Config]:
    """Yield the configs of every corpus, sorted, whether or not its runs may be shipped."""
    for corpus in catalog.names("builders.traces"):
        yield from configs_of(corpus)


def configs_of(corpus: str) -> Iterator[Config]:
    """Yield the configs of one corpus."""
    families = {f"post_{corpus}": POST}
    if corpus not in ALL_FAILED:
        families |= {f"live_{corpus}": LIVE, f"live_{corpus}_fraction": LIVE_FRACTION}
    for name, family in families.items():
        shipped = corpus not in NOT_SHIPPED
        yield Config(name=name, family=family, parts=(name,), is_shipped=shipped)
