"""One call of a language model that reads a question, and the cache of its answers for `TTL["translation"]`."""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pydantic import BaseModel

from goldpan.contracts import SearchRequest, StageError, Usage
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.infra.cache.values import CachedValues, cache_key
from goldpan.infra.llm.answers import ask_model
from goldpan.infra.llm.port import Prompt
from goldpan.infra.llm.prices import is_priced

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
    model, cache, prices = dependencies.llm, dependencies.cache, request.config.llm_prices
    if model is None:
        return ModelReading(None)
    user = prompt.user.lower().replace("?", "")
    key = cache_key("translation", model=model.name, system=prompt.system, user=user)
    cached = None if cache is None else CachedValues(cache, "translation", form, dependencies.clock)
    entry = cached and cached.read([key]).get(key)
    if entry and entry.fresh:
        return ModelReading(entry.value)
    asked = ask_model(form, model, prompt, deadline, prices)
    warnings = () if is_priced(model.name, prices) else (NO_PRICE.format(model.name),)
    if asked.answer is None:
        error = StageError(stage="translate", error=asked.failure, timestamp=deadline.clock.now())
        return ModelReading(None, asked.usage, (*warnings, MODEL_FAILED.format(asked.failure)), (error,))
    if cached is not None:
        cached.write({key: asked.answer})
    return ModelReading(asked.answer, asked.usage, warnings)
