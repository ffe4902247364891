"""GitHub fails, with a token (GraphQL) and without one (REST)."""

from typing import Any

from tests.slow.faults.case import ALWAYS, Answered, Calls, Case, Problem, every
from tests.slow.faults.judge import is_blocked, recovers
from tests.support.loopback import Aim, Fault

GRAPHQL, REST = "GitHub with a token (GraphQL)", "GitHub without a token (REST)"
Pair = tuple[Calls, Calls]
"""The fewest and the most requests, with a token and without."""
EACH: Pair = ((3, 6), (3, 10))
"""Each search, and one retry of each."""
ONCE: Pair = ((3, 3), (3, 5))
UNTIL_KNOWN: Pair = ((1, 3), (1, 3))
"""One request a strategy, and none after the first refusal."""
COMPLETE: Pair = ((5, 9), (5, 7))
"""A search that is answered, with one or two retries."""
RETRIED = "an error, after one retry of each request"
BLOCKED = "an error with the time; the next search sends no request before it"
OTHERS = "the answer of the other strategies"
FACTS = "the answer without further facts, with the reason"
LIMITED = r"GitHub's rate limit is reached"
NO_FACTS = r"no further facts for \d+ repositor(y|ies)"
ENRICH: Aim = {"contains": "query Enrich", "times": None}
SEARCH: Aim = {"contains": "query Search", "times": None}
RECENCY: Aim = {"contains": "updated", "times": None}


def _case(upstream: str, fault: str, result: str, expect: Problem | Answered, *faults: Fault, **more: Any) -> Case:
    more = {"calls": EACH[upstream == REST], **more}
    return Case(upstream, fault, result, expect, github=faults, token=upstream == GRAPHQL, **more)


def _both(
    fault: str, result: str, expect: Problem | Answered, *faults: Fault, calls: Pair = EACH, **more: Any
) -> list[Case]:
    """Make the case with a token and without; without one the limit leaves no requests to see whether it recovers."""
    without = {**more, "after": None} if more.get("after") is recovers else more
    return [
        _case(upstream, fault, result, expect, *faults, calls=own, **options)
        for upstream, own, options in zip((GRAPHQL, REST), calls, (more, without), strict=True)
    ]


def _failed(*says: str) -> Problem:
    return Problem("sources-failed", 503, says)


