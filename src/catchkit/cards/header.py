"""The YAML header of the card: the one public description that ``datasets`` loads from."""

from collections.abc import Sequence
from typing import Any

import yaml

from catchkit.cards.facts import Facts
from catchkit.configs import DATASET_VERSION, SPLIT, Family, config


def header(facts: Sequence[Facts]) -> str:
    """Return the header of a card, without its ``---`` lines.

    Each config carries its content digest as its description. ``datasets`` keys its cache on the
    header and not on the files, so without the digest it would serve old rows after a rebuild.
    """
    fields = {
        "pretty_name": "CatchBench",
        "license": "other",
        "license_name": "per-record",
        "license_link": "README.md#licences",
        "language": ["en"],
        "tags": ["ai-agents", "agent-failures", "over-privilege", "audit", "benchmark"],
        "size_categories": [size_category(max(entry.rows for entry in facts))],
        "configs": [_config_entry(entry) for entry in facts],
        "dataset_info": [_dataset_info(entry) for entry in facts],
    }
    return yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=100)


def _config_entry(facts: Facts) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "config_name": facts.name,
        "data_files": [{"split": SPLIT, "path": list(facts.files)}],
        "version": DATASET_VERSION,
        "description": facts.digest,
    }
    return entry | ({"default": True} if config(facts.name).default else {})


def _dataset_info(facts: Facts) -> dict[str, Any]:
    return {
        "config_name": facts.name,
        "features": features_entry(config(facts.name).family),
        # Without the bytes `datasets` does not check the number of examples either.
        "splits": [{"name": SPLIT, "num_bytes": facts.num_bytes, "num_examples": facts.rows}],
        "download_size": facts.download_size,
        "dataset_size": facts.num_bytes,
    }


def features_entry(family: Family) -> list[dict[str, Any]]:
    """Return the columns of a family as ``datasets`` writes them into a card."""
    from datasets import Features  # takes half a second, which `list` does not need

    entry: list[dict[str, Any]] = Features.from_arrow_schema(family.arrow_schema)._to_yaml_list()
    return entry


def size_category(rows: int) -> str:
    """Return the Hub's name for a number of rows.

    Example:
        >>> size_category(999), size_category(1000)
        ('n<1K', '1K<n<10K')
    """
    if rows < 1_000:
        return "n<1K"
    bounds = [(10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")]
    return next((name for bound, name in bounds if rows < bound), "n>1M")
