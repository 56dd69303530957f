"""Absolute paths and network shares of Windows."""

import re

from catchkit.deidentify.kind import Kind

KIND = Kind(
    name="windows_path",
    summary="A path that begins with a drive letter, or a network share.",
    order=3,
    pattern=re.compile(r"""(?<!\w)(?:[A-Z]:\\|\\\\)[^\s<>"'`]+""", re.IGNORECASE),
    found=("C:\\Users\\bob\\f.txt", "d:\\x", "\\\\server\\share"),
    left=("C:\\", "\\\\", "xC:\\a", "éC:\\a", "a\\\\b", "1:\\a", "C:/a"),
)
