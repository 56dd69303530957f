"""Records as ``--mode structured`` has them: stances beside tokens, no identifier in a name."""

from collections.abc import Iterable
from dataclasses import asdict, replace

import pyarrow as pa

from catchkit.configs import PRE, STRING, list_of, struct_of
from catchkit.deidentify.names import conceal
from catchkit.deidentify.structured import describe
from catchkit.schema import PreRecord

SPEC_STRUCTURED = pa.field(
    "spec_structured",
    struct_of(
        language=STRING,
        tokens=list_of(STRING),
        requested=list_of(STRING),
        negated=list_of(STRING),
        mentioned=list_of(STRING),
    ),
)
"""What the mode adds; the columns of ``published`` stay beside it for comparison."""

STRUCTURED_SCHEMA = PRE.arrow_schema.append(SPEC_STRUCTURED)


def structured_table(harvested: Iterable[tuple[PreRecord, str]], *, key: bytes) -> pa.Table:
    """Return records with what the mode keeps of their texts.

    Args:
        harvested: Each record with its task text as the source words it.
        key: The secret of the stand-ins that replace identifiers in capability names.
    """
    rows = [
        concealed(record, key=key).to_row()
        | {SPEC_STRUCTURED.name: asdict(describe(text, record.capabilities))}
        for record, text in harvested
    ]
    return pa.Table.from_pylist(rows, schema=STRUCTURED_SCHEMA)


def concealed(record: PreRecord, *, key: bytes) -> PreRecord:
    """Return a record without identifiers in its capability names, wherever they are repeated."""
    after = conceal(record.capabilities, key=key)
    renamed = {old.name: new.name for old, new in zip(record.capabilities, after, strict=True)}
    overrides = record.spec_overrides
    related = tuple(sorted(renamed[name] for name in overrides.functionality_capabilities))
    return replace(
        record,
        capabilities=after,
        spec_overrides=replace(overrides, functionality_capabilities=related),
    )
