"""Makes the request of `goldpan search` from what is typed and the user's file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from goldpan.config import PipelineConfig
from goldpan.contracts import SearchRequest, parse_request
from goldpan.contracts.validation_errors import suggest
from goldpan.errors import InvalidRequest
from goldpan.kinds.registry import DEFAULT_KIND, all_kinds, get_kind, kind_names

from goldpan_local.completion import FORMATS, formats
from goldpan_local.config_files import read_overrides, read_user_file
from goldpan_local.presentations import export_formats
from goldpan_local.search_options import SearchOptions
from goldpan_local.years import read_years

LIBRARY, DEFAULT_PROJECT = "library", "default"
OF_LIBRARY = {"project": "project_id", "library_only": "library_only"}
REQUEST = {
    "kind": "kinds",
    "source": "sources",
    **OF_LIBRARY,
    **{name: name for name in ("mode", "sort", "max_results", "max_seconds", "max_llm_calls", "ignore")},
}
FILTERS = {"topic": "topics", "venue": "venues", "author": "authors", "type": "types"} | {
    name: name
    for name in (
        *("language", "license", "min_stars", "max_stars", "pushed_since", "created_since", "open_access", "exclude"),
    )
}
"""The field of the request, or of its filters, that an option sets."""
YEAR_FILTERS = {"year_from": "year", "year_to": "year"}
FILTER_OPTIONS = {field: option for option, field in FILTERS.items()} | YEAR_FILTERS
"""The option that sets a filter."""
NAMES = {"query": "QUESTION", "format": "--format", "feedback": "--refine"} | {
    field: f"--{option.replace('_', '-')}"
    for field, option in [
        *((field, option) for option, field in REQUEST.items()),
        *((f"filters.{name}", option) for name, option in FILTER_OPTIONS.items()),
    ]
}
"""How the messages name a field: as it is typed."""
NAMES_IN_FILE = {field: name.removeprefix("--").replace("-", "_") for field, name in NAMES.items()}
IN_ANY_CASE = ("mode", "sort", "kind", "source", "format", "type")


def combine(options: SearchOptions, environment: Mapping[str, str]) -> tuple[dict[str, Any], PipelineConfig | None]:
    """Return the options that were given or stand in the user's file, and the overrides of `--config` or that file.

    What is typed takes the place of what the file says, and a search that continues another one has the file's options
    from there. Raises `InvalidRequest`.
    """
    typed = _lower_case({name: value for name, value in asdict(options).items() if value not in (None, [])})
    chosen, tuning = _read_user_file(environment)
    if options.refine is not None:
        chosen, tuning = {name: chosen[name] for name in chosen if name not in {*REQUEST, *FILTERS, "year"}}, None
    elif {*(kinds := typed.get("kind") or chosen.get("kind") or [DEFAULT_KIND])} <= {*kind_names()}:
        chosen = applicable(chosen, kinds)
    if "catalogue" not in typed.get("source", ["catalogue"]):
        chosen.pop("catalogue", None)
    if "catalogue" in typed:
        chosen.pop("source", None)
    return {**chosen, **typed}, read_overrides(options.config) if options.config else tuning


def applicable(chosen: Mapping[str, Any], kinds: Sequence[str]) -> dict[str, Any]:
    """Return those of the user's own defaults that concern these kinds."""
    asked = [get_kind(name) for name in kinds]
    filters = {FILTER_OPTIONS[name] for kind in asked for name in kind.filters.model_fields}
    sources = {name for kind in asked for name in kind.sources}
    kept = {name: chosen[name] for name in chosen if name not in {*FILTERS, "year"} - filters}
    if kept.get("sort") not in {order for kind in asked for order in kind.sorts}:
        kept.pop("sort", None)
    if not any(kind.library_source for kind in asked):
        kept = {name: kept[name] for name in kept if name not in OF_LIBRARY}
    if _kind_of_format(kept.get("format", FORMATS[0])) not in {None, *kinds}:
        del kept["format"]
    if "source" in kept and not (named := [name for name in kept["source"] if name in sources]):
        del kept["source"]
    elif "source" in kept:
        kept["source"] = named
    if "catalogue" not in sources:
        kept.pop("catalogue", None)
    return kept


