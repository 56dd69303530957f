"""Real servers on this machine, and archives, for tests that harvest."""

import io
import socket
import subprocess
import sys
import threading
import time
import warnings
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

MCP_SERVER = Path(__file__).parent / "fixtures" / "mcp_server.py"


@dataclass
class Answer:
    """What a loopback server says to one path."""

    body: bytes = b"{}"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    drip: Callable[[], Iterator[bytes]] | None = None
    """Sends these pieces instead of the body, without saying how many come."""


@dataclass
class Site:
    """A running loopback server: what it says, and what it was asked."""

    answers: dict[str, Answer | list[Answer]]
    """Path -> answer, or answers to be given one after the other, the last one for good."""

    url: str = ""
    asked: list[str] = field(default_factory=list)

    def answer(self, path: str) -> Answer:
        self.asked.append(path)
        found = self.answers.get(path, Answer(status=404))
        if isinstance(found, list):
            found = found.pop(0) if len(found) > 1 else found[0]
        return found


@contextmanager
def serving(answers: dict[str, Answer | list[Answer]]) -> Iterator[Site]:
    site = Site(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer = site.answer(self.path)
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            if answer.drip is None:
                self.send_header("content-length", str(len(answer.body)))
            self.end_headers()
            for piece in answer.drip() if answer.drip else [answer.body]:
                try:
                    self.wfile.write(piece)
                except OSError:
                    return

        def log_message(self, *_: object) -> None:
            """Keep the test output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def serving_mcp() -> Iterator[str]:
    """Run a real MCP server over HTTP and give its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(MCP_SERVER), str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            _wait_for(port, server)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            server.terminate()


def _wait_for(port: int, server: "subprocess.Popen[bytes]") -> None:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if server.poll() is not None:
                break
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the MCP server did not start")


def make_zip(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a name that stands twice, which is the point
        for name, content in members:
            made.writestr(name, content)
    return stream.getvalue()
