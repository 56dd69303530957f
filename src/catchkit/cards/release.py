"""Writes the release folder: Parquet files, card, manifest."""

from pathlib import Path

from catchkit.builders.source import sources
from catchkit.cards.card import CARD, render_card
from catchkit.configs import PRE, SPLIT, configs
from catchkit.loaders.release import Manifest, packaged
from catchkit.loaders.writer import Copy, write_folder


def write_release(target: Path, *, workers: int = 1) -> Manifest:
    """Build the release from the packaged snapshot, without any network.

    The folder is complete or absent: killed at any moment, ``target`` is what it was before or
    the new release. Equal snapshots give equal bytes, whatever the number of workers.

    Args:
        target: The folder; it may exist when it is empty or an earlier release.
        workers: How many files to write at once.

    Raises:
        UsageError: The target is something else.
        ReleaseError: The packaged snapshot is damaged.
    """
    snapshot = packaged()
    shipped = {name: config for name, config in configs().items() if config.is_shipped}
    # Tables of traces are large and were written by this code already: their bytes are taken over.
    copied = {name for name, config in shipped.items() if config.family is not PRE}
    built = {name: config for name, config in shipped.items() if name not in copied}
    own = [name for name, config in built.items() if config.parts == (name,)]
    return write_folder(
        target,
        tables={file_of(name): snapshot.table(name) for name in own},
        parts={name: [file_of(part) for part in config.parts] for name, config in built.items()},
        copies={
            name: Copy(source=snapshot, config=name, file=file_of(name)) for name in sorted(copied)
        },
        sources={name: source.pin for name, source in sources().items()}
        | dict(snapshot.manifest.sources),
        texts=lambda release: {CARD: render_card(release)},
        workers=workers,
    )


def file_of(config: str) -> str:
    """Return the file of a config below the release folder.

    Example:
        >>> file_of("pre_mcp")
        'data/pre_mcp/test-00000-of-00001.parquet'
    """
    return f"data/{config}/{SPLIT}-00000-of-00001.parquet"
