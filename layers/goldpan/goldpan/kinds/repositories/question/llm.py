"""Translate a question with a language model, and cache the model's answer for `TTL["translation"]`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from goldpan.contracts import Mode, SearchRequest, StageError, Usage
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import CallFailed
from goldpan.infra.cache.port import CachedValues, cache_key
from goldpan.infra.llm.port import LanguageModel, LanguageModelFailed, Prompt
from goldpan.infra.llm.prices import is_priced, with_cost
from goldpan.kinds.repositories.models import SearchParams, TranslationNotes
from goldpan.kinds.repositories.prompts import instructions
from goldpan.kinds.repositories.question.searches import EXPANSIONS, MAX_KEYWORD
from goldpan.kinds.repositories.question.vocabulary import vocabulary
from goldpan.question.parts import part_id
from goldpan.text import words

MODEL_FAILED = "The language model did not translate the question ({}); it was translated by rules."
NO_PRICE = "The price of the model {} is not known, so that cost_usd counts it as nothing: set llm_prices."
MAX_ATTEMPTS = 4
"""Calls for one translation: a new endpoint may refuse several fields, one after the other."""
MAX_TOPICS = 2
"""GitHub requires all topics of a search, so more would find next to nothing."""


def _none_as_empty(value: object) -> object:
    return [] if value is None else value


Words = Annotated[list[Annotated[str, Field(max_length=MAX_KEYWORD)]], BeforeValidator(_none_as_empty)]


class _Reading(BaseModel):
    """The fields that are read from the language model's answer; all others are ignored."""

    model_config = ConfigDict(extra="ignore")

    keywords: Annotated[Words, Field(min_length=1, max_length=12)]
    expanded_keywords: Annotated[Words, Field(max_length=20)] = []
    language: Annotated[str, Field(max_length=30)] | None = None
    topics: Annotated[Words, Field(max_length=10)] = []


def translate_by_model(
    model: LanguageModel,
    request: SearchRequest,
    from_rules: SearchParams,
    dependencies: Dependencies,
    deadline: Deadline,
) -> tuple[SearchParams, TranslationNotes]:
    """Translate the question with the language model; if it fails, the rules' parameters stand, with the reason.

    Raises `CredentialRejected`.
    """
    reading, notes = _cached_reading(model, request, dependencies, deadline)
    return _params(request, reading, from_rules) if reading else from_rules, notes


def _cached_reading(
    model: LanguageModel, request: SearchRequest, dependencies: Dependencies, deadline: Deadline
) -> tuple[_Reading | None, TranslationNotes]:
    """Read the model's answer to this prompt from the cache, else call the model and cache what it answers."""
    prompt = _prompt(request)
    if dependencies.cache is None:
        return _call(model, prompt, request, dependencies, deadline)
    cached = CachedValues(dependencies.cache, "translation", _Reading, dependencies.clock)
    key = cache_key("translation", model=model.name, system=prompt.system, user=prompt.user)
    entry = cached.read([key]).get(key)
    if entry and entry.fresh:
        return entry.value, TranslationNotes()
    reading, notes = _call(model, prompt, request, dependencies, deadline)
    if reading:
        cached.write({key: reading})
    return reading, notes


def _call(
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
        warnings = (*warnings, MODEL_FAILED.format(reason))
        return None, TranslationNotes(usage=with_cost(usage, model.name, prices), warnings=warnings, errors=(error,))
    return reading, TranslationNotes(usage=with_cost(usage, model.name, prices), warnings=warnings)


def _prompt(request: SearchRequest) -> Prompt:
    minimum, maximum = EXPANSIONS[request.mode]
    expansions = f"between {minimum} and {maximum}" if maximum else "no"
    return Prompt(
        system=instructions("translate").replace("{expansions}", expansions),
        user=json.dumps({"question": request.query}, ensure_ascii=False),
        attempts=min(MAX_ATTEMPTS, request.max_llm_calls),
    )


def _params(request: SearchRequest, reading: _Reading, from_rules: SearchParams) -> SearchParams:
    """Put the model's cleaned words in the place of the rules'; limits follow from the question alone."""
    keywords = tuple(
        word for word in _cleaned(reading.keywords, from_rules) if part_id("term", word) not in request.ignore
    )
    topics = tuple("-".join(topic.split()) for topic in _cleaned(reading.topics, from_rules))[:MAX_TOPICS]
    return from_rules.model_copy(
        update={
            "keywords": keywords or from_rules.keywords,
            "expanded_keywords": _expanded(reading, keywords, request.mode, from_rules),
            "language": _language(reading, from_rules),
            "topics": from_rules.constraints.topics or topics,
            "meaning": " ".join(dict.fromkeys(" ".join((*keywords, from_rules.meaning)).split())),
        }
    )


def _language(reading: _Reading, from_rules: SearchParams) -> str | None:
    """Return the model's language if it is known, and none of those that the question or a filter names holds."""
    if from_rules.constraints.languages:
        return from_rules.language
    known = {language for platform in vocabulary().platforms.values() for language in platform.search_languages}
    return next((name for name in known if name.lower() == (reading.language or "").lower()), None)


def _expanded(reading: _Reading, keywords: tuple[str, ...], mode: Mode, from_rules: SearchParams) -> tuple[str, ...]:
    limit = EXPANSIONS[mode][1]
    return tuple(word for word in _cleaned(reading.expanded_keywords, from_rules) if word not in keywords)[:limit]


def _cleaned(texts: Sequence[str], from_rules: SearchParams) -> tuple[str, ...]:
    """Keep only words, so that no text is read as a qualifier of a search; what the question excludes is left out."""
    excluded = {" ".join(words(term)) for term in from_rules.constraints.excluded_terms}
    cleaned = dict.fromkeys(" ".join(words(text)) for text in texts)
    return tuple(text for text in cleaned if text and text not in excluded)


def _reason(failure: Exception) -> str:
    if isinstance(failure, ValidationError):
        row = failure.errors()[0]
        return f"its answer breaks the form at {'.'.join(str(part) for part in row['loc']) or 'the top'}: {row['msg']}"
    return str(failure)
