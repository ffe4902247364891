"""Clocks that move without waiting, and a language model that returns what was queued."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline
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
    """A clock that records its waits."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    def wait(self, seconds: float) -> None:
        """Move ahead."""
        self.waits.append(seconds)
        super().wait(seconds)


class SlowClock(FakeClock):
    """A clock that moves ahead by so many seconds whenever it is read."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds

    def now(self) -> datetime:
        """Move ahead, and return the time."""
        self.wait(self._seconds)
        return self.time


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
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Completion(answer, SPENT)
