"""The client of a source names its failures, keeps to its limits, retries once, and never repeats a key."""

from datetime import timedelta
from email.utils import format_datetime

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import (
    CallFailed,
    Cancelled,
    CredentialRejected,
    GoldpanError,
    Paused,
    RateLimited,
    Refused,
    TimedOut,
    Unavailable,
    Unreachable,
)
from goldpan.infra.http import HttpResponse
from goldpan.infra.source_client import SourceClient, call_with_retry
from goldpan.infra.source_failures import NotFound
from goldpan.kinds.papers.sources.settings import RATE_LIMITS, TITLES

from tests.support.factories import NOW, StillClock
from tests.support.fakes import START, FakeClock, QueuedHttp, cancel
from tests.support.memory_stores import MemoryRateLimiter, memory_connections

KEY = "very-secret-key-1234"
OK = HttpResponse(200, {}, b"{}")
HTML = b"<html>blocked</html>"
Outcome = str | GoldpanError
RESET, AGAIN = Unavailable("reset"), Unavailable("again")


class Caller(QueuedHttp):
    """A client over queued responses, the last one repeatedly, on a clock that only moves when it waits."""

    def __init__(self, *responses: HttpResponse | CallFailed, name: str = "openalex", key: str | None = KEY) -> None:
        super().__init__(responses)
        connections = memory_connections(self, self.clock, RATE_LIMITS)
        self._client = SourceClient(
            name, "https://example.org/api/", connections, title=TITLES[name], key=key, key_variable="THE_KEY"
        )

    def get(self, seconds: float = 5) -> HttpResponse:
        """Call the source."""
        return self._client.send("/works", {"q": "cats"}, Deadline.after(seconds, self.clock))


def response(status: int, body: bytes = b'{"message": "no"}', **headers: str) -> HttpResponse:
    """Make a response in JSON."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return HttpResponse(status, {"content-type": "application/json", **names}, body)


@pytest.mark.parametrize(
    ("answer", "failure", "message"),
    [
        (response(401), CredentialRejected, r"^THE_KEY: OpenAlex rejected it \(no\)$"),
        (response(403), Refused, r"^THE_KEY: OpenAlex answered 403 \(no\)$"),
        (response(403, HTML), Refused, r"^THE_KEY: OpenAlex answered 403"),
        (response(403, b'{"message": "Rate limit exceeded"}'), RateLimited, r"^OpenAlex's rate limit is reached"),
        (response(402, b'{"error": "out of budget"}'), RateLimited, r"reached \(out of budget\)$"),
        (response(400, b'{"error": "Invalid", "message": "bad\\n sort"}'), Refused, r"^OpenAlex answered 400 \(bad s"),
        (response(403, b'{"message": "Too many requests"}'), RateLimited, r"\(Too many requests\)$"),
        (response(403, b'{"message": "Slow down"}'), RateLimited, r"\(Slow down\)$"),
        (response(404), NotFound, r"404"),
        (response(400, b'{"message": [{"message": "bad select"}]}'), Refused, r"\(bad select\)$"),
        (response(400, b"<feed><summary>ids &lt; 9\n wrong</summary></feed>"), Refused, r"\(ids < 9 wrong\)$"),
        (HttpResponse(404, {"content-type": "text/plain"}, b"Not found."), NotFound, r"\(Not found\.\)$"),
        (response(500), Unavailable, r"^OpenAlex answered 500 \(no\)$"),
        (response(503, retry_after="60"), Paused, r"to be called again at 12:01:00 UTC$"),
    ],
)
def test_each_status_is_named(answer: HttpResponse, failure: type[Exception], message: str) -> None:
    """The failure has the source's own message, in one line."""
    with pytest.raises(failure, match=message) as raised:
        Caller(answer).get()
    assert type(raised.value) is failure


def test_without_a_key_none_can_be_rejected() -> None:
    """A 401 or 403 is then a refusal, which does not end the search."""
    for status in (401, 403):
        with pytest.raises(Refused):
            Caller(response(status), key=None).get()


def test_what_is_sent_and_that_no_secret_comes_back() -> None:
    """A path is joined by one slash; titles and addresses of a response may repeat the key, in any letter case."""
    caller = Caller(response(200, f'{{"url": "/works?api_key={KEY.upper()}"}}'.encode()))
    assert caller.get().json() == {"url": "/works?api_key=[key]"}
    assert caller.requests[0].url == "https://example.org/api/works"


