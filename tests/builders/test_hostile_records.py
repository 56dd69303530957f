"""Whatever stands in a record, a reader yields a run or says why not."""

import json
import random
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from catchkit.builders.corpus import Corpus, Skipped, Trace, corpora, shards_of
from reading import TESTS

ODD: tuple[Any, ...] = (
    None, True, -1, 2**70, float("nan"), "", "\ud800", "x\u2028\x00y", [], [None], [[]], {},
    {"role": "user"}, {"text": {"text": 1}}, "{", '{"path": 3}', 0.5,
)  # fmt: skip


def spots(value: Any) -> list[tuple[Any, Any]]:
    """Return every container of a value with each of its keys."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    own = [(value, key) for key in keys]
    inner = [value[key] for key in keys if isinstance(value[key], dict | list)]
    return own + [spot for part in inner for spot in spots(part)]


def damaged(record: Any, rng: random.Random) -> Any:
    """Return a record with one to three places replaced, or removed from an object."""
    record = json.loads(json.dumps(record))
    for _ in range(rng.randint(1, 3)):
        places = spots(record)
        if not places:
            break
        container, key = rng.choice(places)
        if isinstance(container, dict) and rng.random() < 0.2:
            del container[key]
        else:
            container[key] = deepcopy(rng.choice(ODD))
    return record


def records(shard: Path) -> list[Any]:
    text = shard.read_text("utf-8")
    return (
        [json.loads(line) for line in text.split("\n") if line]
        if is_lines(shard)
        else [json.loads(text)]
    )


def is_lines(shard: Path) -> bool:
    return shard.name.endswith(".jsonl")


TEXTUAL = sorted(
    name
    for name, corpus in corpora().items()
    if not any(pattern.endswith(".parquet") for pattern in corpus.shards)
)


@pytest.fixture(params=TEXTUAL)
def corpus(request: pytest.FixtureRequest) -> Corpus:
    return corpora()[request.param]


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_record_raises_nothing_and_loses_no_other(
    corpus: Corpus, seed: int, tmp_path: Path
) -> None:
    rng = random.Random(seed)
    for shard in shards_of(corpus, TESTS / "fixtures" / corpus.name):
        whole = records(shard)
        changed = [damaged(record, rng) for record in whole * 8]
        if is_lines(shard):
            texts = ["".join(json.dumps(record) + "\n" for record in changed)]
        else:
            texts = [json.dumps(record) for record in changed]
        for text in texts:
            odd = tmp_path / shard.name
            odd.write_text(text, encoding="utf-8")
            read = list(corpus.read(odd))
            assert all(isinstance(entry, Trace | Skipped) for entry in read)
            if is_lines(shard):
                assert len(read) == len(changed)


@pytest.mark.parametrize("reward", [10**400, -(10**400)], ids=["large", "small"])
def test_a_number_beyond_measure_raises_nothing(reward: int, tmp_path: Path) -> None:
    run = {"task_id": 1, "reward": reward, "traj": []}
    (tmp_path / "x_retail.json").write_text(json.dumps([run, {**run, "reward": 1}]))
    read = list(corpora()["tau_bench"].read(tmp_path / "x_retail.json"))
    assert [type(entry) for entry in read] == [Skipped, Trace]


def test_nesting_without_end_raises_nothing(tmp_path: Path) -> None:
    shard = TESTS / "fixtures/messages/runs.jsonl"
    deep = "[" * 900 + "]" * 900
    text = shard.read_text("utf-8").replace('"content": "', f'"content": {deep}, "was": "')
    (tmp_path / shard.name).write_text(text, "utf-8")
    read = list(corpora()["messages"].read(tmp_path / shard.name))
    assert all(isinstance(entry, Trace | Skipped) for entry in read)


@pytest.mark.parametrize("depth", [5000, 100_000])
def test_nesting_that_json_refuses_is_damage(corpus: Corpus, depth: int, tmp_path: Path) -> None:
    shard = shards_of(corpus, TESTS / "fixtures" / corpus.name)[0]
    text = shard.read_text("utf-8")
    odd = tmp_path / shard.name
    deep = "[" * depth + "]" * depth
    odd.write_text(text.replace('"content": "', f'"content": {deep}, "was": "'), "utf-8")
    assert all(isinstance(entry, Trace | Skipped) for entry in corpus.read(odd))
