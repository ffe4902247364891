"""What ends a search, and what makes it partial.

    GoldpanError
    ├── SearchEnded                 raised across stages: the search has no answer
    │   ├── InvalidRequest          the asker mends the question or the settings of the request
    │   ├── Misconfigured           the operator mends a setting or a credential
    │   │   └── CredentialRejected  the operator renews the named credential
    │   ├── SourcesFailed           the asker tries again later; the operator looks at the sources
    │   │   └── SourcesLimited      the asker tries again at `retry_at`: every source is over its limit
    │   ├── OutOfTime               the asker allows more seconds
    │   └── Overloaded              the asker tries again in a few seconds: more searches run than the platform allows
    ├── Defect                      the operator reads the log of the function: a stage broke as nobody foresaw
    └── PartFailed                  never crosses a stage: it becomes a status row or a rules-only verdict
        ├── RateLimited             wait until `retry_at`
        ├── TimedOut                the deadline of the call passed
        ├── Unavailable             the outside failed: reset, 5xx, not what was promised
        │   └── Unreachable         no connection: another try in a moment would not find one either
        ├── Refused                 the outside understood and said no (4xx): the call itself is wrong
        └── Cancelled               the search was given up while the call ran

AWS Lambda reports the class name and the text of a raised exception; the state machine catches by that name, and
`terminal_error_named` makes the exception again. So all that an ending has to say stands in its text.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Literal

FailedStatus = Literal["rate_limited", "timeout", "unavailable"]
_AGAIN = re.compile(r"; try again at (?P<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\Z")


class GoldpanError(Exception):
    """The root of all errors of goldpan."""


class TerminalError(GoldpanError):
    """The search ends without an answer."""


class InvalidRequest(TerminalError):
    """The request breaks the contract; the asker mends the named field."""


class Misconfigured(TerminalError):
    """A setting is missing or wrong; the operator mends the named setting."""


class CredentialRejected(Misconfigured):
    """A service rejected a credential; the operator renews the one that the message names."""


class OutOfTime(TerminalError):
    """The time ran out before anything could be answered; the asker allows more seconds."""


class Overloaded(TerminalError):
    """More searches run at once than the platform allows; the asker tries again in a few seconds."""


class SourcesFailed(TerminalError):
    """Every source failed; the asker tries again later, at `retry_at` where a source named a time."""

    def __init__(self, message: str, retry_at: datetime | None = None) -> None:
        again = f"; try again at {retry_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if retry_at else ""
        super().__init__(message + again)
        self.retry_at = retry_at

    @classmethod
    def read(cls, text: str) -> SourcesFailed:
        """Make the exception again from its text; its time is whole seconds."""
        told = _AGAIN.search(text)
        try:
            return cls(text[: told.start()], datetime.fromisoformat(told["at"])) if told else cls(text)
        except ValueError:  # it only looked like a time
            return cls(text)


class SourcesLimited(SourcesFailed):
    """Every source is over its limit; the asker waits until `retry_at`."""


class Defect(GoldpanError):
    """A stage broke as nobody foresaw; the text is for the log, never for the asker."""


class CallFailed(GoldpanError):
    """One call to the outside failed; the stage reports it and goes on with the rest."""

    status: FailedStatus = "unavailable"


class RateLimited(CallFailed):
    """The source is over its limit; no further call before `retry_at` (UTC)."""

    status: FailedStatus = "rate_limited"

    def __init__(self, message: str, retry_at: datetime) -> None:
        super().__init__(message)
        self.retry_at = retry_at


class TimedOut(CallFailed):
    """The call was cut at its deadline."""

    status: FailedStatus = "timeout"


class Unavailable(CallFailed):
    """The outside could not be reached, broke off, or answered something else than it promises."""


class Unreachable(Unavailable):
    """No connection could be made: no network, no such name, nobody there."""


class Refused(CallFailed):
    """The outside understood the call and refused it; the message holds its reason."""


class Cancelled(CallFailed):
    """The search was given up while the call ran."""

    status: FailedStatus = "timeout"


def terminal_error_named(name: str, text: str) -> TerminalError | Defect:
    """Make the exception again that a function raised elsewhere; an unknown name is a defect."""
    ending = {cls.__name__: cls for cls in _endings(TerminalError)}.get(name)
    if ending is None:
        return Defect(f"{name}: {text}")
    return ending.read(text) if issubclass(ending, SourcesFailed) else ending(text)


def _endings(root: type[TerminalError]) -> list[type[TerminalError]]:
    return [root, *(below for cls in root.__subclasses__() for below in _endings(cls))]
