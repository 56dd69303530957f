"""Levenshtein distance."""


def levenshtein(first: str, second: str) -> int:
    """Return the least number of insertions, deletions and substitutions between two strings.

    Example:
        >>> levenshtein("kitten", "sitting")
        3
    """
    if len(first) < len(second):
        first, second = second, first
    row = list(range(len(second) + 1))
    for at, char in enumerate(first, start=1):
        diagonal, row[0] = row[0], at
        for column, other in enumerate(second, start=1):
            change = diagonal + (char != other)
            diagonal = row[column]
            row[column] = min(change, row[column] + 1, row[column - 1] + 1)
    return row[-1]
