"""Parse a question and build its strategy with one call of a language model."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from goldpan.contracts import SearchRequest
from goldpan.engine.feedback import question_and_wishes
from goldpan.engine.interpretation import part_id
from goldpan.infra.llm.port import Prompt
from goldpan.kinds.papers.constraints import MAX_YEAR, Constraints, Year
from goldpan.kinds.papers.models import KIND, PaperQuery, ParsedIntent, SearchStrategy
from goldpan.kinds.papers.query_builder import MAX_WORDINGS, QUERIES, QueryBuilder, previous_queries
from goldpan.kinds.prompts import instructions, translation_prompt
from goldpan.text import terms, words

MAX_TOKENS = 900
MAX_CONCEPTS, MAX_QUERIES = 6, 4
MAX_WORDING = 100
"""Characters of one wording of a concept."""


def _without_none(value: object) -> object:
    """Read a missing list or object as an empty one, and leave out the nulls in it."""
    if isinstance(value, list):
        return [item for item in value if item is not None]
    if isinstance(value, dict):
        return {name: item for name, item in value.items() if item is not None}
    return value


def _listed(value: object) -> object:
    """Read one wording as a list of wordings."""
    return [value] if isinstance(value, str) else _without_none([] if value is None else value)


Wording = Annotated[str, Field(max_length=MAX_WORDING)]
Wordings = Annotated[list[Wording], Field(max_length=20), BeforeValidator(_listed)]


class ModelQuery(BaseModel):
    """A query of the model."""

    concepts: Annotated[list[Wordings], Field(min_length=1, max_length=10), BeforeValidator(_without_none)]


class Limits(BaseModel):
    """The years, venues and authors that the model read."""

    year_from: Year | None = None
    year_to: Year | None = None
    venues: Wordings = []
    authors: Wordings = []


class ModelAnswer(BaseModel):
    """The fields that are read from the language model's answer; all others are ignored."""

    topic: Annotated[str, Field(max_length=300)] = ""
    concepts: Annotated[Wordings, Field(min_length=1)]
    synonyms: Annotated[dict[str, Wordings], BeforeValidator(lambda value: _without_none(value or {}))] = {}
    methods: Wordings = []
    constraints: Annotated[Limits, BeforeValidator(lambda value: value or {})] = Limits()
    queries: Annotated[list[ModelQuery], Field(min_length=1, max_length=10), BeforeValidator(_without_none)]
    sources: Wordings = []
    excluded: Annotated[list[str], Field(max_length=20)] | None = None
    """What the question refuses; None if the model does not say."""


def reading_prompt(request: SearchRequest, from_rules: ParsedIntent, sources: Sequence[str]) -> Prompt:
    """Write what the language model is asked: to read the question, and to plan queries."""
    domain = [] if from_rules.domain == "general" else [from_rules.domain]
    system = instructions(KIND, "translate", *domain).replace("{queries}", f"2 to {QUERIES[request.mode]}")
    return translation_prompt(system, request, KIND, _shown, MAX_TOKENS, sources=list(sources))


def plan_by_model(
    request: SearchRequest, answer: ModelAnswer, from_rules: ParsedIntent, builder: QueryBuilder
) -> tuple[ParsedIntent, SearchStrategy]:
    """Return the model's intent and strategy; what the papers must and must not be follows from the rules."""
    intent = _intent(request, answer, from_rules)
    queries: list[PaperQuery] = []
    for query in answer.queries:
        concepts = [tuple(_cleaned(one, intent, request.ignore))[:MAX_WORDINGS] for one in query.concepts]
        if named := tuple(one for one in concepts if one)[:MAX_CONCEPTS]:
            queries.append(PaperQuery(concepts=named))
    return intent, builder.complete(intent, queries, () if request.sources else answer.sources)


def _shown(strategy: Mapping[str, Any]) -> dict[str, object]:
    """Return the queries of an earlier strategy; ids would tell a model nothing."""
    queries = [[wordings[0] for wordings in query.concepts if wordings] for query in previous_queries(strategy)]
    return {"queries": queries[:MAX_QUERIES]} if queries else {}


def _intent(request: SearchRequest, answer: ModelAnswer, from_rules: ParsedIntent) -> ParsedIntent:
    """Put the model's cleaned words in the place of the rules'; what is excluded or ignored is left out."""
    concepts = tuple(_cleaned(answer.concepts, from_rules, request.ignore))[:MAX_CONCEPTS]
    if not concepts:
        return from_rules
    asked = {one.casefold(): from_rules.synonyms.get(one, ()) for one in from_rules.concepts}
    said = {one.casefold(): wordings for one, wordings in answer.synonyms.items()}
    synonyms: dict[str, tuple[str, ...]] = {}
    for one, key in zip(concepts, map(str.casefold, concepts), strict=True):
        found = _cleaned([*asked.get(key, ()), *said.get(key, ())], from_rules, request.ignore)
        if others := [text for text in found if text.casefold() != key]:
            synonyms[one] = tuple(others[: MAX_WORDINGS - 1])
    topic = " ".join(answer.topic.split()) or from_rules.topic
    return from_rules.model_copy(
        update={
            "topic": topic,
            "concepts": concepts,
            "synonyms": synonyms,
            "methods": tuple(one for one in concepts if one.casefold() in {m.casefold() for m in answer.methods}),
            "exact": tuple(one for one in from_rules.exact if one in concepts),
            "meaning": " ".join(dict.fromkeys(f"{topic} {from_rules.meaning}".split())),
            "constraints": _constraints(question_and_wishes(request), answer.constraints, from_rules.constraints),
        }
    )


def _constraints(question: str, said: Limits, from_rules: Constraints) -> Constraints:
    """Add what the rules did not find, as far as the question really names it."""
    fold, added = question.casefold(), dict[str, Any]()
    if from_rules.year_from is None and from_rules.year_to is None:
        written = [*map(int, re.findall(r"\d{4}", question))]
        for name, year in (("year_from", said.year_from), ("year_to", said.year_to)):
            if year is not None and any(abs(year - each) <= 1 for each in written):  # "after 2019" is from 2020
                added[name] = year
    for name in ("venues", "authors"):
        named = tuple(one for one in getattr(said, name) if one.strip() and one.casefold() in fold)
        if named and not getattr(from_rules, name):
            added[name] = named
    if added.get("year_from", 0) > added.get("year_to", MAX_YEAR):
        return from_rules
    return from_rules.model_copy(update=added)


def _cleaned(texts: Sequence[str], intent: ParsedIntent, ignore: Sequence[str]) -> Iterator[str]:
    """Yield each text once that has words, without quotes; not what is ignored or has what is excluded."""
    excluded = [f" {' '.join(terms(term))} " for term in intent.constraints.excluded_terms]
    for text in dict.fromkeys(" ".join(text.replace('"', " ").split()) for text in texts):
        plain = f" {' '.join(terms(text))} "
        is_excluded = any(term in plain for term in excluded if term.strip())
        if words(text) and not is_excluded and part_id("term", text) not in ignore:
            yield text
