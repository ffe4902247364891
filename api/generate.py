"""Write openapi.yaml, the HTTP contract, and gateway.json, what API Gateway imports from it: `make api`.

API Gateway imports OpenAPI 3.0 with models of JSON Schema draft 4, and its message about a body names no field. So it
checks what the templates and the state machine read before the library does: the required fields, and the type of each
field that has one alone. The library checks the rest, and says what is wrong.
https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
"""

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path

import yaml
from goldpan.aws.failures import CUT_ERRORS, NO_FUNCTION, RETRIED_ERRORS
from goldpan.engine.deadlines import STAGE_SECONDS
from goldpan.engine.problem_details import problem
from goldpan.engine.rounds import MAX_ROUNDS
from goldpan.errors import NotFound, OutOfTime, Overloaded
from goldpan.kinds.registry import all_kinds
from goldpan.kinds.repositories.names import REPO
from goldpan_local.server.background import UNKNOWN_SEARCH
from goldpan_local.server.contract import contract
from goldpan_local.server.requests import MAX_BODY, problem_response
from pydantic.json_schema import JsonSchemaValue

FOLDER = Path(__file__).parent
CONTRACT, GATEWAY = FOLDER / "openapi.yaml", FOLDER / "gateway.json"
SCHEMAS = re.compile(r"#/components/schemas/(\w+)")
TEMPLATES = re.compile(r'"((?:\w+\.vtl ?)+)"')
"""A text in JSON that names templates, one after the other."""
ORIGIN = "Access-Control-Allow-Origin"
ALLOWED = {"Fn::If": ["HasCorsOrigin", {"Fn::Sub": "'${CorsOrigin}'"}, {"Ref": "AWS::NoValue"}]}
COPIED = ("CompareRequest", "LikeRequest")
"""The requests of which a template copies fields by their names: another field is refused, or no one would read it."""
UNKNOWN = ("/", "/{proxy+}")
"""Every path that has no operation; without a method of its own the first would ask for a signature."""


def generate() -> dict[Path, str]:
    """Return the text of each generated file."""
    document = contract()
    heading = "# Made by `make api` from the models and from local/goldpan_local/server/operations.yaml.\n"
    unshared = json.loads(json.dumps(document))  # YAML would write an object that occurs twice by reference
    written = yaml.safe_dump(unshared, sort_keys=False, width=120, allow_unicode=True)
    return {CONTRACT: heading + written, GATEWAY: json.dumps(gateway_document(document), indent=1) + "\n"}


def gateway_document(document: JsonSchemaValue) -> JsonSchemaValue:
    """Return the document for API Gateway: the operations that it serves, and the models of their requests."""
    written = yaml.safe_load((FOLDER / "gateway.yaml").read_text("utf-8"))
    start = json.dumps(written["start"])
    started = {path: {"post": json.loads(start.replace("body.vtl", name))} for path, name in written["started"].items()}
    operations = {**started, **written["operations"]}
    filled = _with_templates({"operations": operations, "others": written["others"]}, _marks(document))
    others = {"x-amazon-apigateway-any-method": filled["others"]}
    paths = {
        path: {verb: _operation(document, path, verb) | served for verb, served in verbs.items()} | others
        for path, verbs in filled["operations"].items()
    }
    models = document["components"]["schemas"]
    responses = {name: _gateway_response(**given) for name, given in written["responses"].items()}
    return {
        "openapi": "3.0.1",
        "info": {name: document["info"][name] for name in ("title", "version", "description")},
        "paths": paths | dict.fromkeys(UNKNOWN, others),
        "components": {
            "securitySchemes": document["components"]["securitySchemes"],
            "schemas": {name: model(models, name) for name in sorted({*SCHEMAS.findall(json.dumps(paths))})},
        },
        **written["extensions"],
        "x-amazon-apigateway-gateway-responses": responses,
    }


