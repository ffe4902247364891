"""A clock that only moves when told, and a language model that says what was queued."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline
from goldpan.infra.llm.port import Completion, Prompt

START = datetime(2026, 8, 22, 12, tzinfo=UTC)
SPENT = Usage(llm_calls=1, input_tokens=1000, output_tokens=100)


class FakeClock:
    """A clock on which waiting takes no time, but passes it."""

    def __init__(self) -> None:
        self.time = START
        self.waits: list[float] = []

    def now(self) -> datetime:
        """Tell the time."""
        return self.time

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.waits.append(seconds)
        self.time += timedelta(seconds=seconds)


class FakeModel:
    """A language model that gives or raises what was queued, and remembers what it was asked."""

    def __init__(self, answers: Iterable[dict[str, object] | Exception], name: str = "deepseek-flash") -> None:
        self.name = name
        self.prompts: list[Prompt] = []
        self.seconds: list[float] = []
        self._answers = list(answers)

    def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Give the next answer."""
        self.prompts.append(prompt)
        self.seconds.append(deadline.left)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Completion(answer, SPENT)
