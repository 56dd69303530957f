"""Imports what language models answered on Who&When from the original benchmark, without texts."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from catchkit.builders.publish import run_id_of
from catchkit.builders.published import PEER, PEER_VERSION, read_pinned
from catchkit.configs import config
from catchkit.errors import SourceError
from catchkit.loaders.release import Manifest
from catchkit.loaders.writer import write_folder

CONFIG = "predictions_who_and_when"
CORPUS = "who_and_when"
FILE = f"{CONFIG}.parquet"
PANELS = {"llm_judge": "published", "llm_judge_addendum": "addendum"}
"""Folder of the original -> panel."""

KEYS = "llm_judge/legacy_run_keys.json"
LICENSE = "MIT"
"""Of the package, by its metadata."""

RUNS = 126
PIN_FILE = Path(__file__).with_name("judge_caches.sha256")


def write_judges(target: Path) -> Manifest:
    """Import the cached answers and write them as a part of the packaged snapshot.

    Raises:
        MissingExtraError: The original benchmark is not installed.
        SourceError: Its files are not the pinned ones.
        UsageError: The target holds something else.
    """
    table = pa.Table.from_pylist(list(judge_rows()), schema=config(CONFIG).family.arrow_schema)
    sources = {f"{PEER} {PEER_VERSION} {name}": f"sha256:{pin}" for name, pin in pins().items()}
    return write_folder(target, tables={FILE: table}, parts={CONFIG: [FILE]}, sources=sources)


def judge_rows() -> Iterator[dict[str, Any]]:
    """Yield one row per panel, protocol, method and run, in that order.

    Raises:
        MissingExtraError: The original benchmark is not installed.
        SourceError: Its files are not the pinned ones, or one does not answer for every run.
    """
    legacy = read_pinned(KEYS, pins())["keys"]
    for path in sorted(pins(), key=lambda path: (path.split("/")[0], path)):
        if path != KEYS:
            yield from _rows(path, read_pinned(path, pins()), legacy)


def pins() -> dict[str, str]:
    """Return file name below the original's data folder -> pinned SHA-256.

    Example:
        >>> sum(name.startswith("llm_judge_addendum/") for name in pins())
        12
    """
    lines = PIN_FILE.read_text("utf-8").splitlines()
    return {name: digest for digest, name in (line.split(maxsplit=1) for line in lines)}


def _rows(
    path: str, cache: Mapping[str, Any], legacy: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    folder, name = path.split("/")
    answers = next(value for key, value in cache.items() if key != "provenance")
    about = cache["provenance"]
    by_run = {run_id_of(CORPUS, legacy.get(key, key)): answer for key, answer in answers.items()}
    if len(by_run) != RUNS:
        raise SourceError(f"{path} answers for {len(by_run)} runs, not for {RUNS}")
    for run_id, answer in sorted(by_run.items()):
        yield {
            "prediction_id": f"{about['method']}/{about['model']}/{run_id}",
            "method": about["model"],
            "protocol": about["method"],
            "panel": PANELS[folder],
            "run_id": run_id,
            "top": answer["top"],
            "ranking": answer["ranking"] or [],
            "label_process": "prediction",
            "prompt": about["prompt_sha"],
            "license": LICENSE,
            "repo": PEER,
            "commit": PEER_VERSION,
            "path": f"data/{folder}/{name}",
        }
