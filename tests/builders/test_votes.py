import json
import math
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchkit.builders.agreement import agreements
from catchkit.builders.jsonl import to_line
from catchkit.builders.records import read_records, write_records
from catchkit.builders.votes import Ballots, merge, read_ballots
from catchkit.cli import main
from catchkit.errors import CatchkitError, SourceError
from catchkit.loaders.release import Release
from catchkit.schema import PreRecord
from factories import make_record


def judged(
    instance_id: str = "n8n-1", names: tuple[str, ...] = ("a", "b"), **fields: object
) -> PreRecord:
    defaults = {"source": "n8n", "label_process": "llm_judge", "excess": None}
    return make_record(instance_id, names, **{**defaults, **fields})


def ballots(judge: str, **needed: list[str] | None) -> Ballots:
    listed = {key.replace("_", "-"): None if n is None else tuple(n) for key, n in needed.items()}
    return Ballots(judge=judge, needed=listed)


def votes_file(path: Path, judge: str, **needed: list[str] | None) -> Path:
    lines = [
        to_line({"instance_id": key.replace("_", "-"), "judge": judge, "needed": names})
        for key, names in needed.items()
    ]
    path.write_text("".join(lines), "utf-8")
    return path


def test_a_capability_is_in_excess_when_no_judge_needs_it() -> None:
    record = judged(names=("a", "b", "c"))
    merged = merge([record], [ballots("x", n8n_1=["a"]), ballots("y", n8n_1=["b"])])
    assert merged.records[0].excess == (False, False, True)
    assert [vote.judge for vote in merged.records[0].votes] == ["x", "y"]


def test_a_record_without_every_list_has_no_label_and_is_named() -> None:
    records = [judged("n8n-1"), judged("n8n-2"), judged("n8n-3")]
    first = ballots("x", n8n_1=[], n8n_2=["a"])
    second = ballots("y", n8n_1=None, n8n_2=["a"])
    merged = merge(records, [first, second])
    assert [record.excess for record in merged.records] == [None, (False, True), None]
    assert merged.unlabelled == {"n8n-1": ("y",), "n8n-3": ("x", "y")}


def test_names_and_ids_that_fit_nothing_are_reported() -> None:
    merged = merge([judged()], [ballots("x", n8n_1=["a", "A"], n8n_9=[])])
    assert merged.undeclared == (("x", "n8n-1", "A"),)
    assert merged.unmatched == ("n8n-9",)
    assert merged.records[0].excess == (False, True)


def test_a_record_with_another_label_process_stays_as_it_is() -> None:
    record = make_record("synth-1")
    assert merge([record], [ballots("x", synth_1=[])]).records == (record,)


NEEDED = st.dictionaries(st.sampled_from(["n8n-1", "n8n-2"]), st.sets(st.sampled_from("ab")))


@given(NEEDED, NEEDED)
def test_the_order_of_judges_does_not_matter(
    first: dict[str, set[str]], second: dict[str, set[str]]
) -> None:
    one, two = (
        Ballots(judge=judge, needed={key: tuple(names) for key, names in needed.items()})
        for judge, needed in (("x", first), ("y", second))
    )
    records = [judged("n8n-1"), judged("n8n-2")]
    assert merge(records, [one, two]).records == merge(records, [two, one]).records


def test_kappa_of_two_judges_by_hand() -> None:
    """Both 2, only x 1, only y 1, neither 1 of 5: po 0.6, pe 0.52, so (0.6 - 0.52) / 0.48."""
    record = judged(names=tuple("abcde"))
    merged = merge([record], [ballots("x", n8n_1=[*"abc"]), ballots("y", n8n_1=[*"abd"])])
    row = agreements(merged.records)[0]
    assert (row.configs, row.capabilities) == (1, 5)
    assert row.agreement == pytest.approx(0.6)
    assert row.kappa == pytest.approx(0.08 / 0.48)
    assert row.excess_share == pytest.approx(0.2)


