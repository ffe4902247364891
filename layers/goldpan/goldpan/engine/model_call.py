"""One call of a language model that reads a question, and the cache of its answers for `TTL["translation"]`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from goldpan.config import TokenPrice
from goldpan.contracts import SearchRequest, StageError, Usage
from goldpan.contracts.validation_errors import describe_requirement
from goldpan.engine.deadlines import Clock, Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import CallFailed
from goldpan.infra.cache.port import CachedValues, cache_key
from goldpan.infra.llm.port import LanguageModel, LanguageModelFailed, Prompt
from goldpan.infra.llm.prices import is_priced, with_cost

MODEL_FAILED = "The language model did not translate the question ({}); it was translated by rules."
NO_PRICE = "The price of the model {} is not known, so that cost_usd counts it as nothing: set llm_prices."
Form = TypeVar("Form", bound=BaseModel)


@dataclass(frozen=True)
class ModelReading(Generic[Form]):
    """What the model answered, None if it failed; what that cost, and the warnings and errors for the answer."""

    answer: Form | None
    usage: Usage = field(default_factory=Usage)
    warnings: tuple[str, ...] = ()
    errors: tuple[StageError, ...] = ()


def read_by_model(
    prompt: Prompt, form: type[Form], request: SearchRequest, dependencies: Dependencies, deadline: Deadline
) -> ModelReading[Form]:
    """Read the model's answer to a prompt from the cache, else call the model and cache what it answers.

    Without a model there is no answer. Raises `CredentialRejected`; any other failure is a warning and an error of the
    reading.
    """
    model, clock = dependencies.llm, dependencies.clock
    if model is None:
        return ModelReading(None)
    call = _Call(model, request.config.llm_prices, clock)
    if dependencies.cache is None:
        return call.run(prompt, form, deadline)
    cached = CachedValues(dependencies.cache, "translation", form, clock)
    key = cache_key("translation", model=model.name, system=prompt.system, user=prompt.user)
    entry = cached.read([key]).get(key)
    if entry and entry.fresh:
        return ModelReading(entry.value)
    reading = call.run(prompt, form, deadline)
    if reading.answer:
        cached.write({key: reading.answer})
    return reading


@dataclass(frozen=True)
class _Call:
    """A call of a model at its price."""

    model: LanguageModel
    prices: Mapping[str, TokenPrice]
    clock: Clock

    def run(self, prompt: Prompt, form: type[Form], deadline: Deadline) -> ModelReading[Form]:
        """Call the model and read its answer."""
        name, prices = self.model.name, self.prices
        warnings = () if is_priced(name, prices) else (NO_PRICE.format(name),)
        usage = Usage(llm_calls=1)
        try:
            completion = self.model.complete(prompt, deadline)
            usage = completion.usage
            answer = form.model_validate(completion.data)
        except (CallFailed, ValidationError) as failure:
            usage = failure.usage if isinstance(failure, LanguageModelFailed) else usage
            reason = _reason(failure)
            error = StageError(stage="translate", error=reason, timestamp=self.clock.now())
            warnings = (*warnings, MODEL_FAILED.format(reason))
            return ModelReading(None, with_cost(usage, name, prices), warnings, (error,))
        return ModelReading(answer, with_cost(usage, name, prices), warnings)


def _reason(failure: Exception) -> str:
    if isinstance(failure, ValidationError):
        row = failure.errors()[0]
        place = ".".join(str(part) for part in row["loc"]) or "the top"
        return f"its answer breaks the form at {place}: {describe_requirement(row)}"
    return str(failure)
