"""What the gateway says by itself is problem details, too."""

from __future__ import annotations

import json
from typing import Any

import pytest
from goldpan.engine.problem_details import PROBLEM_TYPE, STATUSES

from tests.contract.openapi.contract import GATEWAY_RESPONSES, HEALTH, TEXT, as_written
from tests.contract.openapi.velocity import Payload, render

OWN_STATUS = {
    "ACCESS_DENIED": 403, "BAD_REQUEST_BODY": 400, "EXPIRED_TOKEN": 403, "INTEGRATION_FAILURE": 502,
    "INTEGRATION_TIMEOUT": 504, "INVALID_API_KEY": 403, "INVALID_SIGNATURE": 403, "MISSING_AUTHENTICATION_TOKEN": 403,
    "QUOTA_EXCEEDED": 429, "RESOURCE_NOT_FOUND": 404, "THROTTLED": 429, "UNSUPPORTED_MEDIA_TYPE": 415,
}  # fmt: skip
"""All that can happen to this API; for the rest (no authorizers, no parameters, no firewall) the defaults speak."""
DEFAULTS = {"DEFAULT_4XX", "DEFAULT_5XX"}
BY_NAME = pytest.mark.parametrize("name", sorted(GATEWAY_RESPONSES))


def _details(name: str) -> dict[str, Any]:
    details: dict[str, Any] = json.loads(GATEWAY_RESPONSES[name]["responseTemplates"]["application/json"])
    return details


def test_nothing_that_can_happen_is_left_to_the_gateway_s_own_words() -> None:
    """Every refusal has its words, and whatever comes to be added has the defaults."""
    assert set(GATEWAY_RESPONSES) == set(OWN_STATUS) | DEFAULTS


@BY_NAME
def test_a_refusal_is_problem_details(name: str) -> None:
    """Each has the type of problem details and keeps their schema."""
    parameters = GATEWAY_RESPONSES[name]["responseParameters"]
    assert parameters["gatewayresponse.header.Content-Type"] == f"'{PROBLEM_TYPE}'"
    as_written("Problem").validate(_details(name))


@BY_NAME
def test_the_status_is_the_real_one(name: str) -> None:
    """The body says the status of the response; a default, which stands for several, says none."""
    status = OWN_STATUS.get(name)
    assert GATEWAY_RESPONSES[name].get("statusCode") == (str(status) if status else None)
    assert _details(name).get("status") == status


@BY_NAME
def test_who_asked_too_much_is_told_when_to_come_back(name: str) -> None:
    """429 comes with a Retry-After, and nothing else does."""
    after = GATEWAY_RESPONSES[name]["responseParameters"].get("gatewayresponse.header.Retry-After")
    assert (after is not None) == (OWN_STATUS.get(name) == 429)
    assert after is None or int(after.strip("'")) > 0


@BY_NAME
def test_no_variable_is_put_into_a_refusal(name: str) -> None:
    """These templates escape nothing, so that a quoted piece of the request would break the JSON."""
    assert "$" not in json.dumps(GATEWAY_RESPONSES[name])


def test_the_same_problem_has_the_same_title_everywhere() -> None:
    """A type that the library knows has the library's title in the gateway's texts, and all of these are fixed."""
    titles = {
        f"urn:goldpan:problem:{name}": title
        for cls, (_, title) in STATUSES.items()
        for name in ["".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in cls.__name__)[1:]]
    }
    told = [json.loads(line[line.index('{"type"') :].strip("')#")) for line in TEXT.splitlines() if '{"type"' in line]
    assert len(told) > len(GATEWAY_RESPONSES)
    for details in told:
        assert titles.setdefault(details["type"], details["title"]) == details["title"]
        assert "$" not in details["detail"]


def test_the_gateway_tells_that_it_is_up() -> None:
    """GET /health is answered by the gateway alone, without a key."""
    integration = HEALTH["x-amazon-apigateway-integration"]
    asked, _ = render(integration["requestTemplates"]["application/json"], Payload("{}"))
    assert (integration["type"], json.loads(asked)) == ("mock", {"statusCode": 200})
    [made] = integration["responses"].values()
    text, overrides = render(made["responseTemplates"]["application/json"], Payload("{}"))
    assert (json.loads(text), overrides) == ({"status": "ok"}, {"header": {}})
    as_written("Health").validate(json.loads(text))
    assert HEALTH["security"] == []
