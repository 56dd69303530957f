"""The one place where randomness begins."""

import hashlib
import json

import numpy as np


def generator(seed: int, purpose: str, key: str) -> np.random.Generator:
    """Return the generator that belongs to one draw, whatever was drawn before it.

    Args:
        seed: The seed a user chose; any integer.
        purpose: What is drawn, such as ``"roster order"``.
        key: For which record it is drawn, such as an ``instance_id``.

    Example:
        >>> a = generator(0, "roster order", "mcp-0001").integers(1000)
        >>> b = generator(0, "roster order", "mcp-0001").integers(1000)
        >>> bool(a == b)
        True
    """
    address = json.dumps([seed, purpose, key], ensure_ascii=True).encode()
    return np.random.default_rng(int.from_bytes(hashlib.sha256(address).digest()))


def opaque(purpose: str, value: str) -> str:
    """Return a short label that is equal for equal values and does not spell them out.

    It hides a value from a reader, not from someone who hashes every candidate.

    Example:
        >>> opaque("group", "GmailReadEmail") == opaque("group", "GmailReadEmail")
        True
    """
    return hashlib.sha256(f"{purpose}\x1f{value}".encode()).hexdigest()[:10]
