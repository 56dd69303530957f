"""Fetches a corpus at its pinned revision, once; from then on it is read offline."""

import json
import os
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path

from catchkit.builders.corpus import Corpus, Hub, corpora
from catchkit.errors import SourceError, UsageError
from catchkit.loaders.files import sha256_of, written_whole

HASHES = "fetched.json"
"""Completion marker of a fetched corpus: name and SHA-256 of every file."""


def cache_folder() -> Path:
    """Return where fetched corpora stand: ``$CATCHKIT_CACHE``, else below the user's cache."""
    named = os.environ.get("CATCHKIT_CACHE")
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(named).expanduser() if named else Path(home).expanduser() / "catchkit"


def fetched(name: str) -> Path:
    """Return the folder of a fetched corpus.

    Raises:
        UsageError: There is no such corpus, or it is not on the Hub.
        SourceError: It has not been fetched, or its files have changed since.
    """
    corpus, hub = _declared(name)
    folder = _folder(hub)
    try:
        hashes: Mapping[str, str] = json.loads((folder / HASHES).read_text("utf-8"))
    except (OSError, ValueError):
        raise SourceError(
            f"{name} is not here: run `catchkit fetch {corpus.name}`, or name a folder with --from"
        ) from None
    for file, digest in hashes.items():
        if not (folder / file).is_file() or sha256_of(folder / file) != digest:
            raise SourceError(f"{folder / file} is missing or changed: fetch {name} again")
    return folder


def announcement(name: str) -> str:
    """Return what fetching a corpus will contact, in words.

    Raises:
        UsageError: There is no such corpus, or it is not on the Hub.
    """
    _, hub = _declared(name)
    return f"fetching {hub.repo_id} at {hub.revision} from the Hugging Face Hub to {_folder(hub)}"


def fetch(name: str) -> Path:
    """Download a corpus at its pinned revision; what is there already is not fetched again.

    Every file is checked against the hash that the Hub states for it at that revision.

    Raises:
        UsageError: There is no such corpus, or it is not on the Hub.
        SourceError: The Hub cannot be reached, or a file is not what it states.
    """
    _, hub = _declared(name)
    folder = _folder(hub)
    try:
        return fetched(name)
    except SourceError:
        folder.mkdir(parents=True, exist_ok=True)
    stated = _stated(hub)
    hashes = {file: _one(hub, file, folder, digest) for file, digest in sorted(stated.items())}
    with written_whole(folder / HASHES) as path:
        path.write_text(json.dumps(hashes, indent=1, sort_keys=True) + "\n", "utf-8")
    return folder


def _declared(name: str) -> tuple[Corpus, Hub]:
    known = corpora()
    if name not in known:
        raise UsageError.unknown("corpus", name, known)
    corpus = known[name]
    if corpus.hub is None:
        on_hub = sorted(other.name for other in known.values() if other.hub)
        raise UsageError(
            f"{name} is not on the Hub: get {corpus.repo} at {corpus.pin} and name its folder with "
            f"--from. On the Hub: {', '.join(on_hub)}."
        )
    return corpus, corpus.hub


def _folder(hub: Hub) -> Path:
    return cache_folder() / hub.repo_id.replace("/", "__") / hub.revision


def _stated(hub: Hub) -> dict[str, str | None]:
    """Return the wanted files of the revision with the SHA-256 that the Hub states, if any."""
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

    try:
        info = HfApi().dataset_info(hub.repo_id, revision=hub.revision, files_metadata=True)
    except (HfHubHTTPError, OSError) as problem:
        raise SourceError(f"{hub.repo_id} at {hub.revision}: {_first_line(problem)}") from None
    found = {
        entry.rfilename: entry.lfs.sha256 if entry.lfs else None
        for entry in info.siblings or ()
        if any(fnmatch(entry.rfilename, pattern) for pattern in hub.files)
    }
    if not found:
        raise SourceError(f"{hub.repo_id} at {hub.revision} has no {', '.join(hub.files)}")
    return found


def _one(hub: Hub, file: str, folder: Path, stated: str | None) -> str:
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import HfHubHTTPError

    try:
        got = hf_hub_download(
            hub.repo_id, file, repo_type="dataset", revision=hub.revision, local_dir=folder
        )
    except (HfHubHTTPError, OSError) as problem:
        raise SourceError(f"{hub.repo_id}: {file}: {_first_line(problem)}") from None
    found = sha256_of(Path(got))
    if stated and found != stated:
        Path(got).unlink()
        raise SourceError(f"{hub.repo_id}: {file}: sha256 is {found}, the Hub states {stated}")
    return found


def _first_line(problem: BaseException) -> str:
    return (str(problem).splitlines() or [type(problem).__name__])[0]
