"""Whatever a client sends, the server answers within its contract: no 5xx, and no undeclared response.

FUZZ_EXAMPLES is the number of examples; without it, a short form runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
import schemathesis
from goldpan.kinds.repositories.sources.catalogue.build import build_catalogue
from goldpan_local.bootstrap import sample_records
from goldpan_local.server.app import public_contract
from hypothesis import HealthCheck, given, settings
from pytest_socket import enable_socket
from schemathesis.checks import CheckContext, not_a_server_error
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.integration.serve.process import QUESTION, ServerProcess
from tests.slow.fuzz_calls import CALLS, KEY, check_problem, check_search, expected_status
from tests.support.local import timeless

pytestmark = [pytest.mark.enable_socket, pytest.mark.short]
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "20"))
HEADERS = {"x-api-key": KEY}
CAMPAIGN = settings(
    max_examples=EXAMPLES, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)
schema = schemathesis.openapi.from_dict(public_contract())


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


def check_response(_ctx: CheckContext, response: schemathesis.Response, case: schemathesis.Case[Any]) -> None:
    """Check what no general check of schemathesis knows."""
    [content_type], [_] = response.headers["content-type"], response.headers["x-request-id"]
    request, status = response.request, response.status_code
    sent: Any = request.body or b""
    body: bytes = sent if isinstance(sent, bytes) else sent.encode()
    headers = {name: str(value) for name, value in request.headers.items()}
    expected = expected_status(str(request.method), case.path, headers, body)
    if expected is None:
        check_search(status, content_type, response.content, body)
    else:
        assert status == expected


@schema.parametrize()
@CAMPAIGN
def test_requests_made_from_the_contract(case: schemathesis.Case[Any], fuzzed: ServerProcess) -> None:
    """Valid and invalid requests, with and without a key, by all methods, are answered as the contract says."""
    case.call_and_validate(
        base_url=fuzzed.url,
        headers=HEADERS,
        additional_checks=[check_response],
        # `check_response` is stricter than both: it knows the rules that a schema cannot express.
        excluded_checks=[not_a_server_error, positive_data_acceptance],
    )


@given(CALLS)
@CAMPAIGN
def test_arbitrary_requests(fuzzed: ServerProcess, call: dict[str, Any]) -> None:
    """Broken JSON, other types, sizes, methods and paths each get the one expected status."""
    with fuzzed.client() as client:
        response = client.request(**call)
    content_type, path = response.headers["content-type"], httpx2.URL(call["url"]).path
    expected = expected_status(call["method"], path, call["headers"], call["content"])
    if expected is None:
        check_search(response.status_code, content_type, response.content, call["content"])
        return
    assert response.status_code == expected
    if expected != 200 and call["method"] != "HEAD":
        check_problem(expected, content_type, response.content)
