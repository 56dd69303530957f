"""Absolute, home and dotted paths."""

import re

from catchkit.deidentify.kind import PATH, Kind

KIND = Kind(
    name="posix_path",
    summary="A path that begins with / ~/ ./ or ../ and has two pieces or more.",
    order=4,
    pattern=re.compile(rf"(?<!\w)(?:~/|\.\.?/|/)[{PATH}]++(?:/[{PATH}]++)+/?"),
    found=("/home/bob/x.py", "~/a/b", "./a/b/", "../a/b", "/a%b/~c+"),
    left=("/one/", "/one", "~/one", "./one", "x/a/b/c", "é/a/b", "/é/b", "/a//b"),
)
