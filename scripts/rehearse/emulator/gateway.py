"""What the emulator does not import of an API: models, templates, gateway responses, and calls of two services."""

import asyncio
import json
import re
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from ministack.core.concurrency import run_reentrant
from ministack.services import apigateway_v1 as service
from ministack.services import dynamodb, stepfunctions

from tests.support.velocity import render

SECONDS = 29
"""How long API Gateway waits for an integration."""
JSON = "application/json"
Document = dict[str, Any]
Response = tuple[int, dict[str, str], bytes]
Action = Callable[[Document], Response]


def install() -> None:
    """Complete each import, and run the templates of the integrations."""
    complete, of_lambda = service._import_rest_api, service._invoke_lambda_custom_v1

    def import_api(document: Document, data: Document | None = None) -> Any:
        api = complete(document, data)
        _import_rest(api, document)
        return api

    async def invoke(integration: Document, *request: Any, **more: Any) -> Any:
        if ":states:action/" in integration["uri"]:
            return await _call(stepfunctions._start_sync_execution, integration, *request)
        if ":dynamodb:action/GetItem" in integration["uri"]:
            return await _call(dynamodb._get_item, integration, *request)
        return await of_lambda(integration, *request, **more)

    service._import_rest_api = import_api
    service._invoke_lambda_custom_v1 = invoke
    service._invoke_mock_v1 = lambda integration: _respond(
        integration, 200, "{}", _context(integration["path"], "", "")
    )


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


def _context(path: str, method: str, requested: str = "", key: str = "") -> Document:
    made = {"requestId": str(uuid4()), "identity": {"apiKeyId": key}, "resourcePath": path, "httpMethod": method}
    return made | {"path": requested, "requestTimeEpoch": int(1000 * time.time())}


async def _call(action: Action, integration: Document, *request: Any) -> Any:
    """Call a service with what the request template writes, and wait for its response."""
    api, stage, _deployed, resource, path, method, headers, body, _query, in_path = request[:10]
    key = service._resolve_api_key(service._api_key_from_request(headers)) or {}
    context = _context(resource["path"], method, f"/restapis/{api}/{stage}/_user_request_{path}", key.get("id", ""))
    template, parameters = integration["requestTemplates"][JSON], {"header": dict(headers), "path": in_path or {}}
    text, _overrides = render(template, body.decode() or "{}", context, **parameters)
    try:
        status, _headers, answer = await asyncio.wait_for(run_reentrant(action, json.loads(text)), SECONDS)
    except TimeoutError:
        return service._gw_error("INTEGRATION_TIMEOUT", "Endpoint request timed out")
    return _respond(integration, status, answer.decode(), context)


def _respond(integration: Document, status: int, body: str, context: Document) -> Response:
    """Write the response by the template that matches the status."""
    chosen = service._select_service_integration_response(integration, status)
    text, overrides = render(chosen["responseTemplates"][JSON], body, context)
    headers = {"Content-Type": JSON, **overrides["header"]}
    return int(overrides.get("status", chosen["statusCode"])), headers, text.encode()
