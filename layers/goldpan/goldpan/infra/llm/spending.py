"""What the language model costs in a day, in millionths of a US dollar, counted by all functions in DynamoDB."""

from copy import copy
from dataclasses import replace
from datetime import timedelta
from typing import NoReturn, Self

from goldpan.contracts import Usage
from goldpan.engine.deadlines import Clock, Deadline
from goldpan.infra.llm.port import Completion, LanguageModel, LanguageModelFailed, Prompt, in_attempts
from goldpan.infra.llm.prices import cost_of, most_a_call
from goldpan.infra.table import Change, CircuitBreaker, Comparison, ConditionFailed, Count, Item, Table, read_integer

RETENTION = timedelta(days=2)
MILLION = 1_000_000
NO_CALL = Usage()
LIMIT_REACHED = "US dollars for the language model is reached"
"""How the reason ends for which a model is not asked for the rest of the day."""
TOO_MANY = "too many calls of the language model were under way for what is left of the day's limit"
WAIT_SECONDS = 0.25
"""How often a call that waits for others looks whether they have ended."""


class LimitedModel:
    """A language model that is not called when the day's limit is reached, nor before a limit is given.

    Before each call, the most that it can cost is reserved in the item of the day (UTC); after it, its cost takes the
    place of that. So calls that begin at once cannot exceed the limit together: while what they reserve leaves no room,
    others wait. What was reserved stands while the table fails. Failed calls add to the metric `LlmFailed`. Prices are
    the project's own: those of a request are its sender's. Safe between threads and functions.
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
        """Call the model, as long as the most that a call of this prompt can cost is left of the day's limit."""
        single = replace(prompt, attempts=1)
        return in_attempts(prompt, lambda: self._call_once(single, deadline))

    def _call_once(self, prompt: Prompt, deadline: Deadline) -> Completion:
        most, pk = most_a_call(self.name, prompt), f"spending#{self._clock.now():%Y-%m-%d}"
        self._reserve(pk, most, deadline)
        usage = NO_CALL
        try:
            completion = self._model.complete(prompt, deadline)
            usage = completion.usage
        except Exception as failure:
            usage = failure.usage if isinstance(failure, LanguageModelFailed) else NO_CALL
            if usage.llm_calls or not isinstance(failure, LanguageModelFailed):  # else there was no time for a call
                self._count("LlmFailed")
            raise
        finally:
            sent, received = usage.input_tokens, usage.output_tokens
            spent = cost_of(self.name, sent, received) if sent or received else usage.llm_calls * most
            self._circuit.call(lambda: self._add(pk, spent - most, -most), lambda: None)
        return completion

    def _reserve(self, pk: str, most: int, deadline: Deadline) -> None:
        """Reserve what a call can cost; wait for calls that are under way for half of the time at most."""
        latest = deadline.within(deadline.left / 2)
        room = int(self._dollars * MILLION) - most
        while (full := self._circuit.call(lambda: self._add(pk, most, most, room), _refuse)) is not None:
            if read_integer(full, "spent") - read_integer(full, "reserved") > room:
                self._count("LlmStopped" if self._share == 1 else "WarmUpStopped")
                raise LanguageModelFailed(f"the day's limit of {self._dollars:g} {LIMIT_REACHED}", NO_CALL)
            if not latest.left:
                raise LanguageModelFailed(TOO_MANY, NO_CALL)
            deadline.clock.wait(WAIT_SECONDS)

    def _add(self, pk: str, spent: int, reserved: int, room: int | None = None) -> Item | None:
        """Count amounts, of which `spent` includes what is reserved; returns the item if that is above `room`."""
        conditions = [] if room is None else [[Comparison("spent", "<=", room)]]
        ttl = int((self._clock.now() + RETENTION).timestamp())
        counted = {"spent": spent, "reserved": reserved}
        try:
            self._table.update(pk, Change({"ttl": ttl}, counted, conditions=conditions))
        except ConditionFailed as failed:
            return failed.item
        return None


def _refuse() -> NoReturn:
    raise LanguageModelFailed("what the language model cost today cannot be counted, so it was not asked", NO_CALL)