def test_a_limit_holds_for_every_caller_until_its_time() -> None:
    """No second call before then, by default for a minute; a date is read against the source's own clock."""
    with pytest.raises(RateLimited) as without:
        Caller(response(429)).get()
    assert without.value.retry_at == NOW + timedelta(minutes=1)
    wrong = NOW + timedelta(days=400)
    times = {"date": format_datetime(wrong), "retry_after": format_datetime(wrong + timedelta(seconds=30))}
    caller = Caller(response(429, b"{}", **times), OK)
    for is_sent in (True, False, False):
        with pytest.raises(RateLimited) as limited:
            caller.get()
        assert (limited.value.retry_at, limited.value.sent) == (NOW + timedelta(seconds=30), is_sent)
    assert len(caller.requests) == 1
    caller.clock.wait(30)
    assert caller.get() is OK
    with pytest.raises(RateLimited) as far:
        Caller(response(429, retry_after="9" * 9)).get()
    assert far.value.retry_at == NOW + timedelta(hours=1)


def test_arxiv_is_called_once_in_three_seconds_but_a_call_that_was_not_sent_costs_nothing() -> None:
    """The second call waits, or says when it may be made."""
    unsent = Unreachable("no connection")
    unsent.sent = False
    caller = Caller(unsent, OK, name="arxiv", key=None)
    with pytest.raises(Unreachable):
        caller.get()
    caller.get(seconds=2)
    with pytest.raises(RateLimited, match="the rate limit of arxiv is reached"):
        caller.get(seconds=2)
    caller.get(seconds=6)
    assert caller.clock.now() >= NOW + timedelta(seconds=3)


@pytest.mark.parametrize("limit", RATE_LIMITS)
def test_a_warm_up_may_call_every_source(limit: str) -> None:
    """Also with the smallest share; a source that it cannot call would make every answer of a warm-up incomplete."""
    clock = StillClock()
    cost = 10 if limit == "openalex:search" else 1
    assert MemoryRateLimiter(clock, RATE_LIMITS).with_share(0.1).acquire(limit, cost).granted


def limited(seconds: float) -> RateLimited:
    """Make a rate limit that ends a number of seconds after the start."""
    return RateLimited("limit", START + timedelta(seconds=seconds))


def attempt(outcomes: list[Outcome], seconds: float, clock: FakeClock) -> tuple[Outcome, int]:
    """Call for those outcomes in turn; returns the last one, and the number of calls."""
    left = list(outcomes)

    def call() -> str:
        outcome = left.pop(0)
        if isinstance(outcome, GoldpanError):
            raise outcome
        return outcome

    try:
        result: Outcome = call_with_retry(call, Deadline.after(seconds, clock))
    except GoldpanError as error:
        result = error
    return result, len(outcomes) - len(left)


@pytest.mark.parametrize(
    ("seconds", "outcomes", "calls", "wait"),
    [
        (10, ["good"], 1, (0, 0)),
        # a rate limit is waited for if it leaves more than a second for the retry
        (10, [limited(-5), "good"], 2, (0, 0)),
        (10, [limited(8.5), "good"], 2, (8.5, 8.5)),
        (10, [limited(9), "never"], 1, (0, 0)),
        # an unavailable source is called again a moment later, if more than a second is left
        (1.01, [RESET, "good"], 2, (0.2, 0.5)),
        (1.0, [RESET, "never"], 1, (0, 0)),
        # the retry is the last call
        (10, [RESET, AGAIN, "never"], 2, (0.2, 0.5)),
        (10, [RESET, limited(1), "never"], 2, (0.2, 0.5)),
        # these would only repeat themselves
        (10, [TimedOut("late"), "never"], 1, (0, 0)),
        (10, [Refused("no"), "never"], 1, (0, 0)),
        (10, [Cancelled("cancelled"), "never"], 1, (0, 0)),
        (10, [CredentialRejected("TOKEN"), "never"], 1, (0, 0)),
        (10, [Unreachable("no network"), "never"], 1, (0, 0)),
    ],
)
def test_calls_and_waits(seconds: float, outcomes: list[Outcome], calls: int, wait: tuple[float, float]) -> None:
    """The last call is returned or raised, after a wait between two limits in seconds."""
    clock = FakeClock()
    assert attempt(outcomes, seconds, clock) == (outcomes[calls - 1], calls)
    assert wait[0] <= sum(clock.waits) <= wait[1]


def test_a_retry_without_room_hides_no_failure() -> None:
    """The first cause is raised where our own limit or the time leaves no call; a cancelled wait ends the call."""
    ours, late = RateLimited("ours", START + timedelta(hours=1), sent=False), TimedOut("late")
    late.sent = False
    for unsent in (ours, late):
        assert attempt([RESET, unsent], 10, FakeClock()) == (RESET, 2)
    clock = FakeClock()
    clock.on_wait = cancel
    cancelled, calls = attempt([limited(2), "never"], 10, clock)
    assert (type(cancelled), calls) == (Cancelled, 1)
