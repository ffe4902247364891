"""GitHub fails in ways that a search with a token and one without meet alike."""

from __future__ import annotations

from collections.abc import Mapping

from tests.slow.faults.case import Answered, Case, Ended, every
from tests.slow.faults.next_search import (
    Then,
    is_asked_when_the_time_has_come,
    is_left_alone,
    recovers,
)
from tests.support.loopback import Fault

GRAPHQL, REST = "GitHub with a token (GraphQL)", "GitHub without a token (REST)"
ROOM = {"max_seconds": 9}
LIMITED = r"GitHub's rate limit is reached"
FOREVER = None


def both(  # noqa: PLR0913 - each is one column of the same row
    name: str,
    done: str,
    gets: str,
    expect: Ended | Answered,
    *faults: Fault,
    calls: Mapping[str, tuple[int, int]] | None = None,
    then: Then | None = None,
    request: Mapping[str, object] | None = None,
    environment: Mapping[str, str] | None = None,
) -> list[Case]:
    """Make the case with a token and the one without: three calls at least, and one more after each failure.

    Without a token ten calls are all that GitHub allows a minute, so that whether it recovers is seen with one.
    """
    most = calls or {GRAPHQL: (3, 6), REST: (3, 10)}
    return [
        Case(
            upstream=upstream,
            name=name,
            done=done,
            gets=gets,
            expect=expect,
            calls=most[upstream],
            github=faults,
            token=upstream == GRAPHQL,
            request=request or {},
            environment=environment or {},
            then=None if then is recovers and upstream == REST else then,
        )
        for upstream in (GRAPHQL, REST)
    ]


def failed(*says: str) -> Ended:
    """Expect that every source failed."""
    return Ended("sources-failed", 503, says)


def limited(seconds: int) -> Ended:
    """Expect that every source is over its limit, for about so many seconds."""
    return Ended("sources-limited", 429, (LIMITED,), (max(1, seconds - 4), seconds + 1))


THREE = {GRAPHQL: (1, 3), REST: (1, 3)}
"""One call a strategy, and none after the first refusal is known."""
WHOLE = {GRAPHQL: (5, 9), REST: (5, 7)}
"""A search that is answered, with a call or two more."""

REFUSED = [
    *both(
        "401",
        "every call is answered 401",
        "a problem that names GITHUB_TOKEN, never an answer that quietly lacks what the token is for",
        Ended("credential-rejected", 500, (r"GITHUB_TOKEN: GitHub \w+",)),
        Fault.status(401, times=FOREVER),
        calls=THREE,
    ),
    *both(
        "403 that is no limit",
        "every call is answered 403, without a word of a limit",
        "a problem with GitHub's words; no call is made twice",
        failed("GitHub answered 403 .*administrative rules"),
        Fault.status(403, body={"message": "Request forbidden by administrative rules."}, times=FOREVER),
        calls={GRAPHQL: (3, 3), REST: (3, 5)},
    ),
    *both(
        "a redirect elsewhere",
        "every call is answered 301 with another address",
        "a problem; the redirect is not followed, so that no token goes elsewhere",
        failed("GitHub answered 301"),
        Fault.status(301, {"location": "http://127.0.0.1:9/elsewhere"}, times=FOREVER),
        calls={GRAPHQL: (3, 3), REST: (3, 5)},
    ),
]

WAITED = Answered()
LIMITS = [
    *both(
        "429 with a Retry-After that fits",
        "one call is answered 429 with Retry-After: 1",
        "the whole answer, a second later",
        WAITED,
        Fault.too_many_requests(retry_after=1),
        request=ROOM,
        calls=WHOLE,
    ),
    *both(
        "403 as a limit, with a Retry-After that fits",
        "one call is answered 403 with Retry-After: 1",
        "the whole answer, a second later",
        WAITED,
        Fault.secondary_limit(retry_after=1),
        request=ROOM,
        calls=WHOLE,
    ),
    *both(
        "429 with a Retry-After beyond the deadline",
        "every call is answered 429 with Retry-After: 120",
        "a problem with the time; GitHub sees no call of the next search",
        limited(120),
        Fault.too_many_requests(retry_after=120, times=FOREVER),
        calls=THREE,
        then=is_left_alone,
    ),
    *both(
        "429 until the time has come",
        "every call is answered 429 with Retry-After: 2, and GitHub is well after that",
        "a problem with the time; a search before it asks nothing, a search after it is answered",
        limited(2),
        Fault.too_many_requests(retry_after=2, times=FOREVER),
        calls=THREE,
        then=is_asked_when_the_time_has_come,
    ),
    *both(
        "429 without Retry-After",
        "every call is answered 429 and nothing else",
        "a problem with a time in a minute; GitHub sees no call of the next search",
        limited(60),
        Fault.too_many_requests(times=FOREVER),
        calls=THREE,
        then=is_left_alone,
    ),
    *both(
        "403 as a limit, with a Retry-After beyond the deadline",
        "every call is answered 403 with Retry-After: 45",
        "a problem with the time; GitHub sees no call of the next search",
        limited(45),
        Fault.secondary_limit(retry_after=45, times=FOREVER),
        calls=THREE,
        then=is_left_alone,
    ),
    *both(
        "403 as a limit, with x-ratelimit-remaining: 0",
        "every call is answered 403, no request left and a reset in 90 seconds",
        "a problem with the time of the reset; GitHub sees no call of the next search",
        limited(90),
        Fault.secondary_limit(retry_after=None, reset_in=90, times=FOREVER),
        calls=THREE,
        then=is_left_alone,
    ),
]

