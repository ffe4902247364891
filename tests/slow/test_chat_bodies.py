"""Whatever an OpenAI-compatible endpoint answers, a call gives an object or a named failure, within its bounds.

5,000 bodies in `make slow`, which sets FUZZ_EXAMPLES; without it, a short form runs.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import httpx2
import pytest
from goldpan.contracts import SearchRequest
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import CredentialRejected
from goldpan.infra.llm.openai import OpenAIModel
from goldpan.infra.settings import LLMEndpoint
from goldpan.kinds.repositories.models import ScoreTask
from goldpan.kinds.repositories.score import score
from goldpan.kinds.repositories.translate import translate
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from tests.support.factories import repository
from tests.support.fakes import FakeClock
from tests.support.memory_stores import MemoryRateLimiter

pytestmark = pytest.mark.short
BODIES = 5000 if "FUZZ_EXAMPLES" in os.environ else 200
CAMPAIGN = settings(max_examples=BODIES, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
KEY, SECONDS = "key-of-the-model", 2.0
REQUEST = SearchRequest(query="React animation library")
TASK = ScoreTask(
    id="a/b", repository=repository("a/b", description="springs"), relevance=0.3, found_by=(), ask_llm=True, retries=1
)
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        -1,
        0.5,
        85,
        1e308,
        10**400,
        "",
        "x",
        KEY,
        "\ud800",
        "{",
        "[" * 3000,
        "a" * 120_000,
        [],
        {},
        [None],
        {"a": []},
    ]
)
ANY = st.recursive(
    ODD | st.text(max_size=8) | st.floats() | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def _object(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Make objects as documented, and ones in which each field is so, of any other kind, or missing."""
    documented = st.fixed_dictionaries(fields)
    return (
        documented
        | documented
        | documented
        | st.fixed_dictionaries({}, optional={n: v | v | ANY for n, v in fields.items()})
    )


SCORES = st.sampled_from([0, 0.5, 1, 85, "0.4", 7])
WORDS = st.lists(st.sampled_from(["react", "spring physics", KEY]) | st.text(max_size=9), min_size=1, max_size=13)
JUDGED = _object(
    relevance=SCORES,
    documentation=SCORES,
    ease_of_use=SCORES,
    reasoning=st.sampled_from(["It has springs.", "long " * 500, f"It is {KEY}.", "long " * 900]),
    quote=st.sampled_from(["springs", "Springs " * 300, "(" * 2900]),
    keywords=WORDS,
    expanded_keywords=WORDS,
    language=st.sampled_from([None, "Rust", "x" * 99]),
    topics=WORDS,
)
CONTENT = (JUDGED | JUDGED | ANY).map(json.dumps)
WRAPPED = st.builds(
    lambda before, content, after: before + content + after,
    st.sampled_from(["", "", "```json\n", "<think>{", "<think>a</think>", "Sure {x}: "]),
    CONTENT,
    st.sampled_from(["", "", "\n```", " {", "</think>"]),
)
MESSAGE = _object(content=WRAPPED, role=st.just("assistant"), reasoning=st.text(max_size=9), refusal=st.none())
CHOICE = _object(index=st.just(0), message=MESSAGE, finish_reason=st.sampled_from(["stop", "length", "content_filter"]))
TOKENS = st.integers(-5, 10**9)
USAGE = _object(prompt_tokens=TOKENS, completion_tokens=TOKENS, total_tokens=TOKENS)
ERROR = _object(
    message=st.sampled_from(["Unsupported parameter: 'temperature'", f"Is {KEY} right?", "max_tokens is too large"]),
    type=st.sampled_from(["invalid_request_error", "permission_error"]),
    param=st.sampled_from(["temperature", "max_tokens", "model"]),
    code=st.sampled_from(["content_filter", "invalid_api_key", "insufficient_quota", 429, 403]),
    metadata=_object(flagged_input=st.text(max_size=9)),
    innererror=_object(code=st.text(max_size=9)),
)
COMPLETION = _object(choices=st.lists(CHOICE, min_size=1, max_size=2), usage=USAGE, id=st.text(max_size=3))
REFUSED = _object(error=ERROR) | _object(detail=st.lists(ERROR, max_size=2)) | ERROR
WRITTEN = st.one_of(COMPLETION, COMPLETION, COMPLETION, REFUSED, REFUSED, ANY).map(
    lambda value: json.dumps(value).encode()
)
BODY = st.one_of(
    WRITTEN,
    WRITTEN,
    WRITTEN,
    st.binary(max_size=40),
    st.sampled_from([b"[" * 20_000, b'{"choices":' * 9000, b"1" * 5000, b"\xef\xbb\xbf{}", b" " * 5_000_000, b""]),
)
HEADERS: st.SearchStrategy[dict[str, str]] = (
    st.just({})
    | st.just({})
    | st.fixed_dictionaries(
        {},
        optional={
            "retry-after": st.sampled_from(["1", "9" * 5000, "-1", "Fri, 31 Dec 9999 23:59:59 -1200", "1e9", "\u00b2"]),
            "date": st.sampled_from(["Sat, 22 Aug 2026 12:10:00 GMT", "Mon, 01 Jan 0001 00:00:00 +1200", "x"]),
            "content-type": st.sampled_from(["application/json", "text/html; charset=\u00fc", ""]),
            "content-encoding": st.sampled_from(["gzip", "deflate", "br", "identity", "zstd"]),
        },
    )
)
COMPLETED: st.SearchStrategy[tuple[int, dict[str, str], bytes]] = st.tuples(
    st.just(200), st.just({}), COMPLETION.map(lambda value: json.dumps(value).encode())
)
STATUS = st.sampled_from([200, 200, 200, 204, 302, 400, 401, 402, 403, 404, 422, 429, 500, 503])


@given(answered=COMPLETED | COMPLETED | st.tuples(STATUS, HEADERS, BODY))
@CAMPAIGN
def test_every_answer_of_an_endpoint_is_read(answered: tuple[int, dict[str, str], bytes]) -> None:
    """It becomes a reading and a verdict, by rules at the worst, or names the key; it never takes long or leaks."""
    (status, headers, body), clock = answered, FakeClock()
    encoded = [(name, value.encode("latin-1", "ignore")) for name, value in headers.items()]

    def answer(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(status, headers=[(n.encode(), v) for n, v in encoded], stream=httpx2.ByteStream(body))

    endpoint = LLMEndpoint(key_name="LLM_API_KEY", key=SecretStr(KEY), base_url="https://llm.example/v1", model="own")
    limiter = MemoryRateLimiter(clock)
    began = time.process_time()
    with closing(OpenAIModel(endpoint, httpx2.MockTransport(answer), lambda: limiter)) as model:
        said = "".join(_outcomes(Dependencies(clock=clock, llm=model), Deadline.after(8, clock)))
    assert time.process_time() - began < SECONDS
    assert KEY not in said


def _outcomes(dependencies: Dependencies, deadline: Deadline) -> Iterator[str]:
    """Translate and score; what results can be sent on as JSON."""
    try:
        yield translate(REQUEST, ["catalogue"], dependencies, deadline).model_dump_json()
        yield score(TASK, REQUEST, dependencies, deadline).model_dump_json()
    except CredentialRejected as error:
        yield str(error)
