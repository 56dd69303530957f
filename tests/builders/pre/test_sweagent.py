"""One test per rule by which a run gives a record."""

import json
from typing import Any

import pytest

from catchkit.builders.material import Material, Parsed, RawConfig, Skipped
from catchkit.builders.pre.sweagent import SOURCE
from catchkit.builders.readers.commands import from_prompt, from_run

PROMPT = "COMMANDS:\nopen:\n  docstring: x\nsubmit:\n\nRESPONSE FORMAT:\n"


def run(
    *actions: str, system: Any = PROMPT, user: Any = "ISSUE:\nA request fails.", **about: Any
) -> dict[str, Any]:
    steps = [{"role": "assistant", "action": action} for action in actions]
    opening = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    return {"history": [*opening, *steps], **about}


def parse(content: Any, name: str = "owner__name-1.traj") -> Parsed:
    (found,) = SOURCE.parse(Material(repo="r", files={name: json.dumps(content).encode()}))
    return found


def config(content: Any) -> RawConfig:
    found = parse(content)
    assert isinstance(found, RawConfig), found
    return found


def names(found: RawConfig) -> list[str]:
    return [capability.name for capability in found.capabilities]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        pytest.param("COMMANDS:\nopen:\nedit: \n_x-1:\n", "open edit _x-1", id="names"),
        pytest.param(
            "COMMANDS:\nopen:\n  note:\n1x:\nsome words:\n", "open", id="only whole lines"
        ),
        pytest.param("COMMANDS:\na:\n\nPlease note\nb:\n", "a", id="up to please note"),
        pytest.param("COMMANDS:\na:\nPlease note\nb:\n", "a b", id="only after an empty line"),
        pytest.param("COMMANDS:\na:\nRESPONSE\nb:\n", "a", id="up to response"),
        pytest.param("COMMANDS:\na:\nFORMAT\nb:\n", "a", id="up to format"),
        pytest.param("open:\n", "", id="no block"),
        pytest.param("COMMANDS:\ngo <n> - moves\nend - ends\n", "go end", id="one line each"),
        pytest.param(
            "COMMANDS:\nedit\n<text>\nend_of_edit - edits\nls - x", "edit ls", id="lines later"
        ),
        pytest.param("COMMANDS:\na - x\na - y\n", "a", id="each once"),
    ],
)
def test_which_commands_a_prompt_declares(prompt: str, expected: str) -> None:
    assert from_prompt(prompt) == expected.split()


def test_a_function_calling_run_says_what_it_declares_in_its_configuration() -> None:
    docs = "bash:\n  docstring: x\n\nTips:\n    look:\n\nview:\n  signature: view\n"
    assert from_run({"command_docs": docs, "bundles": [{"path": "tools/submit"}]}, ["x"]) == [
        "bash",
        "view",
    ]


@pytest.mark.parametrize("as_text", [True, False])
def test_the_configuration_may_be_an_object_or_the_text_of_one(as_text: bool) -> None:
    kept = {"agent": {"tools": {"bundles": [{"path": "tools/search"}], "enable_bash_tool": True}}}
    content = run(system="Call functions.", replay_config=json.dumps(kept) if as_text else kept)
    assert names(config(content)) == ["bash", "find_file", "search_dir", "search_file"]


def test_without_a_configuration_the_calls_are_the_roster() -> None:
    content = run(system="Call functions.")
    calls = [{"function": {"name": "view"}}, {"function": {"name": "edit"}}, {"broken": 1}]
    content["history"].append({"role": "assistant", "action": "view x", "tool_calls": calls})
    assert names(config(content)) == ["view", "edit"]


def test_bash_is_declared_where_the_prompt_speaks_of_bash_commands() -> None:
    assert names(config(run(system=PROMPT + "any other BASH Commands"))) == [
        "open",
        "submit",
        "bash",
    ]


def test_what_is_used_and_not_declared_is_appended() -> None:
    found = config(run("python3 x.py", "ls", "\n\n open a.py", "  "))
    assert names(found) == ["open", "submit", "bash", "python"]
    assert found.needed == ("open", "bash", "python")


def test_a_python_call_is_python_and_any_other_program_is_bash() -> None:
    assert config(run("python x")).needed == ("python",)
    assert config(run("python2 x")).needed == ("bash",)
    assert config(run("./open x")).needed == ("bash",)


def test_types_and_levels_come_from_the_name() -> None:
    found = config(run("python x", "ls", system="COMMANDS:\nopen:\nedit:\nsubmit:\ndebug_it:\n"))
    assert [(c.type, c.permission_level) for c in found.capabilities] == [
        ("navigation", "read"),
        ("editor", "write"),
        ("command", "unknown"),
        ("command", "unknown"),
        ("execution", "execute"),
        ("execution", "execute"),
    ]


@pytest.mark.parametrize(
    ("user", "text"),
    [
        ("before ISSUE:\n a \nINSTRUCTIONS:\nb", "a"),
        ("ISSUE: a INSTRUCTIONS: b", "a INSTRUCTIONS: b"),
        ("ISSUE:\na\nISSUE:\nb", "a\nISSUE:\nb"),
        ([{"type": "text", "text": "ISSUE:\na"}], "a"),
        ("nothing", "owner__name-1"),
        ("ISSUE:\n \nINSTRUCTIONS:", "owner__name-1"),
    ],
)
def test_the_text_is_the_issue_else_the_name_of_the_file(user: Any, text: str) -> None:
    assert config(run(user=user)).text == text


def test_a_demonstration_is_not_the_task() -> None:
    content = run(user="ISSUE:\nreal")
    content["history"].insert(1, {"role": "user", "content": "ISSUE:\ndemo", "is_demo": True})
    assert config(content).text == "real"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ([], "not a run"),
        ({}, "not a run"),
        ({"history": [1]}, "not a run"),
        ({"history": []}, "no system message at the start"),
        ({"history": [{"role": "user"}]}, "no system message at the start"),
        ({"history": [{"role": "system", "content": "bash commands"}]}, "no commands declared"),
        ({"history": [{"role": "system", "content": 7}]}, "no commands declared"),
    ],
)
def test_a_file_without_a_roster_is_a_skip(content: Any, reason: str) -> None:
    found = parse(content)
    assert isinstance(found, Skipped)
    assert found.reason == reason
