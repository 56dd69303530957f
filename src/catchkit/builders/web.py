"""Gets one address over the network: few redirects, a deadline, a size limit, no second guess."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from catchkit.errors import MissingExtraError, SourceError

if TYPE_CHECKING:
    import httpx2

MAX_REDIRECTS = 3
WAIT_SECONDS = 20.0
"""Longest silence while connecting or reading."""

TOTAL_SECONDS = 120.0
"""Longest time for one address, however steadily its bytes drip."""

MAX_ANSWER_BYTES = 128 * 1024 * 1024
"""Largest answer: an archive of a repository; a single file of it has its own limit."""

ATTEMPTS = 3
MAX_RETRY_AFTER_SECONDS = 60.0
BUSY = frozenset({429, 500, 502, 503, 504})


def address(url: str) -> SplitResult:
    """Return the parts of an http(s) address.

    Raises:
        SourceError: It is none.

    Example:
        >>> address("https://user:key@host.example/a?b").hostname
        'host.example'
    """
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
    except ValueError:
        known = False
    if not known:
        raise SourceError(f"{url}: is no http or https address")
    return parts


class GoneError(SourceError):
    """The address answers that there is nothing, and will answer so again."""


class _BusyError(SourceError):
    """The server asks to be asked again later."""

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message)
        self.seconds = seconds


class Web:
    """A polite client: it says who it is, keeps a pause between requests and obeys Retry-After."""

    def __init__(
        self,
        *,
        pause_seconds: float = 1.0,
        max_bytes: int = MAX_ANSWER_BYTES,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._pause_seconds = pause_seconds
        self._max_bytes = max_bytes
        self._sleep = sleep
        self._asked = False

    def get(self, url: str) -> bytes:
        """Return the body behind an address.

        Raises:
            GoneError: The answer is 404 or 410.
            SourceError: It cannot be had; the message names the address.
            MissingExtraError: The HTTP library is not installed.
        """
        import_client()
        for _ in range(ATTEMPTS - 1):
            try:
                return self._ask(url)
            except _BusyError as busy:
                self._sleep(busy.seconds)
        return self._ask(url)

    def _ask(self, url: str) -> bytes:
        import httpx2

        if self._asked and self._pause_seconds > 0:
            self._sleep(self._pause_seconds)
        self._asked = True
        deadline = time.monotonic() + TOTAL_SECONDS
        # Compressed answers are not asked for: their size is only known once it is too late.
        headers = {"user-agent": "catchkit", "accept-encoding": "identity"}
        try:
            with (
                httpx2.Client(
                    follow_redirects=True,
                    max_redirects=MAX_REDIRECTS,
                    timeout=WAIT_SECONDS,
                    headers=headers,
                    event_hooks={"request": [_refuse_downgrade(url)]},
                ) as client,
                client.stream("GET", url) as answer,
            ):
                _check_status(url, answer)
                return self._read(url, answer, deadline)
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as problem:
            what = str(problem) or type(problem).__name__
            raise SourceError(f"{url}: cannot be fetched ({what})") from None

    def _read(self, url: str, answer: "httpx2.Response", deadline: float) -> bytes:
        if answer.headers.get("content-encoding", "identity") != "identity":
            raise SourceError(f"{url}: answers compressed although asked not to")
        body = bytearray()
        for chunk in answer.iter_raw():
            body += chunk
            if len(body) > self._max_bytes:
                raise SourceError(f"{url}: larger than {self._max_bytes} bytes")
            if time.monotonic() > deadline:
                raise SourceError(f"{url}: not complete after {TOTAL_SECONDS:.0f} seconds")
        return bytes(body)


def import_client() -> None:
    """Raise a ``MissingExtraError`` unless the HTTP library is there."""
    try:
        import httpx2  # noqa: F401
    except ImportError:
        raise MissingExtraError("httpx2", "harvest") from None


def _refuse_downgrade(url: str) -> Callable[["httpx2.Request"], None]:
    def check(request: "httpx2.Request") -> None:
        if request.url.scheme not in ("http", "https"):
            raise SourceError(f"{url}: leads to a {request.url.scheme} address")
        if url.lower().startswith("https:") and request.url.scheme != "https":
            raise SourceError(f"{url}: leads from https to http")

    return check


def _check_status(url: str, answer: "httpx2.Response") -> None:
    if answer.status_code in (404, 410):
        raise GoneError(f"{url}: answers {answer.status_code}")
    if answer.status_code in BUSY:
        raise _BusyError(f"{url}: answers {answer.status_code}", _retry_after(answer))
    if answer.status_code != 200:
        raise SourceError(f"{url}: answers {answer.status_code}")


def _retry_after(answer: "httpx2.Response") -> float:
    """Return the seconds a busy server asks for; a date, which it may also send, counts as 5."""
    asked = answer.headers.get("retry-after", "")
    seconds = float(asked) if asked.isdecimal() else 5.0
    return min(seconds, MAX_RETRY_AFTER_SECONDS)
