"""Keyed stand-ins that depend only on the value, so that equal values stay equal."""

import hashlib
import hmac
from string import ascii_lowercase, digits

ROUNDS = 10
_LETTERS = str.maketrans(digits, "ghijklmnop")
"""A digest of digits alone would read as a telephone number when the output is scanned."""


def pseudonym(kind: str, value: str, *, key: bytes) -> str:
    """Return a stand-in that is the same for the same value, and opaque without ``key``.

    Args:
        kind: What the value is, such as ``"person"``; shown in the stand-in.
        value: The identifier; case and surrounding white space do not count.
        key: A secret; whoever has it can test whether a value is behind a stand-in.

    Example:
        >>> pseudonym("user", "Ada", key=b"k") == pseudonym("user", "ada ", key=b"k")
        True
        >>> len(pseudonym("user", "Ada", key=b"k")), pseudonym("user", "Ada", key=b"k")[:6]
        (17, '<user:')
    """
    normal = value.strip().casefold()
    digest = hmac.new(key, f"{kind}\x1f{normal}".encode(), hashlib.sha256).hexdigest()
    return f"<{kind}:{digest[:10].translate(_LETTERS)}>"


def shaped(kind: str, value: str, *, key: bytes) -> str:
    """Return a stand-in of the same shape: letter for letter, digit for digit, the rest kept.

    A permutation of all values of one shape, so that two ASCII values never share a stand-in
    and whatever joined on a value still joins. Case is a part of the shape: ``Ada`` and ``ada``
    get the same letters. Letters outside ASCII become ASCII ones and may, rarely, coincide. A
    value of one or two characters can stand for itself, as some value of its shape must.

    Args:
        kind: What the value is; equal values of two kinds have nothing in common.
        value: The identifier.
        key: A secret, as for ``pseudonym``.

    Example:
        >>> order = shaped("order", "#W2378156", key=b"k")
        >>> order[0], order[1].isupper(), order[2:].isdigit(), order == "#W2378156"
        ('#', True, True, False)
    """
    alphabets = [_alphabet(char) for char in value]
    number, size = 0, 1
    for char, alphabet in zip(value, alphabets, strict=True):
        if alphabet:
            number = number * len(alphabet) + _place(char, alphabet)
            size *= len(alphabet)
    number = _permuted(number, size, _secret(kind, value.strip(), key))
    written = []
    for char, alphabet in zip(reversed(value), reversed(alphabets), strict=True):
        if alphabet:
            number, place = divmod(number, len(alphabet))
            written.append(alphabet[place].upper() if char.isupper() else alphabet[place])
        else:
            written.append(char)
    return "".join(reversed(written))


def _alphabet(char: str) -> str:
    """Return what a character may become; empty where it is kept."""
    if char.isalpha():
        return ascii_lowercase
    return digits if char.isdecimal() else ""


def _place(char: str, alphabet: str) -> int:
    if char.isdecimal():
        return int(char)
    return ord(char.casefold()[0]) % len(alphabet)


def _secret(kind: str, value: str, key: bytes) -> bytes:
    """Return the secret of one shape; it holds every character that has no place of its own."""
    shape = "".join(
        "a" if c.isascii() and c.isalpha() else "0" if c.isdecimal() else c for c in value
    )
    return hmac.new(
        key, f"shaped\x1f{kind}\x1f{shape.casefold()}".encode(), hashlib.sha256
    ).digest()


def _permuted(number: int, size: int, secret: bytes) -> int:
    """Return the place of a number in a keyed permutation of all numbers below ``size``.

    A Feistel network over the next even number of bits, walked on until it is back in range.
    """
    half = max(1, ((size - 1).bit_length() + 1) // 2)
    while True:
        left, right = divmod(number, 1 << half)
        for round_ in range(ROUNDS):
            left, right = right, left ^ _scrambled(right, half, secret + bytes([round_]))
        number = left << half | right
        if number < size:
            return number


def _scrambled(number: int, bits: int, secret: bytes) -> int:
    """Return keyed bits of a number, as many as it has."""
    length = (bits + 7) // 8
    drawn = hashlib.shake_256(secret + number.to_bytes(length)).digest(length)
    return int.from_bytes(drawn) >> (8 * length - bits)
