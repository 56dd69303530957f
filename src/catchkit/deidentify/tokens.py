"""Splits names and task texts into tokens, as the scanner rules read them."""

import re

SHORT_TOKENS = frozenset({"rm", "db", "fs", "s3", "ls", "cp", "mv", "iam", "ssh"})
"""Tokens kept although they are shorter than three characters, or look like noise."""

_BEFORE_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_AFTER_ACRONYM = re.compile(r"(?<=[A-Z])(?=[A-Z][a-z])")
_NOT_ALPHANUMERIC = re.compile(r"[^A-Za-z0-9]+")


def tokens(text: str) -> frozenset[str]:
    """Return the lower-case ASCII words of a text, split at capitals, as a set.

    Example:
        >>> sorted(tokens("SSHPrivateKey"))
        ['key', 'private', 'ssh']
        >>> sorted(tokens("getURLs3"))
        ['get', 'ls3']
    """
    spaced = _AFTER_ACRONYM.sub(" ", _BEFORE_CAPITAL.sub(" ", text))
    pieces = (piece.lower() for piece in _NOT_ALPHANUMERIC.split(spaced))
    return frozenset(piece for piece in pieces if len(piece) >= 3 or piece in SHORT_TOKENS)


def singular(token: str) -> str:
    """Return a token without its plural ``s``, where it is long enough to have one.

    Example:
        >>> [singular(token) for token in ("reports", "roles", "uses", "class", "analysis")]
        ['report', 'role', 'uses', 'class', 'analysi']
    """
    plural = len(token) >= 5 and token.endswith("s") and not token.endswith("ss")
    return token[:-1] if plural else token
