"""Maps the error responses of sources to exceptions."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import unescape

from goldpan.errors import CallFailed, CredentialRejected, Paused, RateLimited, Refused, Unavailable
from goldpan.infra.http import HttpResponse
from goldpan.infra.redaction import one_line
from goldpan.infra.response_times import retry_after

OK, UNAUTHORIZED, FORBIDDEN, NOT_FOUND, SERVER_ERROR = 200, 401, 403, 404, 500
LIMIT_REACHED = (402, 429)
"""OpenAlex also answers 402 when the free use of a day is spent."""
MESSAGE_KEYS = ("message", "error", "errMsg", "detail")
"""Where the sources put their message: OpenAlex and Semantic Scholar, SerpAPI, Europe PMC; Crossref has a list."""
OF_A_LIMIT = ("rate limit", "too many", "slow down")
_SUMMARY = re.compile(r"<summary[^<>]{0,100}>([^<>]{1,2000})")
"""https://info.arxiv.org/help/api/user-manual.html#34-errors"""
UNREADABLE_WAIT = timedelta(minutes=1)


class NotFound(Refused):
    """The source does not know what was asked for by its identifier."""


@dataclass(frozen=True)
class Access:
    """How a source is called: its name for messages, its key, and how long it wants to be left alone."""

    title: str
    key_variable: str | None
    """The variable of the key that is sent, None if none is."""
    default_wait: timedelta
    """After a rate limit without Retry-After."""
    longest_wait: timedelta


def failure_of(response: HttpResponse, access: Access, now: datetime) -> CallFailed | CredentialRejected | None:
    """Return the exception for a response's status, None for a success."""
    if response.status == OK:
        return None
    message = one_line(next(_messages(response), None))
    names_a_limit = any(words in message.lower() for words in OF_A_LIMIT)
    if response.status in LIMIT_REACHED or (response.status == FORBIDDEN and names_a_limit):
        until = _named_end(response, access, now) or now + access.default_wait
        return RateLimited(f"{access.title}'s rate limit is reached ({message})", until)
    if access.key_variable and response.status == UNAUTHORIZED:
        return CredentialRejected(f"{access.key_variable}: {access.title} rejected it ({message})")
    described = f"{access.title} answered {response.status} ({message})"
    if access.key_variable and response.status == FORBIDDEN:
        described = f"{access.key_variable}: {described}"
    if response.status >= SERVER_ERROR:
        if again := _named_end(response, access, now):
            return Paused(f"{described}, to be called again at {again:%H:%M:%S} UTC", again)
        return Unavailable(described)
    return (NotFound if response.status == NOT_FOUND else Refused)(described)


def _named_end(response: HttpResponse, access: Access, now: datetime) -> datetime | None:
    """Return when the source may be called again; after an unreadable Retry-After in a minute, None without one."""
    again = retry_after(response.headers, now, access.longest_wait)
    if again is None and "retry-after" in response.headers:
        return now + max(UNREADABLE_WAIT, access.default_wait)
    return again


def _messages(response: HttpResponse) -> Iterator[str]:
    """Yield what the source says, in JSON, as plain text, or as arXiv in an entry of a feed."""
    try:
        body = response.json()
    except Unavailable:  # an error page that is not JSON
        body = None
    if isinstance(body, Mapping):
        for key in MESSAGE_KEYS:
            value = body.get(key)
            first = value[0] if isinstance(value, list) and value else value
            text = first.get("message") if isinstance(first, Mapping) else first
            if isinstance(text, str) and text:
                yield text
    elif response.headers.get("content-type", "").startswith("text/plain"):
        yield response.body.decode("utf-8", "replace")
    elif summary := _SUMMARY.search(response.body.decode("utf-8", "replace")):
        yield unescape(summary[1])
