"""The gateway passes requests and responses on unchanged, and its own responses are problem details of the library."""

import json
from datetime import timedelta
from typing import Any

import pytest
from goldpan.aws.failures import CUT_ERRORS, RETRIED_ERRORS
from goldpan.engine.problem_details import STATUSES, answered, problem
from goldpan.errors import SourcesLimited
from goldpan_local.server.requests import MAX_BODY, problem_response
from hypothesis import given, settings
from hypothesis import strategies as st

from api.generate import UNKNOWN
from tests.contract.openapi.contract import EXAMPLE, GATEWAY_RESPONSES, IMPORTED, OTHERS, SERVED, as_written
from tests.contract.openapi.gateway import (
    MACHINE,
    REQUEST_ID,
    SECRET,
    execution,
    execution_input,
    render,
    reply,
    sent,
    started,
    substituted,
)
from tests.contract.stack.documents import strings, template
from tests.support.factories import NOW
from tests.support.velocity import escape_java_script

HOSTILE = (
    "it's 'quoted' and \"quoted\"", "back\\slash, \\' and \\\" and \\\\ \\u0041", "line\nbreak\r\n\tand \x00\x7f\x9f",
    "</script><b>&amp; \U0001f600 \u65e5\u672c \u2028 \ufeff", "$foo ${foo.bar} $!foo $input.body $util.a('{}')",
    "#set($a = 1) #if(true) x #end ## comment #* comment *# #stop \\$foo \\#set", "{a=b, c=[d]}", "'}, 'refresh': true",
    '"}, "refresh": true, "x": {"y": "', "", "'", '"', "\\", "$", "#",
)  # fmt: skip
"""Texts that break out of JSON, Velocity or HTML if anything is left unescaped."""
TEXTS = st.text() | st.sampled_from(HOSTILE)
NUMBERS = st.integers(-(2**63), 2**63 - 1)  # Gson, by which the templates read JSON here, refuses some larger ones
FINAL = {"statusCode": 200, "contentType": "application/json", "retryAfter": "", "body": "{}"}
WRONG = [("statusCode", None), ("statusCode", 302), ("contentType", None), ("body", ""), ("body", SECRET)]
NO_RESPONSES = [FINAL | {name: value} for name, value in (*WRONG, ("body", {"a": SECRET}))]


@given(st.dictionaries(TEXTS, TEXTS | st.lists(TEXTS | NUMBERS | st.none(), max_size=3), max_size=4))
@settings(max_examples=100)
def test_a_request_arrives_unchanged(request: dict[str, Any]) -> None:
    """No JSON object is changed on its way into the machine; text after it sets no internal flag."""
    for rest in ("", ', "refresh": true', '}, "refresh": true, "x": {"y": {}', ' {"a": 1}'):
        assert execution_input("/search", json.dumps(request) + rest) == {"request": request}


def test_the_execution_is_of_the_stack_and_keeps_its_trace() -> None:
    """The call names the machine and no execution, so that two clients never clash; it passes on the trace."""
    given = '{"projects": "*", "request": {"query":"x"}}'
    alone = {"stateMachineArn": MACHINE, "input": given}
    trace = "1-67891233-abcdef012345678912345678"
    assert sent("/search", '{"query": "x"}', "") == alone
    assert sent("/search", '{"query": "x"}', trace) == alone | {"traceHeader": f"Root={trace}"}
    assert escape_java_script("it's a/b \U0001f600\n") == r"it\'s a\/b \uD83D\uDE00\n"


@pytest.mark.parametrize("text", ["x", "\u00e9", "\u65e5"])
def test_a_request_starts_up_to_the_size_that_one_machine_accepts(text: str) -> None:
    """Its bytes count; in place of a larger one goes what Step Functions refuses, because it is no JSON."""
    most = (MAX_BODY - len('{"query":""}')) // len(text.encode())
    assert started("/search", json.dumps({"query": text * most}))["request"] == {"query": text * most}
    larger = sent("/search", json.dumps({"query": text * (most + 1)}))
    assert larger == {"stateMachineArn": MACHINE, "input": "too large"}


@pytest.mark.parametrize("text", [*HOSTILE, "1-67891233-o'brien", "Root=1-67891233-abc;Sampled=1", "1" * 300])
def test_a_forged_trace_neither_breaks_nor_changes_the_request(text: str) -> None:
    """What is not a trace id is left out: Step Functions refuses other characters, and an apostrophe is no JSON."""
    assert sent("/search", "{}", text) == {"stateMachineArn": MACHINE, "input": '{"projects": "*", "request": {}}'}


