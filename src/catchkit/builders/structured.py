"""Records as ``--mode structured`` has them: stances beside tokens, no identifier in a name."""

from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any

import pyarrow as pa

from catchkit.configs import PRE, STRING, list_of, struct_of
from catchkit.deidentify.names import conceal
from catchkit.deidentify.spec import derive
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
"""What the mode adds to the columns of the published form, which stay beside it."""

STRUCTURED_SCHEMA = PRE.arrow_schema.append(SPEC_STRUCTURED)


def structured_table(harvested: Iterable[tuple[PreRecord, str]], *, key: bytes) -> pa.Table:
    """Return records with what the mode keeps of their texts.

    Args:
        harvested: Each record with its task text as the source words it.
        key: The secret of the stand-ins that replace identifiers in capability names.
    """
    return pa.Table.from_pylist(
        [_row(concealed(record, text, key=key), text) for record, text in harvested],
        schema=STRUCTURED_SCHEMA,
    )


def concealed(record: PreRecord, text: str, *, key: bytes) -> PreRecord:
    """Return a record without identifiers in its capability names.

    Its tokens are derived anew: a name that stood in the roster was a term of it, and would have
    been kept wherever the task repeats it.
    """
    capabilities = conceal(record.capabilities, key=key)
    tokens, overrides = derive(text, capabilities)
    return replace(record, capabilities=capabilities, spec_tokens=tokens, spec_overrides=overrides)


def _row(record: PreRecord, text: str) -> dict[str, Any]:
    kept = asdict(describe(text, record.capabilities))
    return {**record.to_row(), SPEC_STRUCTURED.name: kept}
