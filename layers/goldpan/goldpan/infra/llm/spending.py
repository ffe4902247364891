"""What the language model costs in a day, in millionths of a US dollar, counted by all functions in DynamoDB."""

from __future__ import annotations

from datetime import timedelta

from goldpan.contracts import Usage
from goldpan.engine.deadlines import Clock, Deadline
from goldpan.errors import StoreFailed
from goldpan.infra.llm.port import Completion, LanguageModel, LanguageModelFailed, Prompt
from goldpan.infra.llm.prices import cost_of, most_a_call
from goldpan.infra.table import Change, CircuitBreaker, Comparison, ConditionFailed, Count, Table

RETENTION = timedelta(days=2)
MILLION = 1_000_000
NO_CALL = Usage()
LIMIT_REACHED = "US dollars for the language model is reached"
"""How the reason ends for which a model is not asked for the rest of the day."""


class DailySpending:
    """One item of a table for each day of UTC; safe between threads and functions."""

    def __init__(self, table: Table, clock: Clock, count: Count) -> None:
        self._table, self._clock = table, clock
        self._circuit = CircuitBreaker("count of what the language model cost", "SpendingFailed", clock, count)

    def reserve(self, amount: int, limit: int) -> str | None:
        """Count an amount; returns the key of the day, None if its limit leaves no room. Raises `StoreFailed`."""
        pk = f"spending#{self._clock.now():%Y-%m-%d}"
        return self._circuit.call(lambda: pk if self._add(pk, amount, limit) else None, _refuse)

    def correct(self, pk: str, difference: int) -> None:
        """Add the difference between what was spent and what was reserved, which stands while the table fails."""
        self._circuit.call(lambda: self._add(pk, difference), lambda: False)

    def _add(self, pk: str, amount: int, limit: int | None = None) -> bool:
        room = [] if limit is None else [[Comparison("spent", "<=", limit - amount)]]
        ttl = int((self._clock.now() + RETENTION).timestamp())
        try:
            self._table.update(pk, Change({"ttl": ttl}, {"spent": amount}, conditions=room))
        except ConditionFailed:
            return False
        return True


def _refuse() -> None:
    raise StoreFailed("what the language model cost today cannot be counted, so it was not asked")


class LimitedModel:
    """A language model that is not called when the day's limit is reached; None is no limit.

    Before a prompt is sent, the most that its calls can cost is reserved; after them, their cost takes the place of
    that. So calls that begin at once cannot exceed the limit together. Failed calls add to the metric `LlmFailed`.
    Prices are the project's own: those of a request are its sender's.
    """

    def __init__(
        self, model: LanguageModel, spending: DailySpending, count: Count, dollars: float | None = None
    ) -> None:
        self._model, self._spending, self._count, self._dollars = model, spending, count, dollars

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def with_limit(self, dollars: float | None) -> LimitedModel:
        """Return the same model under a limit of this many US dollars a day; None for no limit."""
        return LimitedModel(self._model, self._spending, self._count, dollars)

    def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Call the model, if the most that the calls of this prompt can cost is left of the day's limit."""
        if self._dollars is None:
            return self._call(prompt, deadline)
        most = most_a_call(self.name, prompt)
        reserved = prompt.attempts * most
        pk = self._spending.reserve(reserved, int(self._dollars * MILLION))
        if pk is None:
            self._count("LlmStopped")
            message = f"the day's limit of {self._dollars:g} {LIMIT_REACHED}"
            raise LanguageModelFailed(message, NO_CALL)
        usage = NO_CALL
        try:
            completion = self._call(prompt, deadline)
            usage = completion.usage
        except LanguageModelFailed as failure:
            usage = failure.usage
            raise
        finally:
            sent, received = usage.input_tokens, usage.output_tokens
            spent = cost_of(self.name, sent, received) if sent or received else usage.llm_calls * most
            self._spending.correct(pk, spent - reserved)
        return completion

    def _call(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Call the model; count what it raises, unless there was no time for a call."""
        try:
            return self._model.complete(prompt, deadline)
        except Exception as failure:
            if not isinstance(failure, LanguageModelFailed) or failure.usage.llm_calls:
                self._count("LlmFailed")
            raise