@pytest.mark.parametrize("text", HOSTILE)
def test_a_response_arrives_unchanged(text: str) -> None:
    """An answer and each problem of the library keep their bytes, status, type and Retry-After, if that is a number."""
    limited = problem(SourcesLimited("x", NOW + timedelta(seconds=41.2)), NOW)
    assert (limited.statusCode, limited.retryAfter) == (429, "42")
    answer = answered(EXAMPLE.model_copy(update={"query": text}).to_json())
    for made in (answer, limited, *(problem(cls(text), NOW) for cls in STATUSES)):
        received = reply(execution("SUCCEEDED", made.model_dump()))
        retry = {"Retry-After": made.retryAfter} if made.retryAfter else {}
        assert (received.status, received.body.encode()) == (made.statusCode, made.body.encode())
        assert received.headers == {"Content-Type": made.contentType, **retry}
    forged = reply(execution("SUCCEEDED", FINAL | {"retryAfter": "1\r\nSet-Cookie: x"}))
    assert forged.headers == {"Content-Type": "application/json"}


@pytest.mark.parametrize("output", [None, "", "null", "[]", '"text"', {"Error": SECRET}, *NO_RESPONSES])
def test_an_execution_without_a_response_is_a_defect(output: object) -> None:
    """An empty, partial or foreign output is never a 200 with an empty body, and reveals nothing."""
    received = reply(execution("SUCCEEDED", output))
    assert (received.status, received.problem["type"]) == (500, "urn:goldpan:problem:defect")
    assert SECRET not in received.body


ENDED = [("FAILED", 500, "defect"), ("TIMED_OUT", 504, "out-of-time"), ("RUNNING", 500, "defect")]


@pytest.mark.parametrize(("status", "code", "name"), ENDED)
def test_a_failed_execution_reveals_nothing(status: str, code: int, name: str) -> None:
    """A failed or stopped execution gets a fixed text, whatever its cause and its output hold."""
    for text in HOSTILE:
        received = reply(execution(status, FINAL, error=text + SECRET, cause=f"Traceback: {text} {SECRET}"))
        assert (received.status, received.problem["type"]) == (code, f"urn:goldpan:problem:{name}")
        assert SECRET not in received.body


def test_an_execution_whose_functions_are_throttled_or_cut_can_be_repeated() -> None:
    """The machine fails with the name of the error of Lambda, on every path; the client learns when to come back."""
    for errors, expected in (([*RETRIED_ERRORS, "Overloaded"], (503, "5")), ([*CUT_ERRORS, "OutOfTime"], (504, None))):
        for error in errors:
            received = reply(execution("FAILED", error=error, cause=SECRET))
            assert (received.problem["status"], received.headers.get("Retry-After")) == expected


@pytest.mark.parametrize(
    ("fault", "http", "expected"),
    [
        ("com.amazonaws.swf#AccessDeniedException", 400, (500, "defect", None)),
        (None, 503, (500, "defect", None)),
        ("com.amazon.coral.availability#ThrottlingException", 400, (503, "busy", "1")),
        ("TooManyRequestsException", 429, (503, "busy", "1")),
        ("InvalidExecutionInput", 400, (413, "too-large", None)),
        ("com.amazon.coral.validate#ValidationException", 400, (413, "too-large", None)),
    ],
)
def test_a_search_that_does_not_start_is_a_problem(fault: str | None, http: int, expected: tuple[Any, ...]) -> None:
    """Missing permissions are a defect, throttling can be retried, what is too large is the client's error."""
    received = reply({"message": SECRET} | ({"__type": fault} if fault else {}), http)
    name = received.problem["type"].removeprefix("urn:goldpan:problem:")
    assert (received.status, name, received.headers.get("Retry-After")) == expected
    assert SECRET not in received.body


def _refused(path: str, method: str, origin: str) -> tuple[int, dict[str, str], str]:
    integration = OTHERS["x-amazon-apigateway-integration"]
    template = integration["responses"]["default"]["responseTemplates"]["application/json"]["Fn::Sub"]
    text, overrides = render(substituted(template, origin=origin), "{}", resourcePath=path, httpMethod=method)
    return overrides["status"], overrides["header"], text.strip()


