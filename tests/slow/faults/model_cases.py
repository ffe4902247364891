"""The language model fails: the candidates stay the same, judged by rules, and the answer says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.slow.faults.case import Answered, Case, Ended
from tests.slow.faults.next_search import (
    Then,
    as_without_a_model,
    as_without_a_model_and_recovers,
    no_reason_says,
    scores,
)
from tests.slow.faults.world import CONFIG, KEY
from tests.support.loopback import LLMFault
from tests.support.loopback.fault import Aim

MODEL = "The language model"
ALWAYS: Aim = {"times": None}
JUDGING: Aim = {"contains": "You judge", "times": None}
ROOM = {"max_seconds": 9}
IMPATIENT = {"config": CONFIG | {"llm_timeout_seconds": 1.2}}
ALL = (6, 26)
"""One call for the question and one a repository of the shortlist, none of them twice."""
BY_RULES = "the same candidates, each judged by rules, with a warning that counts them"


def _case(  # noqa: PLR0913 - each is one column of the same row
    name: str,
    done: str,
    gets: str,
    expect: Ended | Answered,
    *faults: LLMFault,
    calls: tuple[int, int] = ALL,
    request: Mapping[str, object] = ROOM,
    environment: Mapping[str, str] | None = None,
    then: Then | None = None,
) -> Case:
    unread = isinstance(expect, Answered) and "translate" in expect.errors and expect.by == ("rules",)
    return Case(
        MODEL,
        name,
        done,
        gets,
        expect,
        calls,
        model=faults,
        request=request,
        environment=environment or {},
        then=then or (as_without_a_model if unread else None),
    )


def _down(why: str) -> Answered:
    """Expect that neither the question nor a repository was read by the model, and why."""
    return Answered(
        warns=(f"did not translate the question .*{why}", r"(\d+) of \1 repositories were ordered by rules"),
        errors={"translate": why, "score": why + r".* \(\d+ times\)"},
    )


def _unjudged(why: str) -> Answered:
    """Expect that the question was read by the model, and no repository."""
    return Answered(
        warns=(r"(\d+) of \1 repositories were ordered by rules",), errors={"score": why + r".* \(\d+ times\)"}
    )


def _rejected(status: int) -> Ended:
    return Ended("credential-rejected", 500, ("^LLM_API_KEY: ", f"rejected it .*{status}"))


REJECTED = [
    _case(
        "401",
        "every call is answered 401",
        "a problem that names LLM_API_KEY after one call, before GitHub is asked",
        _rejected(401),
        LLMFault.status(401, **ALWAYS),
        calls=(1, 1),
    ),
    _case(
        "403",
        "every call is answered 403",
        "a problem that names LLM_API_KEY after one call, before GitHub is asked",
        _rejected(403),
        LLMFault.status(403, **ALWAYS),
        calls=(1, 1),
    ),
    _case(
        "401 that repeats the key",
        "every call is answered 401 with the key in its words",
        "a problem that names LLM_API_KEY and does not tell its value",
        Ended("credential-rejected", 500, ("^LLM_API_KEY: ", r"Incorrect API key provided: \[key\]")),
        LLMFault.status(401, body={"error": {"message": f"Incorrect API key provided: {KEY}"}}, **ALWAYS),
        calls=(1, 1),
    ),
    _case(
        "401 from the scoring on",
        "the question is translated, every judgement is answered 401",
        "a problem that names LLM_API_KEY, instead of an answer by rules",
        _rejected(401),
        LLMFault.status(401, **JUDGING),
        calls=(2, 26),
    ),
]

STATUSES = [
    _case(
        f"{code}{also}",
        f"every call is answered {code}{also}",
        BY_RULES,
        _down(f"the language model answered {code}"),
        LLMFault.status(code, headers, **ALWAYS),
        then=as_without_a_model_and_recovers if code >= 500 else None,
    )
    for code, also, headers in (
        (402, "", None),
        (404, "", None),
        (429, " with Retry-After: 60", {"retry-after": "60"}),
        (429, " without Retry-After", None),
        (500, "", None),
        (502, "", None),
        (503, "", None),
    )
]

LATE = "the language model did not answer in time"
UNASKED = "the language model could not be asked"
TRANSPORT = [
    _case(
        "a hang", "calls are accepted and never answered", BY_RULES, _down(LATE),
        LLMFault.hang(**ALWAYS), request=IMPATIENT,
    ),
    _case(
        "a slow drip", "true answers come one byte a second", BY_RULES, _down(LATE),
        LLMFault.drip(every=1, **ALWAYS), request=IMPATIENT,
    ),
    _case(
        "blank lines that never end", "the connection is kept alive by blank lines, for ever", BY_RULES, _down(LATE),
        LLMFault.keep_alive(every=0.1, **ALWAYS), request=IMPATIENT,
    ),
    _case(
        "blank lines, then the answer", "some blank lines come before each true answer",
        "the whole answer, judged by the model", Answered(by=("llm",)),
        LLMFault.keep_alive(every=0.05, lines=3, **ALWAYS),
    ),
    _case(
        "a reset", "connections are reset before any byte", BY_RULES, _down(UNASKED),
        LLMFault.reset(**ALWAYS), then=as_without_a_model_and_recovers,
    ),
    _case(
        "a truncated body", "the connection ends in the middle of each answer", BY_RULES, _down(UNASKED),
        LLMFault.broken_off(**ALWAYS),
    ),
    _case(
        "nobody listens", "the connection is refused", BY_RULES, _down(UNASKED),
        environment={"LLM_BASE_URL": "http://127.0.0.1:9/v1"}, calls=(0, 0),
    ),
    _case(
        "another content type", "every call is answered 200 with a page for people, as a captive proxy does", BY_RULES,
        _down("completion is not in the promised form"), LLMFault.wrong_content_type(**ALWAYS),
    ),
]  # fmt: skip

CONTENT = [
    _case(
        "blank content", "every answer says nothing at all", BY_RULES, _down("answered with blank content"),
        LLMFault.blank(**ALWAYS),
    ),
    _case(
        "null content", "every answer has a message without content", BY_RULES, _down("answered with blank content"),
        LLMFault.null_content(**ALWAYS),
    ),
    _case(
        "content fenced in Markdown", "every true answer is wrapped in a code fence",
        "the whole answer, judged by the model", Answered(by=("llm",)), LLMFault.fenced(**ALWAYS),
    ),
    _case(
        "truncated JSON", "every answer breaks off, with finish_reason length", BY_RULES,
        _down(r"answer is not JSON \(truncated at max_tokens\)"), LLMFault.truncated(**ALWAYS),
    ),
    _case(
        "prose", "every answer is a friendly sentence", BY_RULES, _down("answer is not JSON"),
        LLMFault.not_json(**ALWAYS),
    ),
    _case(
        "a top-level array", "every true answer is put into an array", BY_RULES,
        _down("answered with a JSON list, not an object"), LLMFault.array(**ALWAYS),
    ),
    _case(
        "a completion without choices", "every call is answered 200 with choices: []", BY_RULES,
        _down("completion is not in the promised form"), LLMFault.status(200, body={"choices": []}, **ALWAYS),
    ),
    _case(
        "an error with HTTP 200", "every call is answered 200 with an error object", BY_RULES,
        _down("completion is not in the promised form"),
        LLMFault.status(200, body={"error": {"message": "overloaded"}}, **ALWAYS),
    ),
]  # fmt: skip


def _strange(said: dict[str, Any]) -> dict[str, Any]:
    return said | {"id": "somebody/else", "repository": "somebody/else", "scores": {"somebody/else": 10}}


def _set(**values: object) -> Any:
    def change(said: dict[str, Any]) -> dict[str, Any]:
        return said | values

    return change


JUDGEMENTS = [
    _case(
        "wrong ids and extra fields", "every judgement speaks of another repository in further fields",
        "the whole answer: a judgement is of the repository that was asked about, the rest is not read",
        Answered(by=("llm",)), LLMFault.edited(_strange, **ALWAYS),
    ),
    _case(
        "scores out of range", "every judgement has relevance 55, documentation -3 and ease of use 1e9",
        "the whole answer, with 1, 0 and 10", Answered(by=("llm",)),
        LLMFault.edited(_set(relevance=55, documentation=-3, ease_of_use=1e9), **JUDGING), then=scores(1, 0, 10),
    ),
    _case(
        "a score in words", "every judgement has relevance “high”", BY_RULES,
        _unjudged("answer breaks the form: Input should be a valid number"),
        LLMFault.edited(_set(relevance="high"), **JUDGING),
    ),
    _case(
        "a score that is no number", "every judgement has relevance NaN", BY_RULES,
        _unjudged("answer breaks the form: Input should be a finite number"),
        LLMFault.edited(_set(relevance=float("nan")), **JUDGING),
    ),
    _case(
        "a judgement without its fields", "every judgement is an empty object", BY_RULES,
        _unjudged("answer breaks the form: Field required"), LLMFault.edited(lambda _: {}, **JUDGING),
    ),
    _case(
        "a quote that the README does not hold", "every reason quotes “used by everyone”, which stands nowhere",
        "the whole answer without the quote, and a caveat beside each result",
        Answered(by=("llm",), caveat="A quote in its reason was not found in its text, and was removed"),
        LLMFault.edited(_set(reasoning="It is used by everyone, it says.", quote="used by everyone"), **JUDGING),
        then=no_reason_says("used by everyone"),
    ),
    _case(
        "the translation alone fails", "the first call is answered 500",
        "an answer judged by the model; a warning says that rules translated",
        Answered(
            by=("llm",), warns=("did not translate the question .*500",),
            errors={"translate": "the language model answered 500"},
        ),
        LLMFault.status(500),
    ),
    _case(
        "one judgement fails", "the call about motion-kit is answered 500",
        "an answer judged by the model; that one result is judged by rules, and a warning counts it",
        Answered(
            by=("llm", "rules"), warns=(r"^1 of \d+ repositories were ordered by rules",),
            errors={"score": "the language model answered 500"},
        ),
        LLMFault.status(500, contains="example-org/motion-kit", times=None),
    ),
]  # fmt: skip

CASES = [*REJECTED, *STATUSES, *TRANSPORT, *CONTENT, *JUDGEMENTS]
