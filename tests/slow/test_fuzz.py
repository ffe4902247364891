"""Whatever a client sends, the server answers within its contract: no 5xx, and no undeclared response.

FUZZ_EXAMPLES is the number of examples; without it, a short form runs, without the values at the bounds of the schema:
to make them takes half a minute, in each process that collects the tests.
"""

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from goldpan.kinds.repositories.sources.catalogue.build import build_catalogue
from goldpan_local.server.contract import contract
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_socket import enable_socket
from schemathesis.checks import CheckContext, not_a_server_error
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.contract.openapi.contract import as_written
from tests.integration.serve.process import QUESTION, ServerProcess
from tests.support.local import timeless
from tests.support.sample import sample_records

pytestmark = pytest.mark.short
LONG = "FUZZ_EXAMPLES" in os.environ
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "20"))
KEY, BODY = "good-key", json.dumps(QUESTION).encode()
HEADERS = {"x-api-key": KEY, "content-type": "application/json"}
CAMPAIGN = settings(max_examples=EXAMPLES, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
REQUEST, ANSWER, PROBLEM = as_written("SearchRequest"), as_written("Answer"), as_written("Problem")
BEYOND_THE_SCHEMA = (
    "needs project_id", "must sum to 1", "at least one strategy needs a weight above 0",
    "must have at most 100 characters", ": must have no control characters", "bytes as JSON",
    "holds no word to search for", "holds no word that is known without a language model", "is unknown; allowed: ",
    "cannot be queried here", "_since: must be ", "is above max_stars", "says what the repositories must not be",
    "only limits the repositories", "is after year_to", "which kinds (--kind) does not name", "compare: ",
    " needs one of ", "says what the papers must not be", "only limits the papers",
    "with the header Prefer: respond-async",
)  # fmt: skip
"""Parts of the messages that refuse a request that is valid by the schema."""
MUTATED = st.builds(
    lambda cut, more, rest: BODY[:cut] + more + BODY[cut + rest :],
    st.integers(0, len(BODY)),
    st.binary(max_size=6) | st.sampled_from([b"\xef\xbb\xbf", b"NaN", b"1e999", b'"\\ud800"', b"[" * 5000, b'"a":1,']),
    st.integers(0, 8),
)
schema = schemathesis.openapi.from_dict(contract())
schema.config.phases.update(phases=["examples", "fuzzing", *(["coverage"] if LONG else [])])


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Serve the sample from a file, with a key; the calls change no answer and leave no traceback in the log."""
    enable_socket()
    file = tmp_path_factory.mktemp("fuzz") / "sample.sqlite"
    build_catalogue(sample_records(), file, "the sample")
    environment = {"GOLDPAN_API_KEYS": KEY, "GITHUB_API_URL": "http://127.0.0.1:9"}
    served = ServerProcess("--catalogue", str(file), **environment)
    with served as process, process.client(headers=HEADERS) as client:
        before = client.post("/search", json=QUESTION)
        yield process
        after = client.post("/search", json=QUESTION)
    assert timeless(before.json()) == timeless(after.json())
    assert "Traceback" not in process.logged()


def check_search(status: int, content_type: str, body: bytes, sent: bytes | str) -> None:
    """Check the response to a search with a key: 200 if and only if the contract accepts the body."""
    try:
        text = sent.decode() if isinstance(sent, bytes) else sent
        request: Any = json.loads(text, parse_constant=lambda name: {"not JSON": name})
    except (ValueError, RecursionError):
        request = {"not JSON": True}
    valid = REQUEST.is_valid(request)
    if status == 200:
        assert (content_type, valid) == ("application/json", True), request
        ANSWER.validate(json.loads(body))
        return
    detail = check_problem(status, content_type, body)
    assert status == 400, detail
    assert not valid or any(reason in detail for reason in BEYOND_THE_SCHEMA), detail


def check_problem(status: int, content_type: str, body: bytes) -> str:
    """Check problem details against the contract and for internals; returns the detail."""
    assert content_type == "application/problem+json"
    details = json.loads(body)
    PROBLEM.validate(details)
    assert details["status"] == status
    assert not [word for word in ("Traceback", ".py", KEY) if word in details["detail"]]
    return str(details["detail"])


def check_response(_ctx: CheckContext, response: schemathesis.Response, case: schemathesis.Case[Any]) -> None:
    """Check what no general check of schemathesis knows."""
    assert response.status_code < 500
    [content_type], [_] = response.headers["content-type"], response.headers["x-request-id"]
    if response.status_code in {200, 400} and (case.path, response.request.method) == ("/search", "POST"):
        sent = response.request.body or b""
        assert isinstance(sent, bytes | str)
        check_search(response.status_code, content_type, response.content, sent)
    elif response.status_code not in {200, 202} and response.request.method != "HEAD":
        check_problem(response.status_code, content_type, response.content)


@schema.parametrize()
@CAMPAIGN
def test_requests_made_from_the_contract(case: schemathesis.Case[Any], fuzzed: ServerProcess) -> None:
    """Valid and invalid requests, with and without a key, by all methods, are answered as the contract says."""
    case.call_and_validate(
        base_url=fuzzed.url,
        headers={"x-api-key": KEY},
        additional_checks=[check_response],
        # `check_response` is stricter than both: it knows the rules that a schema cannot express.
        excluded_checks=[not_a_server_error, positive_data_acceptance],
    )


@given(MUTATED | st.binary(max_size=40))
@CAMPAIGN
def test_bodies_that_are_almost_valid(fuzzed: ServerProcess, body: bytes) -> None:
    """Broken JSON, other types and other texts are answered or refused as the contract says."""
    with fuzzed.client(headers=HEADERS) as client:
        response = client.post("/search", content=body)
    check_search(response.status_code, response.headers["content-type"], response.content, body)
