"""A second reading by ``presidio-analyzer``, without a model and without the network."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

from catchkit.deidentify.recognisers import RECOGNISERS
from catchkit.deidentify.spans import Span
from catchkit.errors import MissingExtraError

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine, EntityRecognizer
    from presidio_analyzer.predefined_recognizers import EmailRecognizer

Reader = Callable[[Sequence[str]], list[tuple[Span, ...]]]
"""Takes texts and returns, for each, what it finds in it."""

LANGUAGE = "en"
SEPARATOR = "\n\0\n"
BATCH_CHARACTERS = 20_000
SCORE = 0.5


def own_reader() -> Reader:
    """Return the reading with our own recognisers.

    Raises:
        MissingExtraError: ``presidio-analyzer`` is not installed.

    Example:
        >>> own_reader()(["see t.me/ada", "nothing"])
        [(Span(kind='profile address', start=4, end=12),), ()]
    """
    return _reader(_own_engine())


def stock_reader() -> Reader:
    """Return the reading with the recognisers ``presidio-analyzer`` brings for English.

    It finds more kinds and is often wrong on the names of code: ``README.md`` is a web address
    to it, an order number a driving licence.

    Raises:
        MissingExtraError: ``presidio-analyzer`` is not installed.
    """
    return _reader(_stock_engine())


def _reader(engine: AnalyzerEngine) -> Reader:
    def read(texts: Sequence[str]) -> list[tuple[Span, ...]]:
        found: list[tuple[Span, ...]] = []
        for batch in _batches(texts):
            found += _read_batch(engine, batch)
        return found

    return read


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Yield texts in lists of bounded size: one call costs more than a short text does."""
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _read_batch(engine: AnalyzerEngine, texts: Sequence[str]) -> list[tuple[Span, ...]]:
    lengths = (len(text) + len(SEPARATOR) for text in texts)
    starts = list(accumulate(lengths, initial=0))[:-1]
    found: list[set[Span]] = [set() for _ in texts]
    for result in engine.analyze(text=SEPARATOR.join(texts), language=LANGUAGE):
        at = bisect_right(starts, result.start) - 1
        start = result.start - starts[at]
        end = min(result.end - starts[at], len(texts[at]))
        if start < end:
            found[at].add(Span(result.entity_type, start, end))
    return [tuple(sorted(spans, key=lambda span: (span.start, span.kind))) for spans in found]


@cache
def _own_engine() -> AnalyzerEngine:
    try:
        from presidio_analyzer import EntityRecognizer, RecognizerResult
    except ImportError:
        raise MissingExtraError("presidio-analyzer", "deid") from None

    class Own(EntityRecognizer):
        """All kinds in one: every recogniser costs a call per text, and ours are cheap."""

        def load(self) -> None:
            """There is nothing to load."""

        def analyze(
            self,
            text: str,
            entities: list[str],
            nlp_artifacts: object,  # noqa: ARG002 - the no-op engine makes none
        ) -> list[RecognizerResult]:
            return [
                RecognizerResult(recogniser.entity, start, end, SCORE)
                for recogniser in RECOGNISERS
                if recogniser.entity in entities
                for start, end in recogniser.spans(text)
            ]

    return _engine([Own([recogniser.entity for recogniser in RECOGNISERS], name="own")])


@cache
def _stock_engine() -> AnalyzerEngine:
    try:
        from presidio_analyzer import RecognizerRegistry
    except ImportError:
        raise MissingExtraError("presidio-analyzer", "deid") from None
    registry = RecognizerRegistry()
    registry.load_predefined_recognizers(languages=[LANGUAGE])
    for online in ("EmailRecognizer", "SpacyRecognizer"):
        registry.remove_recognizer(online)
    return _engine([*registry.recognizers, _offline_email()])


def _engine(recognisers: Sequence[EntityRecognizer]) -> AnalyzerEngine:
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NoOpNlpEngine

    return AnalyzerEngine(
        nlp_engine=NoOpNlpEngine(models=[{"lang_code": LANGUAGE, "model_name": "no_op"}]),
        registry=RecognizerRegistry(recognizers=recognisers),
        supported_languages=[LANGUAGE],
    )


def _offline_email() -> EmailRecognizer:
    """Return the stock mail recogniser with the public-suffix list that is on disk.

    The stock one asks the network for a newer list at the first address it meets.
    """
    from presidio_analyzer.predefined_recognizers import EmailRecognizer
    from tldextract import TLDExtract

    split = TLDExtract(suffix_list_urls=(), cache_dir=None)

    class OfflineEmail(EmailRecognizer):
        def validate_result(self, pattern_text: str) -> bool:
            return split(pattern_text).fqdn != ""

    return OfflineEmail()