def model(models: JsonSchemaValue, name: str) -> JsonSchemaValue:
    """Return what API Gateway checks of a body."""
    types = {}
    for field, schema in models[name]["properties"].items():
        kind = models[schema["$ref"].rpartition("/")[2]]["type"] if "$ref" in schema else schema.get("type")
        types[field] = ({"type": kind} if kind else {}) | ({"items": {}} if kind == "array" else {})
    closed = {"additionalProperties": False} if name in COPIED else {}
    return {"type": "object", "required": models[name].get("required", []), "properties": types, **closed}


def _operation(document: JsonSchemaValue, path: str, verb: str) -> JsonSchemaValue:
    """Return an operation without what describes it: the integration makes the responses."""
    written = document["paths"][path][verb]
    made = {name: written[name] for name in ("operationId", "security") if name in written}
    if in_path := [each for each in written.get("parameters", ()) if each["in"] == "path"]:
        made["parameters"] = in_path
    made["responses"] = {status: {"description": HTTPStatus(int(status)).phrase} for status in written["responses"]}
    if "requestBody" in written:
        contents = {media: {"schema": each["schema"]} for media, each in written["requestBody"]["content"].items()}
        made["requestBody"] = {"required": True, "content": contents}
    return made


def _gateway_response(
    *, slug: str, title: str, detail: str, status: int | None = None, retry_after: int | None = None
) -> JsonSchemaValue:
    """Make a response of the gateway itself: problem details."""
    header = "gatewayresponse.header."
    headers: JsonSchemaValue = {f"{header}Content-Type": "'application/problem+json'", f"{header}{ORIGIN}": ALLOWED}
    headers[f"{header}Access-Control-Expose-Headers"] = "'retry-after, x-amzn-requestid'"
    if retry_after is not None:
        headers[f"{header}Retry-After"] = f"'{retry_after}'"
    code = {} if status is None else {"status": status}
    body = {"type": f"urn:goldpan:problem:{slug}", "title": title, **code, "detail": detail}
    made = {"responseParameters": headers, "responseTemplates": {"application/json": json.dumps(body)}}
    return made if status is None else {"statusCode": str(status), **made}


def _with_templates(written: JsonSchemaValue, marks: dict[str, str]) -> JsonSchemaValue:
    """Replace each text that names templates by what they hold."""

    def held(names: re.Match[str]) -> str:
        return json.dumps("".join(template(name, marks) for name in names[1].split()))

    filled: JsonSchemaValue = json.loads(TEMPLATES.sub(held, json.dumps(written)))
    return filled


def template(name: str, marks: dict[str, str]) -> str:
    """Read a template without its comments; behind ## a line writes nothing, not even its end."""
    text = (FOLDER / "templates" / name).read_text("utf-8")
    for mark, inserted in marks.items():
        text = text.replace(f"@{mark}@", inserted)
    return "".join(f"{line}##\n" for line in text.splitlines() if not line.startswith("##"))


def _marks(document: JsonSchemaValue) -> dict[str, str]:
    """Return what the templates have in place of marks: lists of names for Velocity, and texts."""
    names: dict[str, Sequence[str]] = {
        "like": [name for name in document["components"]["schemas"]["LikeRequest"]["properties"] if name != REPO],
        "cut": [*CUT_ERRORS, OutOfTime.__name__],
        "busy": [*RETRIED_ERRORS, Overloaded.__name__],
        "stages": list(STAGE_SECONDS),
        "kinds": [kind.name for kind in all_kinds()],
        "rounds": ["", *(f" {number}" for number in range(2, MAX_ROUNDS + 1))],
    }
    lists = {mark: ", ".join(f"'{name}'" for name in listed) for mark, listed in names.items()}
    statuses = {"not_found": 404, "not_allowed": 405, "too_large": 413}
    problems = {name: bytes(problem_response(status).body).decode() for name, status in statuses.items()}
    errors = {"unknown_search": NotFound(UNKNOWN_SEARCH), "overloaded": Overloaded(NO_FUNCTION)}
    made = {mark: problem(error, datetime.now(UTC)).body for mark, error in errors.items()}
    return {**lists, **problems, **made, "most": str(MAX_BODY)}


if __name__ == "__main__":
    for path, text in generate().items():
        path.write_text(text, "utf-8")
