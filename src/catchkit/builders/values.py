"""Turns the values of calls and results into leaves, and texts into the tokens they mention."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import yaml

from catchkit.builders.corpus import Json

MAX_LEAVES = 20_000
"""Leaves of one document beyond which it is cut: aliases can make a small text a huge tree."""

MAX_DEPTH = 60
MENTION = re.compile(r"#?[A-Za-z0-9][A-Za-z0-9._@#-]*")
_TELLING = re.compile(r"[\d@]|(?<=.)_+[^_]")


@dataclass(frozen=True, slots=True)
class RawLeaf:
    """One scalar of an argument or a result."""

    path: str
    """Where it stands, such as ``items.0.price``."""

    key: str
    """The same with list positions as ``[]``, such as ``items.[].price``."""

    value: str
    """In normal form: integral floats as integers, text trimmed."""


def leaves(value: Json) -> tuple[RawLeaf, ...]:
    """Return the strings and numbers in a value, in order; booleans and nulls are none.

    Example:
        >>> [(leaf.path, leaf.key, leaf.value) for leaf in leaves({"a": [{"b": 2.0}, " x "]})]
        [('a.0.b', 'a.[].b', '2'), ('a.1', 'a.[]', 'x')]
    """
    return tuple(islice(_walk(value, (), (), 0), MAX_LEAVES))


def _walk(
    value: Json, path: tuple[str, ...], key: tuple[str, ...], depth: int
) -> Iterator[RawLeaf]:
    if depth > MAX_DEPTH:
        return
    match value:
        case bool() | None:
            return
        case dict():
            for name, inner in value.items():
                yield from _walk(inner, (*path, str(name)), (*key, str(name)), depth + 1)
        case list():
            for at, inner in enumerate(value):
                yield from _walk(inner, (*path, str(at)), (*key, "[]"), depth + 1)
        case _:
            yield RawLeaf(".".join(path), ".".join(key), normal_form(value))


def normal_form(value: float | str) -> str:
    """Return a scalar as text, so that equal values are equal texts.

    Example:
        >>> normal_form(20.0), normal_form(1.50), normal_form(" x "), normal_form(10**25)
        ('20', '1.5', 'x', '10000000000000000000000000')
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip()


def parsed(text: str, form: Literal["json", "yaml", "text"]) -> Json:
    """Return what a tool result says as a container, or ``None`` when it is only text."""
    if form == "text" or not text:
        return None
    try:
        value: Json = (
            json.loads(text) if form == "json" else yaml.load(text, Loader=yaml.CBaseLoader)
        )
    except (ValueError, RecursionError, yaml.YAMLError):
        return None
    return value if isinstance(value, dict | list) else None


def mentions(text: str) -> tuple[str, ...]:
    """Return the identifier-, date- and number-shaped tokens of a text, in order.

    A token begins with a letter or digit, ``#`` before it included, and holds a digit, or an
    underscore between letters. Trailing punctuation is a part of it, as a plain search finds it.

    Example:
        >>> mentions("Order #W237 of mia_li, on 2024-05-20. Thanks a lot")
        ('#W237', 'mia_li', '2024-05-20.')
    """
    return tuple(token for token in MENTION.findall(text) if _TELLING.search(token))


def is_identifying(token: str) -> bool:
    """Return whether a value is telling enough that two equal ones are taken for the same thing.

    Example:
        >>> [is_identifying(token) for token in ("#W237", "2024-05-20", "120", "7", "economy")]
        [True, True, True, False, False]
    """
    return len(token) >= 3 and " " not in token and _TELLING.search(token) is not None
