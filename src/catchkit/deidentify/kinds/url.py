"""Web addresses."""

import re

from catchkit.deidentify.kind import Kind

KIND = Kind(
    name="url",
    summary="A web address with a scheme, or beginning with www.",
    order=2,
    pattern=re.compile(r"""\b(?:https?://|www\.)[^\s<>"']+""", re.IGNORECASE),
    found=("https://a.b/c?d=e", "HTTP://x", "www.q.z", "http://a)b`c"),
    left=("http://", "www.", "xhttp://y", "éwww.x", "_www.x", "ftp://a.b", "example.org"),
)
