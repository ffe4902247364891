"""A model's answer read into a form of pydantic, also from the cache, or the reason why there is none."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from goldpan.config import TokenPrice
from goldpan.contracts import SearchRequest, StageError, Usage
from goldpan.contracts.validation_errors import describe_requirement
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import CallFailed
from goldpan.infra.cache import CachedValues, cache_key
from goldpan.infra.llm.port import LanguageModel, LanguageModelFailed, Prompt
from goldpan.infra.llm.prices import is_priced, with_cost

SCORE, PERCENT = 10.0, 100.0
"""The scale of scores, and the one that some models use instead of any other."""
MODEL_FAILED = "The language model did not translate the question ({}); it was translated by rules."
NO_PRICE = "The price of the model {} is not known, so cost_usd counts it as nothing; searches read config.llm_prices."
Form = TypeVar("Form", bound=BaseModel)


@dataclass(frozen=True)
class ModelReading(Generic[Form]):
    """What the model answered, or why there is nothing; what that cost, and the warnings and errors for the answer."""

    answer: Form | None
    usage: Usage = field(default_factory=Usage)
    failure: str = ""
    is_of_the_text: bool = False
    """Whether untrusted text may be why the provider refused the call, so that another text may pass."""
    warnings: tuple[str, ...] = ()
    errors: tuple[StageError, ...] = ()


def ask_model(
    form: type[Form], model: LanguageModel, prompt: Prompt, deadline: Deadline, prices: Mapping[str, TokenPrice]
) -> ModelReading[Form]:
    """Call the model and validate what it answers. Raises `CredentialRejected`; any other failure is returned."""
    usage, is_of_the_text = Usage(), False
    try:
        completion = model.complete(prompt, deadline)
        usage = completion.usage
        return ModelReading(form.model_validate(completion.data), with_cost(usage, model.name, prices))
    except LanguageModelFailed as failed:
        usage, reason, is_of_the_text = failed.usage, str(failed), failed.is_of_the_text
    except CallFailed as failed:
        reason = str(failed)
    except ValidationError as error:
        row = error.errors(include_url=False)[0]
        place = ".".join(map(str, row["loc"])) or "the top"
        reason = f"the language model's answer breaks the form: {place}: {describe_requirement(row)}"
    return ModelReading(None, with_cost(usage, model.name, prices), reason, is_of_the_text)


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
    key = cache_key("translation", model=model.name, system=prompt.system, user=prompt.user)
    cached = None if cache is None else CachedValues(cache, "translation", form, dependencies.clock)
    entry = cached and cached.read([key]).get(key)
    if entry and entry.fresh:
        return ModelReading(entry.value)
    until = deadline.within(request.config.llm_timeout_seconds)
    asked = ask_model(form, model, prompt, until, prices)
    warnings = () if is_priced(model.name, prices) else (NO_PRICE.format(model.name),)
    if asked.answer is None:
        error = StageError(stage="translate", error=asked.failure, timestamp=deadline.clock.now())
        return replace(asked, warnings=(*warnings, MODEL_FAILED.format(asked.failure)), errors=(error,))
    if cached is not None:
        cached.write({key: asked.answer})
    return replace(asked, warnings=warnings)


def _no_boolean(value: object) -> object:
    if isinstance(value, bool):
        message = f"a number is needed, not {str(value).lower()}"
        raise ValueError(message)  # noqa: TRY004 - pydantic reports a ValueError alone
    return value


Number = Annotated[float, Field(allow_inf_nan=False), BeforeValidator(_no_boolean)]


def on_scale(maximum: float) -> Callable[[float], float]:
    """Return a function that clamps a negative number, reads one above 10 as one of 100, and refuses others."""

    def read(value: float) -> float:
        if value <= maximum:
            return max(0.0, value)
        if SCORE < value <= PERCENT:
            return value * maximum / PERCENT
        raise ValueError(f"{value:g} is not between 0 and {maximum:g}")

    return read