def test_what_is_not_served_is_refused_as_on_one_machine() -> None:
    """An unknown path has 404, another method 405 with those that are allowed; both with problem details and an id."""
    assert all(verbs["x-amazon-apigateway-any-method"] == OTHERS for verbs in IMPORTED["paths"].values())
    unknown = [(path, 404, None) for path in UNKNOWN]
    for path, status, allowed in (*unknown, ("/search", 405, "POST"), ("/health", 405, "GET")):
        assert path in IMPORTED["paths"]
        for method in ("PUT", "OPTIONS"):
            refused, headers, text = _refused(path, method, "")
            assert (refused, headers.get("Allow"), headers["x-request-id"]) == (status, allowed, REQUEST_ID)
            assert text == bytes(problem_response(status).body).decode()


def test_one_origin_may_be_allowed() -> None:
    """Its preflight passes, and it reads every response, also those of the gateway itself; by default none may."""
    for path in (*UNKNOWN, "/search"):
        status, headers, text = _refused(path, "OPTIONS", "https://search.example.org")
        assert (status, text, headers["Access-Control-Allow-Origin"]) == (200, "", "https://search.example.org")
        assert headers["Access-Control-Max-Age"] == "600", "each look at a search would be two requests"
        assert set(headers["Access-Control-Allow-Headers"].split(", ")) >= {"content-type", "x-api-key"}
    for response in GATEWAY_RESPONSES.values():
        allowed = response["responseParameters"]["gatewayresponse.header.Access-Control-Allow-Origin"]
        assert allowed["Fn::If"] == ["HasCorsOrigin", {"Fn::Sub": "'${CorsOrigin}'"}, {"Ref": "AWS::NoValue"}]
        exposed = response["responseParameters"]["gatewayresponse.header.Access-Control-Expose-Headers"]
        assert "retry-after" in exposed, "a page cannot wait otherwise"
    templates = [text for text in strings(IMPORTED) if "responseOverride" in text]
    assert all("header.Access-Control-Allow-Origin" in text and "header.x-request-id" in text for text in templates)
    assert template()["Parameters"]["CorsOrigin"]["Default"] == ""


def test_no_question_is_in_an_address() -> None:
    """Traces, logs and proxies hold addresses: every question comes in a body, and none in a trace."""
    verbs = {verb for path in IMPORTED["paths"].values() for verb in path if not verb.startswith("x-")}
    assert verbs == {"get", "post"}
    assert [path for path, methods in IMPORTED["paths"].items() if "get" in methods] == ["/search/{id}", "/health"]
    assert [path for path, operation in SERVED.items() if "parameters" in operation] == ["/search/{id}"]
    captured = template()["Globals"]["Function"]["Environment"]["Variables"]
    assert {captured[f"POWERTOOLS_TRACER_CAPTURE_{what}"] for what in ("RESPONSE", "ERROR")} == {"false"}


def test_the_responses_of_the_gateway_itself_are_problem_details() -> None:
    """Each has its real status, 429 has a Retry-After, and none inserts a variable, which nothing would escape."""
    assert {"DEFAULT_4XX", "DEFAULT_5XX", "BAD_REQUEST_BODY", "THROTTLED", "QUOTA_EXCEEDED"} <= set(GATEWAY_RESPONSES)
    for name, response in GATEWAY_RESPONSES.items():
        details = json.loads(response["responseTemplates"]["application/json"])
        as_written("Problem").validate(details)
        assert name.startswith("DEFAULT") or response["statusCode"] == str(details["status"]), name
        parameters = response["responseParameters"]
        assert parameters["gatewayresponse.header.Content-Type"] == "'application/problem+json'"
        assert ("gatewayresponse.header.Retry-After" in parameters) == (details.get("status") == 429), name
        assert "$" not in json.dumps(response).replace("${CorsOrigin}", "")


def test_a_problem_has_one_title_everywhere() -> None:
    """The texts of the gateway have the titles of the library."""
    titles = {json.loads(problem(cls("x"), NOW).body)["type"]: title for cls, (_, title) in STATUSES.items()}
    lines = [line for text in strings(IMPORTED) for line in text.splitlines() if '{"type"' in line]
    texts = [line[line.index('{"type"') :].strip("')#\n") for line in lines]
    assert len(texts) > len(GATEWAY_RESPONSES)
    for details in map(json.loads, texts):
        assert titles.setdefault(details["type"], details["title"]) == details["title"]


def test_health_is_answered_by_the_gateway_alone() -> None:
    """GET /health calls nothing."""
    integration = SERVED["/health"]["x-amazon-apigateway-integration"]
    assert integration["type"] == "mock"
    [response] = integration["responses"].values()
    text, _ = render(substituted(response["responseTemplates"]["application/json"]["Fn::Sub"]), "{}")
    as_written("Health").validate(json.loads(text))