def test_kappa_is_undefined_where_both_always_say_the_same() -> None:
    merged = merge([judged()], [ballots("x", n8n_1=["a", "b"]), ballots("y", n8n_1=["a", "b"])])
    assert math.isnan(agreements(merged.records)[0].kappa)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"instance_id": "a", "judge": "x"}', "'needed' is missing"),
        ('{"instance_id": "a", "judge": "x", "needed": "a"}', "must be a list of names"),
        ('{"instance_id": "a", "judge": "x", "needed": [1]}', "must be a list of names"),
        ('{"instance_id": "", "judge": "x", "needed": []}', "'instance_id' must be a text"),
        ('{"instance_id": "a", "needed": []}', "'judge' must be a text"),
        ('{"instance_id": "a", "instance_id": "b"}', "key 'instance_id' appears twice"),
        ("[]", "a list, expected an object"),
        ('{"instance_id": "a"', "not readable as JSON"),
        ("[" * 100_000, "nested deeper than"),
        ('{"instance_id": "\\ud800", "judge": "x", "needed": []}', "not readable as JSON"),
        ("\n", "holds no vote"),
    ],
)
def test_a_malformed_votes_file_says_where(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "v.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(SourceError, match=words) as problem:
        read_ballots(path)
    assert "v.jsonl" in str(problem.value)


def test_a_votes_file_holds_one_vote_per_id_and_one_judge(tmp_path: Path) -> None:
    line = {"instance_id": "a", "judge": "x", "needed": []}
    (tmp_path / "twice").write_text(to_line(line) * 2)
    (tmp_path / "mixed").write_text(
        to_line(line) + to_line({**line, "instance_id": "b", "judge": "y"})
    )
    with pytest.raises(SourceError, match="voted on twice"):
        read_ballots(tmp_path / "twice")
    with pytest.raises(SourceError, match="one file per judge"):
        read_ballots(tmp_path / "mixed")
    with pytest.raises(CatchkitError, match="one votes file per judge"):
        merge([], [ballots("x"), ballots("x")])


def test_the_command_writes_labels_and_exits_by_completeness(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_records(tmp_path / "r.parquet", [judged("n8n-1"), judged("n8n-2")])
    first = votes_file(tmp_path / "x.jsonl", "x", n8n_1=["a"], n8n_2=[])
    second = votes_file(tmp_path / "y.jsonl", "y", n8n_1=["a"], n8n_2=[])
    arguments = ["merge-votes", str(first), str(second), "--records", str(tmp_path / "r.parquet")]
    out = tmp_path / "labelled.parquet"
    assert main([*arguments, "--out", str(out)]) == 0
    assert [record.excess for record in read_records(out)] == [(False, True), (True, True)]
    assert "2 of 2 records have a label" in capsys.readouterr().out
    votes_file(second, "y", n8n_1=["a"], n8n_2=None)
    assert main([*arguments, "--out", str(out)]) == 3


def published_ballots() -> list[Ballots]:
    """Read the published votes: one file maps id to entry, the other lists entries."""
    try:
        folder = Path(str(distribution("catchbench").locate_file("catchbench/data/pre")))
    except PackageNotFoundError:
        pytest.skip("extra `peer` missing")
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for source in ("crewai", "n8n", "mcp"):
        gpt = json.loads((folder / "gpt_judge_votes" / f"{source}.json").read_bytes())
        claude = json.loads((folder / "claude_judge_votes" / f"{source}.json").read_bytes())
        entries = [*({**entry, "instance_id": key} for key, entry in gpt.items()), *claude]
        for entry in entries:
            found.setdefault(entry["model"], {})[entry["instance_id"]] = tuple(entry["needed"])
    return [Ballots(judge=judge, needed=needed) for judge, needed in found.items()]


def test_the_published_votes_give_the_published_labels(snapshot: Release) -> None:
    released = [PreRecord.from_row(row) for row in snapshot.table("pre").to_pylist()]
    bare = [
        replace(record, votes=(), excess=None) if record.label_process == "llm_judge" else record
        for record in released
    ]
    merged = merge(bare, published_ballots())
    assert sum(record.label_process == "llm_judge" for record in released) == 661
    assert merged.records == tuple(released)
    assert (merged.unlabelled, merged.undeclared, merged.unmatched) == ({}, (), ())


def test_the_published_votes_give_the_published_agreement(snapshot: Release) -> None:
    released = [PreRecord.from_row(row) for row in snapshot.table("pre").to_pylist()]
    table = {
        row.source: (
            row.configs,
            row.capabilities,
            *(round(x, 3) for x in (row.agreement, row.kappa, row.excess_share)),
        )
        for row in agreements(released)
    }
    assert table.pop("pooled")[:4] == (661, 4150, 0.832, 0.666)
    assert table == {
        "crewai": (298, 598, 0.753, 0.492, 0.241),
        "n8n": (219, 550, 0.880, 0.515, 0.084),
        "mcp": (144, 3002, 0.838, 0.674, 0.485),
    }
