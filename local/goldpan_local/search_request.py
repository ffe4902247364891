"""Makes the request of `goldpan search` from what is typed and the user's file."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import cast

from goldpan.contracts import SearchRequest, parse_request
from goldpan.errors import InvalidRequest, naming
from goldpan.kinds.registry import DEFAULT_KIND, all_kinds, get_kind, kind_names

from goldpan_local.config_files import read_overrides, read_user_file
from goldpan_local.option_values import FORMATS, one_of, read_range, texts
from goldpan_local.presentations import export_formats
from goldpan_local.search_options import SearchOptions, all_formats, kind_filters

DEFAULT_PROJECT = "default"
OF_LIBRARY = {"project": "project_id", "library_only": "library_only"}
REQUEST = {
    "kind": "kinds",
    "source": "sources",
    **OF_LIBRARY,
    **{name: name for name in ("mode", "sort", "preference", "ignore")},
    **{name: name for name in ("max_results", "offset", "max_seconds", "max_llm_calls")},
}
"""The field of the request that an option sets."""
IN_ANY_CASE = {"mode", "sort", "preference", "kind", "source", "format"}


def filter_names() -> dict[str, str]:
    """Return the option that sets each filter."""
    return {field: each.option.name for each in kind_filters().values() for field in each.option.fields}


def option_names() -> dict[str, str]:
    """Return how the messages name a field of a request: as it is typed."""
    named = {field: option for option, field in REQUEST.items()}
    named |= {f"filters.{field}": option for field, option in filter_names().items()}
    fixed = {"query": "QUESTION", "format": "--format", "feedback": "--refine"}
    return fixed | {field: f"--{option.replace('_', '-')}" for field, option in named.items()}


def is_continued(given: Mapping[str, object]) -> bool:
    """Report whether the options continue the last search: with a wish, or without a part of how it was read."""
    return "refine" in given or ("ignore" in given and not given.get("question"))


def combine(typed: Mapping[str, object], environment: Mapping[str, str]) -> SearchOptions:
    """Return the options that were given or stand in the user's file, with the overrides of `--config` or that file.

    What is typed takes the place of what the file says, and a search that continues another one has the file's options
    from there. Raises `InvalidRequest`.
    """
    given = _lower_case({name: value for name, value in typed.items() if value not in (None, [])})
    chosen = _read_user_file(environment)
    kinds = texts(given.get("kind") or chosen.get("kind") or [DEFAULT_KIND])
    if is_continued(given):
        chosen = {name: chosen[name] for name in chosen if name not in {*REQUEST, *kind_filters(), "tuning"}}
    elif {*kinds} <= {*kind_names()}:
        chosen = applicable(chosen, kinds)
    if "catalogue" not in texts(given.get("source", ["catalogue"])):
        chosen.pop("catalogue", None)
    if "catalogue" in given:
        chosen.pop("source", None)
    options = cast("SearchOptions", {**chosen, **given})
    if "config" in options:
        options["tuning"] = read_overrides(options["config"])
    return options


def applicable(chosen: Mapping[str, object], kinds: Sequence[str]) -> dict[str, object]:
    """Return those of the user's own defaults that concern these kinds."""
    asked = [get_kind(name) for name in kinds]
    others = {name for name, each in kind_filters().items() if not {*each.kinds} & {*kinds}}
    if not any(kind.library_source for kind in asked):
        others |= {*OF_LIBRARY}
    of_kinds = {"sort": [kind.sorts for kind in asked], "preference": [kind.preferences for kind in asked]}
    others |= {name for name, given in of_kinds.items() if str(chosen.get(name)) not in chain.from_iterable(given)}
    if _kind_of_format(str(chosen.get("format", FORMATS[0]))) not in {None, *kinds}:
        others.add("format")
    kept = {name: value for name, value in chosen.items() if name not in others}
    sources = {name for kind in asked for name in kind.sources}
    if named := [name for name in texts(kept.pop("source", [])) if name in sources]:
        kept["source"] = named
    if "catalogue" not in sources:
        kept.pop("catalogue", None)
    return kept


def read_request(query: str, given: SearchOptions, names: Mapping[str, str] | None = None) -> SearchRequest:
    """Make the request; what was not given keeps the contract's default. Raises `InvalidRequest` by these names."""
    named = names or option_names()
    return checked({"query": query, **request_fields(given, named)}, given, named)


