import json
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchkit.builders.replies import read_answer
from catchkit.loaders.release import Release

ROSTER = ["Web Search ", "search  docs", "Think", "a, b", "1. Plan", "none yet"]


@pytest.mark.parametrize(
    ("reply", "needed"),
    [
        pytest.param("NEEDED: Think", ["Think"], id="one"),
        pytest.param("NEEDED: x\nneeded: Think", ["Think"], id="the last line counts"),
        pytest.param("I said NEEDED: x\n**NEEDED:** `Think`", ["Think"], id="markdown"),
        pytest.param("NEEDED: 'Think', \"Think\"", ["Think"], id="quotes and repeats"),
        pytest.param("NEEDED: 1. Think, 2) Web Search", ["Think", "Web Search "], id="numbers"),
        pytest.param('NEEDED: ["Think", "a, b"]', ["Think", "a, b"], id="json"),
        pytest.param("NEEDED: a, b, Think", ["a, b", "Think"], id="a comma inside a name"),
        pytest.param("NEEDED: 1. Plan", ["1. Plan"], id="a number inside a name"),
        pytest.param("NEEDED: none yet", ["none yet"], id="a name that begins like no answer"),
        pytest.param("NEEDED: SEARCH DOCS", ["search  docs"], id="white space and case"),
        pytest.param("NEEDED:\n- Think\n- Web Search\n", ["Think", "Web Search "], id="bullets"),
        *(
            pytest.param(f"NEEDED: {none}", [], id=f"nothing: {none or 'empty'}")
            for none in ("", "None", "none.", "no capabilities", "[]", "N/A", "`null`", "Nothing")
        ),
    ],
)
def test_a_reply_is_read(reply: str, needed: list[str]) -> None:
    assert read_answer(reply, ROSTER).needed == tuple(needed)


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("Think is needed", "there is no NEEDED: line"),
        ("NEEDED: Thinks, Think", "unknown: 'Thinks' (nearest: 'Think')"),
        ("NEEDED: qqq", "unknown: 'qqq'"),
        ("NEEDED: none, Think", "unknown: 'none'"),
        ("NEEDED: Think\u200b", "unknown: 'Think\\u200b' (nearest: 'Think')"),
    ],
)
def test_what_cannot_be_read_says_why(reply: str, problem: str) -> None:
    answer = read_answer(reply, ROSTER)
    assert answer.needed is None
    assert answer.problem.startswith(problem)


def test_a_repair_is_counted_and_can_be_refused() -> None:
    answer = read_answer("NEEDED: web search, Think", ROSTER)
    assert [(name.given, name.declared) for name in answer.repaired] == [
        ("web search", "Web Search ")
    ]
    assert read_answer("NEEDED: web search, Think", ROSTER, repair=False).needed is None


def test_a_name_that_fits_two_declared_ones_is_not_repaired() -> None:
    assert read_answer("NEEDED: web search", ["Web Search", "web  search"]).needed is None
    assert read_answer("NEEDED: Web Search", ["Web Search", "web  search"]).needed == (
        "Web Search",
    )


NAMES = st.text("abAB _-.", min_size=1, max_size=12).filter(
    lambda name: name == name.strip() and name.strip(" _-.*")
)


@given(st.lists(NAMES, unique=True, min_size=1, max_size=6), st.data())
def test_exact_names_are_always_read_back(roster: list[str], data: st.DataObject) -> None:
    needed = data.draw(st.lists(st.sampled_from(roster), unique=True))
    for line in (", ".join(needed), json.dumps(needed)):
        assert read_answer(f"Well.\nNEEDED: {line}", roster).needed == tuple(needed)


@given(st.text(max_size=60), st.lists(NAMES, max_size=4))
def test_no_reply_breaks_the_reader(reply: str, roster: list[str]) -> None:
    answer = read_answer(f"NEEDED: {reply}", roster)
    assert (answer.needed is None) == bool(answer.problem)
    assert set(answer.needed or ()) <= set(roster)


def published(name: str) -> Any:
    try:
        folder = Path(str(distribution("catchbench").locate_file("catchbench/data/pre")))
    except PackageNotFoundError:
        pytest.skip("extra `peer` missing")
    return json.loads((folder / name).read_bytes())


REPAIRED = {"n8n-6542", "n8n-9277", "n8n-10096"}
REFUSED = {"mcp-0071-com-adbutler-mcp-server", "n8n-4366"}


def test_the_published_replies_read_as_published(snapshot: Release) -> None:
    replies = published("llm_judge_method_votes/llama-3.3-70b.json")
    lists = published("llm_judge_method/llama-3.3-70b.json")
    rosters = {
        row["instance_id"]: [entry["name"] for entry in row["capabilities"]]
        for row in snapshot.table("pre").select(["instance_id", "capabilities"]).to_pylist()
    }
    assert len(replies) == len(rosters) == 1187
    strict = {
        key: read_answer(vote["raw_response"], rosters[key], repair=False)
        for key, vote in replies.items()
    }
    read = {key: list(a.needed) for key, a in strict.items() if a.needed is not None}
    assert len(read) == 1182
    assert read == lists
    assert set(rosters) - set(read) == REPAIRED | REFUSED


def test_the_repair_makes_three_of_the_five_readable_and_gives_the_expected_row(
    snapshot: Release,
) -> None:
    replies = published("llm_judge_method_votes/llama-3.3-70b.json")
    true_positive = false_positive = false_negative = read = 0
    refused, repaired = set(), set()
    for row in snapshot.table("pre").to_pylist():
        key, names = row["instance_id"], [entry["name"] for entry in row["capabilities"]]
        answer = read_answer(replies[key]["raw_response"], names)
        repaired |= {key} if answer.repaired else set()
        if answer.needed is None:
            refused.add(key)
            continue
        read += 1
        for name, excess in zip(names, row["excess"], strict=True):
            flagged = name not in answer.needed
            true_positive += flagged and excess
            false_positive += flagged and not excess
            false_negative += excess and not flagged
    assert (read, refused, repaired) == (1185, REFUSED, REPAIRED)
    assert (true_positive, false_positive, false_negative) == (2143, 1467, 412)
