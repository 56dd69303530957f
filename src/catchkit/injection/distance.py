"""Edit distance between values."""

from collections.abc import Iterable
from functools import lru_cache


@lru_cache(maxsize=1 << 20)
def edit_distance(one: str, other: str) -> int:
    """Return the smallest number of inserted, removed or replaced characters between two texts.

    One machine word holds a whole row of the table (Myers 1999, in the form of Hyyrö 2003).

    Example:
        >>> edit_distance("kitten", "sitting"), edit_distance("", "abc")
        (3, 3)
    """
    if one == other:
        return 0
    if not one or not other:
        return len(one) + len(other)
    places: dict[str, int] = {}
    for at, character in enumerate(one):
        places[character] = places.get(character, 0) | 1 << at
    full, last = (1 << len(one)) - 1, 1 << len(one) - 1
    rises, falls, distance = full, 0, len(one)
    for character in other:
        match = places.get(character, 0)
        same = (((match & rises) + rises) ^ rises) | match | falls
        up = falls | ~(same | rises) & full
        down = rises & same
        distance += bool(up & last) - bool(down & last)
        up = up << 1 | 1
        rises = (down << 1 | ~(same | up)) & full
        falls = up & same
    return distance


def nearest(value: str, neighbours: Iterable[str]) -> int:
    """Return the distance to the nearest neighbour that is another value; 0 without one."""
    return min((edit_distance(value, other) for other in neighbours if other != value), default=0)