def request_fields(given: SearchOptions, names: Mapping[str, str]) -> dict[str, object]:
    """Return the fields of the request that were given. Raises `InvalidRequest` by these names."""
    fields = {REQUEST[option]: value for option, value in given.items() if option in REQUEST}
    libraries = {kind.library_source for kind in all_kinds()}
    if given.get("library_only") or libraries.intersection(given.get("source", ())):
        fields.setdefault("project_id", DEFAULT_PROJECT)
    filters = dict(_filters(given, names))
    return fields | {"filters": filters} | ({"config": given["tuning"]} if "tuning" in given else {})


def _filters(given: Mapping[str, object], names: Mapping[str, str]) -> Iterator[tuple[str, object]]:
    """Yield the filters that were given; a range sets the fields of its ends."""
    for name, each in kind_filters().items():
        if name in given and each.option.is_range:
            yield from read_range(str(given[name]), names[f"filters.{each.option.fields[0]}"], each.option.fields)
        elif name in given:
            yield each.option.fields[0], given[name]


def checked(fields: Mapping[str, object], given: SearchOptions, names: Mapping[str, str]) -> SearchRequest:
    """Parse the request, and check its filters and the format by its kinds. Raises `InvalidRequest` by these names."""
    chosen = given.get("format", FORMATS[0])
    kind = _kind_of_format(chosen, names["format"])
    kinds = texts(fields.get("kinds", [DEFAULT_KIND]))
    if {*kinds} <= {*kind_names()}:
        _check_owners(fields, given, kinds, names)
    request = parse_request(fields, names)
    if kind not in {None, *request.kinds}:
        raise _is_for(f"{names['format']}: {chosen}", kind)
    return request


def _kind_of_format(chosen: str, name: str = "--format") -> str | None:
    """Return the kind that a format is for, None if it is for all of them. Raises `InvalidRequest` if it is unknown."""
    if chosen in FORMATS:
        return None
    return export_formats()[one_of(name, chosen, all_formats())][0]


def _check_owners(
    fields: Mapping[str, object], given: SearchOptions, kinds: Sequence[str], names: Mapping[str, str]
) -> None:
    """Raise `InvalidRequest` for a filter of other kinds, or a library that none of the kinds searches."""
    filters = fields["filters"] if isinstance(fields["filters"], dict) else {}
    for each in kind_filters().values():
        if not {*each.kinds} & {*kinds} and (wrong := filters.keys() & {*each.option.fields}):
            raise _is_for(names[f"filters.{min(wrong)}"] + ":", each.kinds[0])
    of_library = [names[field] for field in OF_LIBRARY.values() if fields.get(field)]
    of_library += ["--add-to"] if "add_to" in given else []
    owners = [kind.name for kind in all_kinds() if kind.library_source]
    if of_library and not {*owners} & {*kinds}:
        raise _is_for(f"{of_library[0]}:", owners[0])


def _is_for(what: str, kind: str | None) -> InvalidRequest:
    return InvalidRequest(f"{what} is for {kind}; --kind {kind} searches for them")


def _read_user_file(environment: Mapping[str, str]) -> dict[str, object]:
    """Read the user's file, and check its options by themselves, so that the message names the file.

    A default may concern any kind, because each search takes those that concern its own.
    """
    path, options = read_user_file(environment)
    if not options:
        return {}
    chosen = _lower_case(options)
    in_file = {field: name.removeprefix("--").replace("-", "_") for field, name in option_names().items()}
    with naming(f"{path}"):
        kinds = [*texts(chosen.get("kind", [])), *kind_names()]
        read_request("any", cast("SearchOptions", {**chosen, "kind": kinds}), in_file)
    return chosen


def _lower_case(given: Mapping[str, object]) -> dict[str, object]:
    """Write the values in lower case that are names of a fixed list."""
    names = IN_ANY_CASE | {name for name, each in kind_filters().items() if each.option.choices}
    return {name: _lower(value) if name in names else value for name, value in given.items()}


def _lower(value: object) -> object:
    return [each.lower() for each in texts(value)] if isinstance(value, list) else str(value).lower()
