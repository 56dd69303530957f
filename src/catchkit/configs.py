"""The published dataset configs: columns, id, label columns. Every column is documented here."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import pyarrow as pa

from catchkit import catalog
from catchkit.errors import UsageError

DATASET = "catchbench"
DATASET_VERSION = "1.0.0"
SPLIT = "test"


STRING, BOOL, INT32 = pa.string(), pa.bool_(), pa.int32()


def list_of(kind: pa.DataType) -> pa.DataType:
    """Return the type of a list of values of one type."""
    return pa.list_(kind)


def struct_of(**fields: pa.DataType) -> pa.DataType:
    """Return the type of a mapping with these keys, in this order."""
    return pa.struct(list(fields.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a config."""

    name: str
    type: pa.DataType
    meaning: str
    hidden: bool = False
    """Whether it gives the answer away; ``load`` leaves it out unless asked for labels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The configs that share one schema."""

    name: str
    id_column: str
    columns: tuple[Column, ...]

    @property
    def hidden(self) -> tuple[str, ...]:
        """Names of the columns that give the answer away."""
        return tuple(column.name for column in self.columns if column.hidden)

    @property
    def schema_digest(self) -> str:
        """What changes exactly when a column is added, removed, moved, renamed or retyped."""
        text = json.dumps([[column.name, spelled(column.type)] for column in self.columns])
        return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"

    @property
    def arrow_schema(self) -> pa.Schema:
        """The one schema that every file of these configs is written through."""
        return pa.schema([(column.name, column.type) for column in self.columns])


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """One published config."""

    name: str
    family: Family
    parts: tuple[str, ...]
    """The configs whose files it consists of; its own name when it has files of its own."""

    is_shipped: bool = True
    """Whether it is a part of every release; false where the licence of the runs is not settled,
    so that each user converts a copy of their own."""

    default: bool = False
    """Whether ``load_dataset`` takes it when no config is named; true for exactly one."""


PRE = Family(
    name="pre",
    id_column="instance_id",
    columns=(
        Column(
            name="instance_id",
            type=STRING,
            meaning="Unique over all sources; the key of a prediction file.",
        ),
        Column(
            name="source",
            type=STRING,
            meaning="Where the configuration comes from, one of the six sources.",
        ),
        Column(
            name="framework",
            type=STRING,
            meaning="The framework a synthetic record is written for; null elsewhere.",
        ),
        Column(
            name="capabilities",
            type=list_of(struct_of(name=STRING, type=STRING, permission_level=STRING)),
            meaning=(
                "The declared roster in presentation order, a seeded shuffle per record. "
                "`permission_level` is read, write, execute, network, admin or unknown."
            ),
        ),
        Column(
            name="declared_position",
            type=list_of(INT32),
            hidden=True,
            meaning=(
                "Where each listed capability stood upstream, 0-based. "
                "Hidden with the labels: on injecagent it is the label."
            ),
        ),
        Column(
            name="excess",
            type=list_of(BOOL),
            hidden=True,
            meaning="The label, aligned with `capabilities`: true where the task does not need it.",
        ),
        Column(
            name="label_process",
            type=STRING,
            meaning=(
                "How the label was made: llm_judge, roster_relabel, declared_minus_used "
                "or synthetic_inject."
            ),
        ),
        Column(
            name="votes",
            type=list_of(struct_of(judge=STRING, needed=list_of(BOOL))),
            hidden=True,
            meaning=(
                "What each judge holds to be needed, aligned with `capabilities`; "
                "empty where no judge was asked."
            ),
        ),
        Column(
            name="spec_tokens",
            type=list_of(STRING),
            meaning=(
                "What survives of the task text: scanner vocabulary and roster terms, "
                "sorted, unique."
            ),
        ),
        Column(
            name="spec_overrides",
            type=struct_of(
                permission_levels=list_of(STRING),
                functionality_capabilities=list_of(STRING),
                privilege_bases=list_of(STRING),
                high_impact_bases=list_of(STRING),
                sensitive_bases=list_of(STRING),
            ),
            meaning=(
                "What a rule would have read from the removed text beyond the tokens, as names; "
                "empty lists where nothing was lost."
            ),
        ),
        Column(
            name="attack_type",
            type=STRING,
            hidden=True,
            meaning="What the attacker of an injecagent record is after; null elsewhere.",
        ),
        Column(
            name="group",
            type=STRING,
            meaning="Rows that share an origin; cross-validation must not split a group.",
        ),
        Column(name="repo", type=STRING, meaning="The repository or site it was read from."),
        Column(
            name="commit",
            type=STRING,
            meaning="Its revision; for n8n a template id and for sweagent a submission label.",
        ),
        Column(name="path", type=STRING, meaning="The file, folder or entry in it."),
        Column(
            name="license",
            type=STRING,
            meaning="The upstream licence as an SPDX id, or NOASSERTION where none is stated.",
        ),
    ),
)


@cache
def configs() -> Mapping[str, Config]:
    """Return every config by name, in the order in which cards and lists show them.

    Example:
        >>> list(configs())[:3]
        ['pre', 'pre_crewai', 'pre_injecagent']
    """
    sources = tuple(f"pre_{source}" for source in catalog.names("builders.pre"))
    pooled = Config(name="pre", family=PRE, parts=sources, default=True)
    single = [Config(name=name, family=PRE, parts=(name,)) for name in sources]
    # They describe their columns in our terms.
    from catchkit.gold_configs import gold_configs
    from catchkit.prediction_configs import prediction_configs
    from catchkit.trace_configs import trace_configs

    every = (pooled, *single, *trace_configs(), *gold_configs(), *prediction_configs())
    return MappingProxyType({config.name: config for config in every})


def config(name: str) -> Config:
    """Return the config of that name.

    Raises:
        UsageError: There is none; the message offers the closest name.
    """
    known = configs()
    if name not in known:
        raise UsageError.unknown("config", name, known)
    return known[name]


def spelled(kind: pa.DataType) -> str:
    """Write a type the same way under every version of the Arrow library.

    Example:
        >>> spelled(struct_of(a=STRING, b=list_of(BOOL)))
        'struct<a: string, b: list<bool>>'
    """
    if isinstance(kind, pa.ListType):
        return f"list<{spelled(kind.value_type)}>"
    if isinstance(kind, pa.StructType):
        inner = (kind.field(at) for at in range(kind.num_fields))
        return f"struct<{', '.join(f'{field.name}: {spelled(field.type)}' for field in inner)}>"
    return str(kind)
