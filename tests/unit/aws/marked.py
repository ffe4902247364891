"""Marked text in every place that is private: what of it is written shows that something leaked.

Every private text holds the mark; the model, the source and the stores can fail, each in the words that it really uses.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import awslambdaric.bootstrap as runtime  # type: ignore[import-untyped]
import httpx2
from awslambdaric.lambda_runtime_marshaller import LambdaMarshaller  # type: ignore[import-untyped]
from botocore.exceptions import ClientError
from goldpan.aws.counts import COUNTS
from goldpan.engine.deadlines import WallClock
from goldpan.engine.events import FUNCTIONS, Stage
from goldpan.infra.cache.dynamodb import DynamoDBCache
from goldpan.infra.http import HttpClient
from goldpan.infra.llm.openai import OpenAIModel
from goldpan.infra.llm.port import CountedModel
from goldpan.infra.rate_limits.port import ProcessRateLimiter
from goldpan.infra.stores import BestEffortCache
from goldpan.kinds.repositories.ports import Dependencies, RepositorySource
from goldpan.kinds.repositories.sources.github.source import GitHub
from goldpan.settings import GitHubSettings, ModelEndpoint
from pydantic import SecretStr

from tests.support.factories import JUDGEMENT, ListedSource, repository
from tests.unit.aws.doors import Context, FixedEquipment, Handler, event, load

SEARCHING: tuple[Stage, ...] = ("translate", "scout", "shortlist", "score", "rank", "assemble")
STAGES = {stage: FUNCTIONS[stage] for stage in SEARCHING}
HUSHED = "hush-"
QUESTION, README, REASON = f"Rust web framework {HUSHED}question", f"{HUSHED}readme of a framework", f"{HUSHED}reason."
JUDGED = {**JUDGEMENT, "reasoning": REASON, "quote": README, "keywords": ["rust", f"{HUSHED}word"]}
KEY, TOKEN = f"{HUSHED}key", f"{HUSHED}token"
ENDPOINT = ModelEndpoint(
    key_name="LLM_API_KEY", key=SecretStr(KEY), base_url="https://llm.example/v1", model="own-model"
)
Answering = Callable[[httpx2.Request], httpx2.Response]


def asked(stage: str) -> dict[str, Any]:
    """Give the event of a stage with marked text in its question, and in all that was found and judged so far."""
    text = json.dumps({**event(stage), "request": {"query": QUESTION}})
    given: dict[str, Any] = json.loads(text.replace("Asynchronous", f"{HUSHED}description"))
    if stage == "score":
        given["task"]["repository"]["readme"] = README
        given["task"]["ask_llm"] = True
    for line in given.get("lines", ()):
        line["request"]["query"] = QUESTION
        line["outcome"]["warnings"] = [f"{HUSHED}warning"]
        for result in line["outcome"]["repositories"]["results"]:
            result["reasoning"] = REASON
    return given


def model(answer: Answering) -> CountedModel:
    """Make the real model over a transport that answers in this process, with a marked key."""
    return CountedModel(OpenAIModel(ENDPOINT, httpx2.MockTransport(answer)), COUNTS.add)


def github(answer: Answering) -> GitHub:
    """Make the real source over a transport that answers in this process, with a marked token."""
    settings = GitHubSettings(github_token=SecretStr(TOKEN))
    return GitHub(settings, HttpClient(httpx2.MockTransport(answer)), ProcessRateLimiter(), WallClock())


def said(content: object) -> Answering:
    """Answer as a language model that says this."""
    text = content if isinstance(content, str) else json.dumps(content)
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "own", "choices": [choice]}
    return lambda _: httpx2.Response(200, json=body)


def refusing(status: int, message: str = "") -> Answering:
    """Answer with an error that repeats what was asked, unless it has a message of its own."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        told = message or request.content.decode()
        return httpx2.Response(status, json={"error": {"message": told}, "message": told})

    return answer


def breaking(request: httpx2.Request) -> httpx2.Response:
    """Break the connection, with the words of the request in the error."""
    raise httpx2.ConnectError(request.content.decode(), request=request)


class FailingTables:
    """A client of DynamoDB for which no table is there."""

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        """Give the operation, which fails."""

        def fail(**asked: object) -> None:
            told = {"Error": {"Code": "ResourceNotFoundException", "Message": f"no table for {len(asked)} parameters"}}
            raise ClientError(told, operation)

        return fail


def marked_ports(llm: CountedModel | None = None, source: RepositorySource | None = None) -> Dependencies:
    """Make ports whose source finds marked repositories, and whose cache fails."""
    found = [repository("example-org/hush-motion", readme=README, description=f"A Rust web framework, {HUSHED}text")]
    clock = WallClock()
    cache = BestEffortCache(DynamoDBCache(FailingTables(), "goldpan-cache", clock, COUNTS.add), clock, COUNTS.add)
    return Dependencies(clock=clock, sources={"github": source or ListedSource(found)}, llm=llm, cache=cache)


class Client:
    """Stands in for Lambda's runtime API: keeps how a call ended."""

    marshaller = LambdaMarshaller()

    def __init__(self) -> None:
        self.ended: list[Any] = []

    def post_invocation_result(self, _id: str, result: str, *_: object) -> None:
        """Keep a result."""
        self.ended.append(json.loads(result))

    def post_invocation_error(self, _id: str, error: str, *_: object) -> None:
        """Keep an error, which goes to the caller."""
        self.ended.append(json.loads(error))


def run(function: str, dependencies: Dependencies, given: Mapping[str, Any]) -> dict[str, Any]:
    """Run a door under AWS's own runtime client, which writes an exception into the log; gives what the caller gets."""
    app, client, context = load(function), Client(), Context()
    app.CONTAINER = FixedEquipment(dependencies)  # type: ignore[attr-defined]
    handler: Handler = app.handler
    call = (client, handler, context.aws_request_id, json.dumps(given), "application/json")
    told = (None, None, context.invoked_function_arn, 0, None, runtime.StandardLogSink())
    runtime.handle_event_request(*call, *told)
    (ended,) = client.ended
    assert isinstance(ended, dict)
    return ended
