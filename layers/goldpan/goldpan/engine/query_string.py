"""Reads a search request from a query string: `GET /search?q=...`, for links and browsers on one machine.

On AWS there is no such path, because traces and logs hold addresses, and so would hold questions.
"""

from collections.abc import Iterable

from goldpan.contracts import SearchRequest, parse_request
from goldpan.engine.filter_options import filter_options
from goldpan.errors import InvalidRequest
from goldpan.kinds import registry

QUERY = "q"
"""The name of the parameter that is the field `query`."""
NOT_FLAT = {"filters", "config", "previous_strategies"}
"""The fields of a request that are no parameters: one is flat itself, the others are for POST alone."""


def parameters() -> dict[str, bool]:
    """Return the parameters, and whether each may be repeated: the fields of a request, then the filters of all kinds.

    No filter has the name of a field of a request.
    """
    of_kinds = (option for kind in registry.all_kinds() for option in filter_options(kind.filters))
    options = (*filter_options(SearchRequest), *of_kinds)
    fields = {field: option.is_repeatable for option in options for field in option.fields if field not in NOT_FLAT}
    return {QUERY if field == "query" else field: is_list for field, is_list in fields.items()}


def field_of(parameter: str) -> str:
    """Return the field of a request or the filter that a parameter sets."""
    return "query" if parameter == QUERY else parameter


def parse_query(given: Iterable[tuple[str, str]]) -> SearchRequest:
    """Parse the parameters; an empty one counts as absent, as an unused field of a form. Raises `InvalidRequest`."""
    known, values = parameters(), dict[str, list[str]]()
    for name, value in given:
        if name not in known:
            raise InvalidRequest(f"{name[:60]}: unknown parameter (allowed: {', '.join(known)})")
        if value:
            values.setdefault(name, []).append(value)
    if QUERY not in values:
        raise InvalidRequest(f"{QUERY}: is required: the question")
    request, filters = dict[str, object](), dict[str, object]()
    for name, texts in values.items():
        if len(texts) > 1 and not known[name]:
            raise InvalidRequest(f"{name}: given more than once")
        fields = request if field_of(name) in SearchRequest.model_fields else filters
        fields[field_of(name)] = texts if known[name] else texts[0]
    return parse_request({**request, "filters": filters})
