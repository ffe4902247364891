"""The question as a language model reads it; asked again within a quarter of an hour, as it read it then."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from goldpan.contracts import Mode, SearchRequest, StageError, Usage
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import CallFailed
from goldpan.infra.cache.port import cache_key
from goldpan.infra.cache.values import CachedValues
from goldpan.infra.llm.port import LanguageModel, LanguageModelFailed, Prompt
from goldpan.infra.llm.prices import is_priced, with_cost
from goldpan.kinds.repositories.models import SearchParams
from goldpan.kinds.repositories.prompts import instructions
from goldpan.kinds.repositories.question.intent import created_after, star_range
from goldpan.kinds.repositories.question.rules import EXPANSIONS, translate_by_rules
from goldpan.kinds.repositories.question.vocabulary import vocabulary
from goldpan.text import words

MODEL_FAILED = "The language model did not translate the question ({}); it was translated by rules."
NO_PRICE = "The price of the model {} is not known, so that cost_usd counts it as nothing: set llm_prices."
MAX_KEYWORD = 60


def _listed(value: object) -> object:
    return [] if value is None else value


Words = Annotated[list[Annotated[str, Field(max_length=MAX_KEYWORD)]], BeforeValidator(_listed)]


@dataclass(frozen=True)
class TranslationNotes:
    """What asking the language model cost, and what is to be said of it."""

    usage: Usage
    warnings: tuple[str, ...] = ()
    errors: tuple[StageError, ...] = ()


class _Reading(BaseModel):
    """What the language model may say of a question; anything else in its answer is not read."""

    model_config = ConfigDict(extra="ignore")

    keywords: Annotated[Words, Field(min_length=1, max_length=12)]
    expanded_keywords: Annotated[Words, Field(max_length=20)] = []
    language: Annotated[str, Field(max_length=30)] | None = None
    topics: Annotated[Words, Field(max_length=10)] = []


def translate_by_model(
    model: LanguageModel, request: SearchRequest, dependencies: Dependencies, deadline: Deadline
) -> tuple[SearchParams | None, TranslationNotes]:
    """Read the question with the language model; where it fails a warning says why there are no parameters."""
    reading, told = _read(model, request, dependencies, deadline)
    return _params(request, reading) if reading else None, told


def _read(
    model: LanguageModel, request: SearchRequest, dependencies: Dependencies, deadline: Deadline
) -> tuple[_Reading | None, TranslationNotes]:
    """Remember what the model said of this question, or ask it."""
    prompt = _prompt(request)
    if dependencies.cache is None:
        return _ask(model, prompt, request, dependencies, deadline)
    remembered = CachedValues(dependencies.cache, "translation", _Reading, dependencies.clock)
    key = cache_key("translation", model=model.name, system=prompt.system, user=prompt.user)
    known = remembered.read([key]).get(key)
    if known and known.fresh:
        return known.value, TranslationNotes(Usage())
    reading, told = _ask(model, prompt, request, dependencies, deadline)
    if reading:
        remembered.write({key: reading})
    return reading, told


def _ask(
    model: LanguageModel, prompt: Prompt, request: SearchRequest, dependencies: Dependencies, deadline: Deadline
) -> tuple[_Reading | None, TranslationNotes]:
    prices = request.config.llm_prices
    warnings = () if is_priced(model.name, prices) else (NO_PRICE.format(model.name),)
    usage = Usage(llm_calls=1)
    try:
        completion = model.complete(prompt, deadline)
        usage = completion.usage
        reading = _Reading.model_validate(completion.data)
    except (CallFailed, ValidationError) as failure:
        usage = failure.usage if isinstance(failure, LanguageModelFailed) else usage
        reason = _reason(failure)
        error = StageError(stage="translate", error=reason, timestamp=dependencies.clock.now())
        return None, TranslationNotes(
            with_cost(usage, model.name, prices), (*warnings, MODEL_FAILED.format(reason)), (error,)
        )
    return reading, TranslationNotes(with_cost(usage, model.name, prices), warnings)


def _prompt(request: SearchRequest) -> Prompt:
    text = instructions("translate")
    fewest, most = EXPANSIONS[request.mode]
    expansions = f"between {fewest} and {most}" if most else "no"
    return Prompt(
        system=text.replace("{expansions}", expansions),
        user=json.dumps({"question": request.query}, ensure_ascii=False),
    )


def _params(request: SearchRequest, reading: _Reading) -> SearchParams:
    """Clean what the model said; the star range and the year follow from the question's own words."""
    keywords = _cleaned(reading.keywords)
    known = {language for platform in vocabulary().platforms.values() for language in platform.narrow}
    language = next((name for name in known if name.lower() == (reading.language or "").lower()), None)
    return SearchParams(
        keywords=keywords or translate_by_rules(request.query, request.mode).keywords,
        expanded_keywords=_expanded(reading, keywords, request.mode),
        language=language,
        star_range=star_range(request.query),
        created_after=created_after(request.query),
        topics=tuple("-".join(topic.split()) for topic in _cleaned(reading.topics))[:2],
    )


def _expanded(reading: _Reading, keywords: tuple[str, ...], mode: Mode) -> tuple[str, ...]:
    most = EXPANSIONS[mode][1]
    return tuple(word for word in _cleaned(reading.expanded_keywords) if word not in keywords)[:most]


def _cleaned(said: Sequence[str]) -> tuple[str, ...]:
    """Keep words alone, so that nothing the model says is read as a qualifier."""
    return tuple(dict.fromkeys(text for item in said if (text := " ".join(words(item)))))


def _reason(failure: Exception) -> str:
    if isinstance(failure, ValidationError):
        row = failure.errors()[0]
        return f"its answer breaks the form at {'.'.join(str(part) for part in row['loc']) or 'the top'}: {row['msg']}"
    return str(failure)