def read_request(
    query: str, given: Mapping[str, Any], tuning: PipelineConfig | None, names: Mapping[str, str] = NAMES
) -> SearchRequest:
    """Make the request; what was not given keeps the contract's default. Raises `InvalidRequest` by these names."""
    return checked({"query": query, **request_fields(given, tuning, names)}, given, names)


def request_fields(given: Mapping[str, Any], tuning: PipelineConfig | None, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of the request that were given."""
    fields: dict[str, Any] = {field: given[option] for option, field in REQUEST.items() if option in given}
    if fields.get("library_only") or LIBRARY in fields.get("sources", ()):
        fields.setdefault("project_id", DEFAULT_PROJECT)
    filters = {field: given[option] for option, field in FILTERS.items() if option in given}
    if "year" in given:
        filters |= read_years(given["year"], names["filters.year_from"])
    return fields | {"filters": filters} | ({} if tuning is None else {"config": tuning})


def checked(fields: Mapping[str, Any], given: Mapping[str, Any], names: Mapping[str, str]) -> SearchRequest:
    """Parse the request, and check its filters and the format by its kinds. Raises `InvalidRequest` by these names."""
    kind = _kind_of_format(chosen := given.get("format", FORMATS[0]), names["format"])
    kinds = fields.get("kinds", [DEFAULT_KIND])
    if {*kinds} <= {*kind_names()}:
        _check_filters(fields["filters"], kinds, names)
        _check_library(fields, kinds, names)
    request = parse_request(fields, names)
    if kind not in {None, *request.kinds}:
        message = f"{names['format']}: {chosen} is for {kind}; --kind {kind} searches for them"
        raise InvalidRequest(message)
    return request


def _kind_of_format(chosen: str, name: str = "--format") -> str | None:
    """Return the kind that a format is for, None if it is for all of them. Raises `InvalidRequest` if it is unknown."""
    if chosen in FORMATS:
        return None
    require_format(chosen, formats(), name)
    return export_formats()[chosen]


def require_format(chosen: str, allowed: Sequence[str], name: str = "--format") -> None:
    """Raise `InvalidRequest` for a format that is not allowed."""
    if chosen not in allowed:
        message = f"{name}: {chosen!r} is unknown; allowed: {', '.join(allowed)}{suggest(chosen, allowed)}"
        raise InvalidRequest(message)


def _check_filters(filters: Mapping[str, Any], kinds: Sequence[str], names: Mapping[str, str]) -> None:
    """Raise `InvalidRequest` for a filter of other kinds that names them; a range of years is named once."""
    allowed = {name for kind in kinds for name in get_kind(kind).filters.model_fields}
    for name in (name for name in filters if name not in allowed):
        owners = [kind.name for kind in all_kinds() if name in kind.filters.model_fields]
        if owners:
            message = f"{names[f'filters.{name}']}: is for {owners[0]}; --kind {owners[0]} searches for them"
            raise InvalidRequest(message)


def _check_library(fields: Mapping[str, Any], kinds: Sequence[str], names: Mapping[str, str]) -> None:
    """Raise `InvalidRequest` for a library that none of the kinds searches."""
    given = [field for field in OF_LIBRARY.values() if fields.get(field)]
    if not given or any(get_kind(kind).library_source for kind in kinds):
        return
    owner = next((kind.name for kind in all_kinds() if kind.library_source), None)
    for field in given if owner else ():
        message = f"{names[field]}: is for {owner}; --kind {owner} searches for them"
        raise InvalidRequest(message)


def _read_user_file(environment: Mapping[str, str]) -> tuple[dict[str, Any], PipelineConfig | None]:
    """Read the user's file, and check its options by themselves, so that the message names the file.

    A default may concern any kind, because each search takes those that concern its own.
    """
    path, options, tuning = read_user_file(environment)
    chosen = _lower_case(options)
    if not options:
        return chosen, tuning
    try:
        read_request("any", {**chosen, "kind": [*chosen.get("kind", ()), *kind_names()]}, None, NAMES_IN_FILE)
    except InvalidRequest as error:
        message = f"{path}: {error}"
        raise InvalidRequest(message) from error
    return chosen, tuning


def _lower_case(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _lower(value) if name in IN_ANY_CASE else value for name, value in given.items()}


def _lower(value: Any) -> Any:
    return [each.lower() for each in value] if isinstance(value, list) else value.lower()
