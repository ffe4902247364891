"""The paths of the contract: the library's answer, or problem details."""

import re
from unittest.mock import Mock

import pytest
from goldpan_local.server.app import make_app
from goldpan_local.server.contract import contract
from goldpan_local.server.searches import Searches
from openapi_spec_validator import validate
from starlette.applications import Starlette
from starlette.routing import Route

from tests.contract.openapi.contract import CONTRACT
from tests.support.local import QUESTION, client, github_runtime, problem_of


def test_an_error_of_the_server_is_a_problem_too(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The response has the form of the contract and the id of its request; the error is in the log only."""
    monkeypatch.setattr("goldpan_local.server.endpoints.read_body", Mock(side_effect=LookupError("secret detail")))
    response = client().post("/search", json=QUESTION)
    assert response.status_code == 500
    assert "secret detail" not in response.text + str(problem_of(response))
    assert response.headers["x-request-id"]
    assert "LookupError: secret detail" in caplog.text


def test_the_paths_and_their_keys_are_those_of_the_contract() -> None:
    """In addition, it serves the contract and its page; exactly those with a security requirement need a key."""
    app = make_app(Searches(github_runtime(), 1), None)._app
    assert isinstance(app, Starlette)
    routes = [route for route in app.routes if isinstance(route, Route)]
    served = {(method.lower(), route.path) for route in routes for method in route.methods or () if method != "HEAD"}
    written = {(method, path): each for path, row in CONTRACT["paths"].items() for method, each in row.items()}
    assert (client().get("/health").json(), client().head("/health").status_code) == ({"status": "ok"}, 200)
    of_page = {call for call in served if call[1].startswith("/page/")}
    assert served - of_page == {*written, ("get", "/openapi.json"), ("get", "/docs"), ("get", "/")}
    for call, operation in written.items():
        refused = client(keys="k").request(*call, json=QUESTION).status_code == 403
        assert refused == bool(operation["security"])


def test_the_contract_is_served_for_clients_and_readers() -> None:
    """It is valid, without what only API Gateway reads; its page needs no other file, and its form is a search."""
    response = client().get("/openapi.json")
    served = response.json()
    assert (response.headers["content-type"], served) == ("application/json", contract())
    assert "x-amazon-" not in response.text
    validate(served)
    response = client().get("/docs")
    assert response.headers["content-type"].startswith("text/html")
    assert response.headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha256-")
    assert not re.search(r"<script|<link|<img|url\(|@import|src=", response.text)
    names = [*contract()["paths"], *CONTRACT["components"]["schemas"]]
    assert not [name for name in names if name not in response.text]
    assert '<form action="/search"><label>Question <input name="q"' in response.text


def test_a_path_has_one_spelling_and_its_methods() -> None:
    """Any other is a problem, never a redirection; the Allow header names the methods."""
    wrong = ("/search/", "/Search", "/.//search", "/search%2f", "/..;/health", "/page/../a.py")
    for method, path, allowed in (*(("POST", path, "") for path in wrong), ("PUT", "/search", "POST")):
        response = client().request(method, path, follow_redirects=False)
        status, name = (405, "method-not-allowed") if allowed else (404, "not-found")
        assert (response.status_code, problem_of(response)["type"]) == (status, f"urn:goldpan:problem:{name}")
        assert allowed in response.headers.get("allow", "")
