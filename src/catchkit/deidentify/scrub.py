"""Takes every kind of identifier out of a text."""

from catchkit.deidentify.kind import kinds


def scrub(text: str, stand_in: str = " ") -> str:
    """Return a text with each identifier replaced, one kind after the other.

    Args:
        text: Any text.
        stand_in: What takes the place of an identifier.

    Example:
        >>> scrub("Mail ada@example.org about /home/ada/plan.txt on 2024-01-02.", "[removed]")
        'Mail [removed] about [removed] on [removed].'
    """
    for kind in kinds().values():
        text = kind.replace(text, lambda _: stand_in)
    return text
