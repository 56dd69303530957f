"""What every trace corpus promises, tried on the records under ``tests/fixtures/<name>``."""

import re
from pathlib import Path

import pytest

from catchkit.builders.corpus import Corpus, Skipped, Trace, corpora, shards_of
from catchkit.loaders.release import packaged
from catchkit.trace_configs import ALL_FAILED, NOT_SHIPPED

FIXTURES = Path(__file__).parent.parent / "fixtures"


@pytest.fixture(params=sorted(corpora()))
def corpus(request: pytest.FixtureRequest) -> Corpus:
    return corpora()[request.param]


def shards(corpus: Corpus) -> tuple[Path, ...]:
    return shards_of(corpus, FIXTURES / corpus.name)


def runs(corpus: Corpus) -> list[Trace]:
    read = [entry for shard in shards(corpus) for entry in corpus.read(shard)]
    return [entry for entry in read if isinstance(entry, Trace)]


def test_the_pin_is_a_full_revision(corpus: Corpus) -> None:
    pins = [corpus.pin] + ([corpus.hub.revision] if corpus.hub else [])
    assert all(re.fullmatch("[0-9a-f]{40}", pin) for pin in pins)


def test_live_configs_are_offered_where_there_are_both_outcomes(corpus: Corpus) -> None:
    assert corpus.has_both_outcomes == (corpus.name not in ALL_FAILED)


def test_what_is_not_shipped_is_listed(corpus: Corpus) -> None:
    held = packaged().manifest.configs
    assert (f"post_{corpus.name}" in held) == (corpus.name not in NOT_SHIPPED)
    assert corpus.is_shippable or corpus.name in NOT_SHIPPED


def test_made_up_persons_are_vouched_for(corpus: Corpus) -> None:
    assert corpus.is_synthetic == bool(corpus.synthetic_because)


def test_the_fixture_holds_runs_with_keys_of_their_own(corpus: Corpus) -> None:
    keys = [trace.key for trace in runs(corpus)]
    assert keys
    assert len(keys) == len(set(keys))


def test_nothing_in_the_fixture_is_damaged(corpus: Corpus) -> None:
    read = [entry for shard in shards(corpus) for entry in corpus.read(shard)]
    assert [entry for entry in read if isinstance(entry, Skipped) and entry.is_damage] == []


def test_reading_twice_gives_the_same(corpus: Corpus) -> None:
    assert runs(corpus) == runs(corpus)


def test_the_fixture_shows_the_labels_that_the_corpus_declares(corpus: Corpus) -> None:
    read = runs(corpus)
    if corpus.label_process == "outcome":
        assert {trace.failed for trace in read} >= {True, False}
    else:
        assert all(trace.mistake_step is not None and trace.failed for trace in read)


def test_the_fixture_shows_what_the_step_form_counts(corpus: Corpus) -> None:
    events = [event for trace in runs(corpus) for event in trace.events]
    if corpus.step_form != "message":
        assert any(event.calls for event in events)
    if corpus.step_form == "result":
        assert any(event.role == "tool" for event in events)


@pytest.mark.parametrize("keep", [0.0, 0.3, 0.9], ids=["empty", "cut early", "cut late"])
def test_a_cut_file_is_reported_as_damaged_and_raises_nothing(
    corpus: Corpus, keep: float, tmp_path: Path
) -> None:
    for shard in shards(corpus):
        whole = shard.read_bytes()
        cut = tmp_path / shard.name
        cut.write_bytes(whole[: int(len(whole) * keep)])
        read = list(corpus.read(cut))
        assert all(isinstance(entry, Trace | Skipped) for entry in read)
        damaged = [entry for entry in read if isinstance(entry, Skipped) and entry.is_damage]
        assert damaged or (keep == 0 and not read)


def test_records_of_another_shape_are_reported_as_damaged(corpus: Corpus, tmp_path: Path) -> None:
    for shard in shards(corpus):
        odd = tmp_path / shard.name
        odd.write_text('[{"surprise": 1}]' if shard.name.endswith(".json") else '{"surprise": 1}\n')
        read = list(corpus.read(odd))
        assert all(isinstance(entry, Skipped) for entry in read)


def test_reading_is_a_stream(corpus: Corpus) -> None:
    for shard in shards(corpus):
        read = corpus.read(shard)
        assert iter(read) is read
