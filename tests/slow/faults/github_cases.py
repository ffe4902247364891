"""GitHub fails, with a token (GraphQL) and without one (REST)."""

from __future__ import annotations

from typing import Any

from tests.slow.faults.after import is_blocked, is_blocked_until_then, recovers
from tests.slow.faults.case import ALWAYS, Answered, Calls, Case, Problem, every
from tests.support.loopback import Fault
from tests.support.loopback.fault import Aim

GRAPHQL, REST = "GitHub with a token (GraphQL)", "GitHub without a token (REST)"
EACH: dict[str, Calls] = {GRAPHQL: (3, 6), REST: (3, 10)}
"""Each search, and one retry of each."""
ONCE: dict[str, Calls] = {GRAPHQL: (3, 3), REST: (3, 5)}
UNTIL_KNOWN: dict[str, Calls] = {GRAPHQL: (1, 3), REST: (1, 3)}
"""One request a strategy, and none after the first refusal."""
COMPLETE: dict[str, Calls] = {GRAPHQL: (5, 9), REST: (5, 7)}
"""A search that is answered, with one or two retries."""
SHORT_TIME = {"max_seconds": 5}
RETRIED = "an error, after one retry of each request"
TIMEOUT = "an error that reports the timeout"
BLOCKED = "an error with the time; the next search sends no request before it"
PASSES = "the complete answer, after one retry"
LIMITED = r"GitHub's rate limit is reached"


def _case(upstream: str, fault: str, result: str, expect: Problem | Answered, *faults: Fault, **more: Any) -> Case:
    return Case(upstream, fault, result, expect, github=faults, token=upstream == GRAPHQL, **more)


def _both(
    fault: str, result: str, expect: Problem | Answered, *faults: Fault, calls: dict[str, Calls] = EACH, **more: Any
) -> list[Case]:
    """Make the case with a token and without; without one the limit leaves no requests to see whether it recovers."""
    without = {**more, "after": None} if more.get("after") is recovers else more
    return [
        _case(GRAPHQL, fault, result, expect, *faults, calls=calls[GRAPHQL], **more),
        _case(REST, fault, result, expect, *faults, calls=calls[REST], **without),
    ]


def failed(*says: str) -> Problem:
    """Expect that every source failed."""
    return Problem("sources-failed", 503, says)


