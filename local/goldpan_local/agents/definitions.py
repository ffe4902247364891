"""What clients get of the tools: short definitions, because an agent pays for them in every conversation."""

from collections.abc import Mapping, Sequence

from mcp_types import Tool
from pydantic import JsonValue
from pydantic.config import JsonDict

_LEFT_OUT = ("title", "$defs", "additionalProperties")
_EMPTY: tuple[JsonValue, ...] = (None, [], {})


def concise(tools: Sequence[Tool]) -> list[Tool]:
    """Return the tools with short schemas; an output that is that of an earlier tool refers to it."""
    made, outputs = list[Tool](), dict[str, str]()
    for tool in tools:
        output = concise_schema(tool.output_schema or {}, explained_alone=True)
        first = outputs.setdefault(repr(output), tool.name)
        if first != tool.name:
            output = {"type": "object", "description": f"as of `{first}`"}
        changes = {"description": " ".join((tool.description or "").split()), "output_schema": output}
        made.append(tool.model_copy(update={**changes, "input_schema": concise_schema(tool.input_schema)}))
    return made


def concise_schema(schema: JsonDict, *, explained_alone: bool = False) -> JsonDict:
    """Return a schema with its definitions in place, without titles, nulls and empty defaults.

    A value that may be null may as well be left out. `explained_alone`: only the fields with a description, as of an
    output, which itself shows the others.
    """
    definitions = schema.get("$defs")
    own = {name: value for name, value in schema.items() if name != "description"}
    return _concise(own, definitions if isinstance(definitions, dict) else {}, explained_alone=explained_alone)


def _concise(schema: Mapping[str, JsonValue], definitions: JsonDict, *, explained_alone: bool) -> JsonDict:
    left_out = (*_LEFT_OUT, "required", "default") if explained_alone else _LEFT_OUT
    kept: JsonDict = {}
    for name, value in _resolved(schema, definitions).items():
        if name in left_out or (name == "default" and value in _EMPTY):
            continue
        if name == "properties" and isinstance(value, dict):
            fields = {
                field: _concise(each, definitions, explained_alone=explained_alone)
                for field, each in value.items()
                if isinstance(each, dict)
            }
            kept[name] = {field: each for field, each in fields.items() if not explained_alone or _is_explained(each)}
        elif name == "items" and isinstance(value, dict):
            kept[name] = _concise(value, definitions, explained_alone=explained_alone)
        else:
            kept[name] = value
    return kept


def _is_explained(schema: JsonDict) -> bool:
    """Whether a schema, or one within it, has a description."""
    return "description" in schema or any(isinstance(each, dict) and _is_explained(each) for each in schema.values())


def _resolved(schema: Mapping[str, JsonValue], definitions: JsonDict) -> JsonDict:
    """Put a definition, or what a value is if it is not null, in the place of what refers to it."""
    own = {name: value for name, value in schema.items() if name not in {"$ref", "anyOf"}}
    options, reference = schema.get("anyOf"), schema.get("$ref")
    if isinstance(options, list):
        [option] = [each for each in options if isinstance(each, dict) and each.get("type") != "null"]
        return {**_resolved(option, definitions), **own}
    target = definitions[reference.rpartition("/")[2]] if isinstance(reference, str) else {}
    shape = target if isinstance(target, dict) else {}
    return {name: value for name, value in shape.items() if name != "description"} | own
