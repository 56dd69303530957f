"""Telephone numbers, and what looks like one: dates and other numbers of 8 to 15 digits."""

import re

from catchkit.deidentify.kind import Kind

_GAP = r"[ .()-]*+"

KIND = Kind(
    name="phone",
    summary="8 to 15 digits, up to 18 with a prefix; blanks, dots, brackets, dashes between.",
    order=7,
    pattern=re.compile(rf"(?<!\w)(?:\+?\d{{1,3}}{_GAP})?(?:\d{_GAP}){{7,14}}\d(?!\w)"),
    found=("12345678", "+1 (555) 123-4567", "2024-01-02", "1.2.3.4.5.6.7.8", "1" * 18),
    left=("1234567", "1" * 19, "a12345678", "12345678a", "12345678_", "1234567\n8", "1/2345678"),
)
