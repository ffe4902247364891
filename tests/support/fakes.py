"""Clocks whose waits take no time, and a language model that returns what was queued."""

import threading
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.errors import CallFailed, Cancelled
from goldpan.infra.http import HttpRequest, HttpResponse
from goldpan.infra.llm.port import Completion, Prompt

START = datetime(2026, 8, 22, 12, tzinfo=UTC)
SPENT = Usage(llm_calls=1, input_tokens=1000, output_tokens=100)


class StillClock:
    """A clock on which waiting takes no time, but moves it ahead."""

    def __init__(self, now: datetime = START) -> None:
        self.time = now

    def now(self) -> datetime:
        """Return the time."""
        return self.time

    def wait(self, seconds: float) -> None:
        """Move ahead."""
        self.time += timedelta(seconds=seconds)


class FakeClock(StillClock):
    """A clock that records its waits; `on_wait` runs after each of them."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []
        self.on_wait: Callable[[], None] = lambda: None

    def wait(self, seconds: float) -> None:
        """Move ahead."""
        self.waits.append(seconds)
        super().wait(seconds)
        self.on_wait()


def cancel() -> None:
    """End a wait of `FakeClock` by cancelling its search."""
    raise Cancelled("the search was cancelled")


class SlowClock(FakeClock):
    """A clock that moves ahead by `step` seconds whenever it is read."""

    step = 0.0

    def now(self) -> datetime:
        """Move ahead, and return the time."""
        self.wait(self.step)
        return self.time


class QuickClock(WallClock):
    """The clock of the machine, which long waits move ahead; short ones, for another thread, take their time."""

    SHORT_SECONDS = 0.2

    def __init__(self) -> None:
        super().__init__()
        self._ahead, self._lock = timedelta(), threading.Lock()

    def now(self) -> datetime:
        """Return the time, in UTC."""
        return super().now() + self._ahead

    def wait(self, seconds: float) -> None:
        """Move ahead; raises `Cancelled` if the search was cancelled."""
        until = self.now() + timedelta(seconds=seconds)
        super().wait(seconds if seconds <= self.SHORT_SECONDS else 0)
        with self._lock:
            self._ahead = max(self._ahead, until - super().now())


class FakeModel:
    """A language model that returns or raises what was queued, and records its prompts."""

    def __init__(self, answers: Iterable[dict[str, object] | Exception], name: str = "deepseek-flash") -> None:
        self.name = name
        self.prompts: list[Prompt] = []
        self.seconds: list[float] = []
        self._answers = list(answers)

    def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Return the next answer."""
        self.prompts.append(prompt)
        self.seconds.append(deadline.left)
        answer = self.answer(prompt)
        if isinstance(answer, Exception):
            raise answer
        return Completion(answer, SPENT)

    def answer(self, _prompt: Prompt) -> dict[str, object] | Exception:
        """Return the next of what was queued."""
        return self._answers.pop(0)


class QueuedHttp:
    """A transport that returns or raises what was queued, the last one repeatedly, on a still clock."""

    def __init__(self, responses: Iterable[HttpResponse | CallFailed]) -> None:
        self.clock, self.responses = StillClock(), list(responses)
        self.requests: list[HttpRequest] = []

    def send(self, request: HttpRequest, deadline: Deadline) -> HttpResponse:
        """Return or raise the next response."""
        del deadline
        self.requests.append(request)
        response = self.responses.pop(0) if len(self.responses) > 1 else self.responses[0]
        if isinstance(response, CallFailed):
            raise response
        return response
