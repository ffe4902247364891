"""Reads a search request from a query string: `GET /search?q=...`, for links and browsers on one machine.

On AWS there is no such path, because traces and logs hold addresses, and so would hold questions.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pydantic import BaseModel

from goldpan.contracts import SearchRequest, parse_request
from goldpan.engine.filter_options import filter_options
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
    """A parameter of the query string: `is_list` may be repeated."""

    name: str
    field: str
    is_filter: bool
    is_list: bool
    is_integer: bool


def parameters() -> tuple[Parameter, ...]:
    """Return the parameters: the fields of a request, then those of the filters of all kinds."""
    made = [*_parameters_of(SearchRequest, is_filter=False)]
    for kind in registry.all_kinds():
        made += _parameters_of(kind.filters, is_filter=True)
    return tuple({each.name: each for each in made}.values())


def _parameters_of(model: type[BaseModel], *, is_filter: bool) -> Iterator[Parameter]:
    for option in filter_options(model):
        for field in option.fields:
            if is_filter or field not in NOT_FLAT:
                name = QUERY if (field, is_filter) == ("query", False) else field
                yield Parameter(name, field, is_filter, option.is_repeatable, option.type == "integer")


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
        is_integer = parameter.is_integer and INTEGER.fullmatch(value)
        fields[parameter.field] = int(value) if is_integer else value
