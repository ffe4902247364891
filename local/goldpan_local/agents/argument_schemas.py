"""The JSON schemas of arguments that depend on the kinds; they are filled in when a server lists its tools."""

from __future__ import annotations

from goldpan.kinds.registry import kind_names
from pydantic.config import JsonDict

from goldpan_local.search_options import KindFilter, kind_filters

TYPES = {"text": "string", "day": "string", "integer": "integer", "flag": "boolean"}


def describe_kinds(schema: JsonDict) -> None:
    """List the kinds that can be searched for."""
    schema["items"] = {"type": "string", "enum": list(kind_names())}


def describe_filters(schema: JsonDict) -> None:
    """List the filters of all kinds."""
    properties: JsonDict = {}
    for each in kind_filters().values():
        properties |= {field: _described(each) for field in each.option.fields}
    schema.pop("anyOf", None)
    schema |= {"type": "object", "properties": properties, "description": "hard limits of results, by their kind"}


def _described(given: KindFilter) -> JsonDict:
    option = given.option
    value: JsonDict = {"type": TYPES[option.type]}
    if option.choices:
        value["enum"] = list(option.choices)
    shape: JsonDict = {"type": "array", "items": value} if option.is_repeatable else value
    return {**shape, "description": f"{', '.join(given.kinds)}: {option.help}"}
