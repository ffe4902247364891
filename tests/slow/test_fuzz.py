"""Whatever a client sends, the server answers within its contract: no 5xx, and no undeclared response.

FUZZ_EXAMPLES is the number of examples; without it, a short form runs. The contract declares no links between
operations, so schemathesis cannot chain calls; a state machine looks for what one call leaves behind for the next.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
import schemathesis
from goldpan.kinds.repositories.sources.catalogue.build import build_catalogue
from goldpan_local.bootstrap import sample_records
from goldpan_local.server.app import public_contract
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from pytest_socket import enable_socket
from schemathesis.checks import CheckContext, not_a_server_error
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.contract.openapi.contract import SCHEMAS
from tests.integration.serve.process import QUESTION, ServerProcess, talk
from tests.slow.fuzz_calls import (
    BODY,
    CALLS,
    KEY,
    check_problem,
    check_search,
    expected_status,
    numbers,
    request_with,
)
from tests.support.local import timeless

pytestmark = pytest.mark.enable_socket
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "20"))
HEADERS = {"x-api-key": KEY}
CAMPAIGN = settings(
    max_examples=EXAMPLES, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)
schema = schemathesis.openapi.from_dict(public_contract())


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Serve the sample from a file, with a key; at the end no traceback is in the log."""
    enable_socket()
    file = tmp_path_factory.mktemp("fuzz") / "sample.sqlite"
    build_catalogue(sample_records(), file, "the sample")
    environment = {"GOLDPAN_API_KEYS": KEY, "GITHUB_API_URL": "http://127.0.0.1:9"}
    with ServerProcess("--catalogue", str(file), **environment) as process:
        yield process
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


def test_every_number_has_bounds(fuzzed: ServerProcess) -> None:
    """At its bounds a number is answered, and beyond them refused, however large it is."""
    with fuzzed.client(headers=HEADERS | {"content-type": "application/json"}) as client:
        for path, form in numbers(SCHEMAS["SearchRequest"]):
            assert {"minimum", "maximum"} <= set(form), path
            for value in (form["minimum"], form["maximum"], form["maximum"] + 1, -1, 2**63, 10**400):
                body = json.dumps(request_with(path, value)).encode()
                response = client.post("/search", content=body)
                check_search(response.status_code, response.headers["content-type"], response.content, body)


class Conversation(RuleBasedStateMachine):
    """Calls of all kinds over one connection, in any order; a valid question always gets its answer."""

    served: ServerProcess
    answer: dict[str, Any]

    def __init__(self) -> None:
        super().__init__()
        self.client = self.served.client(headers=HEADERS)

    @rule(call=CALLS)
    def send_any_request(self, call: dict[str, Any]) -> None:
        """Send a request, valid or not."""
        assert self.client.request(**call).status_code in {200, 400, 403, 404, 405, 413, 415}

    @rule(cut=st.integers(0, len(BODY) - 1))
    def disconnect_early(self, cut: int) -> None:
        """Disconnect within a body, or within a search."""
        head = f"POST /search HTTP/1.1\r\nhost: x\r\nx-api-key: {KEY}\r\ncontent-type: application/json\r\n"
        with socket.create_connection(("127.0.0.1", self.served.port), timeout=5) as connection:
            connection.sendall(f"{head}content-length: {len(BODY)}\r\n\r\n".encode() + BODY[:cut])

    @rule(noise=st.binary(min_size=1, max_size=20))
    def send_malformed_http(self, noise: bytes) -> None:
        """Send noise on a connection of its own."""
        received = talk(self.served.port, noise + b"\r\n\r\n")
        assert received.startswith(b"HTTP/1.1 400") or not received

    @invariant()
    def a_question_gets_its_answer(self) -> None:
        """Search for the same thing again."""
        response = self.client.post("/search", json=QUESTION)
        assert (response.status_code, timeless(response.json())) == (200, self.answer)

    def teardown(self) -> None:
        """Close the connection."""
        self.client.close()


def test_no_call_affects_the_next(fuzzed: ServerProcess) -> None:
    """After any calls, on its connection and on others, a question gets the same answer."""
    Conversation.served = fuzzed
    with fuzzed.client(headers=HEADERS) as client:
        Conversation.answer = timeless(client.post("/search", json=QUESTION).json())
    steps = settings(CAMPAIGN, max_examples=max(2, EXAMPLES // 12), stateful_step_count=12)
    run_state_machine_as_test(Conversation, settings=steps)
