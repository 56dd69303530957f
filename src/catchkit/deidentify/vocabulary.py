"""The word lists of the scanner rules, and the inflected forms under which they match."""

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LEVEL_VERBS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "network": _words("fetch http https url download request scrape browse crawl search query"),
        "write": _words(
            "write save edit create update delete modify store insert append remove generate "
            "draft compose upload export publish"
        ),
        "execute": _words(
            "run execute shell compile build deploy install calculate compute simulate"
        ),
        "admin": _words("administrate configure provision grant revoke sudo"),
    }
)
"""Which words of a task ask for which permission level."""

HIGH_IMPACT = _words(
    "delete drop remove destroy truncate purge wipe terminate shutdown reboot rm exec "
    "execute shell bash deploy publish release install migrate transfer pay payment wire "
    "withdraw send email post tweet message upload"
)
PRIVILEGE = _words(
    "grant revoke admin administrate role policy iam permission provision root sudo "
    "escalate privilege"
)
SENSITIVE = _words(
    "credential secret password passwd apikey token ssh privatekey keypair vault keychain key"
)
GENERIC = _words(
    "tool tools api apis service services function functions agent helper util utils "
    "utility data info information get set use run the and for with create read write "
    "list file files manager client handler system task action execute process request "
    "call access value input output result item object content"
)
"""Words that never show that a capability and a task are related."""

_LEVEL_WORDS = frozenset().union(*LEVEL_VERBS.values())
VERBS = _LEVEL_WORDS | _words(
    "delete drop remove destroy truncate purge wipe terminate shutdown reboot exec deploy "
    "publish release migrate transfer pay wire withdraw send post tweet upload email "
    "message grant revoke administrate provision escalate"
)
"""Words inflected as verbs; every other word takes only a plural."""

IRREGULAR: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "run": frozenset({"ran"}),
        "write": frozenset({"wrote", "written"}),
        "send": frozenset({"sent"}),
        "build": frozenset({"built"}),
        "pay": frozenset({"paid"}),
        "withdraw": frozenset({"withdrew", "withdrawn"}),
    }
)
_VOWELS = frozenset("aeiou")


def forms(base: str) -> frozenset[str]:
    """Return every spelling under which a word of the lists is recognised.

    Example:
        >>> sorted(forms("policy")), sorted(forms("key"))
        (['policies', 'policy'], ['key', 'keys'])
    """
    if len(base) < 3:
        return frozenset({base})
    found = {base, _plural(base)} | IRREGULAR.get(base, frozenset())
    return frozenset(found | _verb_forms(base)) if base in VERBS else frozenset(found)


def _plural(base: str) -> str:
    if base.endswith(("s", "x", "z", "ch", "sh")):
        return base + "es"
    return base[:-1] + "ies" if _ends_consonant_y(base) else base + "s"


def _verb_forms(base: str) -> set[str]:
    if base.endswith("e"):
        return {base + "d", base[:-1] + "ing"}
    if _ends_consonant_y(base):
        return {base[:-1] + "ied", base + "ing"}
    found = {base + "ed", base + "ing"}
    if _doubles(base):
        doubled = base + base[-1]
        found |= {doubled + "ed", doubled + "ing"}
    return found


def _ends_consonant_y(base: str) -> bool:
    return base.endswith("y") and base[-2] not in _VOWELS


def _doubles(base: str) -> bool:
    """Whether the last three letters are consonant, vowel, consonant (w, x and y excepted)."""
    first, middle, last = list(base[-3:])
    return first not in _VOWELS and middle in _VOWELS and last not in _VOWELS | set("wxy")


def base_of_form(words: Iterable[str]) -> Mapping[str, str]:
    """Return form -> base for a word list; the shortest, then alphabetically first base wins.

    Example:
        >>> base_of_form({"key"})["keys"]
        'key'
    """
    bases: dict[str, str] = {}
    for base in sorted(words, key=lambda word: (len(word), word)):
        for form in forms(base):
            bases.setdefault(form, base)
    return MappingProxyType(bases)


@cache
def fixed_forms() -> frozenset[str]:
    """Return every form of every list that a rule consults.

    Example:
        >>> len(fixed_forms())
        320
    """
    words = _LEVEL_WORDS | HIGH_IMPACT | PRIVILEGE | SENSITIVE
    return frozenset().union(*(forms(word) for word in words))
