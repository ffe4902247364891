"""Write gateway.json, what API Gateway imports, from the contract in openapi.yaml: `make api`.

API Gateway imports models of JSON Schema draft 4 without some of its keywords, and warns of what it does not know; the
deployment fails on a warning. So a model has the documented keywords alone. A value that may be null, which OpenAPI 3.0
can say by unsupported keywords only, has no type there: the library checks its type. Nothing becomes stricter.
https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html

The operations of `x-searches` are made from `POST /search` too, with templates that make its request of their own.

`GET /search` is made from `POST /search`: the parameters are those of the library, and a template of its own, in
search_by_link.vtl, makes the request from them; all else is the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from goldpan.engine.query_string import INTEGER, QUERY, UNMAPPED, Parameter, parameters

CONTRACT, GATEWAY, BY_LINK = (
    Path(__file__).with_name(name) for name in ("openapi.yaml", "gateway.json", "search_by_link.vtl")
)
BODY = "$input.json('$')"
"""Where the template of POST inserts the request."""
INTEGRATION, VALIDATOR = "x-amazon-apigateway-integration", "x-amazon-apigateway-request-validator"
SEARCHES, REFERENCE, JSON = "x-searches", "#/components/schemas/", "application/json"
Schema = dict[str, Any]
KEYWORDS = (
    "$ref", "description", "type", "enum", "required", "properties", "additionalProperties", "maxProperties", "items",
    "minLength", "maxLength", "pattern", "minimum", "maximum",
)  # fmt: skip
"""What a model may have. Not minItems, maxItems and exclusiveMinimum, which API Gateway does not check."""


def gateway_document(contract: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document for API Gateway: the operations that it serves, and the models of their requests."""
    operations = {
        path: {verb: _operation(each) for verb, each in item.items() if INTEGRATION in each}
        for path, item in contract["paths"].items()
    }
    search, schemas = operations["/search"]["post"], contract["components"]["schemas"]
    operations["/search"]["get"] = _by_link(search)
    for path, given in contract[SEARCHES].items():
        operations[path] = {"post": _as_search(search, given, schemas[given["schema"]])}
    paths = {path: item for path, item in operations.items() if item}
    used = _referenced(paths, schemas)
    components = {
        "securitySchemes": contract["components"]["securitySchemes"],
        "schemas": {name: model(schema) for name, schema in schemas.items() if name in used},
    }
    extensions = {name: value for name, value in contract.items() if name.startswith("x-amazon-")}
    return {
        "openapi": contract["openapi"],
        "info": contract["info"],
        "paths": paths,
        "components": components,
    } | extensions


def model(schema: Schema) -> Schema:
    """Return a schema as a model of API Gateway."""
    alternatives = [each for each in schema.get("anyOf", ()) if "not" not in each]
    if len(alternatives) > 1:
        message = f"a model has no alternatives but null: {schema}"
        raise ValueError(message)
    made = {key: value for key, value in {**schema, **dict(*alternatives)}.items() if key in KEYWORDS}
    if "anyOf" in schema or schema.get("nullable"):
        made.pop("type", None)
    for key in ("items", "additionalProperties"):
        if isinstance(made.get(key), dict):
            made[key] = model(made[key])
    if "properties" in made:
        made["properties"] = {name: model(inner) for name, inner in made["properties"].items()}
    return made


