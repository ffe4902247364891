"""Translate: a question becomes search parameters, and the strategies to run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from goldpan.contracts import Mode, SearchRequest, Source, StageError, Usage
from goldpan.deadline import Deadline
from goldpan.errors import InvalidRequest, PartFailed
from goldpan.payload import BATCH_BYTES, STATUS_ALONE_BYTES, batch_room
from goldpan.repositories.contracts import SearchParams, Translation
from goldpan.repositories.forms import forms_of
from goldpan.repositories.intent import created_after, star_range
from goldpan.repositories.plan import plan_tasks
from goldpan.repositories.ports import Ports
from goldpan.repositories.prompts import instructions
from goldpan.repositories.rules_translator import EXPANSIONS, translate_by_rules
from goldpan.repositories.vocabulary import vocabulary
from goldpan.services.language_model import LanguageModel, LanguageModelFailed, Prompt
from goldpan.services.prices import is_priced, priced
from goldpan.text import words

NO_MODEL = "No language model is configured: the question was translated and the results were ordered by rules alone."
MODEL_FAILED = "The language model did not translate the question ({}); it was translated by rules."
NO_PRICE = "The price of the model {} is not known, so that cost_usd counts it as nothing: set llm_prices."
LONGEST_KEYWORD, LONGEST_QUESTION = 60, 500


def _listed(value: object) -> object:
    return [] if value is None else value


Words = Annotated[list[Annotated[str, Field(max_length=LONGEST_KEYWORD)]], BeforeValidator(_listed)]


@dataclass(frozen=True)
class _Told:
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


def translate(request: SearchRequest, sources: Sequence[Source], ports: Ports, deadline: Deadline) -> Translation:
    """Read the question with the language model where there is one, else by rules, and plan its searches."""
    by_rules = translate_by_rules(request.query, request.mode)
    if ports.llm is None:
        return _planned(by_rules, request, sources, ports, _Told(Usage(), (NO_MODEL,)))
    if request.max_llm_calls == 0:
        return _planned(by_rules, request, sources, ports, _Told(Usage()))
    params, told = _ask(ports.llm, request, ports, deadline.within(request.config.llm_timeout_seconds))
    readable = params is not None and bool(forms_of(_bounded(params)))
    return _planned(params if params and readable else by_rules, request, sources, ports, told)


def _ask(
    model: LanguageModel, request: SearchRequest, ports: Ports, deadline: Deadline
) -> tuple[SearchParams | None, _Told]:
    """Ask the language model; where it fails there are no parameters, and a warning says why."""
    prices = request.config.llm_prices
    warnings = () if is_priced(model.name, prices) else (NO_PRICE.format(model.name),)
    usage = Usage(llm_calls=1)
    try:
        completion = model.complete(_prompt(request), deadline)
        usage = completion.usage
        reading = _Reading.model_validate(completion.data)
    except (PartFailed, ValidationError) as failure:
        usage = failure.usage if isinstance(failure, LanguageModelFailed) else usage
        reason = _reason(failure)
        error = StageError(stage="translate", error=reason, timestamp=ports.clock.now())
        return None, _Told(priced(usage, model.name, prices), (*warnings, MODEL_FAILED.format(reason)), (error,))
    return _params(request, reading), _Told(priced(usage, model.name, prices), warnings)


def replan(
    translation: Translation, request: SearchRequest, sources: Sequence[Source], ports: Ports, why: str
) -> Translation:
    """Plan the same question for other sources, and say why."""
    told = _Told(translation.usage, (*translation.warnings, why), translation.errors)
    return _planned(translation.params, request, sources, ports, told)


def _planned(
    params: SearchParams, request: SearchRequest, sources: Sequence[Source], ports: Ports, told: _Told
) -> Translation:
    if not forms_of(params) and not params.topics:
        message = f"query: holds no word to search for (given {len(request.query)} characters)"
        raise InvalidRequest(message)
    params = _bounded(params)
    limits = [(name, ports.sources[name].searches_a_question if name in ports.sources else 1) for name in sources]
    planned = Translation(
        params=params,
        tasks=plan_tasks(params, limits, request.config, ports.clock.now().date()),
        usage=told.usage,
        warnings=told.warnings,
        errors=told.errors,
        scoring_calls=0 if ports.llm is None else max(0, request.max_llm_calls - told.usage.llm_calls),
    )
    return _with_allowances(planned, ports)


def _bounded(params: SearchParams) -> SearchParams:
    """Leave out what no query could carry: a character may become eighteen when it is made comparable."""
    return params.model_copy(
        update={
            "keywords": _first(params.keywords),
            "expanded_keywords": _first(params.expanded_keywords),
            "topics": tuple(topic[:LONGEST_KEYWORD] for topic in params.topics),
        }
    )


def _first(keywords: Sequence[str]) -> tuple[str, ...]:
    short = [keyword[: 2 * LONGEST_KEYWORD].strip() for keyword in keywords]
    sums = accumulate(len(keyword) for keyword in short)
    return tuple(keyword for keyword, length in zip(short, sums, strict=True) if length <= LONGEST_QUESTION)


def _with_allowances(planned: Translation, ports: Ports) -> Translation:
    """Share what a state can carry out among the tasks whose source is there; the others bring a status alone."""
    there = [task for task in planned.tasks if task.source in ports.sources]
    longest = BATCH_BYTES - 1  # a number as long as the one that will stand there
    room = batch_room(_allowing(planned, longest)) - STATUS_ALONE_BYTES * (len(planned.tasks) - len(there))
    return _allowing(planned, max(0, room) // max(1, len(there)))


def _allowing(planned: Translation, allowance: int) -> Translation:
    tasks = tuple(task.model_copy(update={"byte_allowance": allowance}) for task in planned.tasks)
    return planned.model_copy(update={"tasks": tasks})


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
