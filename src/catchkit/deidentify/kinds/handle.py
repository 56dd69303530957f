"""Account names."""

import re

from catchkit.deidentify.kind import Kind

KIND = Kind(
    name="handle",
    summary="An account name behind an at sign.",
    order=6,
    pattern=re.compile(r"(?<![\w@])@[A-Za-z][A-Za-z0-9_.-]{1,38}"),
    found=("@alice_b", "@ab", "@a.b-c", "@" + "a" * 39),
    left=("@a", "@1ab", "x@ab", "@@ab", "é@ab", "@éab"),
)
