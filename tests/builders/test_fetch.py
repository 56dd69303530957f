"""A corpus comes from the Hub once, checked, and is read offline from then on."""

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from catchkit.builders.corpus import corpus_named
from catchkit.builders.fetch import announcement, blob_of, fetched
from catchkit.cli.main import main
from catchkit.errors import SourceError

HUB = corpus_named("who_and_when").hub
FIXTURES = Path(__file__).parent.parent / "fixtures"
FILES = {
    "Who&When/Algorithm-Generated/1.json": FIXTURES / "who_and_when/Algorithm-Generated/1.json",
    "Who&When/Hand-Crafted/1.json": FIXTURES / "who_and_when_hand_crafted/Hand-Crafted/1.json",
}


class Hub(BaseHTTPRequestHandler):
    """Serves one data set at one revision, and counts what it is asked for."""

    asked: list[str]
    lies: bool

    def do_GET(self) -> None:
        self.answer(with_body=True)

    def do_HEAD(self) -> None:
        self.answer(with_body=False)

    def answer(self, *, with_body: bool) -> None:
        assert HUB is not None
        path = unquote(self.path.partition("?")[0])
        self.asked.append(path)
        resolved = f"/datasets/{HUB.repo_id}/resolve/{HUB.revision}/"
        if path == f"/api/datasets/{HUB.repo_id}/revision/{HUB.revision}":
            self.send(json.dumps(self.info()).encode(), "info", with_body=with_body)
        elif path.startswith(resolved) and path.removeprefix(resolved) in FILES:
            content = FILES[path.removeprefix(resolved)].read_bytes()
            self.send(content, hashlib.sha1(content).hexdigest(), with_body=with_body)
        else:
            self.send_error(404)

    def info(self) -> dict[str, Any]:
        assert HUB is not None
        listed = [
            {"rfilename": name, "blobId": "0" * 40 if self.lies else blob_of(path), "size": 1}
            for name, path in FILES.items()
        ]
        more = [{"rfilename": "README.md", "blobId": "1" * 40, "size": 1}]
        return {"_id": "x", "id": HUB.repo_id, "sha": HUB.revision, "siblings": listed + more}

    def send(self, content: bytes, etag: str, *, with_body: bool) -> None:
        assert HUB is not None
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", f'"{etag}"')
        self.send_header("X-Repo-Commit", HUB.revision)
        self.end_headers()
        if with_body:
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hub() -> Iterator[tuple[type[Hub], str]]:
    kind = type("CountingHub", (Hub,), {"asked": [], "lies": False})
    with ThreadingHTTPServer(("127.0.0.1", 0), kind) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield kind, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def run(endpoint: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a new process: the client reads its address when it is imported."""
    environment = {**os.environ, "HF_ENDPOINT": endpoint, "HF_HUB_DISABLE_XET": "1"}
    environment |= {"CATCHKIT_CACHE": "cache", "HF_HOME": "hf", "HF_HUB_OFFLINE": "0"}
    command = [sys.executable, "-m", "catchkit", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


def test_a_fetched_corpus_converts_offline(
    hub: tuple[type[Hub], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, endpoint = hub
    done = run(endpoint, "fetch", "who_and_when")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("fetching Kevin355/Who_and_When at 59b9fcba")
    asked = len(kind.asked)
    assert not [path for path in kind.asked if path.endswith("README.md")]
    monkeypatch.setenv("CATCHKIT_CACHE", "cache")
    assert main(["convert", "who_and_when", "--out", "out"]) == 0
    assert main(["convert", "who_and_when_hand_crafted", "--out", "other"]) == 0
    assert run(endpoint, "fetch", "who_and_when").returncode == 0
    assert len(kind.asked) == asked


def test_a_file_that_is_not_the_stated_one_is_refused(hub: tuple[type[Hub], str]) -> None:
    kind, endpoint = hub
    kind.lies = True
    done = run(endpoint, "fetch", "who_and_when")
    assert done.returncode == 2
    assert "is not what the Hub states" in done.stderr
    with pytest.raises(SourceError, match="run `catchkit fetch who_and_when`"):
        fetched("who_and_when")


def test_a_hub_that_does_not_answer_is_an_error_in_one_line() -> None:
    done = run("http://127.0.0.1:9", "fetch", "who_and_when")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_changed_file_is_noticed(
    hub: tuple[type[Hub], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(hub[1], "fetch", "who_and_when")
    monkeypatch.setenv("CATCHKIT_CACHE", "cache")
    victim = next(Path("cache").rglob("1.json"))
    victim.write_text(victim.read_text() + " ")
    with pytest.raises(SourceError, match="is missing or changed: fetch who_and_when again"):
        fetched("who_and_when")
    assert run(hub[1], "fetch", "who_and_when").returncode == 0
    assert fetched("who_and_when").is_dir()


def test_what_will_be_contacted_is_said() -> None:
    assert "SWE-Gym/OpenHands-Sampled-Trajectories at baf3a4e4bff5" in announcement("swe_gym")


def test_a_corpus_that_is_elsewhere_says_where(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fetch", "tau_bench"]) == 2
    said = capsys.readouterr().err
    assert "get sierra-research/tau-bench at 59a200c6" in said
    assert "On the Hub: " in said