def _limited(seconds: int) -> Problem:
    return Problem("sources-limited", 429, (LIMITED,), (seconds // 2, seconds + 1))


BOTH = [
    *_both(
        "answers 401", "an error that names GITHUB_TOKEN",
        Problem("credential-rejected", 500, (r"GITHUB_TOKEN: GitHub \w+",)), Fault.status(401, **ALWAYS),
        calls=UNTIL_KNOWN, short=True,
    ),
    *_both(
        "answers 403 for another reason than a rate limit", "an error with GitHub's message, without a retry",
        failed("GitHub answered 403 .*administrative rules"),
        Fault.status(403, body={"message": "Request forbidden by administrative rules."}, **ALWAYS), calls=ONCE,
    ),
    *_both(
        "redirects to another host", "an error; no token is sent to another host", failed("GitHub answered 301"),
        Fault.status(301, {"location": "http://127.0.0.1:9/elsewhere"}, **ALWAYS), calls=ONCE,
    ),
    *_both(
        "answers 429 once, Retry-After: 1", PASSES, Answered(), Fault.too_many_requests(retry_after=1), calls=COMPLETE,
    ),
    *_both(
        "answers 403 once for a rate limit, Retry-After: 1", PASSES, Answered(), Fault.secondary_limit(retry_after=1),
        calls=COMPLETE,
    ),
    *_both(
        "answers 429, Retry-After: 120", BLOCKED, _limited(120), Fault.too_many_requests(retry_after=120, **ALWAYS),
        calls=UNTIL_KNOWN, after=is_blocked, short=True,
    ),
    *_both(
        "answers 429, Retry-After: 2, with five seconds in total", BLOCKED + ", a later one is answered", _limited(2),
        Fault.too_many_requests(retry_after=2, **ALWAYS), calls=UNTIL_KNOWN, request=SHORT_TIME,
        after=is_blocked_until_then,
    ),
    *_both(
        "answers 429 without Retry-After", BLOCKED, _limited(60), Fault.too_many_requests(**ALWAYS), calls=UNTIL_KNOWN,
        after=is_blocked,
    ),
    *_both(
        "answers 403 for a rate limit, Retry-After: 45", BLOCKED, _limited(45),
        Fault.secondary_limit(retry_after=45, **ALWAYS), calls=UNTIL_KNOWN, after=is_blocked,
    ),
    *_both(
        "answers 403, x-ratelimit-remaining: 0, reset in 90 seconds", BLOCKED, _limited(90),
        Fault.secondary_limit(retry_after=None, reset_in=90, **ALWAYS), calls=UNTIL_KNOWN, after=is_blocked,
    ),
    *(
        case
        for code in (500, 502, 503)
        for case in _both(
            f"answers {code}", RETRIED, failed(f"GitHub answered {code}"), Fault.status(code, **ALWAYS),
            after=recovers, short=code == 502,
        )
    ),
    *_both("answers 502 once", PASSES, Answered(), Fault.status(502), calls=COMPLETE),
    *_both(
        "hangs", TIMEOUT, failed(r"github: timeout \(no answer before the deadline"), Fault.hang(**ALWAYS),
        calls={GRAPHQL: (3, 3), REST: (3, 3)}, request=SHORT_TIME, short=True,
    ),
    *_both(
        "sends one byte a second", TIMEOUT, failed(r"github: timeout \(no answer before the deadline"),
        Fault.drip(every=1, **ALWAYS), calls={GRAPHQL: (3, 3), REST: (3, 3)}, request=SHORT_TIME,
    ),
    *_both(
        "resets each connection", RETRIED, failed("could not be reached: .*reset"), Fault.reset(**ALWAYS),
        after=recovers,
    ),
    *_both("resets one connection", PASSES, Answered(), Fault.reset(), calls=COMPLETE),
    *_both(
        "closes each connection in the middle of its response", RETRIED,
        failed("peer closed connection without sending complete message body"), Fault.broken_off(**ALWAYS),
    ),
    *_both(
        "answers 200 with an HTML page", RETRIED, failed("answered 200 with text/html.* that is not JSON"),
        Fault.wrong_content_type(**ALWAYS),
    ),
    *_both(
        "answers 200 with incomplete JSON", RETRIED, failed("answered 200 with application/json.* that is not JSON"),
        Fault.not_json(**ALWAYS), short=True,
    ),
    *_both(
        "answers with 40 KB that unpack to 40 MB", "an error; at most 32 MB are unpacked",
        failed("the response is too large"), Fault.bomb(**ALWAYS),
    ),
    *_both(
        "refuses the connection", "an error, without a retry", failed("could not be reached: .*refused"),
        environment={"GITHUB_API_URL": "http://127.0.0.1:9"}, calls={GRAPHQL: (0, 0), REST: (0, 0)},
    ),
    *_both(
        "answers 502 to one strategy", "the answer of the other strategies",
        Answered(rows=every("ok", recency="unavailable"), details={"recency": "GitHub answered 502"}),
        Fault.status(502, contains="updated", times=None), calls={GRAPHQL: (5, 7), REST: (5, 7)}, short=True,
    ),
    *_both(
        "hangs for one strategy", "the answer of the other strategies",
        Answered(rows=every("ok", recency="timeout"), details={"recency": "no answer before the deadline"}),
        Fault.hang(contains="updated", times=None), calls={GRAPHQL: (5, 7), REST: (5, 7)},
    ),
]  # fmt: skip

ENRICH: Aim = {"contains": "query Enrich", "times": None}
SEARCH: Aim = {"contains": "query Search", "times": None}
FACTS = "the answer without further facts, with the reason"
NO_FACTS = r"no further facts for \d+ repositories"


def _graphql(fault: str, result: str, expect: Problem | Answered, *faults: Fault, **more: Any) -> Case:
    return _case(GRAPHQL, fault, result, expect, *faults, **{"calls": (3, 6), **more})


def _facts(fault: str, error: str, *faults: Fault, calls: Calls = (5, 5), **more: Any) -> Case:
    return _graphql(
        f"further facts: {fault}", FACTS, Answered(errors={"shortlist": error}), *faults, calls=calls, **more
    )


OF_GRAPHQL = [
    _graphql(
        "answers one search of each strategy with null and an error", "the answer of the other searches",
        Answered(rows=every("truncated"), details={"*": "SERVICE_UNAVAILABLE: Something went wrong"}),
        Fault.partial_data("s0", **SEARCH), calls=(3, 8),
    ),
    _graphql(
        "answers 200 with an error and no data", RETRIED,
        failed("GraphQL response has no data: error: Something went wrong"),
        Fault.status(200, body={"data": None, "errors": [{"message": "Something went wrong"}]}, **ALWAYS),
    ),
    _graphql(
        "answers 200 with RATE_LIMITED, reset in a minute", BLOCKED, _limited(60), Fault.rate_limited_200(**ALWAYS),
        calls=(1, 3), after=is_blocked,
    ),
    _graphql(
        "answers 502 for a query that took too long", RETRIED, failed("GitHub answered 502"),
        Fault.graphql_timeout_502(**ALWAYS),
    ),
    _graphql(
        "answers 429 to the last strategy, Retry-After: 120", "the other strategies, without further facts",
        Answered(
            rows=every("ok", recency="rate_limited"), details={"recency": LIMITED},
            errors={"shortlist": NO_FACTS + ": the rate limit of github is reached"},
        ),
        Fault.too_many_requests(retry_after=120, contains="sort:updated", times=None).after(1.5), calls=(3, 3),
    ),
    _facts("answers 502", f"{NO_FACTS}: GitHub answered 502", Fault.status(502, **ENRICH), calls=(5, 7), short=True),
    _facts(
        "hangs", rf"{NO_FACTS}(?=.* before the deadline)", Fault.hang(**ENRICH), request={"max_seconds": 8},
    ),
    _facts(
        "sends one byte a second", rf"{NO_FACTS}(?=.* before the deadline)", Fault.drip(every=1, **ENRICH),
        request={"max_seconds": 8},
    ),
    _facts(
        "answers 429, Retry-After: 90", rf"{NO_FACTS}(?=: .*rate limit)",
        Fault.too_many_requests(retry_after=90, **ENRICH), calls=(4, 5),
    ),
    _facts(
        "answers one repository of each batch with null and an error", "SERVICE_UNAVAILABLE: Something went wrong",
        Fault.partial_data(**ENRICH),
    ),
    _graphql(
        "further facts: answers 401", "an error that names GITHUB_TOKEN",
        Problem("credential-rejected", 500, ("GITHUB_TOKEN: GitHub rejected it",)), Fault.status(401, **ENRICH),
        calls=(4, 5),
    ),
]  # fmt: skip

OF_REST = [
    _case(
        REST, "reports incomplete_results", "the answer, truncated",
        Answered(rows=every("truncated"), details={"*": "answered before it had searched everything"}),
        Fault.incomplete_results(**ALWAYS), calls=(3, 10),
    ),
]  # fmt: skip

NODE = {"nameWithOwner": "o/r", "url": "https://github.com/o/r", "stargazerCount": 500}
ITEM: dict[str, object] = {
    "full_name": "o/r", "html_url": "https://github.com/o/r", "stargazers_count": 500,
    "description": "a react animation library",
}  # fmt: skip
UNKNOWN = failed(r"GitHub(?:'s)? [^;(:]+\w")
SEARCHES: dict[str, object] = {
    "an object without its list": {},
    "a list instead of an object": [1],
    "a number instead of a list": {"repositoryCount": 1, "nodes": 7},
    "a text instead of a count": {"repositoryCount": "many", "nodes": [NODE]},
    "a topic that is null": {"repositoryCount": 1, "nodes": [NODE | {"repositoryTopics": {"nodes": [None]}}]},
}
ENRICHMENTS: dict[str, dict[str, object]] = {
    "a release that is null": {"releases": {"totalCount": 1, "nodes": [None]}},
    "a file without a name": {"tree": {"entries": [{"type": "blob"}]}},
    "a README that is a number": {"readmeMd": {"text": 7}},
}
REST_BODIES: dict[str, dict[str, object]] = {
    "no list of repositories": {"message": "hello"},
    "a text instead of a count": {"total_count": "many", "items": []},
    "a repository that is null": {"total_count": 1, "items": [None]},
    "stars that are a text": {"total_count": 1, "items": [ITEM | {"stargazers_count": "many"}]},
    "a description that is a number": {"total_count": 1, "items": [ITEM | {"description": 7}]},
    "a licence that is a text": {"total_count": 1, "items": [ITEM | {"license": "MIT"}]},
    "topics that are a number": {"total_count": 1, "items": [ITEM | {"topics": 7}]},
}


def _answers(body: object, **aim: Any) -> Fault:
    return Fault.status(200, body=body, **{**ALWAYS, **aim})


OF_ANOTHER_SCHEMA = [
    *(
        _graphql(f"answers with {name}", "an error about the schema", UNKNOWN, _answers({"data": data}))
        for name, found in SEARCHES.items()
        for data in [{f"s{place}": found for place in range(15)}]
    ),
    _graphql("answers with errors that are a number", "an error about the schema", UNKNOWN, _answers({"errors": 7})),
    *(
        _facts(
            f"answers with {name}", f"{NO_FACTS}.*schema",
            _answers({"data": {f"r{place}": facts for place in range(10)}}, contains="query Enrich"), calls=(5, 7),
        )
        for name, facts in ENRICHMENTS.items()
    ),
    *(
        _case(REST, f"answers with {name}", "an error about the schema", UNKNOWN, _answers(body), calls=(3, 10))
        for name, body in REST_BODIES.items()
    ),
]  # fmt: skip

CASES = [*BOTH, *OF_GRAPHQL, *OF_REST, *OF_ANOTHER_SCHEMA]
