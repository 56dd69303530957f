"""Votes asked from a real HTTP server on this machine."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from catchkit.builders import chat
from catchkit.builders.chat import BusyError, Settings, ask
from catchkit.builders.jsonl import to_line
from catchkit.builders.judge import Case, cases, collect, open_cases, prompt_for
from catchkit.builders.records import write_records
from catchkit.builders.texts import read_texts
from catchkit.builders.votes import read_ballots
from catchkit.cli import main
from catchkit.errors import SourceError, UsageError
from factories import make_capability, make_record

Answer = tuple[int, bytes]


def completion(text: str) -> Answer:
    message = {"role": "assistant", "content": text}
    body = {"model": "judge-2026-01-01", "choices": [{"index": 0, "message": message}]}
    return 200, json.dumps(body).encode()


@dataclass
class Endpoint:
    """A chat endpoint that answers by a function and remembers what it was asked."""

    answer: Callable[[str], Answer] = lambda _: completion("Yes.\nNEEDED: a")
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    address: str = ""

    def prompts(self) -> list[str]:
        return [question["messages"][0]["content"] for question in self.asked]


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(chat, "PAUSE_SECONDS", 0.0)
    served = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            question = json.loads(self.rfile.read(int(self.headers["content-length"])))
            served.asked.append({**question, "path": self.path})
            served.keys.append(self.headers["authorization"])
            status, body = served.answer(question["messages"][0]["content"])
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("location", body.decode())
                body = b""
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep the test output quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served.address = f"http://127.0.0.1:{server.server_port}/v1"
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield served
    server.shutdown()
    server.server_close()
    thread.join()


def settings_for(endpoint: Endpoint, **fields: Any) -> Settings:
    return Settings(**{"endpoint": endpoint.address, "model": "judge", **fields})


def make_cases(count: int) -> list[Case]:
    roster = (make_capability("a"), make_capability("b"))
    return [
        Case(instance_id=f"r{at}", text=f"Task number {at}.", capabilities=roster)
        for at in range(count)
    ]


def run(path: Path, wanted: list[Case], settings: Settings) -> list[dict[str, Any]]:
    open_ = open_cases(path, wanted, settings)
    collect(path, open_, settings, lambda prompt: ask(prompt, settings, sleep=lambda _: None))
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_vote_records_all_that_made_it(endpoint: Endpoint, tmp_path: Path) -> None:
    settings = settings_for(endpoint, temperature=0.5, seed=7, max_tokens=99)
    [vote] = run(tmp_path / "v.jsonl", make_cases(1), settings)
    [question] = endpoint.asked
    assert question["path"] == "/v1/chat/completions"
    assert (question["temperature"], question["seed"], question["max_tokens"]) == (0.5, 7, 99)
    assert (vote["temperature"], vote["seed"], vote["max_tokens"]) == (0.5, 7, 99)
    assert (vote["judge"], vote["served_model"]) == ("judge", "judge-2026-01-01")
    assert (vote["needed"], vote["reply"]) == (["a"], "Yes.\nNEEDED: a")
    assert len(vote["prompt_sha256"]) == 64
    assert vote["seconds"] > 0


def test_the_prompt_holds_the_task_and_the_numbered_roster() -> None:
    prompt = prompt_for(make_cases(1)[0])
    assert "Task number 0." in prompt
    assert "1. a (type: file, level: read)\n2. b (type: file, level: read)" in prompt
    assert "NEEDED:" in prompt


def test_a_text_with_braces_is_asked_as_it_is() -> None:
    case = Case(instance_id="r", text="Use {{ $json.x }} and {0}", capabilities=())
    assert "Use {{ $json.x }} and {0}" in prompt_for(case)


def test_an_unreadable_reply_is_asked_again_once_and_kept(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.answer = lambda _: completion("NEEDED: aa")
    [vote] = run(tmp_path / "v.jsonl", make_cases(1), settings_for(endpoint))
    assert (len(endpoint.asked), vote["attempts"], vote["needed"]) == (2, 2, None)
    assert vote["unknown"] == [{"given": "aa", "declared": "a"}]
    assert read_ballots(tmp_path / "v.jsonl").needed == {"r0": None}


def test_a_busy_endpoint_is_asked_again(endpoint: Endpoint, tmp_path: Path) -> None:
    answers = iter([(503, b""), (429, b""), completion("NEEDED:")])
    endpoint.answer = lambda _: next(answers)
    [vote] = run(tmp_path / "v.jsonl", make_cases(1), settings_for(endpoint))
    assert (len(endpoint.asked), vote["needed"], vote["attempts"]) == (3, [], 1)


def test_a_dead_endpoint_is_left_after_three_failures(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.answer = lambda _: (500, b"")
    settings = settings_for(endpoint)
    path = tmp_path / "v.jsonl"
    outcome = collect(
        path, make_cases(9), settings, lambda prompt: ask(prompt, settings, sleep=lambda _: None)
    )
    assert (outcome.voted, len(outcome.failed), outcome.unasked) == (0, 3, 6)
    endpoint.answer = lambda _: completion("NEEDED: b")
    assert len(run(path, make_cases(9), settings)) == 9


def test_one_refused_case_does_not_hold_the_others(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.answer = lambda prompt: (
        (400, b"") if "number 1." in prompt else completion("NEEDED: a")
    )
    votes = run(tmp_path / "v.jsonl", make_cases(3), settings_for(endpoint))
    assert [vote["instance_id"] for vote in votes] == ["r0", "r2"]


def test_half_a_character_in_a_reply_is_replaced(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.answer = lambda _: completion("\ud800\nNEEDED: a")
    [vote] = run(tmp_path / "v.jsonl", make_cases(1), settings_for(endpoint))
    assert (vote["needed"], vote["reply"]) == (["a"], "?\nNEEDED: a")


def test_a_reply_without_words_is_unreadable(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.answer = lambda _: (200, b'{"choices": [{"message": {"content": null}}]}')
    [vote] = run(tmp_path / "v.jsonl", make_cases(1), settings_for(endpoint))
    assert (vote["needed"], vote["problem"]) == (None, "there is no NEEDED: line")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        pytest.param((401, b""), "answers 401", id="refused"),
        pytest.param((302, b"http://127.0.0.1:9/"), "answers 302", id="redirect"),
        pytest.param((200, b"{"), "no chat completion", id="no json"),
        pytest.param((200, b'{"choices": []}'), "no chat completion", id="no choice"),
        pytest.param((200, b"[" * 100_000), "no chat completion", id="deep"),
        pytest.param(completion("x" * (chat.MAX_REPLY_BYTES + 1)), "answers more than", id="large"),
    ],
)
def test_what_is_no_completion_is_an_error(endpoint: Endpoint, answer: Answer, words: str) -> None:
    endpoint.answer = lambda _: answer
    with pytest.raises(SourceError, match=words):
        ask("?", settings_for(endpoint))
    assert len(endpoint.asked) == 1


def test_a_slow_endpoint_does_not_hold_the_run(endpoint: Endpoint) -> None:
    def late(_: str) -> Answer:
        time.sleep(1)
        return completion("NEEDED:")

    endpoint.answer = late
    with pytest.raises(BusyError, match="cannot be reached"):
        ask("?", settings_for(endpoint, timeout_seconds=0.05), sleep=lambda _: None)


@pytest.mark.parametrize("address", ["file:///etc/passwd", "host/v1", "http://u:p@h/v1", "http://"])
def test_an_endpoint_is_a_plain_web_address(address: str) -> None:
    with pytest.raises(UsageError):
        Settings(endpoint=address, model="m")


def test_a_votes_file_goes_on_behind_a_torn_line(endpoint: Endpoint, tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    run(path, make_cases(2), settings_for(endpoint))
    torn = path.read_bytes()[:-20]
    path.write_bytes(torn)
    votes = run(path, make_cases(4), settings_for(endpoint))
    assert [vote["instance_id"] for vote in votes] == ["r0", "r1", "r2", "r3"]
    assert len(endpoint.asked) == 5


@pytest.mark.parametrize("changed", [{"seed": 1}, {"temperature": 0.1}, {"model": "other"}])
def test_a_votes_file_refuses_other_settings(
    endpoint: Endpoint, tmp_path: Path, changed: dict[str, Any]
) -> None:
    path = tmp_path / "v.jsonl"
    run(path, make_cases(1), settings_for(endpoint))
    with pytest.raises(SourceError, match="name another votes file"):
        open_cases(path, make_cases(1), settings_for(endpoint, **changed))


def test_a_votes_file_refuses_another_text(endpoint: Endpoint, tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    [case] = make_cases(1)
    run(path, [case], settings_for(endpoint))
    other = Case(instance_id=case.instance_id, text="Else.", capabilities=case.capabilities)
    with pytest.raises(SourceError, match="prompt_sha256"):
        open_cases(path, [other], settings_for(endpoint))


def test_every_record_needs_a_text(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(to_line({"instance_id": "a", "text": "Do."}))
    texts = read_texts(path)
    assert [case.text for case in cases([make_record("a")], texts)] == ["Do."]
    with pytest.raises(SourceError, match="1 of 2 records have no text"):
        cases([make_record("a"), make_record("b")], texts)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([{"instance_id": "a", "text": " "}], "must be texts"),
        ([{"text": "x"}], "must be texts"),
        ([{"instance_id": "a", "text": "x"}] * 2, "stands there twice"),
    ],
)
def test_a_malformed_text_file_says_where(
    tmp_path: Path, lines: list[dict[str, str]], words: str
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("".join(map(to_line, lines)))
    with pytest.raises(SourceError, match=rf"t\.jsonl:{len(lines)}: .*{words}"):
        read_texts(path)


def command(tmp_path: Path, endpoint: Endpoint, count: int) -> list[str]:
    """Write the inputs of a run and return its command line."""
    records = [make_record(f"r{at}", ("a", "b")) for at in range(count)]
    write_records(tmp_path / "r.parquet", records)
    lines = [to_line({"instance_id": f"r{at}", "text": f"Task {at}."}) for at in range(count)]
    (tmp_path / "t.jsonl").write_text("".join(lines))
    given = {
        "records": tmp_path / "r.parquet",
        "texts": tmp_path / "t.jsonl",
        "endpoint": endpoint.address,
        "model": "judge",
        "out": tmp_path / "v.jsonl",
    }
    return ["judge", *(word for name, value in given.items() for word in (f"--{name}", str(value)))]


def test_the_command_says_what_it_contacts_and_keeps_the_key_to_itself(
    endpoint: Endpoint,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CATCHKIT_API_KEY", "s3cret")
    said: list[str] = []

    def answer(_: str) -> Answer:
        said.append(capsys.readouterr().out)
        return completion("NEEDED: a")

    endpoint.answer = answer
    assert main(command(tmp_path, endpoint, 2)) == 0
    assert f"Sending 2 task texts, as worded upstream, to {endpoint.address}" in said[0]
    assert endpoint.keys == ["Bearer s3cret"] * 2
    assert "s3cret" not in (tmp_path / "v.jsonl").read_text() + capsys.readouterr().out
    assert main([*command(tmp_path, endpoint, 2), "--limit", "1"]) == 0
    assert len(endpoint.asked) == 2


def test_a_killed_run_goes_on_where_it_stopped(endpoint: Endpoint, tmp_path: Path) -> None:
    def slowly(_: str) -> Answer:
        time.sleep(0.05)
        return completion("NEEDED: a")

    endpoint.answer = slowly
    arguments = command(tmp_path, endpoint, 12)
    program = "import sys; from catchkit.cli import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments], stdout=subprocess.DEVNULL
    )
    while len(endpoint.asked) < 5:
        assert process.poll() is None
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = (tmp_path / "v.jsonl").read_bytes().count(b"\n")
    assert 0 < kept < 12
    assert main(arguments) == 0
    assert list(read_ballots(tmp_path / "v.jsonl").needed) == [f"r{at}" for at in range(12)]
    asked = Counter(endpoint.prompts())
    assert sum(count - 1 for count in asked.values()) <= 1
