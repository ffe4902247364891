"""Whatever a caller sends, the server answers within its contract: no 5xx, no answer that nobody declared.

The contract declares no links between its operations, so schemathesis finds no chain of calls to follow; what one call
may leave behind for the next is tried by a machine of our own.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
import schemathesis
from goldpan.contracts import parse_request
from goldpan.kinds.repositories.sources.catalogue.build import build_catalogue
from goldpan_local.sample import sample_records
from goldpan_local.serve.contract import public_contract
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from pytest_socket import enable_socket
from schemathesis.checks import CheckContext, not_a_server_error
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.contract.openapi.contract import CONTRACT
from tests.integration.serve.calls import BODY, CALLS, NUMBERS, request_with
from tests.integration.serve.judging import KEY, judge_search, problem_of, read, refusal
from tests.integration.serve.process import QUESTION, ServerProcess, spoken
from tests.integration.serve.test_answers import timeless

pytestmark = pytest.mark.enable_socket
HEADERS = {"x-api-key": KEY}
JSON = {**HEADERS, "content-type": "application/json"}
BOUNDED = settings(
    max_examples=150, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)
FEWER = settings(BOUNDED, max_examples=12, stateful_step_count=12)
schema = schemathesis.openapi.from_dict(public_contract())


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Serve the sample from a file, for those with a key; there is nobody else to ask. At the end nothing broke."""
    enable_socket()
    file = tmp_path_factory.mktemp("fuzz") / "sample.sqlite"
    build_catalogue(sample_records(), file, "the sample")
    set_here = {"GOLDPAN_API_KEYS": KEY, "GOLDPAN_CACHE": "off", "GITHUB_API_URL": "http://127.0.0.1:9"}
    with ServerProcess("--catalogue", str(file), **set_here) as process:
        yield process
    assert "Traceback" not in process.logged()


def test_the_server_gives_the_contract_that_it_is_tried_with(fuzzed: ServerProcess) -> None:
    """What /openapi.json tells is what the calls below are made from, and what `api/openapi.yaml` says of them."""
    with fuzzed.client() as client:
        told = client.get("/openapi.json").json()
    assert told == public_contract()
    assert told["components"] == CONTRACT["components"]
    operations = [operation for item in told["paths"].values() for operation in item.values()]
    assert not [said for operation in operations for said in operation["responses"].values() if "links" in said]


def answered_as_declared(_ctx: CheckContext, response: schemathesis.Response, case: schemathesis.Case[Any]) -> None:
    """Judge an answer, of whichever operation, by what no general check can know."""
    [kind], [_] = response.headers["content-type"], response.headers["x-request-id"]
    request, status = response.request, response.status_code
    sent: Any = request.body or b""
    body: bytes = sent if isinstance(sent, bytes) else sent.encode()
    headers = {name: str(value) for name, value in request.headers.items()}
    expected = refusal(str(request.method), case.path, headers, body)
    if expected is None:
        judge_search(status, kind, response.content, body)
    else:
        assert status == expected


@schema.parametrize()
@BOUNDED
def test_no_request_leads_out_of_the_contract(case: schemathesis.Case[Any], fuzzed: ServerProcess) -> None:
    """Right and wrong requests, with and without a key, by all methods: each is answered as the contract says."""
    case.call_and_validate(
        base_url=fuzzed.url,
        headers=HEADERS,
        additional_checks=[answered_as_declared],
        # Ours is stricter than both: it knows the rules that a schema cannot say.
        excluded_checks=[not_a_server_error, positive_data_acceptance],
    )


@given(CALLS)
@BOUNDED
def test_anything_at_all_is_answered_in_its_form(fuzzed: ServerProcess, call: dict[str, Any]) -> None:
    """Broken JSON, other types, sizes, methods and paths: each gets the one status that is foreseen for it."""
    with fuzzed.client() as client:
        response = client.request(**call)
    kind, path = response.headers["content-type"], httpx2.URL(call["url"]).path
    expected = refusal(call["method"], path, call["headers"], call["content"])
    if expected is None:
        judge_search(response.status_code, kind, response.content, call["content"])
        return
    assert response.status_code == expected
    if expected != 200 and call["method"] != "HEAD":
        problem_of(expected, kind, response.content)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"query": "Go web server", "query": "Rust web framework"}', 200),
        (b'{"query": 5, "query": "Rust web framework"}', 200),
        (b'{"query": "Rust web framework", "query": 5}', 400),
        (b'{"query": "Rust web framework", "max_results": 99, "max_results": 1}', 200),
        (b'{"query": "Rust web framework", "max_results": 1, "max_results": "1"}', 400),
        (b'{"query": "Rust web framework", "refresh": true, "max_results": 1, "refresh": true}', 400),
        (b'{"query": "Rust web framework", "config": {"unknown": 1}, "config": {}}', 200),
        (b'{"query": "Rust web framework", "config": {}, "config": {"unknown": 1}}', 400),
    ],
)
def test_of_a_repeated_key_the_last_value_alone_counts(fuzzed: ServerProcess, body: bytes, status: int) -> None:
    """What is checked is what is searched for: no value hides behind another one of the same name."""
    with fuzzed.client() as client:
        response = client.post("/search", content=body, headers=JSON)
    assert response.status_code == status
    judge_search(status, response.headers["content-type"], response.content, body)
    if status == 200:
        told, asked = response.json(), read(body)
        assert told["query"] == asked["query"]
        assert len(told["repositories"]["results"]) == asked.get("max_results", 10)


