"""Reads the HTTP contract, and the document that API Gateway imports."""

import json
from typing import Any

from goldpan.kinds.answer import Answer
from goldpan_local.server.contract import contract
from jsonschema import Draft4Validator, Draft202012Validator

from api.generate import UNKNOWN
from tests.contract.stack.documents import GATEWAY, text

CONTRACT: dict[str, Any] = contract()
SCHEMAS: dict[str, Any] = CONTRACT["components"]["schemas"]
IMPORTED: dict[str, Any] = json.loads(GATEWAY.read_text("utf-8"))
SERVED: dict[str, Any] = {
    path: next(iter(verbs.values())) for path, verbs in IMPORTED["paths"].items() if path not in UNKNOWN
}
OTHERS: dict[str, Any] = IMPORTED["paths"][UNKNOWN[0]]["x-amazon-apigateway-any-method"]
"""The operation of each path, as API Gateway serves it, and what answers all other methods and paths."""
GATEWAY_RESPONSES: dict[str, Any] = IMPORTED["x-amazon-apigateway-gateway-responses"]
MODELS: dict[str, Any] = IMPORTED["components"]["schemas"]
"""The models of API Gateway."""
EXAMPLE = Answer.model_validate_json(text("docs/example-answer.json"))


def as_written(name: str) -> Draft202012Validator:
    """Return a validator for a schema of the contract."""
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": {"schemas": SCHEMAS}})


def as_imported(name: str) -> Draft4Validator:
    """Return a validator for a model of API Gateway."""
    return Draft4Validator({"$ref": f"#/components/schemas/{name}", "components": {"schemas": MODELS}})


def response(operation: dict[str, Any], status: str) -> dict[str, Any]:
    """Return a response of an operation, which may be one of those that operations share."""
    given: dict[str, Any] = operation["responses"][status]
    shared: dict[str, Any] = CONTRACT["components"]["responses"]
    return shared[given["$ref"].rpartition("/")[2]] if "$ref" in given else given
