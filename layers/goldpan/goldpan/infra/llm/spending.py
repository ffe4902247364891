"""What the language model costs in a day, in millionths of a US dollar, counted by all functions in DynamoDB."""

from copy import copy
from datetime import timedelta
from typing import NoReturn, Self

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


class LimitedModel:
    """A language model that is not called when the day's limit is reached, nor before a limit is given.

    Before a prompt is sent, the most that its calls can cost is reserved in the item of the day (UTC); after them,
    their cost takes the place of that. So calls that begin at once cannot exceed the limit together; what was reserved
    stands while the table fails. Failed calls add to the metric `LlmFailed`. Prices are the project's own: those of a
    request are its sender's. Safe between threads and functions.
    """

    def __init__(self, model: LanguageModel, table: Table, clock: Clock, count: Count) -> None:
        self._model, self._table, self._clock, self._count = model, table, clock, count
        self._circuit = CircuitBreaker("count of what the language model cost", "SpendingFailed", clock, count)
        self._dollars, self._share = 0.0, 1.0

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def with_limit(self, dollars: float, share: float = 1.0) -> Self:
        """Return the same model under a limit of this many US dollars a day.

        A warm-up has a share of it, and what that stops is another metric.
        """
        made = copy(self)
        made._dollars, made._share = dollars * share, share  # noqa: SLF001 - its own copy
        return made

    def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Call the model, if the most that the calls of this prompt can cost is left of the day's limit."""
        most, limit = most_a_call(self.name, prompt), int(self._dollars * MILLION)
        reserved, pk = prompt.attempts * most, f"spending#{self._clock.now():%Y-%m-%d}"
        if not self._circuit.call(lambda: self._add(pk, reserved, limit), _refuse):
            self._count("LlmStopped" if self._share == 1 else "WarmUpStopped")
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
            self._circuit.call(lambda: self._add(pk, spent - reserved), lambda: False)
        return completion

    def _add(self, pk: str, amount: int, limit: int | None = None) -> bool:
        """Count an amount, unless the limit leaves no room for it."""
        room = [] if limit is None else [[Comparison("spent", "<=", limit - amount)]]
        ttl = int((self._clock.now() + RETENTION).timestamp())
        try:
            self._table.update(pk, Change({"ttl": ttl}, {"spent": amount}, conditions=room))
        except ConditionFailed:
            return False
        return True

    def _call(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Call the model; count what it raises, unless there was no time for a call."""
        try:
            return self._model.complete(prompt, deadline)
        except Exception as failure:
            if not isinstance(failure, LanguageModelFailed) or failure.usage.llm_calls:
                self._count("LlmFailed")
            raise


def _refuse() -> NoReturn:
    raise StoreFailed("what the language model cost today cannot be counted, so it was not asked")
