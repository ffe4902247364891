"""What ends a search, and what makes it partial.

    GoldpanError
    ├── TerminalError               raised across stages: the search has no answer
    │   ├── InvalidRequest          the caller corrects the question or the fields of the request
    │   │   └── NotFound            the caller names another library, or imports it: there is none of that name
    │   ├── Forbidden               the caller uses another key: this one is bound to other projects
    │   ├── Misconfigured           the operator corrects a setting or a credential
    │   │   └── CredentialRejected  the operator renews the named credential
    │   ├── SourcesFailed           the caller tries again later; the operator checks the sources
    │   │   └── SourcesLimited      the caller tries again at `retry_at`: every source is over its limit
    │   ├── OutOfTime               the caller allows more seconds
    │   └── Overloaded              the caller tries again in a few seconds: too many searches run at once
    ├── Defect                      the operator reads the log: a stage failed unexpectedly
    └── CallFailed                  never crosses a stage: it becomes a status row or a rules-only verdict
        ├── RateLimited             wait until `retry_at`
        │   └── Paused              the upstream is unavailable until `retry_at`, and said so
        ├── TimedOut                the deadline of the call passed
        ├── Unavailable             the upstream failed: connection reset, 5xx, or an unexpected answer
        │   └── Unreachable         no connection: an immediate retry would fail as well
        ├── Refused                 the upstream rejected the call (4xx): the call itself is wrong
        ├── StoreFailed             a cache, lock or rate limit store failed: the search continues without it
        └── Cancelled               the search was cancelled while the call ran

AWS Lambda reports the class name and the text of a raised exception; the state machine catches by that name, and
`terminal_error_named` makes the exception again. So the text of a terminal error holds all of its information, but for
what was known of the search.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from goldpan.known import Known

FailedStatus = Literal["rate_limited", "timeout", "unavailable"]
_AGAIN = re.compile(r"; try again at (?P<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\Z")
_NUMBER = re.compile(r"\[(?:Errno|WinError) -?\d+\] ")


class GoldpanError(Exception):
    """The root of all errors of goldpan."""

    known: Known | None = None
    """What was known of the search that this error ended; None if none had begun."""

    def __str__(self) -> str:
        """Return the message, without the numbers of the operating system's errors that it quotes."""
        return _NUMBER.sub("", super().__str__())


class TerminalError(GoldpanError):
    """The search ends without an answer."""


class InvalidRequest(TerminalError):
    """The request violates the contract; the caller corrects the named field."""


class NotFound(InvalidRequest):
    """There is nothing of the name in the request, perhaps since a moment ago; the caller gives another name."""


class Forbidden(TerminalError):
    """The key of the caller is not for what the request names; the caller uses another key."""


class Misconfigured(TerminalError):
    """A setting is missing or wrong; the operator corrects the named setting."""


class CredentialRejected(Misconfigured):
    """A service rejected a credential; the operator renews the one that the message names."""


class OutOfTime(TerminalError):
    """The time ran out before there was anything to answer; the caller allows more seconds."""


class Overloaded(TerminalError):
    """More searches run at once than the platform allows; the caller tries again in a few seconds."""


class SourcesFailed(TerminalError):
    """Every source failed; the caller tries again later, at `retry_at` if a source named a time."""

    def __init__(self, message: str, retry_at: datetime | None = None) -> None:
        again = f"; try again at {retry_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if retry_at else ""
        super().__init__(message + again)
        self.retry_at = retry_at

    @classmethod
    def read(cls, text: str) -> SourcesFailed:
        """Make the exception again from its text; its time has whole seconds."""
        match = _AGAIN.search(text)
        try:
            return cls(text[: match.start()], datetime.fromisoformat(match["at"])) if match else cls(text)
        except ValueError:  # it has the form of a time, but is none
            return cls(text)


class SourcesLimited(SourcesFailed):
    """Every source is over its limit; the caller waits until `retry_at`."""


class Defect(GoldpanError):
    """A stage failed unexpectedly; the log has its stack trace, and a caller on the network gets a fixed text."""


class CallFailed(GoldpanError):
    """One upstream call failed; the stage reports it and continues with the others."""

    status: FailedStatus = "unavailable"
    sent: bool = True
    """Whether the upstream may have received the call, and counted it."""


class RateLimited(CallFailed):
    """The source is over its limit; no further call before `retry_at` (UTC)."""

    status: FailedStatus = "rate_limited"

    def __init__(self, message: str, retry_at: datetime, *, sent: bool = True) -> None:
        super().__init__(message)
        self.retry_at, self.sent = retry_at, sent


class Paused(RateLimited):
    """The upstream is unavailable, and asked not to be called before `retry_at`; no limit was reached."""

    status: FailedStatus = "unavailable"


class TimedOut(CallFailed):
    """The call was cut at its deadline."""

    status: FailedStatus = "timeout"


class Unavailable(CallFailed):
    """The upstream could not be reached, broke the connection, or gave an unexpected answer."""


class Unreachable(Unavailable):
    """No connection could be made: no network, unknown host name, or connection refused."""


class Refused(CallFailed):
    """The upstream understood the call and refused it; the message holds its reason."""


class StoreFailed(CallFailed):
    """A store could not be reached, or its content is not what it should be; the search continues without it."""


class Cancelled(CallFailed):
    """The search was cancelled while the call ran."""

    status: FailedStatus = "timeout"


@contextmanager
def naming(what: str, *caught: type[Exception], raised: type[GoldpanError] = InvalidRequest) -> Iterator[None]:
    """Raise an error that names what it is about in place of one of these classes, by default of its own."""
    classes = caught or (raised,)
    try:
        yield
    except classes as error:
        raise raised(f"{what}: {error}") from error


def terminal_error_named(name: str, text: str) -> TerminalError | Defect:
    """Make the exception again that another function raised; an unknown name is a defect."""
    if name == Defect.__name__:
        return Defect(text)
    error = {cls.__name__: cls for cls in terminal_errors()}.get(name)
    if error is None:
        return Defect(f"{name}: {text}")
    return error.read(text) if issubclass(error, SourcesFailed) else error(text)


def terminal_errors(root: type[TerminalError] = TerminalError) -> list[type[TerminalError]]:
    """Return all classes of terminal errors, parents first."""
    return [root, *(leaf for child in root.__subclasses__() for leaf in terminal_errors(child))]
