"""Translate: a question becomes an intent and a search strategy, and a scout task for each source.

Both come from one call of the language model, or from rules if there is none or it fails. What the papers must and must
not be follows from the rules in either case.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import chain
from typing import TYPE_CHECKING, Any

from goldpan.contracts import SearchRequest
from goldpan.contracts.kinds import DEFAULT_PREFERENCE, select_filters
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.feedback import previous_of
from goldpan.engine.interpretation import NO_MODEL, doubtful_parts, no_subject, shown_by_model
from goldpan.infra.llm.answers import ModelReading, read_by_model
from goldpan.kinds.papers.constraints import Constraints, Filters
from goldpan.kinds.papers.intent import MAX_CONCEPTS, IntentParser, Reading
from goldpan.kinds.papers.models import (
    HYBRID,
    KIND,
    LIBRARY,
    PaperQuery,
    ParsedIntent,
    ScoutTask,
    SearchStrategy,
    Translation,
)
from goldpan.kinds.papers.query_builder import QueryBuilder, queries_for
from goldpan.kinds.papers.question import cues
from goldpan.kinds.papers.question.limits import YEARS
from goldpan.kinds.papers.venues import venue_names
from goldpan.kinds.wishes import WishRules, read_with_wishes, replaced_constraints

if TYPE_CHECKING:
    from goldpan.kinds.papers.translate_llm import ModelAnswer

MAX_VENUE_NAMES = 3
"""Names of a venue that its sources search for: "NeurIPS", "NIPS", "Neural Information Processing Systems"."""
ALTERNATIVES = frozenset({"types", "venues"})
"""The constraints of which one value is enough."""


def translate(
    request: SearchRequest, sources: Sequence[str], dependencies: Dependencies, deadline: Deadline
) -> Translation:
    """Read the question with the language model, or by rules if there is none or it fails, and plan its searches.

    Raises `InvalidRequest` if the question has no word to search for, and `CredentialRejected`.
    """
    reading, strategy, by_model = _read(request, dependencies), None, ModelReading["ModelAnswer"](None)
    academic = [name for name in sources if name != LIBRARY] or sources
    builder = QueryBuilder(request.mode, academic, previous_of(request, KIND))
    if dependencies.llm is None:
        reading = reading.model_copy(update={"notes": (*reading.notes, NO_MODEL)})
    elif request.max_llm_calls:
        from goldpan.kinds.papers import translate_llm  # noqa: PLC0415 - with a model only

        prompt, form = translate_llm.reading_prompt(request, reading.intent, academic), translate_llm.ModelAnswer
        by_model = read_by_model(prompt, form, request, dependencies, deadline)
    if answer := by_model.answer:
        doubtful = doubtful_parts(reading.parts, answer.concepts, answer.excluded)
        if doubtful:
            ignore = (*request.ignore, *(part.id for part in doubtful))
            reading = _read(request.model_copy(update={"ignore": ignore}), dependencies)
        intent, strategy = translate_llm.plan_by_model(request, answer, reading.intent, builder)
        wordings = (text for one in intent.concepts for text in (one, *intent.synonyms.get(one, ())))
        parts, notes = shown_by_model(reading.parts, reading.notes, wordings, doubtful)
        reading = reading.model_copy(update={"intent": intent, "parts": parts, "notes": notes})
    if reading.empty:
        raise no_subject(request.query, reading.parts, KIND, "graph neural networks")
    strategy = strategy or builder.build(reading.intent)
    if LIBRARY in sources and LIBRARY not in strategy.sources:  # a model only chooses among the academic sources
        strategy = strategy.model_copy(update={"sources": (LIBRARY, *strategy.sources)})
    return _planned(reading, strategy, by_model, request, dependencies)


def merge_filters(constraints: Constraints, filters: Filters) -> Constraints:
    """Put the request's filters in the place of what the question says about the same fact; exclusions are joined."""
    replaced: dict[str, Any] = filters.model_dump(exclude_defaults=True, exclude={"exclude"})
    if "types" in replaced:
        replaced["excluded_types"] = tuple(one for one in constraints.excluded_types if one not in filters.types)
    replaced["excluded_terms"] = tuple(dict.fromkeys((*constraints.excluded_terms, *filters.exclude)))
    first, last = filters.year_from, filters.year_to
    if first is not None and (constraints.year_to or first) < first:
        replaced.setdefault("year_to", None)
    if last is not None and (constraints.year_from or last) > last:
        replaced.setdefault("year_from", None)
    return constraints.model_copy(update=replaced)


