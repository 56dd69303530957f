"""Mail addresses."""

import re

from catchkit.deidentify.kind import LONG, Kind

_LOCAL = r"[A-Z0-9._%+-]"
_START = r"(?<![\w.+-])"

KIND = Kind(
    name="email",
    summary="A mail address with a dotted domain.",
    order=1,
    pattern=re.compile(
        rf"{_START}{_LOCAL}++@[A-Z0-9.-]+\.[A-Z]{{2,}}(?![\w.-])"
        rf"|{_START}(?P<skip>{_LOCAL}{{{LONG},}}+)",
        re.IGNORECASE,
    ),
    found=("ada@example.org", "A.B+c%d_e@Mail.Example.CO", "%a@b.com", "a@-b..com"),
    left=("a@b.c", "a@b.c1", "a@b.com.", "a@b.com-", "a@b.com_", "éa@b.com", "a@localhost"),
)
