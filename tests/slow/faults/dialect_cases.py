"""GitHub fails in ways that only GraphQL knows, or only REST."""

from __future__ import annotations

from tests.slow.faults.case import Answered, Case, Ended, every
from tests.slow.faults.github_cases import FOREVER, GRAPHQL, LIMITED, REST, failed, limited
from tests.slow.faults.next_search import Then, is_left_alone
from tests.support.loopback import Fault
from tests.support.loopback.fault import Aim, LoopbackFault

ENRICH: Aim = {"contains": "query Enrich", "times": FOREVER}
SEARCH: Aim = {"contains": "query Search", "times": FOREVER}
FURTHER = "an answer from what the searches told, with an error that says which facts are missing and why"


def _graphql(  # noqa: PLR0913 - each is one column of the same row
    name: str,
    done: str,
    gets: str,
    expect: Ended | Answered,
    *faults: LoopbackFault,
    calls: tuple[int, int],
    then: Then | None = None,
) -> Case:
    return Case(GRAPHQL, name, done, gets, expect, calls, github=faults, then=then)


def _rest(name: str, done: str, gets: str, expect: Ended | Answered, *faults: Fault) -> Case:
    return Case(REST, name, done, gets, expect, (3, 10), github=faults, token=False)


SEARCHES = [
    _graphql(
        "partial data beside errors",
        "one search of each strategy is null, beside an error; the others are answered",
        "an answer from the others; each row says truncated, and why",
        Answered(rows=every("truncated"), details={"*": "SERVICE_UNAVAILABLE: Something went wrong"}),
        Fault.partial_data("s0", **SEARCH),
        calls=(3, 8),
    ),
    _graphql(
        "no data beside errors",
        "every call is answered 200 with data: null and an error",
        "a problem with the words of the error, after one more try a call",
        failed("GraphQL response has no data: error: Something went wrong"),
        Fault.status(200, body={"data": None, "errors": [{"message": "Something went wrong"}]}, times=FOREVER),
        calls=(3, 6),
    ),
    _graphql(
        "a limit that is told with HTTP 200",
        "every call is answered 200 with an error RATE_LIMITED and a reset in a minute",
        "a problem with the time of the reset; GitHub sees no call of the next search",
        limited(60),
        Fault.rate_limited_200(times=FOREVER),
        calls=(1, 3),
        then=is_left_alone,
    ),
    _graphql(
        "502 of a query that took too long",
        "every call is answered 502 with GitHub's own body for a timeout",
        "a problem with GitHub's status, after one more try a call",
        failed("GitHub answered 502"),
        Fault.graphql_timeout_502(times=FOREVER),
        calls=(3, 6),
    ),
    _graphql(
        "one strategy is over the limit",
        "the search by recency is answered 429 with Retry-After: 120, after the others were answered",
        "an answer from the others, with a row that gives the time; further facts are not asked for before it",
        Answered(
            rows=every("ok", recency="rate_limited"),
            details={"recency": LIMITED},
            errors={"shortlist": r"no further facts for \d+ repositories: the rate limit of github is reached"},
        ),
        Fault.too_many_requests(retry_after=120, contains="sort:updated", times=FOREVER).after(0.5),
        calls=(3, 3),
    ),
]

FACTS = [
    _graphql(
        "further facts fail",
        "the searches are answered, the calls for further facts are answered 502",
        FURTHER,
        Answered(errors={"shortlist": "no further facts for .* GitHub answered 502"}),
        Fault.status(502, **ENRICH),
        calls=(5, 7),
    ),
    _graphql(
        "further facts hang",
        "the searches are answered, the calls for further facts are not",
        FURTHER,
        Answered(errors={"shortlist": r"no further facts for \d+ repositories(?=.* before the deadline)"}),
        Fault.hang(**ENRICH),
        calls=(5, 5),
    ),
    _graphql(
        "further facts drip",
        "the searches are answered, the further facts come one byte a second",
        FURTHER,
        Answered(errors={"shortlist": r"no further facts for \d+ repositories(?=.* before the deadline)"}),
        Fault.drip(every=1, **ENRICH),
        calls=(5, 5),
    ),
    _graphql(
        "further facts are over the limit",
        "the searches are answered, the calls for further facts are answered 429 with Retry-After: 90",
        FURTHER,
        Answered(errors={"shortlist": r"no further facts for \d+ repositories(?=: .*rate limit)"}),
        Fault.too_many_requests(retry_after=90, **ENRICH),
        calls=(4, 5),
    ),
    _graphql(
        "further facts are partial",
        "the last repository of each batch of further facts is null, beside an error",
        "an answer with the facts of the others, and the error",
        Answered(errors={"shortlist": "SERVICE_UNAVAILABLE: Something went wrong"}),
        Fault.partial_data(**ENRICH),
        calls=(5, 5),
    ),
    _graphql(
        "401 from the further facts on",
        "the searches are answered, the calls for further facts are answered 401",
        "a problem that names GITHUB_TOKEN",
        Ended("credential-rejected", 500, (r"GITHUB_TOKEN: GitHub rejected it",)),
        Fault.status(401, **ENRICH),
        calls=(4, 5),
    ),
]

REST_ALONE = [
    _rest(
        "incomplete_results",
        "every search says that it ran out of time before it had seen everything",
        "an answer from what was found; each row says truncated, and why",
        Answered(rows=every("truncated"), details={"*": "answered before it had searched everything"}),
        Fault.incomplete_results(times=FOREVER),
    ),
]

CASES = [*SEARCHES, *FACTS, *REST_ALONE]