BROKEN = [
    *[
        case
        for code in (500, 502, 503)
        for case in both(
            f"{code} that lasts",
            f"every call is answered {code}",
            "a problem with GitHub's status, after one more try a call",
            failed(f"GitHub answered {code}"),
            Fault.status(code, times=FOREVER),
            then=recovers,
        )
    ],
    *both(
        "502 that passes",
        "one call is answered 502",
        "the whole answer: that call is tried once more",
        Answered(),
        Fault.status(502),
        request=ROOM,
        calls=WHOLE,
    ),
    *both(
        "a hang",
        "calls are accepted and never answered",
        "a problem that says timeout, in the seconds that were allowed",
        failed(r"github: timeout \(no answer before the deadline"),
        Fault.hang(times=FOREVER),
        calls={GRAPHQL: (3, 3), REST: (3, 3)},
    ),
    *both(
        "a slow drip",
        "true answers come one byte a second",
        "a problem that says timeout, in the seconds that were allowed",
        failed(r"github: timeout \(no answer before the deadline"),
        Fault.drip(every=1, times=FOREVER),
        calls={GRAPHQL: (3, 3), REST: (3, 3)},
    ),
    *both(
        "a reset",
        "connections are reset before any byte",
        "a problem, after one more try a call",
        failed("could not be reached: .*reset"),
        Fault.reset(times=FOREVER),
        then=recovers,
    ),
    *both(
        "a reset that passes",
        "one connection is reset before any byte",
        "the whole answer: that call is tried once more",
        Answered(),
        Fault.reset(),
        request=ROOM,
        calls=WHOLE,
    ),
    *both(
        "a truncated body",
        "the connection ends in the middle of each answer",
        "a problem, after one more try a call; half an answer is never read",
        failed("peer closed connection without sending complete message body"),
        Fault.truncated(times=FOREVER),
    ),
    *both(
        "another content type",
        "every call is answered 200 with a page for people, as a captive proxy does",
        "a problem that tells the content type, after one more try a call",
        failed("answered 200 with text/html.* that is not JSON"),
        Fault.wrong_content_type(times=FOREVER),
    ),
    *both(
        "broken JSON",
        "every call is answered 200 with JSON that breaks off",
        "a problem that says so, after one more try a call",
        failed("answered 200 with application/json.* that is not JSON"),
        Fault.not_json(times=FOREVER),
    ),
    *both(
        "a body that is small only while it is packed",
        "every call is answered 200 with 40 KB that unpack to 40 MB",
        "a problem that says so; no more than 32 MB are unpacked",
        failed("the response is too large"),
        Fault.bomb(times=FOREVER),
    ),
    *both(
        "nobody listens",
        "the connection is refused",
        "a problem at once: another try would find nobody either",
        failed("could not be reached: .*refused"),
        environment={"GITHUB_API_URL": "http://127.0.0.1:9"},
        calls={GRAPHQL: (0, 0), REST: (0, 0)},
    ),
]

ONE = {GRAPHQL: (5, 7), REST: (5, 7)}
PARTLY = [
    *both(
        "one strategy fails",
        "the search by recency is answered 502, the others are answered",
        "an answer from the others, with a row that says what failed",
        Answered(rows=every("ok", recency="unavailable"), details={"recency": "GitHub answered 502"}),
        Fault.status(502, contains="updated", times=FOREVER),
        calls=ONE,
    ),
    *both(
        "one strategy hangs",
        "the search by recency is never answered, the others are",
        "an answer from the others, with a row that says timeout",
        Answered(rows=every("ok", recency="timeout"), details={"recency": "no answer before the deadline"}),
        Fault.hang(contains="updated", times=FOREVER),
        calls=ONE,
    ),
]

CASES = [*REFUSED, *LIMITS, *BROKEN, *PARTLY]
