"""Reads a search request from a query string: `GET /search?q=...`, for links and browsers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from goldpan.contracts import SearchRequest, parse_request
from goldpan.errors import InvalidRequest
from goldpan.kinds import registry
from pydantic import BaseModel

QUERY = "q"
"""The name of the parameter that is the field `query`."""
NOT_FLAT = {"query", "filters", "config", "previous_strategies"}
"""The fields of a request that are no parameters: one has another name, one is flat itself, two are for POST alone."""


def parameter_names() -> dict[str, bool]:
    """Return the parameters, and whether each may be repeated: the fields of a request, and of the filters."""
    models: list[type[BaseModel]] = [SearchRequest, *(kind.filters for kind in registry.all_kinds())]
    forms = {name: form for model in models for name, form in model.model_json_schema()["properties"].items()}
    return {QUERY: False} | {name: _is_list(form) for name, form in forms.items() if name not in NOT_FLAT}


def parse_query(given: Iterable[tuple[str, str]]) -> SearchRequest:
    """Parse the parameters; an empty one counts as absent, as an unused field of a form. Raises `InvalidRequest`."""
    repeatable = parameter_names()
    fields: dict[str, Any] = {}
    for name, value in given:
        if name not in repeatable:
            message = f"{name[:60]}: unknown parameter (allowed: {', '.join(repeatable)})"
            raise InvalidRequest(message)
        if repeatable[name] and value:
            fields.setdefault(name, []).append(value)
        elif value:
            if name in fields:
                message = f"{name}: given more than once"
                raise InvalidRequest(message)
            fields[name] = value
    if QUERY not in fields:
        message = f"{QUERY}: is required: the question"
        raise InvalidRequest(message)
    request = {"query": fields.pop(QUERY)}
    request |= {name: fields.pop(name) for name in [*fields] if name in SearchRequest.model_fields}
    return parse_request({**request, "filters": fields})


def _is_list(form: dict[str, Any]) -> bool:
    return any(each.get("type") == "array" for each in (form, *form.get("anyOf", ())))
