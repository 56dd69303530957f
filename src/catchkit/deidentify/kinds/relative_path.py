"""Relative paths of a file."""

import re

from catchkit.deidentify.kind import LONG, PATH, Kind

KIND = Kind(
    name="relative_path",
    summary="A path of folders that ends in a name with an extension.",
    order=5,
    pattern=re.compile(
        rf"(?<!\w)(?:[{PATH}]++/)+[{PATH}]*\.[A-Za-z0-9._~-]+(?!\w)"
        rf"|(?<!\w)(?P<skip>[{PATH}](?:[{PATH}]|/(?!/)){{{LONG - 1},}}+)"
    ),
    found=("src/app/main.py", "exports/sample.csv", "a/.env", "a/b..", "%/b.-"),
    left=("a/b", "a/b.", "a/b.%", "a/b.cé", "éa/b.c", "a//b.c", "1.2.3", "/a.b"),
)
