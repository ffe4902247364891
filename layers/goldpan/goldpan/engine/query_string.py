"""Reads a search request from a query string: `GET /search?q=...`, for links and browsers on one machine.

On AWS there is no such path, because traces and logs hold addresses, and so would hold questions.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pydantic.json_schema import JsonSchemaValue

from goldpan.contracts import SearchRequest, parse_request
from goldpan.errors import InvalidRequest
from goldpan.kinds import registry

QUERY = "q"
"""The name of the parameter that is the field `query`."""
NOT_FLAT = {"filters", "config", "previous_strategies"}
"""The fields of a request that are no parameters: one is flat itself, the others are for POST alone."""
INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,8})")
"""What is a number in JSON too; other texts stay texts, and are refused as such or read by pydantic ("007")."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of the query string, and the JSON type of its field: `is_list` may be repeated."""

    name: str
    field: str
    is_filter: bool
    is_list: bool
    type: str


def parameters() -> tuple[Parameter, ...]:
    """Return the parameters: the fields of a request, then those of the filters of all kinds."""
    made = {each.name: each for each in _described(SearchRequest.model_json_schema(), is_filter=False)}
    for kind in registry.all_kinds():
        made |= {each.name: each for each in _described(kind.filters.model_json_schema(), is_filter=True)}
    return tuple(made.values())


def parse_query(given: Iterable[tuple[str, str]]) -> SearchRequest:
    """Parse the parameters; an empty one counts as absent, as an unused field of a form. Raises `InvalidRequest`."""
    known = {each.name: each for each in parameters()}
    filters: dict[str, object] = {}
    request: dict[str, object] = {"filters": filters}
    for name, value in given:
        parameter = known.get(name)
        if parameter is None:
            raise InvalidRequest(f"{name[:60]}: unknown parameter (allowed: {', '.join(known)})")
        if value:
            _add(parameter, value, filters if parameter.is_filter else request)
    if "query" not in request:
        raise InvalidRequest(f"{QUERY}: is required: the question")
    return parse_request(request)


def _add(parameter: Parameter, value: str, fields: dict[str, object]) -> None:
    if parameter.is_list:
        before = fields.get(parameter.field)
        fields[parameter.field] = [*before, value] if isinstance(before, list) else [value]
    elif parameter.field in fields:
        raise InvalidRequest(f"{parameter.name}: given more than once")
    else:
        is_integer = parameter.type == "integer" and INTEGER.fullmatch(value)
        fields[parameter.field] = int(value) if is_integer else value


def _described(schema: JsonSchemaValue, *, is_filter: bool) -> Iterator[Parameter]:
    for field, form in schema["properties"].items():
        if is_filter or field not in NOT_FLAT:
            types = [each.get("type", "") for each in (form, *form.get("anyOf", ()))]
            name = QUERY if (field, is_filter) == ("query", False) else field
            first = next((each for each in types if each), "string")
            yield Parameter(name, field, is_filter, "array" in types, first)