def _limited(seconds: int) -> Problem:
    return Problem("sources-limited", 429, (LIMITED,), (seconds // 2, seconds + 1))


def _down(fault: str, says: str, *faults: Fault, **more: Any) -> list[Case]:
    return _both(fault, RETRIED, _failed(says), *faults, **more)


def _blocked(fault: str, seconds: int, *faults: Fault, **more: Any) -> list[Case]:
    return _both(fault, BLOCKED, _limited(seconds), *faults, calls=UNTIL_KNOWN, after=is_blocked, **more)


def _late(fault: str, *faults: Fault, **more: Any) -> list[Case]:
    expect = _failed(r"github: timeout \(no answer before the deadline")
    more = {"calls": ((3, 3), (3, 3)), "request": {"max_seconds": 5}, **more}
    return _both(fault, "an error that reports the timeout", expect, *faults, **more)


def _passes(fault: str, *faults: Fault) -> list[Case]:
    return _both(fault, "the complete answer, after one retry", Answered(), *faults, calls=COMPLETE)


def _facts(fault: str, error: str, *faults: Fault, calls: Calls = (5, 5), **more: Any) -> Case:
    expect = Answered(errors={"shortlist": error})
    return _case(GRAPHQL, f"further facts: {fault}", FACTS, expect, *faults, calls=calls, **more)


BOTH = [
    *_both(
        "answers 401", "an error that names GITHUB_TOKEN",
        Problem("credential-rejected", 500, (r"GITHUB_TOKEN(?: is not set)?: GitHub \w+",)),
        Fault.status(401, **ALWAYS), calls=UNTIL_KNOWN, short=True,
    ),
    *_both(
        "answers 403 for another reason than a rate limit", "an error with GitHub's message, without a retry",
        _failed("GitHub answered 403 .*administrative rules"),
        Fault.status(403, body={"message": "Request forbidden by administrative rules."}, **ALWAYS), calls=ONCE,
    ),
    *_both(
        "redirects to another host", "an error; no token is sent to another host", _failed("GitHub answered 301"),
        Fault.status(301, {"location": "http://127.0.0.1:9/elsewhere"}, **ALWAYS), calls=ONCE,
    ),
    *_passes("answers 429 once, Retry-After: 1", Fault.limited(429, retry_after=1)),
    *_blocked("answers 429, Retry-After: 120", 120, Fault.limited(429, retry_after=120, **ALWAYS), short=True),
    *_blocked("answers 429 without Retry-After", 60, Fault.limited(429, **ALWAYS)),
    *_blocked(
        "answers 403, x-ratelimit-remaining: 0, reset in 90 seconds", 90,
        Fault.limited(403, reset_in=90, **ALWAYS),
    ),
    *_down("answers 502", "GitHub answered 502", Fault.status(502, **ALWAYS), after=recovers, short=True),
    *_passes("answers 502 once", Fault.status(502)),
    *_passes("answers 503 once, Retry-After: 1", Fault.status(503, {"retry-after": "1"})),
    *_both(
        "answers 503, Retry-After: 120", BLOCKED,
        Problem("sources-failed", 503, ("GitHub answered 503",), (60, 121)),
        Fault.status(503, {"retry-after": "120"}, **ALWAYS), calls=UNTIL_KNOWN, after=is_blocked, short=True,
    ),
    *_late("hangs", Fault.hang(**ALWAYS), short=True),
    *_late("sends one byte a second", Fault.drip(every=1, **ALWAYS)),
    *_down("resets each connection", "could not be reached: .*reset", Fault.reset(**ALWAYS), after=recovers),
    *_passes("resets one connection", Fault.reset()),
    *_down(
        "closes each connection in the middle of its response",
        "peer closed connection without sending complete message body", Fault.broken_off(**ALWAYS),
    ),
    *_down(
        "answers 200 with an HTML page", "answered 200 with text/html.* that is not JSON",
        Fault.wrong_content_type(**ALWAYS),
    ),
    *_down(
        "answers 200 with incomplete JSON", "answered 200 with application/json.* that is not JSON",
        Fault.not_json(**ALWAYS), short=True,
    ),
    *_down(
        "answers 200 with JSON nested 20,000 deep", "answered 200 with application/json.* that is not JSON",
        Fault.nested(**ALWAYS),
    ),
    *_both(
        "has a null in each list of repositories", "the answer from all the others, truncated",
        Answered(
            rows=every("truncated"), details={"*": r"GitHub's response was read without(?= \d+ repositor)"},
        ), Fault.null_members(**ALWAYS), calls=((5, 5), (5, 5)), short=True,
    ),
    *_both(
        "answers with 40 KB that unpack to 40 MB", "an error; at most 32 MB are unpacked",
        _failed("the response is larger than 32 MiB"), Fault.bomb(**ALWAYS),
    ),
    *_both(
        "refuses the connection", "an error, without a retry", _failed("could not be reached: .*refused"),
        environment={"GITHUB_API_URL": "http://127.0.0.1:9"}, calls=((0, 0), (0, 0)),
    ),
    *_both(
        "answers 502 to one strategy", OTHERS,
        Answered(rows=every("ok", recency="unavailable"), details={"recency": "GitHub answered 502"}),
        Fault.status(502, **RECENCY), calls=((5, 7), (5, 7)), short=True,
    ),
    *_both(
        "hangs for one strategy", OTHERS,
        Answered(rows=every("ok", recency="timeout"), details={"recency": "no answer before the deadline"}),
        Fault.hang(**RECENCY), calls=((5, 7), (5, 7)),
    ),
]  # fmt: skip

OF_ONE = [
    _case(
        GRAPHQL, "answers one search of each strategy with null and an error", "the answer of the other searches",
        Answered(rows=every("truncated"), details={"*": "SERVICE_UNAVAILABLE: Something went wrong"}),
        Fault.partial_data("s0", **SEARCH), calls=(3, 8),
    ),
    _case(
        GRAPHQL, "answers 200 with an error and no data", RETRIED,
        _failed("GraphQL response has no data: error: Something went wrong"),
        Fault.status(200, body={"data": None, "errors": [{"message": "Something went wrong"}]}, **ALWAYS),
    ),
    _case(
        GRAPHQL, "answers 200 with RATE_LIMITED, reset in a minute", BLOCKED, _limited(60),
        Fault.rate_limited_200(**ALWAYS), calls=(1, 3), after=is_blocked,
    ),
    _case(
        GRAPHQL, "answers 429 to the last strategy, Retry-After: 120", "the other strategies, without further facts",
        Answered(
            rows=every("ok", recency="rate_limited"), details={"recency": LIMITED},
            errors={"shortlist": NO_FACTS + ": the rate limit of github is reached"},
        ),
        Fault.limited(429, retry_after=120, contains="sort:updated", times=None).after(1.5), calls=(3, 3),
    ),
    _facts("answers 502", f"{NO_FACTS}: GitHub answered 502", Fault.status(502, **ENRICH), calls=(5, 7), short=True),
    _facts("hangs", rf"{NO_FACTS}(?=.* before the deadline)", Fault.hang(**ENRICH), request={"max_seconds": 8}),
    _facts(
        "answers 429, Retry-After: 90", rf"{NO_FACTS}(?=: .*rate limit)",
        Fault.limited(429, retry_after=90, **ENRICH), calls=(4, 5),
    ),
    _facts(
        "answers one repository of each batch with null and an error", "SERVICE_UNAVAILABLE: Something went wrong",
        Fault.partial_data(**ENRICH),
    ),
    _case(
        GRAPHQL, "further facts: answers 401", "an error that names GITHUB_TOKEN",
        Problem("credential-rejected", 500, ("GITHUB_TOKEN: GitHub rejected it",)), Fault.status(401, **ENRICH),
        calls=(4, 5),
    ),
    _case(
        REST, "reports incomplete_results", "the answer, truncated",
        Answered(rows=every("truncated"), details={"*": "answered before it had searched everything"}),
        Fault.incomplete_results(**ALWAYS),
    ),
]  # fmt: skip

CASES = [*BOTH, *OF_ONE]
