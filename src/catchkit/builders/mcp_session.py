"""One session with an MCP server through the official client library, limited and quiet."""

import logging
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TextIO

import anyio
import httpx2
from mcp import ClientSession, MCPError, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from catchkit.builders import relay
from catchkit.builders.live_mcp import Listing, Server
from catchkit.builders.untrusted import MAX_BYTES, check_depth, printable
from catchkit.builders.web import MAX_REDIRECTS
from catchkit.errors import SourceError

_FAILURES = (
    SourceError,
    MCPError,
    httpx2.HTTPError,
    httpx2.InvalidURL,
    OSError,  # no such command, refused connection, time over
    ValueError,
    RuntimeError,
    anyio.ClosedResourceError,
    anyio.BrokenResourceError,
    anyio.EndOfStream,
)


def ask(server: Server, *, seconds: float) -> Listing:
    """Connect, list the tools and leave.

    Raises:
        SourceError: It does not answer in time, or not as the protocol says.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log, _quiet():
        try:
            return anyio.run(_list, server, seconds, log)
        except (*_FAILURES, ExceptionGroup) as problem:
            first = _first(problem)
            if not isinstance(first, _FAILURES):
                raise
            timed_out = isinstance(first, TimeoutError)
            why = f"no answer in {seconds:g} seconds" if timed_out else _one_line(str(first))
            said = _last_line(log)
            raise SourceError(f"{server.shown}: {why or type(first).__name__}{said}") from None


async def _list(server: Server, seconds: float, log: TextIO) -> Listing:
    with anyio.fail_after(seconds):
        async with _session(server, seconds, log) as session:
            hello = await session.initialize()
            answer = await session.list_tools()
    about = hello.server_info.model_dump(mode="json", by_alias=True, exclude_none=True)
    tools = [
        tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in answer.tools
    ]
    check_depth(tools)
    return Listing(about=about, tools=tuple(tools), has_more=answer.next_cursor is not None)


@asynccontextmanager
async def _session(server: Server, seconds: float, log: TextIO) -> AsyncIterator[ClientSession]:
    if server.url is not None:
        hooks = {"response": [_limit]}
        headers = {"accept-encoding": "identity"}
        async with (
            httpx2.AsyncClient(
                event_hooks=hooks, headers=headers, timeout=seconds, max_redirects=MAX_REDIRECTS
            ) as client,
            streamable_http_client(server.url, http_client=client) as streams,
            ClientSession(*streams) as session,
        ):
            yield session
    else:
        limited = ["-m", relay.__name__, str(MAX_BYTES), *server.arguments]
        parameters = StdioServerParameters(command=sys.executable, args=limited)
        async with (
            stdio_client(parameters, errlog=log) as streams,
            ClientSession(*streams) as session,
        ):
            yield session


async def _limit(response: httpx2.Response) -> None:
    """Make reading an answer fail once it outgrows the limit, before it fills the memory."""
    if response.headers.get("content-encoding", "identity") != "identity":
        raise httpx2.DecodingError("answers compressed although asked not to")
    stream = response.stream
    if isinstance(stream, httpx2.AsyncByteStream):
        response.stream = _Counted(stream)


class _Counted(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MAX_BYTES
        async for chunk in self._stream:
            left -= len(chunk)
            if left < 0:
                raise httpx2.ReadError(f"larger than {MAX_BYTES} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the library's log of a bad answer off the terminal; the error says what was wrong."""
    logger, silent = logging.getLogger("mcp"), logging.NullHandler()
    logger.addHandler(silent)
    try:
        yield
    finally:
        logger.removeHandler(silent)


def _first(problem: BaseException) -> BaseException:
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    return problem


def _one_line(text: str) -> str:
    return printable(" ".join(text.split())[:200])


def _last_line(log: TextIO) -> str:
    """Return what a command last wrote to its error stream, as part of a sentence."""
    log.seek(0)
    lines = [line for line in log.read()[-2000:].splitlines() if line.strip()]
    return f" (it said: {_one_line(lines[-1])})" if lines else ""
