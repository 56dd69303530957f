"""Makes the published record of a raw run: nothing of its prose survives."""

import hashlib
import hmac
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import PurePosixPath

from catchkit.builders.content import displays
from catchkit.builders.corpus import Corpus, Event, Trace
from catchkit.builders.record import Access, Leaf, RecordEvent, TraceRecord
from catchkit.builders.steps import AGENT
from catchkit.builders.tables import LETTERS
from catchkit.builders.timeline import Moment, timeline
from catchkit.builders.values import RawLeaf, leaves, mentions, parsed
from catchkit.deidentify.pseudonyms import pseudonym, shaped

DEFAULT_KEY = b"catchkit traces"
"""Key of the shipped snapshots, whose runs are public upstream: it makes them reproducible, and
hides nothing from who tries every candidate. Give runs of your own a key of your own."""

MAX_VALUE = 48
"""Characters of a value beyond which it counts as prose."""

MAX_WORDS = 2
"""Words of a value that holds letters, beyond which it counts as prose: equal values keep equal
stand-ins, so nothing that joins on it is lost."""

PERSON_KEYS = frozenset(
    {
        "first_name",
        "last_name",
        "full_name",
        "email",
        "phone",
        "phone_number",
        "address1",
        "address2",
    }
)
"""Last part of a leaf's key under which a person is named or can be reached."""

_MAIL = re.compile(r"[^\s,;:]+@[A-Za-z0-9.-]+")
_ADDRESS = re.compile(r"https?://|www\.", re.IGNORECASE)


