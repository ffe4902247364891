"""What ends a search, and what makes it partial.

    GoldpanError
    ├── SearchEnded                 raised across stages: the search has no answer
    │   ├── InvalidRequest          the asker mends the question or the settings of the request
    │   ├── Misconfigured           the operator mends a setting or a credential
    │   │   └── CredentialRejected  the operator renews the named credential
    │   ├── SourcesFailed           the asker tries again at `retry_at`; the operator looks at the sources
    │   └── OutOfTime               the asker allows more seconds
    └── PartFailed                  never crosses a stage: it becomes a status row or a rules-only verdict
        ├── RateLimited             wait until `retry_at`
        ├── TimedOut                the deadline of the call passed
        ├── Unavailable             the outside failed: reset, 5xx, not what was promised
        │   └── Unreachable         no connection: another try in a moment would not find one either
        ├── Refused                 the outside understood and said no (4xx): the call itself is wrong
        └── Cancelled               the search was given up while the call ran

AWS Lambda reports the class name of a raised exception, and the state machine catches by that name.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

FailedStatus = Literal["rate_limited", "timeout", "unavailable"]


class GoldpanError(Exception):
    """The root of all errors of goldpan."""


class SearchEnded(GoldpanError):
    """The search ends without an answer."""


class InvalidRequest(SearchEnded):
    """The request breaks the contract; the asker mends the named field."""


class Misconfigured(SearchEnded):
    """A setting is missing or wrong; the operator mends the named setting."""


class CredentialRejected(Misconfigured):
    """A service rejected a credential; the operator renews the one that the message names."""


class OutOfTime(SearchEnded):
    """The time ran out before anything could be answered; the asker allows more seconds."""


class SourcesFailed(SearchEnded):
    """Every source failed; the asker tries again later, at `retry_at` where a source named a time."""

    def __init__(self, message: str, retry_at: datetime | None = None) -> None:
        super().__init__(message)
        self.retry_at = retry_at


class PartFailed(GoldpanError):
    """One call to the outside failed; the stage reports it and goes on with the rest."""

    status: FailedStatus = "unavailable"


class RateLimited(PartFailed):
    """The source is over its limit; no further call before `retry_at` (UTC)."""

    status: FailedStatus = "rate_limited"

    def __init__(self, message: str, retry_at: datetime) -> None:
        super().__init__(message)
        self.retry_at = retry_at


class TimedOut(PartFailed):
    """The call was cut at its deadline."""

    status: FailedStatus = "timeout"


class Unavailable(PartFailed):
    """The outside could not be reached, broke off, or answered something else than it promises."""


class Unreachable(Unavailable):
    """No connection could be made: no network, no such name, nobody there."""


class Refused(PartFailed):
    """The outside understood the call and refused it; the message holds its reason."""


class Cancelled(PartFailed):
    """The search was given up while the call ran."""

    status: FailedStatus = "timeout"
