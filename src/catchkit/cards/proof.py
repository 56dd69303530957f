"""Loads a release as a user would, in a new process with an empty cache and no network."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from catchkit.loaders.release import Release, known_entries

PROGRAM = """
import json, sys
from datasets import load_dataset
from catchkit.configs import SPLIT
from catchkit.loaders.tables import content_digest

found = {}
for name in sys.argv[2:]:
    rows = load_dataset(sys.argv[1], name, split=SPLIT)
    found[name] = content_digest(rows.data.table)
print(json.dumps(found))
"""


def loading_faults(release: Release) -> Iterator[str]:
    """Yield what goes wrong when ``datasets`` loads the configs of a release."""
    entries = known_entries(release)
    with tempfile.TemporaryDirectory() as empty:
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("HF_", "HUGGINGFACE_"))
        }
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(release.root.resolve()), *entries],
            cwd=empty,
            env=environment | {"HF_HOME": empty, "HF_HUB_OFFLINE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        yield f"datasets cannot load it: {last}"
        return
    for name, digest in json.loads(done.stdout.splitlines()[-1]).items():
        if digest != entries[name].digest:
            yield f"config {name!r}: datasets loads rows of digest {digest}"
