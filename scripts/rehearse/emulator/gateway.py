"""What the emulator does not import of an API: models, templates, gateway responses and calls of Step Functions."""

import asyncio
import json
import re
from typing import Any
from uuid import uuid4

from ministack.core.concurrency import run_reentrant
from ministack.services import apigateway_v1 as service
from ministack.services import stepfunctions

from tests.support.velocity import render

SECONDS = 29
"""How long API Gateway waits for an integration."""
JSON = "application/json"
Document = dict[str, Any]
Response = tuple[int, dict[str, str], bytes]


def install() -> None:
    """Complete each import, and run the templates of the integrations."""
    complete, of_lambda = service._import_rest_api, service._invoke_lambda_custom_v1

    def import_api(document: Document, data: Document | None = None) -> Any:
        api = complete(document, data)
        _import_rest(api, document)
        return api

    async def invoke(integration: Document, *request: Any, **more: Any) -> Any:
        if ":states:action/" not in integration["uri"]:
            return await of_lambda(integration, *request, **more)
        return await _start(integration, *request)

    service._import_rest_api = import_api
    service._invoke_lambda_custom_v1 = invoke
    service._invoke_mock_v1 = lambda integration: _respond(integration, 200, "{}", _context(integration["path"], ""))


def _import_rest(api: str, document: Document) -> None:
    for name, schema in document["components"]["schemas"].items():
        model = re.sub(r"#/components/schemas/", _models_of(api), json.dumps(schema))
        service._create_model(api, {"name": name, "contentType": JSON, "schema": model})
    validator = json.loads(service._create_request_validator(api, {"name": "body", "validateRequestBody": True})[2])
    for resource in service._resources[api].values():
        for method, operation in document["paths"].get(resource["path"], {}).items():
            name = "ANY" if method == "x-amazon-apigateway-any-method" else method.upper()
            if name not in resource["resourceMethods"]:  # the emulator imports no method for all others
                service._import_operation(api, resource["id"], name, operation)
            _complete(resource["resourceMethods"][name], resource["path"], operation, validator["id"])
    for kind, response in document["x-amazon-apigateway-gateway-responses"].items():
        service._put_gateway_response(api, kind, response)


def _models_of(api: str) -> str:
    return f"https://apigateway.amazonaws.com/restapis/{api}/models/"


def _complete(method: Document, path: str, operation: Document, validator: str) -> None:
    """Give a method its model, and its integration the templates, by the patterns of their responses."""
    if operation.get("x-amazon-apigateway-request-validator"):
        schema = operation["requestBody"]["content"][JSON]["schema"]["$ref"]
        method |= {"requestModels": {JSON: schema.rpartition("/")[2]}, "requestValidatorId": validator}
    imported = operation["x-amazon-apigateway-integration"]
    responses = {
        pattern: {"selectionPattern": "" if pattern == "default" else pattern, **response}
        for pattern, response in imported["responses"].items()
    }
    kept = {name: imported[name] for name in ("requestTemplates", "passthroughBehavior")}
    method["methodIntegration"] |= {**kept, "integrationResponses": responses, "path": path}


def _context(path: str, method: str, key: str = "") -> Document:
    return {"requestId": str(uuid4()), "identity": {"apiKeyId": key}, "resourcePath": path, "httpMethod": method}


async def _start(
    integration: Document, _api: str, _stage: str, _deployed: Any, resource: Document, _path: str, method: str,
    headers: Document, body: bytes, *_: Any,
) -> Any:  # fmt: skip
    """Start a search by what the request template writes, and wait for its end."""
    key = service._resolve_api_key(service._api_key_from_request(headers)) or {}
    context = _context(resource["path"], method, key.get("id", ""))
    text, _overrides = render(integration["requestTemplates"][JSON], body.decode(), context)
    started = run_reentrant(stepfunctions._start_sync_execution, json.loads(text))
    try:
        status, _headers, answer = await asyncio.wait_for(started, SECONDS)
    except TimeoutError:
        return service._gw_error("INTEGRATION_TIMEOUT", "Endpoint request timed out")
    return _respond(integration, status, answer.decode(), context)


def _respond(integration: Document, status: int, body: str, context: Document) -> Response:
    """Write the response by the template that matches the status."""
    chosen = service._select_service_integration_response(integration, status)
    text, overrides = render(chosen["responseTemplates"][JSON], body, context)
    headers = {"Content-Type": JSON, **overrides["header"]}
    return int(overrides.get("status", chosen["statusCode"])), headers, text.encode()
