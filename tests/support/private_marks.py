"""Private text with a mark in every place where a handler meets it: if the mark is written, something leaked."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import awslambdaric.bootstrap as runtime  # type: ignore[import-untyped]
import httpx2
from awslambdaric.lambda_runtime_marshaller import LambdaMarshaller  # type: ignore[import-untyped]
from botocore.exceptions import ClientError
from goldpan.aws.telemetry import count_event
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Dependencies
from goldpan.infra.cache import Cache
from goldpan.infra.dynamodb_table import DynamoDBTable
from goldpan.infra.http_client import HttpClient
from goldpan.infra.llm.spending import LimitedModel
from goldpan.infra.table import MemoryTable
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from goldpan.kinds.repositories.sources.github.source import open_github
from pydantic import SecretStr

from tests.support.factories import JUDGEMENT, ListedSource, repository
from tests.support.handlers import HANDLERS, Context, event, fixed_container, load_function, sample_dependencies
from tests.support.loopback.llm import model_at
from tests.support.memory_stores import memory_connections

MARK = "hush-"
QUESTION, README, REASON = f"Rust web framework {MARK}question", f"{MARK}readme of a framework", f"{MARK}reason."
JUDGED = {**JUDGEMENT, "reasoning": REASON, "quote": README, "keywords": ["rust", f"{MARK}word"]}
Answer = Callable[[httpx2.Request], httpx2.Response]


def marked(stage: str) -> dict[str, Any]:
    """Return the event of a stage with marked text in its question, and in all that was found and judged."""
    text = json.dumps(event(stage) | {"request": {"query": QUESTION}})
    value: dict[str, Any] = json.loads(text.replace("framework", f"framework {MARK}").replace("Matches", REASON))
    if stage == "score":
        value["task"] |= {"ask_llm": True, "repository": value["task"]["repository"] | {"readme": README}}
    return value


def completion(content: object) -> Answer:
    """Answer as a language model that returns this content."""
    text = content if isinstance(content, str) else json.dumps(content)
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "own", "choices": [choice]}
    return lambda _: httpx2.Response(200, json=body)


def refusal(status: int, message: str = "") -> Answer:
    """Answer with an error that repeats the request, unless it has a message of its own."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        text = message or request.content.decode()
        body = json.dumps({"error": {"message": text}, "message": text})  # half a character can be written as an escape
        return httpx2.Response(status, text=body, headers={"content-type": "application/json"})

    return answer


def broken(request: httpx2.Request) -> httpx2.Response:
    """Break the connection, with the request in the error."""
    raise httpx2.ConnectError(request.content.decode(), request=request)


class FailingClient:
    """A client of DynamoDB for which no table exists."""

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        """Return the operation, which fails."""

        def fail(**_: object) -> None:
            raise ClientError({"Error": {"Code": "ResourceNotFoundException", "Message": "no table"}}, operation)

        return fail


def marked_dependencies(model: Answer | None = None, github: Answer | None = None) -> Dependencies:
    """Make the real model and GitHub over transports in this process, with marked secrets; the cache fails."""
    clock = WallClock()
    http = HttpClient(httpx2.MockTransport(model or completion(JUDGED)))
    client = model_at("https://llm.example/v1", http, key=f"{MARK}key")
    llm = LimitedModel(client, MemoryTable(), clock, count_event)
    found = repository("example-org/hush-motion", readme=README, description=f"A Rust web framework, {MARK}text")
    source: Any = ListedSource([found])
    if github:
        marked = HttpClient(httpx2.MockTransport(github))
        source = open_github(GitHubSettings(github_token=SecretStr(f"{MARK}token")), memory_connections(marked, clock))
    cache = Cache(DynamoDBTable(FailingClient(), "goldpan-cache", 2), clock, count_event)
    return replace(sample_dependencies(llm, source), cache=cache)


class RuntimeClient:
    """Replaces Lambda's runtime API: keeps the result of a call."""

    marshaller = LambdaMarshaller()
    result: Any = None

    def post_invocation_result(self, _id: str, result: str, *_: object) -> None:
        """Keep a result, or an error, which goes to the caller."""
        self.result = json.loads(result)

    post_invocation_error = post_invocation_result


def invoke(stage: str, dependencies: Dependencies, value: dict[str, Any]) -> Any:
    """Call a handler under AWS's runtime client."""
    module, client, context = load_function(HANDLERS[stage]), RuntimeClient(), Context()
    module.CONTAINER = fixed_container(dependencies)  # type: ignore[attr-defined]
    call = (client, module.handler, context.aws_request_id, json.dumps(value), "application/json")
    runtime.handle_event_request(*call, None, None, context.invoked_function_arn, 0, None, runtime.StandardLogSink())
    return client.result
