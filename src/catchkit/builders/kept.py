"""Answers of the network kept beside the output until a harvest is whole, so that it resumes."""

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

from catchkit.loaders.files import written_whole


class Kept:
    """A folder of answers by address. Asking again for one that is there contacts nobody."""

    def __init__(self, folder: Path, get: Callable[[str], bytes]) -> None:
        self._folder = folder
        self._get = get

    def get(self, url: str) -> bytes:
        """Return what an address answered before, else ask and keep the answer."""
        file = self._file(url)
        if file.is_file() and not file.is_symlink():
            return file.read_bytes()
        body = self._get(url)
        self._folder.mkdir(exist_ok=True)
        with written_whole(file) as partial:
            partial.write_bytes(body)
        return body

    def holds(self, url: str) -> bool:
        """Return whether an answer is kept."""
        return self._file(url).is_file()

    def forget(self) -> None:
        """Remove the folder, once everything made from it is written."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _file(self, url: str) -> Path:
        return self._folder / f"{hashlib.sha256(url.encode()).hexdigest()[:40]}.answer"
