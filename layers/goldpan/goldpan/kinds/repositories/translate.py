"""Translate: a question becomes search parameters, and the strategies to run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from goldpan.contracts import SearchRequest, Usage
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.payload import BATCHES_BYTES, SKIPPED_BATCH_BYTES, batches_budget
from goldpan.errors import InvalidRequest
from goldpan.kinds.repositories.models import SearchParams, Translation
from goldpan.kinds.repositories.question.rules import MAX_KEYWORD, TranslationNotes, translate_by_rules
from goldpan.kinds.repositories.question.searches import plan_tasks, relaxed_queries

NO_MODEL = "No language model is configured: the question was translated and the results were ordered by rules alone."
MAX_QUESTION = 500


def translate(
    request: SearchRequest, sources: Sequence[str], dependencies: Dependencies, deadline: Deadline
) -> Translation:
    """Read the question with the language model, or by rules if there is none or it fails, and plan its searches."""
    from_rules = translate_by_rules(request.query, request.mode)
    if dependencies.llm is None:
        return _planned(from_rules, request, sources, dependencies, TranslationNotes(Usage(), (NO_MODEL,)))
    if request.max_llm_calls == 0:
        return _planned(from_rules, request, sources, dependencies, TranslationNotes(Usage()))
    from goldpan.kinds.repositories.question.llm import translate_by_model  # noqa: PLC0415 - with a model only

    params, notes = translate_by_model(
        dependencies.llm, request, dependencies, deadline.within(request.config.llm_timeout_seconds)
    )
    readable = params is not None and bool(relaxed_queries(_bounded(params)))
    return _planned(params if params and readable else from_rules, request, sources, dependencies, notes)


def plan_fallback(
    translation: Translation, request: SearchRequest, sources: Sequence[str], dependencies: Dependencies, reason: str
) -> Translation:
    """Plan the same question for other sources; the reason becomes a warning."""
    notes = TranslationNotes(translation.usage, (*translation.warnings, reason), translation.errors)
    return _planned(translation.params, request, sources, dependencies, notes)


def _planned(
    params: SearchParams,
    request: SearchRequest,
    sources: Sequence[str],
    dependencies: Dependencies,
    notes: TranslationNotes,
) -> Translation:
    if not relaxed_queries(params) and not params.topics:
        message = f"query: holds no word to search for (given {len(request.query)} characters)"
        raise InvalidRequest(message)
    params = _bounded(params)
    limits = [
        (name, dependencies.sources[name].searches_a_question if name in dependencies.sources else 1)
        for name in sources
    ]
    planned = Translation(
        params=params,
        tasks=plan_tasks(params, limits, request.config, dependencies.clock.now().date()),
        usage=notes.usage,
        warnings=notes.warnings,
        errors=notes.errors,
        scoring_calls=0 if dependencies.llm is None else max(0, request.max_llm_calls - notes.usage.llm_calls),
    )
    return _with_allowances(planned, dependencies)


def _bounded(params: SearchParams) -> SearchParams:
    """Drop what exceeds the length of a question: one character may become eighteen by normalisation."""
    return params.model_copy(
        update={
            "keywords": _first(params.keywords),
            "expanded_keywords": _first(params.expanded_keywords),
            "topics": tuple(topic[:MAX_KEYWORD] for topic in params.topics),
        }
    )


def _first(keywords: Sequence[str]) -> tuple[str, ...]:
    short = [keyword[: 2 * MAX_KEYWORD].strip() for keyword in keywords]
    sums = accumulate(len(keyword) for keyword in short)
    return tuple(keyword for keyword, length in zip(short, sums, strict=True) if length <= MAX_QUESTION)


def _with_allowances(planned: Translation, dependencies: Dependencies) -> Translation:
    """Divide the bytes of a state among the tasks whose source is configured; the others return a status row only."""
    configured = [task for task in planned.tasks if task.source in dependencies.sources]
    placeholder = BATCHES_BYTES - 1  # has as many digits as any allowance
    budget = batches_budget(_allowing(planned, placeholder)) - SKIPPED_BATCH_BYTES * (
        len(planned.tasks) - len(configured)
    )
    return _allowing(planned, max(0, budget) // max(1, len(configured)))


def _allowing(planned: Translation, allowance: int) -> Translation:
    tasks = tuple(task.model_copy(update={"byte_allowance": allowance}) for task in planned.tasks)
    return planned.model_copy(update={"tasks": tasks})
