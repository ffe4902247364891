"""The real handlers, loaded from their files as Lambda does, with dependencies of a test; and Lambda itself."""

import io
import json
import logging
import threading
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any
from uuid import uuid4

from goldpan.aws.container import Container
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Dependencies
from goldpan.infra.llm.port import LanguageModel
from goldpan.kinds.repositories.ports import RepositorySource
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue
from goldpan.local.bootstrap import sample_catalogue

STATE_TIMEOUT = "States.Timeout"
Event = dict[str, Any]


@dataclass(frozen=True)
class Context:
    """What a handler may read about its own invocation."""

    function_name: str = "goldpan"
    aws_request_id: str = field(default_factory=lambda: str(uuid4()))
    memory_limit_in_mb: int = 512
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:goldpan:1"

    def get_remaining_time_in_millis(self) -> int:
        """Return ten minutes."""
        return 600_000


Handler = Callable[[Event, Any], Any]


@dataclass(frozen=True)
class PlatformFailure:
    """A failure of the platform, as Step Functions names it, of `times` calls of a function with such an event."""

    function: str
    error_type: str
    where: Mapping[str, Any] = field(default_factory=dict)
    times: int | None = None
    when: Callable[[Event], bool] = lambda _: True
    message: str = "the platform failed"

    def applies(self, function: str, event: Event) -> bool:
        """Return whether this invocation fails."""
        matches = all(name in event and event[name] == value for name, value in self.where.items())
        return function == self.function and self.times != 0 and matches and self.when(event)


class LambdaService:
    """Functions by name, each a handler in this process, called from any thread; used as a client of boto3."""

    def __init__(self) -> None:
        self.handlers: dict[str, Handler] = {}
        self.calls: list[tuple[str, Event]] = []  # of all invocations, in the order in which they started
        self._failures: list[PlatformFailure] = []
        self._lock = threading.Lock()

    def reset(self, *failures: PlatformFailure) -> None:
        """Drop all recorded calls, and let the platform fail in these ways from now on."""
        self.calls, self._failures = [], list(failures)

    def invoke(self, *, FunctionName: str, Payload: bytes, **_: object) -> dict[str, Any]:  # noqa: N803 - boto3's names
        """Invoke a function by the ARN of its version. Raises `TimeoutError` at the time limit of the state."""
        function, event = FunctionName.split(":")[-2], json.loads(Payload)
        with self._lock:
            self.calls.append((function, event))
            failure = self._next_failure(function, event)
        if failure and failure.error_type == STATE_TIMEOUT:
            raise TimeoutError
        if failure:
            return _error(failure.error_type, failure.message)
        context = Context(function)
        try:
            result = self.handlers[function](event, context)
            return _reply(result)
        except Exception as error:  # noqa: BLE001 - Lambda reports every exception of a handler
            stack = traceback.format_tb(error.__traceback__)[1:]  # without this frame
            return _error(type(error).__name__, str(error), requestId=context.aws_request_id, stackTrace=stack)

    def _next_failure(self, function: str, event: Event) -> PlatformFailure | None:
        for index, failure in enumerate(self._failures):
            if failure.applies(function, event):
                if failure.times is not None:
                    self._failures[index] = replace(failure, times=failure.times - 1)
                return failure
        return None


def _reply(result: object, **fields: object) -> dict[str, Any]:
    payload = json.dumps(result, ensure_ascii=False, allow_nan=False).encode()
    return {"StatusCode": 200, "Payload": io.BytesIO(payload), **fields}


def _error(error_type: str, message: str, **details: object) -> dict[str, Any]:
    return _reply({"errorMessage": message, "errorType": error_type, **details}, FunctionError="Unhandled")


ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS = ("query_translator", "scout", "screener")
HANDLERS = {
    "begin": "query_translator", "translate": "query_translator", "scout": "scout",
    "shortlist": "screener", "score": "screener", "rank": "screener", "assemble": "screener",
}  # fmt: skip
"""The function that runs each stage."""
Call = Callable[[Mapping[str, Any]], Any]


def load_function(name: str) -> ModuleType:
    """Load the module of a function."""
    spec = spec_from_file_location(f"function_{name}", ROOT / "functions" / name / "app.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(name)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fixed_container(dependencies: Dependencies) -> Container:
    """Make a container of these dependencies."""
    return Container(lambda _: dependencies)


def handler(function: str, dependencies: Dependencies) -> Call:
    """Return a handler with these dependencies; its event and its result are JSON, as between Lambda and its caller."""
    module = load_function(function)
    module.CONTAINER = fixed_container(dependencies)  # type: ignore[attr-defined]

    def call(event: Mapping[str, Any]) -> Any:
        return json.loads(json.dumps(module.handler(json.loads(json.dumps(event)), Context())))

    return call


def event(name: str) -> dict[str, Any]:
    """Read one of the committed events."""
    read: dict[str, Any] = json.loads((ROOT / "events" / f"{name}.json").read_text("utf-8"))
    return read


@cache
def _sample() -> Catalogue:
    return sample_catalogue()


def sample_dependencies(llm: LanguageModel | None = None, github: RepositorySource | None = None) -> Dependencies:
    """Make dependencies whose GitHub is the sample catalogue, unless another source is given."""
    return Dependencies(WallClock(), {"github": github or _sample()}, llm)


def reset_loggers() -> None:
    """Let Powertools make its logger anew: it keeps the stream that it first saw, which is closed after a test."""
    for name in ("service_undefined", "goldpan"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.setLevel(logging.NOTSET)
        for mark in ("init", "powertools_handler"):
            logger.__dict__.pop(mark, None)
