"""The language model fails: the candidates stay the same, scored by rules, and the answer reports it."""

from typing import Any

from tests.slow.faults.case import ALWAYS, CONFIG, KEY, Answered, Case, Problem
from tests.slow.faults.judge import as_without_a_model
from tests.support.loopback import Aim, LLMFault

SCORING: Aim = {"contains": "You judge", "times": None}
IMPATIENT = {"config": CONFIG | {"llm_timeout_seconds": 1.2}}
BY_RULES = "the same candidates, scored by rules, and how many"
BY_MODEL = "the complete answer, scored by the model"
REJECTED = "an error that names LLM_API_KEY, before GitHub is called"
ORDERED_BY_RULES = r"(\d+) of \1 repositories were ordered by rules"


def _case(fault: str, result: str, expect: Problem | Answered, *faults: LLMFault, **more: Any) -> Case:
    """Make a case; by default one call translates, and one scores each repository, without a retry."""
    return Case("The language model", fault, result, expect, model=faults, **{"calls": (6, 26), **more})


def _down(fault: str, why: str, *faults: LLMFault, **more: Any) -> Case:
    """Make a case in which the model neither translates nor scores."""
    warnings = (f"did not translate the question .*{why}", ORDERED_BY_RULES)
    expect = Answered(warnings=warnings, errors={"translate": why})
    return _case(fault, BY_RULES, expect, *faults, **{"after": as_without_a_model, **more})


def _unscored(fault: str, why: str, **values: object) -> Case:
    """Make a case in which the model translates, and scores no repository."""
    error = rf"answer breaks the form: relevance: {why}.* \(\d+ times\)"
    expect = Answered(warnings=(ORDERED_BY_RULES,), errors={"score": error})
    return _case(f"scoring: {fault}", BY_RULES, expect, LLMFault.edited(lambda content: content | values, **SCORING))


def _by_model(fault: str, *faults: LLMFault) -> Case:
    return _case(fault, BY_MODEL, Answered(basis=("llm",)), *faults)


def _rejected(status: int) -> Problem:
    return Problem("credential-rejected", 500, ("^LLM_API_KEY: ", f"rejected it .*{status}"))


STOPPED = (3, 13)
"""The calls after which the model is not asked, and those that ran at the same time."""
LATE = "the language model did not answer in time"
UNREACHED = "the language model could not be asked"
SCHEMA = "completion is not in the promised form"
CASES = [
    _case("answers 401", REJECTED, _rejected(401), LLMFault.status(401, **ALWAYS), calls=(1, 1), short=True),
    _case(
        "answers 401 with the key in its message", REJECTED + ", without its value",
        Problem("credential-rejected", 500, ("^LLM_API_KEY: ", r"Incorrect API key provided: \[key\]")),
        LLMFault.status(401, body={"error": {"message": f"Incorrect API key provided: {KEY}"}}, **ALWAYS), calls=(1, 1),
    ),
    _case(
        "scoring: answers 401", "an error that names LLM_API_KEY", _rejected(401), LLMFault.status(401, **SCORING),
        calls=(2, 26),
    ),
    *(
        _down(
            f"answers {code}{retry and f', Retry-After: {retry}'}", f"the language model answered {code}",
            LLMFault.status(code, {"retry-after": retry} if retry else None, **ALWAYS),
            short=True, calls=STOPPED if code == 503 else (1, 1),
        )
        for code, retry in ((402, ""), (404, ""), (429, "60"), (503, ""))
    ),
    _down("hangs", LATE, LLMFault.hang(**ALWAYS), request=IMPATIENT, short=True),
    _down("sends one byte a second", LATE, LLMFault.drip(every=1, **ALWAYS), request=IMPATIENT),
    _down("sends blank lines for ever", LATE, LLMFault.keep_alive(every=0.1, **ALWAYS), request=IMPATIENT),
    _by_model("sends some blank lines before its response", LLMFault.keep_alive(every=0.05, lines=3, **ALWAYS)),
    _down("resets each connection", UNREACHED, LLMFault.reset(**ALWAYS), calls=STOPPED),
    _down(
        "closes each connection in the middle of its response", UNREACHED, LLMFault.broken_off(**ALWAYS),
        calls=STOPPED,
    ),
    _down("refuses the connection", UNREACHED, environment={"LLM_BASE_URL": "http://127.0.0.1:9/v1"}, calls=(0, 0)),
    _down("answers 200 with an HTML page", SCHEMA, LLMFault.wrong_content_type(**ALWAYS)),
    _down("answers with 40 MB in a small compressed body", UNREACHED, LLMFault.bomb(**ALWAYS), calls=STOPPED),
    _by_model("answers 429, Retry-After: 1, once", LLMFault.status(429, {"retry-after": "1"})),
    _down("answers with null content", "answered with blank content", LLMFault.content("null", **ALWAYS)),
    _by_model("answers with JSON in a Markdown code fence", LLMFault.content("fenced", **ALWAYS)),
    _down(
        "answers with incomplete JSON, finish_reason: length", r"answer is not JSON \(truncated[^)]*\)",
        LLMFault.truncated(**ALWAYS),
    ),
    _down("answers with prose", "answer is not JSON", LLMFault.content("prose", **ALWAYS), short=True),
    _down("answers with a JSON array", "answered with a JSON list, not an object", LLMFault.content("array", **ALWAYS)),
    _down("answers without choices", SCHEMA, LLMFault.status(200, body={"choices": []}, **ALWAYS)),
    _unscored("answers with a relevance that is a text", "must be a number", relevance="high"),
    _unscored("answers with a relevance that may be of 10 or of 100", "7 is not between 0 and 1", relevance=7),
    _unscored("answers with a relevance that is NaN", "must be a finite number", relevance=float("nan")),
    _case(
        "translation: answers 500", "the answer, translated by rules and scored by the model",
        Answered(
            basis=("llm",), warnings=("did not translate the question .*500",),
            errors={"translate": "the language model answered 500"},
        ),
        LLMFault.status(500),
    ),
    _case(
        "scoring: answers 500 for one repository", "the answer, one result of it scored by rules",
        Answered(
            basis=("llm", "rules"), warnings=(r"^1 of \d+ repositories were ordered by rules",),
            errors={"score": "the language model answered 500"},
        ),
        LLMFault.status(500, contains="example-org/motion-kit", times=None), short=True,
    ),
    _case(
        "scoring: answers 403 for the text of one repository", "the answer, one result of it scored by rules",
        Answered(
            basis=("llm", "rules"), warnings=(r"^1 of \d+ repositories were ordered by rules",),
            errors={"score": "the language model answered 403"},
        ),
        LLMFault.status(403, contains="example-org/motion-kit", times=None), short=True,
    ),
]  # fmt: skip
