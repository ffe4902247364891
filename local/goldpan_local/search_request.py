"""Makes the request of `goldpan search` from what is typed and the user's file."""

from collections.abc import Iterator, Mapping
from typing import cast

from goldpan.contracts import SearchRequest, parse_request
from goldpan.errors import InvalidRequest
from goldpan.kinds.registry import all_kinds

from goldpan_local.config_files import read_overrides, read_user_file
from goldpan_local.option_values import FORMATS, one_of, read_range
from goldpan_local.presentations import export_formats
from goldpan_local.search_options import SearchOptions, all_formats, kind_filters

DEFAULT_PROJECT = "default"
REQUEST = {
    "kind": "kinds",
    "source": "sources",
    "project": "project_id",
    **{name: name for name in ("library_only", "mode", "sort", "preference", "ignore")},
    **{name: name for name in ("max_results", "offset", "max_seconds", "max_llm_calls")},
}
"""The field of the request that an option sets."""
IN_ANY_CASE = {"mode", "sort", "preference", "kind", "source", "format"}
"""The options, beside filters with choices, whose values are names of a fixed list."""


def filter_names() -> dict[str, str]:
    """Return the option that sets each filter."""
    return {field: each.option.name for each in kind_filters().values() for field in each.option.fields}


def option_names() -> dict[str, str]:
    """Return how the messages name a field of a request: as it is typed."""
    named = {field: option for option, field in REQUEST.items()}
    named |= {f"filters.{field}": option for field, option in filter_names().items()}
    fixed = {"query": "QUESTION", "format": "--format", "feedback": "--refine"}
    return fixed | {field: _typed(option) for field, option in named.items()}


def _typed(option: str) -> str:
    return f"--{option.replace('_', '-')}"


def is_continued(given: Mapping[str, object]) -> bool:
    """Report whether the options continue the last search: with a wish, or without a part of how it was read."""
    return "refine" in given or ("ignore" in given and not given.get("question"))


def combine(typed: Mapping[str, object], environment: Mapping[str, str]) -> SearchOptions:
    """Return the options that were given or stand in the user's file, with the overrides of `--config` or that file.

    What is typed takes the place of what the file says, and a search that continues another one has the file's options
    from there. Raises `InvalidRequest`.
    """
    in_any_case = IN_ANY_CASE | {name for name, each in kind_filters().items() if each.option.choices}
    known = {name: value for name, value in typed.items() if value not in (None, [])}
    given = {name: _lower(value) if name in in_any_case else value for name, value in known.items()}
    chosen = read_user_file(environment)[1]
    if is_continued(given):
        chosen = {name: value for name, value in chosen.items() if name not in {*REQUEST, "tuning"}}
    options = cast("SearchOptions", {**chosen, **given})
    if "config" in options:
        options["tuning"] = read_overrides(options["config"])
    return options


def read_request(query: str, given: SearchOptions) -> SearchRequest:
    """Make the request; what was not given keeps the contract's default. Raises `InvalidRequest`."""
    return checked({"query": query, "filters": dict(given_filters(given)), **request_fields(given)}, given)


def request_fields(given: SearchOptions) -> dict[str, object]:
    """Return the fields of the request that were given, without the filters."""
    fields = {REQUEST[option]: value for option, value in given.items() if option in REQUEST}
    libraries = {kind.library_source for kind in all_kinds()}
    if given.get("library_only") or libraries.intersection(given.get("source", ())):
        fields.setdefault("project_id", DEFAULT_PROJECT)
    return fields | ({"config": given["tuning"]} if "tuning" in given else {})


def given_filters(given: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield the filters that were given; a range sets the fields of its ends. Raises `InvalidRequest`."""
    for name, each in kind_filters().items():
        if name in given and each.option.is_range:
            yield from read_range(str(given[name]), _typed(name), each.option.fields)
        elif name in given:
            yield each.option.fields[0], given[name]


def checked(fields: Mapping[str, object], given: SearchOptions) -> SearchRequest:
    """Parse the request, and check that the format is for its kinds. Raises `InvalidRequest`."""
    request, chosen = parse_request(fields, option_names()), given.get("format", FORMATS[0])
    kind = export_formats()[one_of("--format", chosen, all_formats())][0] if chosen not in FORMATS else None
    if kind not in {None, *request.kinds}:
        raise InvalidRequest(f"--format: {chosen} is for {kind}; --kind {kind} searches for them")
    return request


def _lower(value: object) -> object:
    return [str(each).lower() for each in value] if isinstance(value, list) else str(value).lower()