EACH_NUMBER = pytest.mark.parametrize(("path", "form"), [pytest.param(*each, id=each[0][-1]) for each in NUMBERS])


@EACH_NUMBER
def test_every_number_has_bounds_within_which_it_is_answered(
    fuzzed: ServerProcess, path: tuple[str, ...], form: dict[str, Any]
) -> None:
    """At its bounds a number is answered, and beyond them refused, however large it is: none breaks a search."""
    assert {"minimum", "maximum"} <= set(form)
    values = [form["minimum"], form["maximum"], form["maximum"] + 1, -1, 2**63, 10**30, 10**400]
    with fuzzed.client() as client:
        for value in values:
            body = json.dumps(request_with(path, value)).encode()
            response = client.post("/search", content=body, headers=JSON)
            judge_search(response.status_code, response.headers["content-type"], response.content, body)


@pytest.mark.parametrize("spelled", ["10", 10.0, True], ids=repr)
@pytest.mark.parametrize(("path", "form"), [pytest.param(path, form, id=path[-1]) for path, form in NUMBERS])
def test_a_number_in_another_type_is_refused(
    fuzzed: ServerProcess, path: tuple[str, ...], form: dict[str, Any], spelled: object
) -> None:
    """The library reads "10" and true as numbers, for callers in Python; over HTTP a number is a number alone."""
    body = json.dumps(request_with(path, spelled)).encode()
    with fuzzed.client() as client:
        response = client.post("/search", content=body, headers=JSON)
    if isinstance(spelled, float) and form["type"] == "number":
        judge_search(response.status_code, response.headers["content-type"], response.content, body)
        return
    detail = problem_of(400, response.headers["content-type"], response.content)
    assert response.status_code == 400
    assert path[-1] in detail


def test_the_library_alone_reads_a_number_in_another_type() -> None:
    """The difference is there, and is the library's: without it the strict reading of the server would be for show."""
    read_as = [parse_request({**QUESTION, "max_results": spelled}).max_results for spelled in ("10", 10.0, True)]
    assert read_as == [10, 10, 1]


class Conversation(RuleBasedStateMachine):
    """Calls of all kinds over one connection, in any order; whatever came before, a question gets its answer."""

    served: ServerProcess
    answer: dict[str, Any]

    def __init__(self) -> None:
        super().__init__()
        self.client = self.served.client(headers=HEADERS)

    @rule(call=CALLS)
    def says_anything(self, call: dict[str, Any]) -> None:
        """Send a call, right or wrong."""
        assert self.client.request(**call).status_code in {200, 400, 403, 404, 405, 413, 415}

    @rule(cut=st.integers(0, len(BODY) - 1))
    def leaves_early(self, cut: int) -> None:
        """Go away in the middle of a body, and of a search."""
        head = f"POST /search HTTP/1.1\r\nhost: x\r\nx-api-key: {KEY}\r\ncontent-type: application/json\r\n"
        with socket.create_connection(("127.0.0.1", self.served.port), timeout=5) as connection:
            connection.sendall(f"{head}content-length: {len(BODY)}\r\n\r\n".encode() + BODY[:cut])

    @rule(noise=st.binary(min_size=1, max_size=20))
    def speaks_no_http(self, noise: bytes) -> None:
        """Say something else than HTTP, on a connection of its own."""
        heard = spoken(self.served.port, noise + b"\r\n\r\n")
        assert heard.startswith(b"HTTP/1.1 400") or not heard

    @invariant()
    def a_question_gets_its_answer(self) -> None:
        """Ask what is always asked."""
        response = self.client.post("/search", json=QUESTION)
        assert (response.status_code, timeless(response.json())) == (200, self.answer)

    def teardown(self) -> None:
        """Close the connection."""
        self.client.close()


def test_no_call_leaves_anything_behind(fuzzed: ServerProcess) -> None:
    """After any calls before it, on its connection and on others, a question gets the answer that it always gets."""
    Conversation.served = fuzzed
    with fuzzed.client(headers=HEADERS) as client:
        Conversation.answer = timeless(client.post("/search", json=QUESTION).json())
    run_state_machine_as_test(Conversation, settings=FEWER)
