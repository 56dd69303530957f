"""Asks an OpenAI-compatible endpoint one question: no redirect, a deadline, a size limit."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

from catchkit.errors import SourceError, UsageError

MAX_REPLY_BYTES = 4 * 1024 * 1024
TRIES = 3
BUSY = frozenset({408, 429, 500, 502, 503, 504})
PAUSE_SECONDS = 2.0
"""Before the second try; twice as long before the third."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is asked of which model, and how; the same for every vote of a file."""

    endpoint: str
    """Base address, such as ``https://host/v1``; ``/chat/completions`` is added."""

    model: str
    temperature: float = 0.0
    seed: int | None = 0
    """``None`` where the endpoint refuses a seed."""

    max_tokens: int = 4_000
    timeout_seconds: float = 120.0
    """Longest wait for one whole reply."""

    def __post_init__(self) -> None:
        parts = urlsplit(self.endpoint)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"{self.endpoint!r} is no http or https address")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise UsageError("the endpoint must hold no password, query or fragment")

    @property
    def address(self) -> str:
        """Where a question goes."""
        return self.endpoint.rstrip("/") + "/chat/completions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back for one question."""

    text: str
    model: str
    """The model the endpoint says has answered; may name a revision."""

    seconds: float
    """From the question to the last byte, failed tries not counted."""


class BusyError(SourceError):
    """The endpoint could not answer this time and may do so later."""


def ask(
    prompt: str,
    settings: Settings,
    *,
    api_key: str | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> Reply:
    """Send one prompt and return the reply, trying again while the endpoint is busy.

    Raises:
        BusyError: It cannot be reached or stays busy; asking later can help.
        SourceError: It refuses, or answers something else than a chat completion.
    """
    for attempt in range(TRIES):
        try:
            return _ask_once(prompt, settings, api_key)
        except BusyError:
            if attempt == TRIES - 1:
                raise
            sleep(PAUSE_SECONDS * 2**attempt)
    raise AssertionError("the last try returns or raises")


def _ask_once(prompt: str, settings: Settings, api_key: str | None) -> Reply:
    started = time.monotonic()
    try:
        with _OPENER.open(
            _request(prompt, settings, api_key), timeout=settings.timeout_seconds
        ) as answer:
            body = _read(answer, settings, deadline=started + settings.timeout_seconds)
    except urllib.error.HTTPError as problem:
        kind = BusyError if problem.code in BUSY else SourceError
        raise kind(f"{settings.address}: answers {problem.code} {problem.reason}") from None
    except (OSError, HTTPException) as problem:
        what = str(problem) or type(problem).__name__
        raise BusyError(f"{settings.address}: cannot be reached ({what})") from None
    seconds = time.monotonic() - started
    return _parsed(body, settings, seconds)


def _request(prompt: str, settings: Settings, api_key: str | None) -> urllib.request.Request:
    question: dict[str, Any] = {
        "model": settings.model,
        "messages": [{"role": "user", "content": prompt}],
        "temperature": settings.temperature,
        "max_tokens": settings.max_tokens,
        **({} if settings.seed is None else {"seed": settings.seed}),
    }
    headers = {"content-type": "application/json", "user-agent": "catchkit"}
    if api_key:
        headers["authorization"] = f"Bearer {api_key}"
    data = json.dumps(question).encode()
    return urllib.request.Request(settings.address, data=data, headers=headers)


def _read(answer: HTTPResponse, settings: Settings, *, deadline: float) -> bytes:
    body = bytearray()
    while chunk := answer.read1(65_536):
        body += chunk
        if len(body) > MAX_REPLY_BYTES:
            raise SourceError(f"{settings.address}: answers more than {MAX_REPLY_BYTES} bytes")
        if time.monotonic() > deadline:
            raise BusyError(
                f"{settings.address}: not complete after {settings.timeout_seconds:g} seconds"
            )
    return bytes(body)


def _parsed(body: bytes, settings: Settings, seconds: float) -> Reply:
    try:
        completion = json.loads(body)
        # A model that says nothing, or is kept from it, has answered all the same.
        text = completion["choices"][0]["message"]["content"] or ""
        model = completion.get("model") or settings.model
        if not isinstance(text, str) or not isinstance(model, str):
            raise TypeError("the content is no text")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as problem:
        raise SourceError(f"{settings.address}: no chat completion ({problem!r})") from None
    return Reply(text=_writable(text), model=_writable(model), seconds=seconds)


def _writable(text: str) -> str:
    """Return a text without halves of characters, which JSON can hold and UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode("utf-8")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Refuses every redirect: the question and the key are for the address that was named."""

    def redirect_request(self, *_: object) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)
