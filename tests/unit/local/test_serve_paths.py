"""The server has the paths of the contract, and says in its form that it has no others."""

from __future__ import annotations

import pytest
from goldpan_local.serve.application import application
from goldpan_local.serve.contract import public_contract
from goldpan_local.serve.refusals import REFUSALS, Refusal
from goldpan_local.serve.searches import Searches
from starlette.applications import Starlette
from starlette.routing import Route

from tests.contract.openapi.contract import CONTRACT, GATEWAY_RESPONSES, SEARCH
from tests.unit.local.serving import QUESTION, problem_of, runtime, serving


def test_the_paths_are_those_of_the_contract() -> None:
    """What the contract names is served, by the same methods, and beside it the contract itself."""
    app = application(Searches(runtime(), 1), None)._app
    assert isinstance(app, Starlette)
    routes = [route for route in app.routes if isinstance(route, Route)]
    served = {(route.path, method) for route in routes for method in route.methods or () if method != "HEAD"}
    named = {(path, method.upper()) for path, item in CONTRACT["paths"].items() for method in item}
    assert served == named | {("/openapi.json", "GET")}


def test_a_key_is_asked_for_where_the_contract_says_so() -> None:
    """With keys set, exactly the operations that the contract secures refuse a call without one."""
    client = serving(keys="k")
    for path, item in CONTRACT["paths"].items():
        for method, operation in item.items():
            assert (client.request(method, path, json=QUESTION).status_code == 403) == bool(operation["security"])


def test_the_contract_is_shown_without_what_only_the_gateway_reads() -> None:
    """A reader of /openapi.json gets the whole contract, and nothing of how AWS carries it out."""
    response = serving().get("/openapi.json")
    assert response.headers["content-type"] == "application/json"
    assert response.json() == public_contract()
    assert "x-amazon-" not in response.text
    assert "Fn::Sub" not in response.text
    for part in ("openapi", "info", "components"):
        assert response.json()[part] == CONTRACT[part]
    assert response.json()["paths"]["/search"]["post"]["responses"] == SEARCH["responses"]


def test_health_asks_nobody() -> None:
    """Health is a word, also where the settings of every source are wrong."""
    response = serving().get("/health")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})
    assert serving().head("/health").status_code == 200


@pytest.mark.parametrize("path", ["/", "/search/", "/Search", "/docs", "//search", "/search%2f", "/..;/health"])
def test_an_unknown_path_is_not_found(path: str) -> None:
    """Each path has one name; any other is a problem, never a redirection."""
    response = serving().post(path, json=QUESTION, follow_redirects=False)
    assert response.status_code == 404
    assert problem_of(response)["type"] == "urn:goldpan:problem:not-found"


@pytest.mark.parametrize(("method", "path"), [("GET", "/search"), ("DELETE", "/search"), ("POST", "/health")])
def test_a_wrong_method_is_told_the_right_one(method: str, path: str) -> None:
    """A wrong method is a problem, with the right ones in Allow."""
    response = serving().request(method, path)
    assert response.status_code == 405
    assert problem_of(response)["title"] == "The method is not allowed"
    assert ("POST" if path == "/search" else "GET") in response.headers["allow"]


@pytest.mark.parametrize(
    ("status", "name"), [(403, "INVALID_API_KEY"), (404, "RESOURCE_NOT_FOUND"), (415, "UNSUPPORTED_MEDIA_TYPE")]
)
def test_it_refuses_in_the_words_of_the_gateway(status: int, name: str) -> None:
    """A client cannot tell from a problem which of the two deployments it speaks to."""
    said, here = GATEWAY_RESPONSES[name]["responseTemplates"]["application/json"], REFUSALS[status]
    assert f'"urn:goldpan:problem:{here.slug}", "title": "{here.title}", "status": {status}' in said
    assert f'"detail": "{here.detail}"' in said


def test_too_many_searches_are_told_as_on_aws() -> None:
    """The limit of the server is told as the limit of executions is."""
    here: Refusal = REFUSALS[503]
    templates = SEARCH["x-amazon-apigateway-integration"]["responses"]["4\\d{2}"]["responseTemplates"]
    assert f'"title": "{here.title}", "status": 503, "detail": "{here.detail}"' in templates["application/json"]
