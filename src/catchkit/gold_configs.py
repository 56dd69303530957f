"""The configs made by planting faults in runs: their columns, and which corpora have which."""

from collections.abc import Iterator

from catchkit import catalog
from catchkit.configs import BOOL, INT32, STRING, Column, Config, Family, list_of, struct_of
from catchkit.trace_configs import NOT_SHIPPED, POST, TRACE

FILE_CORPORA = frozenset(
    {"mini_swe_agent", "moatless", "openhands", "swe_agent", "swe_gym", "swe_gym_balanced"}
)
"""Corpora whose steps touch files, which have Gold v1. The contract of the faults holds this
against what each corpus declares."""

VALUE_CORPORA = frozenset({"agentdojo", "tau2_bench", "tau_bench", "tau_bench_hub"})
"""Corpora whose calls and results hold values, which have Gold v2; likewise."""

WITHOUT_SITES = frozenset({"gold_v2_agentdojo_stale_value"})
"""Configs without a row in a release: no run of the corpus can take the fault."""

SHIPPED_SEED = 0

_TRACE = {column.name: column for column in (*POST.columns, *TRACE.columns)}
_LABELS = ("run_id", "failed", "mistake_step", "mistake_actor")

_KEYS = (
    Column(name="row_id", type=STRING, meaning="Unique and opaque; the key of a prediction file."),
    Column(name="seed", type=INT32, meaning="The seed of the injection."),
    Column(
        name="stream",
        type=STRING,
        meaning=(
            "How the seed was used. `addressed`: every draw depends on seed, fault and run alone. "
            "`published`: the one stream of the original benchmark."
        ),
    ),
)

_HIDDEN_RUN = (
    Column(
        name="run_id",
        type=STRING,
        hidden=True,
        meaning="The run that this is a version of, as in the configs of its corpus.",
    ),
    Column(
        name="pair_id",
        type=STRING,
        hidden=True,
        meaning="Ties the clean and the injected version of a run.",
    ),
    Column(name="is_injected", type=BOOL, hidden=True, meaning="Whether this version is faulty."),
    Column(name="fault", type=STRING, hidden=True, meaning="The fault of the pair."),
)

_GRAPH = tuple(column for column in POST.columns if column.name not in _LABELS)
_FAILED = _TRACE["failed"]

GOLD_V1 = Family(
    name="gold_v1",
    id_column="row_id",
    columns=(
        *_KEYS,
        *_GRAPH,
        *_HIDDEN_RUN,
        Column(
            name="site",
            type=INT32,
            hidden=True,
            meaning="The step whose dependency was changed, 0-based; null for a clean version.",
        ),
        Column(
            name="changed_from",
            type=INT32,
            hidden=True,
            meaning="The step it relied on before; null likewise.",
        ),
        Column(
            name="changed_to",
            type=INT32,
            hidden=True,
            meaning="The step it relies on instead; null where the dependency was removed.",
        ),
        Column(
            name="eligible",
            type=list_of(INT32),
            hidden=True,
            meaning=(
                "Every step of the clean version that could have taken the fault, the same for "
                "both versions."
            ),
        ),
        _FAILED,
    ),
)

GOLD_V1_ONLINE = Family(
    name="gold_v1_online",
    id_column="row_id",
    columns=(
        *GOLD_V1.columns,
        Column(
            name="span",
            type=list_of(INT32),
            meaning=(
                "Per step, how far back its farthest dependency lies, 0 without one. A monitor at "
                "a step may read the entries up to it."
            ),
        ),
        Column(
            name="dependencies",
            type=list_of(INT32),
            meaning="Per step, how many earlier steps it relies on; likewise.",
        ),
    ),
)

_ARGUMENT = struct_of(event=INT32, path=STRING, key=STRING)

GOLD_V2 = Family(
    name="gold_v2",
    id_column="row_id",
    columns=(
        *_KEYS,
        Column(
            name="extraction",
            type=STRING,
            meaning=(
                "How values were read: `repaired`, or `published` as the original benchmark does."
            ),
        ),
        *_GRAPH,
        Column(
            name="events",
            type=_TRACE["events"].type,
            meaning=(
                "Messages, calls with the values of their arguments, and results with theirs: "
                "see `catchkit.builders.record.RecordEvent`."
            ),
        ),
        *_HIDDEN_RUN,
        Column(
            name="site",
            type=INT32,
            hidden=True,
            meaning="The call whose argument was changed, 0-based in `events`; null if clean.",
        ),
        Column(
            name="site_path", type=STRING, hidden=True, meaning="The argument, as in its `leaves`."
        ),
        Column(
            name="site_key",
            type=STRING,
            hidden=True,
            meaning="The consuming field: the path with list positions as `[]`.",
        ),
        Column(
            name="site_step",
            type=INT32,
            hidden=True,
            meaning="The step of the graph that the call belongs to; null if clean.",
        ),
        Column(
            name="changed_from",
            type=STRING,
            hidden=True,
            meaning="The value before; null if clean.",
        ),
        Column(
            name="changed_to", type=STRING, hidden=True, meaning="The value that stands there now."
        ),
        Column(
            name="stale_field",
            type=STRING,
            hidden=True,
            meaning="For `stale_value`, the observed field that had changed; null otherwise.",
        ),
        Column(
            name="superseded_by",
            type=STRING,
            hidden=True,
            meaning=(
                "Likewise, who changed it: own_write, own_write_elsewhere (the agent wrote to "
                "another object in between) or third_party."
            ),
        ),
        Column(
            name="eligible",
            type=list_of(_ARGUMENT),
            hidden=True,
            meaning=(
                "Every argument of the clean version that could have taken the fault, the same "
                "for both versions."
            ),
        ),
        _FAILED,
    ),
)


def gold_configs() -> Iterator[Config]:
    """Yield the Gold configs of every corpus, sorted, whether or not its runs may be shipped."""
    for corpus in catalog.names("builders.traces"):
        yield from gold_configs_of(corpus)


def gold_configs_of(corpus: str) -> Iterator[Config]:
    """Yield the Gold configs of one corpus: mixed faults, each fault alone, and the views."""
    families: dict[str, Family] = {}
    if corpus in FILE_CORPORA:
        name = f"gold_v1_{corpus}"
        families[name] = GOLD_V1
        families |= {f"{name}_{fault}": GOLD_V1 for fault in fault_names("file")}
        families |= {f"{name}_attribution": GOLD_V1, f"{name}_online": GOLD_V1_ONLINE}
    if corpus in VALUE_CORPORA:
        name = f"gold_v2_{corpus}"
        families[name] = GOLD_V2
        families |= {f"{name}_{fault}": GOLD_V2 for fault in fault_names("value")}
    for name, family in families.items():
        shipped = corpus not in NOT_SHIPPED and name not in WITHOUT_SITES
        yield Config(name=name, family=family, parts=(name,), is_shipped=shipped)


def fault_names(substrate: str) -> tuple[str, ...]:
    """Return the faults of a substrate: those of values are named so.

    Example:
        >>> fault_names("value")
        ('dropped_value', 'stale_value')
    """
    every = catalog.names("injection.faults")
    return tuple(name for name in every if name.endswith("_value") == (substrate == "value"))