def _operation(operation: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what describes responses, and the examples: the integration makes the responses."""
    made = dict(operation)
    made["responses"] = {status: {"description": each["description"]} for status, each in made["responses"].items()}
    if "requestBody" in made:
        contents = {media: {"schema": each["schema"]} for media, each in made["requestBody"]["content"].items()}
        made["requestBody"] = {"required": True, "content": contents}
    return made


def _by_link(search: Mapping[str, Any]) -> dict[str, Any]:
    """Make the operation for links from that with a body, which alone has a validator."""
    made = {name: value for name, value in search.items() if name not in {"requestBody", VALIDATOR}}
    made |= {"operationId": "searchByLink", "description": "As POST, for links: the fields as parameters."}
    given = parameters()
    made["parameters"] = [
        {"name": each.name, "in": "query", "required": each.name == QUERY, "schema": {"type": "string"}}
        for each in given
    ]
    [(media, template)] = search[INTEGRATION]["requestTemplates"].items()
    text, values = template["Fn::Sub"]
    linked = {"Fn::Sub": [link_template(given) + text.replace(BODY, "$request"), values]}
    made[INTEGRATION] = {**search[INTEGRATION], "requestTemplates": {media: linked}}
    return made


def _as_search(search: Mapping[str, Any], given: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    """Make an operation that differs from a search by its request."""
    made = {**search, "operationId": given["operationId"], "description": given["description"]}
    made["requestBody"] = {"required": True, "content": {JSON: {"schema": {"$ref": REFERENCE + given["schema"]}}}}
    text, values = search[INTEGRATION]["requestTemplates"][JSON]["Fn::Sub"]
    renamed = {"Fn::Sub": [request_template(schema, given["renamed"]) + text.replace(BODY, "$request"), values]}
    made[INTEGRATION] = {**search[INTEGRATION], "requestTemplates": {JSON: renamed}}
    return made


def request_template(schema: Schema, renamed: Mapping[str, Mapping[str, str]]) -> str:
    """Return the Velocity code that sets $request from the fields of a body, in one order; a missing one is left out.

    A question is never left out, because a search without the field `query` is refused before the library reads it.
    """
    lines = ["#set($fields = '')"]
    for name in schema["properties"]:
        new = renamed.get(name, {})
        value = f"#set($value = $input.json('$.{name}'))"
        if "prefix" in new:
            escaped = f"""$util.escapeJavaScript($input.path('$.{name}')).replaceAll("\\\\'", "'")"""
            value = f"""#set($value = {escaped})##\n#set($start = '"{new["prefix"]}')##\n#set($end_of = '"')##\n"""
            value += '#set($value = "$start$value$end_of")'
        field = new.get("field", name)
        lines += [
            f"#set($given = $input.path('$.{name}'))",
            "#if(\"$!given\" != '')",
            *value.split("##\n"),
            f"""#set($name = ', "{field}": ')""",
            '#set($fields = "$fields$name$value")',
            *(["#else", """#set($fields = "$fields, $quote$query$quote: $quote$quote")"""] if field == "query" else []),
            "#end",
        ]
    lines += ["#set($begin = '{')", "#set($end_of = '}')", "#set($fields = $fields.substring(2))"]
    lines.append('#set($request = "$begin$fields$end_of")')
    lines = ["#set($quote = '\"')", "#set($query = 'query')", *lines]
    return "".join(f"{line}##\n" for line in lines)


def link_template(given: Sequence[Parameter]) -> str:
    """Return the Velocity code that sets $request; behind ## a line writes nothing, not even its end."""
    names = {
        "names": [each.name for each in given],
        "lists": [each.name for each in given if each.is_list],
        "integers": [each.name for each in given if each.type == "integer"],
        "booleans": [each.name for each in given if each.type == "boolean"],
        "filters": [each.name for each in given if each.is_filter],
    }
    text = BY_LINK.read_text("utf-8")
    for mark, inserted in names.items():
        text = text.replace(f"@{mark}@", ", ".join(f"'{name}'" for name in inserted))
    for mark, value in (("integer", INTEGER.pattern), ("query", QUERY), ("unmapped", UNMAPPED)):
        text = text.replace(f"@{mark}@", value)
    return "".join(f"{line}##\n" for line in text.splitlines() if not line.startswith("##"))


def _referenced(value: object, schemas: Mapping[str, Schema]) -> set[str]:
    """Return the names of the schemas to which a value refers, directly or through others."""
    found = set[str]()
    left = set(re.findall(r"'#/components/schemas/(\w+)'", str(value)))
    while left:
        found |= left
        left = {
            name for each in left for name in re.findall(r"'#/components/schemas/(\w+)'", str(schemas[each]))
        } - found
    return found


def generate(text: str) -> str:
    """Return the text of gateway.json for that of openapi.yaml."""
    return json.dumps(gateway_document(yaml.safe_load(text)), indent=1) + "\n"


if __name__ == "__main__":
    GATEWAY.write_text(generate(CONTRACT.read_text("utf-8")), "utf-8")
