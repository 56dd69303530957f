"""Names the licence a repository declares, from the text of its licence file."""

import re
from collections.abc import Mapping

_FILE = re.compile(r"(licen[cs]e|copying)(\.(md|txt|rst))?", re.IGNORECASE)

# The first that is found names the licence, so a text that quotes another stands before it.
_TEXTS = (
    ("AGPL-3.0", "gnu affero general public license version 3"),
    ("LGPL-3.0", "gnu lesser general public license version 3"),
    ("GPL-3.0", "gnu general public license version 3"),
    ("GPL-2.0", "gnu general public license version 2"),
    ("Apache-2.0", "apache license version 2.0"),
    ("MPL-2.0", "mozilla public license version 2.0"),
    ("CC0-1.0", "cc0 1.0 universal"),
    ("CC-BY-4.0", "creative commons attribution 4.0 international"),
    ("Unlicense", "this is free and unencumbered software released into the public domain"),
    ("ISC", "permission to use copy modify and or distribute this software for any purpose with"),
    ("MIT", "merge publish distribute sublicense and or sell copies of the software"),
    ("BSD-3-Clause", "neither the name of"),
    ("BSD-2-Clause", "redistribution and use in source and binary forms"),
)


def is_license(path: str) -> bool:
    """Return whether a file at the top of a repository holds its licence.

    Example:
        >>> is_license("LICENSE.md"), is_license("license_check.py")
        (True, False)
    """
    return bool(_FILE.fullmatch(path))


def license_of(files: Mapping[str, bytes]) -> str | None:
    """Return the SPDX id of the licence file among some files, ``None`` where none is known.

    Example:
        >>> license_of({"LICENSE": b"Apache License  Version 2.0, January 2004"})
        'Apache-2.0'
    """
    for name in sorted(files):
        if is_license(name):
            text = files[name][:20_000].decode("utf-8", "replace").lower()
            normal = " ".join(word.strip(".") for word in re.findall(r"[a-z0-9.]+", text))
            return next((spdx for spdx, phrase in _TEXTS if phrase in normal), None)
    return None