def run_id_of(corpus: str, key: str) -> str:
    """Return the id of a run: stable, and without a word about its content.

    It holds no digit, so that no scan takes it for a number of somebody's.

    Example:
        >>> run_id_of("tau_bench", "a/0/1") == run_id_of("tau_bench", "a/0/1")
        True
    """
    digest = hashlib.sha256(f"{corpus}\x1f{key}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"{corpus}-{digest[:16].translate(LETTERS)}"


def published(trace: Trace, corpus: Corpus, *, key: bytes = DEFAULT_KEY) -> TraceRecord:
    """Return the de-identified record of a run.

    Args:
        trace: The raw run.
        corpus: Says whether its persons and records are made up, and how results are written.
        key: Secret of every digest and stand-in.
    """
    events = _with_one_agent(trace)
    moments = timeline(events)
    raw = [_raw_leaves(events[moment.event], moment, corpus) for moment in moments]
    persons = frozenset(_persons(raw))
    keeper = _Keeper(key=key, is_synthetic=corpus.is_synthetic, persons=persons)
    shown = displays(events, moments)
    first = {moment.event: at for at, moment in reversed(list(enumerate(moments)))}
    return TraceRecord(
        run_id=run_id_of(corpus.name, trace.key),
        key=_clean(trace.key),
        corpus=corpus.name,
        task_id=_clean(trace.task_id),
        domain=trace.domain,
        model=trace.model,
        events=tuple(
            _event(events[moment.event], moment, keeper, raw[at], shown.get(at), first)
            for at, moment in enumerate(moments)
        ),
        failed=trace.failed,
        mistake_event=None if trace.mistake_step is None else first[trace.mistake_step],
        mistake_actor=trace.mistake_actor,
        label_process=corpus.label_process,
        license=trace.license,
        repo=trace.repo,
        commit=trace.commit,
        path=trace.path,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Keeper:
    """Decides what of a value or text may stay."""

    key: bytes
    is_synthetic: bool
    persons: frozenset[str]

    def value(self, value: str) -> str:
        """Return a value as it may be published."""
        value = _clean(value)
        if _is_prose(value):
            return _stand_in("text", value, self.key)
        if not self.is_synthetic:
            return _stand_in("value", value, self.key)
        if _ADDRESS.search(value):
            return _stand_in("url", value, self.key)
        return _person(value, self.key) if value in self.persons else value

    def place(self, path: str) -> str:
        """Return the path or key of a leaf; a mail address in it is a person, not a name."""
        if "@" not in path:
            return _clean(path)
        return _MAIL.sub(lambda found: _person(found[0], self.key), _clean(path))

    def mentions(self, text: str) -> tuple[str, ...]:
        """Return the tokens of a text that are kept."""
        return tuple(map(self._mention, mentions(_clean(text)))) if self.is_synthetic else ()

    def _mention(self, token: str) -> str:
        bare = token.rstrip(".-@")
        rest = token[len(bare) :]
        if len(token) > MAX_VALUE:
            return _stand_in("text", token, self.key)
        if _ADDRESS.search(bare):
            return _stand_in("url", bare, self.key) + rest
        if bare in self.persons or "@" in bare[1:-1]:
            return _person(bare, self.key) + rest
        return token

    def digest(self, text: str) -> str:
        """Return the keyed digest of a text; empty for an empty one."""
        raw = text.encode("utf-8", "surrogatepass")
        digest = hmac.new(self.key, raw, hashlib.sha256).hexdigest()
        return digest[:12].translate(LETTERS) if raw else ""

    def resource(self, path: str) -> str:
        """Return what stands for a path, with its ending."""
        ending = PurePosixPath(path).suffix
        shown = ending if ending[1:].isalnum() and ending.isascii() and len(ending) <= 6 else ""
        return _stand_in("file", _clean(path), self.key) + shown


@lru_cache(maxsize=20_000)
def _stand_in(kind: str, value: str, key: bytes) -> str:
    return pseudonym(kind, value, key=key).translate(LETTERS)


@lru_cache(maxsize=5_000)
def _person(value: str, key: bytes) -> str:
    """Return a stand-in of the same shape; in the domain of a mail address, dots are dashes."""
    name, at, domain = shaped("person", value, key=key).rpartition("@")
    return f"{name}{at}{domain.replace('.', '-')}" if at else domain


def _is_prose(value: str) -> bool:
    if len(value) > MAX_VALUE or "\n" in value or "\\n" in value:
        return True
    words = value.split()
    if len(words) > 1 and ("@" in value or _ADDRESS.search(value)):
        return True
    return len(words) > MAX_WORDS and any(char.isalpha() for char in value)


def _clean(text: str) -> str:
    """Return a text that can be written as UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _with_one_agent(trace: Trace) -> tuple[Event, ...]:
    """Return the messages with the agent called so: its model has a column of its own."""
    return tuple(
        replace(event, actor=AGENT) if event.actor == trace.model else event
        for event in trace.events
    )


def _raw_leaves(event: Event, moment: Moment, corpus: Corpus) -> tuple[RawLeaf, ...]:
    if moment.kind == "call" and moment.call:
        return leaves(moment.call.arguments)
    if moment.kind == "result":
        return leaves(parsed(event.text, corpus.results))
    return ()


def _persons(raw: Iterable[Sequence[RawLeaf]]) -> Iterable[str]:
    for found in raw:
        for leaf in found:
            is_person = leaf.key.rpartition(".")[2] in PERSON_KEYS and len(leaf.value) > 2
            if is_person or ("@" in leaf.value[1:-1] and " " not in leaf.value):
                yield _clean(leaf.value)


def _event(
    event: Event,
    moment: Moment,
    keeper: _Keeper,
    raw: Sequence[RawLeaf],
    displayed_at: int | None,
    first: dict[int, int],
) -> RecordEvent:
    call, is_call = moment.call, moment.kind == "call"
    text = "" if is_call else event.text
    own_tool = call.tool if call else None
    return RecordEvent(
        kind=moment.kind,
        role=event.role,
        actor=_clean(event.actor),
        tool=own_tool if is_call else event.tool or own_tool,
        pair=moment.pair,
        is_error=event.is_error and not is_call,
        is_unparsed=is_call and call is not None and call.is_unparsed,
        text=keeper.digest(text),
        length=len(text),
        mentions=() if raw else keeper.mentions(text),
        leaves=tuple(
            Leaf(path=keeper.place(e.path), key=keeper.place(e.key), token=keeper.value(e.value))
            for e in raw
        ),
        touches=tuple(
            Access(resource=keeper.resource(t.resource), access=t.access, origin=t.origin)
            for t in (call.touches if call and is_call else ())
        ),
        displayed_at=displayed_at,
        uses=() if is_call else tuple(first[used] for used in event.uses),
    )
