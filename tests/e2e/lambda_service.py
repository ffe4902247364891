"""The Lambda service in this process: functions answer, fail and are cut off as Lambda documents it."""

from __future__ import annotations

import json
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

MAX_RESPONSE_BYTES = 6_291_556

Event = dict[str, Any]


@dataclass(frozen=True)
class Context:
    """What a handler may ask about its own invocation."""

    function_name: str
    timeout: float
    aws_request_id: str = field(default_factory=lambda: str(uuid4()))
    memory_limit_in_mb: int = 512
    began: float = field(default_factory=time.monotonic)

    @property
    def invoked_function_arn(self) -> str:
        """Give the address under which the function was called."""
        return f"arn:aws:lambda:us-east-1:123456789012:function:{self.function_name}:live"

    def get_remaining_time_in_millis(self) -> int:
        """Tell how long the function may still run."""
        return max(0, int((self.began + self.timeout - time.monotonic()) * 1000))


Handler = Callable[[Event, Any], Any]  # the context's type is Powertools' own in each door


@dataclass(frozen=True)
class PlatformFailure:
    """A failure of the platform, not of the handler, under the name that Step Functions gives it.

    Such as "Sandbox.Timedout", "Runtime.ExitError", "Lambda.TooManyRequestsException". It meets the invocations of
    `function` whose event has all of `where` and pleases `when`, and after `times` of them it is over.
    """

    function: str
    error_type: str
    message: str = "the platform failed"
    where: Mapping[str, Any] = field(default_factory=dict)
    times: int | None = None
    when: Callable[[Event], bool] = lambda _: True

    def meets(self, function: str, event: Event) -> bool:
        """Tell whether this invocation is one of those that fail."""
        matches = all(name in event and event[name] == value for name, value in self.where.items())
        return function == self.function and self.times != 0 and matches and self.when(event)


@dataclass(frozen=True)
class Reply:
    """What the Invoke API gives back: a payload, and whether the function failed."""

    payload: bytes
    failed: bool = False


def _error(error_type: str, message: str, **more: object) -> Reply:
    told = {"errorMessage": message, "errorType": error_type, **more}
    return Reply(json.dumps(told, ensure_ascii=False).encode(), failed=True)


def _marshalled(result: object) -> Reply:
    """Write a result as the runtime of Python 3.13 does, and refuse what Lambda refuses."""
    try:
        payload = json.dumps(result, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError) as unfit:
        return _error("Runtime.MarshalError", f"Unable to marshal response: {unfit}")
    if len(payload) > MAX_RESPONSE_BYTES:
        limit = f"Response payload size exceeded maximum allowed payload size ({MAX_RESPONSE_BYTES} bytes)."
        return _error("Function.ResponseSizeTooLarge", limit)
    return Reply(payload)


class LambdaService:
    """Some functions by name, each a handler in this process, called from any thread.

    Attributes:
        handlers: The handler of each function.
        calls: The function and the event of every invocation, in the order in which they began.
    """

    def __init__(self, timeout: float = 11) -> None:
        self.handlers: dict[str, Handler] = {}
        self.calls: list[tuple[str, Event]] = []
        self._timeout = timeout
        self._failures: list[PlatformFailure] = []
        self._lock = threading.Lock()

    def fail(self, failure: PlatformFailure) -> None:
        """Let the platform fail from now on, in place of the handler."""
        self._failures.append(failure)

    def reset(self) -> None:
        """Forget all calls, and let the platform work again."""
        self.calls, self._failures = [], []

    def invoke(self, function: str, body: str) -> Reply:
        """Run a function on a JSON event."""
        event = json.loads(body)
        with self._lock:
            self.calls.append((function, event))
            failure = self._failure_of(function, event)
        if failure:
            return _error(failure.error_type, failure.message)
        context = Context(function, self._timeout)
        try:
            result = self.handlers[function](event, context)
        except Exception as raised:  # noqa: BLE001  # Lambda reports whatever a handler raises
            stack = traceback.format_tb(raised.__traceback__)[1:]  # without this frame
            return _error(type(raised).__name__, str(raised), requestId=context.aws_request_id, stackTrace=stack)
        return _marshalled(result)

    def _failure_of(self, function: str, event: Event) -> PlatformFailure | None:
        for place, failure in enumerate(self._failures):
            if failure.meets(function, event):
                if failure.times is not None:
                    self._failures[place] = replace(failure, times=failure.times - 1)
                return failure
        return None
