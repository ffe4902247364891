"""The contract that the server serves: that of `api/openapi.yaml`, without what only API Gateway reads.

The server adds searches by a link and those that name repositories, as `make api` does for the gateway, and the events
of a search.
"""

from __future__ import annotations

from copy import deepcopy
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from goldpan.engine.query_string import QUERY, parameters

CONTRACT, GATEWAY_PREFIX = "openapi.yaml", "x-amazon-"
EVENTS_TYPE, JSON = "text/event-stream", "application/json"
SEARCHES, DESCRIBED = "x-searches", ("operationId", "summary", "description")
EVENTS = (
    "With this type in the Accept header, the response is sent as the search runs: the event `started` at once, a "
    "`stage` for each finished stage, and at the end an `answer` or a `problem`. The data of each is JSON."
)
BY_LINK = (
    "As POST, for links and browsers: the fields of the request and of its filters as parameters; an empty parameter "
    "counts as absent. `config` and `previous_strategies` are for POST alone."
)
REFUSED_LINKS = {"415"}


def public_contract() -> dict[str, Any]:
    """Read the contract, and make it that of this server."""
    # The loader in C takes a sixth of the time, but not every installation of PyYAML has it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    contract: dict[str, Any] = _public(yaml.load(_contract_text(), loader))  # noqa: S506 - a safe loader
    contract["servers"] = [{"url": "/", "description": "This server."}]
    search = contract["paths"]["/search"]["post"]
    events = {"schema": {"description": EVENTS, "type": "string"}}
    search["responses"]["200"]["content"][EVENTS_TYPE] = events
    contract["paths"] |= {path: {"post": _as_search(search, given)} for path, given in contract.pop(SEARCHES).items()}
    contract["paths"]["/search"]["get"] = _by_link(search, contract["components"]["schemas"])
    return contract


def _contract_text() -> str:
    """Read the file from the installed package, or from the source tree."""
    installed = files("goldpan_local").joinpath("api", CONTRACT)
    if installed.is_file():
        return installed.read_text("utf-8")
    return (Path(__file__).resolve().parents[3] / "api" / CONTRACT).read_text("utf-8")


def _public(part: Any) -> Any:
    """Drop the gateway's fields at every depth, and write null as OpenAPI does; `Any`, because YAML holds any type.

    The gateway does not know `nullable`, so that the file says it by an alternative that excludes all other types.
    """
    if isinstance(part, list):
        return [_public(value) for value in part]
    if not isinstance(part, dict):
        return part
    made = {name: _public(value) for name, value in part.items() if not str(name).startswith(GATEWAY_PREFIX)}
    match made.get("anyOf"):
        case [form, {"not": _}]:
            del made["anyOf"]
            made |= {**form, "nullable": True}
    return made


def _as_search(search: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Make an operation that differs from a search by its request."""
    operation: dict[str, Any] = deepcopy(search) | {name: given[name] for name in DESCRIBED}
    schema = {"$ref": f"#/components/schemas/{given['schema']}"}
    operation["requestBody"]["content"] = {JSON: {"schema": schema, "examples": {"usual": given["example"]}}}
    return operation


def _by_link(search: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """Make the operation for links from that with a body."""
    operation = {name: deepcopy(value) for name, value in search.items() if name != "requestBody"}
    for status in REFUSED_LINKS:
        del operation["responses"][status]
    forms = {**schemas["Filters"]["properties"], **schemas["SearchRequest"]["properties"]}
    made = [_parameter(each.name, forms[each.field]) for each in parameters()]
    return {**operation, "operationId": "searchByLink", "description": BY_LINK, "parameters": made}


def _parameter(name: str, form: dict[str, Any]) -> dict[str, Any]:
    schema = {key: value for key, value in form.items() if key not in {"description", "nullable"}}
    described = {"description": form["description"]} if "description" in form else {}
    return {"name": name, "in": "query", "required": name == QUERY, **described, "schema": schema}