def _read(request: SearchRequest, dependencies: Dependencies) -> Reading:
    """Read the question and the wishes; the filters of the request take the place of what they say."""
    reading = read_rounds(request, dependencies.clock.now().date())
    said = reading.intent.constraints
    merged = merge_filters(said, select_filters(Filters, request.filters))
    parts = reading.parts_without(replaced_constraints(said, merged))
    intent = reading.intent.model_copy(update={"constraints": merged})
    return reading.model_copy(update={"intent": intent, "parts": parts})


def read_rounds(request: SearchRequest, today: date) -> Reading:
    """Return the reading with what the wishes add and exclude: new concepts come second, before the weaker ones."""
    rules = WishRules(
        kind=KIND,
        read=IntentParser(today).parse,
        subjects=lambda reading: reading.intent.concepts,
        cues=cues("feedback"),
        are_alternatives=lambda name, *_: name in ALTERNATIVES,
        ranges=(YEARS,),
    )
    reading, _, question = read_with_wishes(request, rules)
    old = [one for one in question.intent.concepts if one in reading.intent.concepts]
    new = [one for one in reading.intent.concepts if one not in old]
    concepts = (*old[:1], *new, *old[1:])[:MAX_CONCEPTS]
    reading = reading.model_copy(update={"intent": reading.intent.model_copy(update={"concepts": concepts})})
    if request.preference == DEFAULT_PREFERENCE:
        return reading
    # the preference of the request takes the place of what the question says; those of the wishes stay
    wished = (one for one in reading.intent.preferences if one not in question.intent.preferences)
    kept = question.parts_without({"preferences"})
    parts = tuple(part for part in reading.parts if part in kept or part not in question.parts)
    intent = reading.intent.model_copy(update={"preferences": (request.preference, *wished)})
    return reading.model_copy(update={"intent": intent, "parts": parts})


def _planned(
    reading: Reading,
    strategy: SearchStrategy,
    by_model: ModelReading[ModelAnswer],
    request: SearchRequest,
    dependencies: Dependencies,
) -> Translation:
    tasks = (_tasks(name, strategy, reading.intent, request.project_id, dependencies) for name in strategy.sources)
    planned = Translation(
        intent=reading.intent,
        strategy=strategy,
        tasks=tuple(chain.from_iterable(tasks)),
        interpretation=reading.parts,
        usage=by_model.usage,
        warnings=(*reading.notes, *by_model.warnings),
        errors=by_model.errors,
    )
    connected = ((task.id, dependencies.sources.get(task.source)) for task in planned.tasks)
    able = [name for name, source in connected if source and source.plan.missing_key is None]
    return planned.with_allowances(able, request.max_llm_calls if dependencies.llm else 0)


def _tasks(
    name: str, strategy: SearchStrategy, intent: ParsedIntent, project_id: str | None, dependencies: Dependencies
) -> tuple[ScoutTask, ...]:
    """Plan the task of a source, or the two ways of searching the library of a project."""
    source = dependencies.sources.get(name)
    limit = source.plan.queries if source else 1  # of one that is not configured here, which its task reports
    asked = queries_for(strategy.queries, limit, intent)
    sentence = "" if intent.likes or name in {LIBRARY, HYBRID} else intent.meaning
    first, *others = (one.model_copy(update={"exact": intent.exact}) for one in asked)
    queries = (first.model_copy(update={"sentence": sentence}), *others)
    venues = (each for venue in intent.constraints.venues for each in venue_names(venue)[:MAX_VENUE_NAMES])
    constraints = intent.constraints.model_copy(update={"venues": tuple(dict.fromkeys(venues))})
    task = ScoutTask(id=f"papers:{name}", strategy=name, source=name, queries=queries, constraints=constraints)
    if not intent.concepts and {*intent.likes} - {*intent.wanted}:
        task = task.model_copy(update={"is_like_ids": True})
    if name != LIBRARY:
        return (task,)
    meant = PaperQuery(concepts=((intent.meaning,),)) if intent.meaning else queries[0]
    by_words = task.model_copy(update={"project_id": project_id})
    return by_words, by_words.model_copy(update={"id": f"papers:{HYBRID}", "strategy": HYBRID, "queries": (meant,)})
