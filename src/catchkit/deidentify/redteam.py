"""Plants invented identifiers in task texts and measures what of them reaches a record."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from catchkit.deidentify.recognisers import RECOGNISERS
from catchkit.deidentify.spans import identifiers
from catchkit.deidentify.spec import derive
from catchkit.deidentify.structured import describe
from catchkit.deidentify.vocabulary import fixed_forms
from catchkit.deidentify.words import unicode_tokens
from catchkit.errors import MissingExtraError
from catchkit.schema import Capability
from catchkit.seeds import generator

if TYPE_CHECKING:
    from faker import Faker

Mode = Literal["published", "structured"]

LOCALES = (
    *("en_US", "en_IN", "de_DE", "fr_FR", "es_MX"),
    *("pt_BR", "pl_PL", "ru_RU", "zh_CN", "ja_JP"),
)
CONFIDENCE = 0.95

WORDS = ("Grant", "Key", "Post", "Calendar", "Wire", "Bash", "Policy", "Gmail")
"""What somebody could be called who is named like a word of a list or of the roster."""

MAKERS: Mapping[str, Callable[["Faker"], str]] = {
    "email": lambda fake: fake.ascii_email(),
    "url": lambda fake: fake.uri(),
    "windows_path": lambda fake: f"C:\\Users\\{fake.user_name()}\\{fake.file_name()}",
    "posix_path": lambda fake: f"/home/{fake.user_name()}{fake.file_path(depth=2)}",
    "relative_path": lambda fake: f"{fake.user_name()}/{fake.word()}/{fake.file_name()}",
    "handle": lambda fake: f"@{fake.user_name()}",
    "phone": lambda fake: fake.phone_number(),
    "person": lambda fake: fake.name(),
    "company": lambda fake: fake.company(),
    "street": lambda fake: fake.street_address(),
    "city": lambda fake: fake.city(),
    "domain": lambda fake: fake.domain_name(),
    "IP address": lambda fake: fake.ipv4(),
    "bank account": lambda fake: fake.iban(),
    "card number": lambda fake: fake.credit_card_number(),
    "secret": lambda fake: f"sk-{fake.sha1()}",
    "person named like a word": lambda fake: f"{fake.first_name()} {fake.random_element(WORDS)}",
}
"""Kind -> how one is invented; the first seven are the kinds the patterns look for."""

TEMPLATES = (
    "Send the weekly report to {} and delete the draft.",
    "Read the invoice that {} has uploaded, then update the customer record.",
    "Role: Support agent\nGoal: answer {} politely; do not grant refunds.",
    "Search the web for {}, save what you find and post a summary",
    "\u8bf7\u628a\u53d1\u7968\u53d1\u9001\u7ed9 {} \uff0c\u7136\u540e search web",
    "Use {{{{ $json.message }}}} to write ({}) a calendar event.",
    "Der Bericht geht an {}. Danach run the export.",
)
"""What a task can look like around an identifier."""

ROSTER = (
    Capability(name="Send Email", type="gmail", permission_level="network"),
    Capability(name="report_writer", type="file", permission_level="write"),
    Capability(name="CalendarTool", type="google_calendar", permission_level="write"),
    Capability(name="lookup customer invoice", type="database", permission_level="read"),
    Capability(name="grant_role", type="iam", permission_level="admin"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """An invented identifier in a task text."""

    kind: str
    value: str
    text: str
    """The task with the identifier in it."""

    bare: str
    """The same task without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """How many planted identifiers of one kind were kept out of the record."""

    kind: str
    planted: int
    ordinary: int
    """Of these, how many left nothing but words of the scanner lists or of the roster (a
    surname like Grant): the token rule keeps such words. They are counted apart."""

    survived: int
    """Of these, how many left anything else. Must be 0."""

    scanned: int
    """How many a scan of the raw text reports at least in part."""

    low: float
    high: float
    """Exact interval of the recall at 95% (Clopper and Pearson)."""

    @property
    def recall(self) -> float:
        """Share kept out, among those not counted apart; ``nan`` where there is none."""
        counted = self.planted - self.ordinary
        return 1 - self.survived / counted if counted else math.nan


def plants(seed: int, count: int) -> Iterator[Plant]:
    """Yield invented identifiers of every kind in turn, in ten locales.

    Args:
        seed: Equal seeds give equal texts under one version of the fake-data library.
        count: How many of each kind.

    Raises:
        MissingExtraError: The fake-data library is not installed.
    """
    makers = {locale: _faker(locale) for locale in LOCALES}
    for kind, make in MAKERS.items():
        for at in range(count):
            draw = generator(seed, "red team", f"{kind} {at}")
            fake = makers[LOCALES[at % len(LOCALES)]]
            fake.seed_instance(int(draw.integers(2**63)))
            template = TEMPLATES[int(draw.integers(len(TEMPLATES)))]
            value = make(fake)
            yield Plant(
                kind=kind, value=value, text=template.format(value), bare=template.format("")
            )


def measure(planted: Sequence[Plant], mode: Mode = "published") -> list[Recall]:
    """Return, per kind, how much of what was planted stayed out of the record.

    Raises:
        MissingExtraError: ``scipy`` is not installed.
    """
    by_kind: dict[str, list[Plant]] = defaultdict(list)
    for plant in planted:
        by_kind[plant.kind].append(plant)
    return [_recall(kind, group, mode) for kind, group in by_kind.items()]


def leftover(plant: Plant, mode: Mode = "published") -> frozenset[str]:
    """Return what a record holds because of a planted identifier."""
    return _record(plant.text, mode) - _record(plant.bare, mode)


def _record(text: str, mode: Mode) -> frozenset[str]:
    if mode == "published":
        return frozenset(derive(text, ROSTER)[0])
    return frozenset(describe(text, ROSTER).tokens)


def is_scanned(plant: Plant) -> bool:
    """Whether the seven patterns or our recognisers report some of a planted identifier."""
    start = plant.text.index(plant.value)
    end = start + len(plant.value)
    places = [(span.start, span.end) for span in identifiers(plant.text)]
    places += [place for recogniser in RECOGNISERS for place in recogniser.spans(plant.text)]
    return any(begin < end and start < stop for begin, stop in places)


def _recall(kind: str, group: Sequence[Plant], mode: Mode) -> Recall:
    try:
        from scipy.stats import binomtest
    except ImportError:
        raise MissingExtraError("scipy", "test") from None
    left = [leftover(plant, mode) for plant in group]
    survived = sum(bool(words - ordinary_words()) for words in left)
    ordinary = sum(bool(words) for words in left) - survived
    counted = len(left) - ordinary
    low, high = 0.0, 1.0
    if counted:
        low, high = binomtest(counted - survived, counted).proportion_ci(CONFIDENCE, "exact")
    return Recall(
        kind=kind,
        planted=len(left),
        ordinary=ordinary,
        survived=survived,
        scanned=sum(map(is_scanned, group)),
        low=float(low),
        high=float(high),
    )


@cache
def ordinary_words() -> frozenset[str]:
    """Return the words that a record may hold whoever bears them as a name."""
    terms = frozenset().union(*(unicode_tokens(c.name) | unicode_tokens(c.type) for c in ROSTER))
    return fixed_forms() | terms | {f"{term}s" for term in terms}


def _faker(locale: str) -> "Faker":
    try:
        from faker import Faker
    except ImportError:
        raise MissingExtraError("faker", "test") from None
    return Faker(locale)
