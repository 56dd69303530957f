"""Fetches a corpus at its pinned revision, once; from then on it is read offline."""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from catchkit.builders.corpus import Corpus, Hub, corpora, corpus_named
from catchkit.errors import SourceError, UsageError
from catchkit.loaders.files import inside, sha256_of, written_whole

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
    corpus = corpus_named(name)
    if corpus.hub is None:
        on_hub = sorted(other.name for other in corpora().values() if other.hub)
        raise UsageError(
            f"{name} is not on the Hub: get {corpus.repo} at {corpus.pin} and name its folder with "
            f"--from. On the Hub: {', '.join(on_hub)}."
        )
    return corpus, corpus.hub


def _folder(hub: Hub) -> Path:
    return cache_folder() / hub.repo_id.replace("/", "__") / hub.revision


@dataclass(frozen=True, slots=True)
class _Stated:
    """What the Hub states of a file at a revision: one hash or the other."""

    sha256: str | None
    blob: str | None

    def fits(self, path: Path) -> bool:
        """Whether a file is the stated one."""
        if self.sha256:
            return sha256_of(path) == self.sha256
        return self.blob is None or blob_of(path) == self.blob


def blob_of(path: Path) -> str:
    """Return the name that git gives to a file's content."""
    digest = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def _stated(hub: Hub) -> dict[str, _Stated]:
    """Return the wanted files of the revision with what the Hub states of each."""
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HTTPError  # type: ignore[attr-defined]

    try:
        info = HfApi().dataset_info(hub.repo_id, revision=hub.revision, files_metadata=True)
    except (HTTPError, OSError) as problem:
        raise SourceError(f"{hub.repo_id} at {hub.revision}: {_first_line(problem)}") from None
    found = {
        entry.rfilename: _Stated(entry.lfs.sha256 if entry.lfs else None, entry.blob_id)
        for entry in info.siblings or ()
        if any(_fits(entry.rfilename, pattern) for pattern in hub.files)
    }
    if not found:
        raise SourceError(f"{hub.repo_id} at {hub.revision} has no {', '.join(hub.files)}")
    return found


def _fits(name: str, pattern: str) -> bool:
    """Whether a path fits a glob pattern, in which a leading ``**/`` stands for any folder."""
    return fnmatch(name, pattern) or fnmatch(name, pattern.removeprefix("**/"))


def _one(hub: Hub, file: str, folder: Path, stated: _Stated) -> str:
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import HTTPError  # type: ignore[attr-defined]

    if (held := inside(folder, file)).is_file() and not stated.fits(held):
        held.unlink()
    try:
        got = hf_hub_download(
            hub.repo_id, file, repo_type="dataset", revision=hub.revision, local_dir=folder
        )
    except (HTTPError, OSError) as problem:
        raise SourceError(f"{hub.repo_id}: {file}: {_first_line(problem)}") from None
    path = Path(got)
    found = sha256_of(path)
    if not stated.fits(path):
        path.unlink()
        raise SourceError(f"{hub.repo_id}: {file}: sha256 {found} is not what the Hub states")
    return found


def _first_line(problem: BaseException) -> str:
    return (str(problem).splitlines() or [type(problem).__name__])[0]
