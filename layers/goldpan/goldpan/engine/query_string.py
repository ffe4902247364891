"""Reads a search request from a query string: `GET /search?q=...`, for links and browsers on one machine.

On AWS there is no such path, because traces and logs hold addresses, and so would hold questions.
"""

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


@dataclass(frozen=True)
class Parameter:
    """A parameter of the query string: `is_list` may be repeated."""

    name: str
    field: str
    is_filter: bool
    is_list: bool


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
                yield Parameter(name, field, is_filter, option.is_repeatable)


def parse_query(given: Iterable[tuple[str, str]]) -> SearchRequest:
    """Parse the parameters; an empty one counts as absent, as an unused field of a form. Raises `InvalidRequest`."""
    known, values = {each.name: each for each in parameters()}, dict[str, list[str]]()
    for name, value in given:
        if name not in known:
            raise InvalidRequest(f"{name[:60]}: unknown parameter (allowed: {', '.join(known)})")
        if value:
            values.setdefault(name, []).append(value)
    if QUERY not in values:
        raise InvalidRequest(f"{QUERY}: is required: the question")
    request, filters = dict[str, object](), dict[str, object]()
    for name, texts in values.items():
        if len(texts) > 1 and not known[name].is_list:
            raise InvalidRequest(f"{name}: given more than once")
        fields = filters if known[name].is_filter else request
        fields[known[name].field] = texts if known[name].is_list else texts[0]
    return parse_request({**request, "filters": filters})
