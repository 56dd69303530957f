from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from catchkit.deidentify.spans import Span, identifiers, replaced, settled

PLACES = st.tuples(st.integers(0, 20), st.integers(1, 9)).map(
    lambda place: Span("x", place[0], place[0] + place[1])
)


@given(st.lists(PLACES, max_size=12))
def test_settled_spans_stand_side_by_side_and_cover_what_was_left_out(spans: list[Span]) -> None:
    kept = settled(spans)
    assert all(a.end <= b.start for a, b in pairwise(kept))
    for span in set(spans) - set(kept):
        assert any(span.start < other.end and other.start < span.end for other in kept)


def test_the_earlier_kind_wins_an_overlap() -> None:
    assert [span.kind for span in identifiers("https://a.b/c/d.e")] == ["url"]


@given(st.lists(PLACES, max_size=12))
def test_what_is_outside_the_spans_stays(spans: list[Span]) -> None:
    text = "abcdefghijklmnopqrstuvwxyz0123456789"
    kept = settled(spans)
    outside = [c for at, c in enumerate(text) if not any(s.start <= at < s.end for s in kept)]
    assert replaced(text, kept, lambda _kind, _value: "").split() == ["".join(outside)]
