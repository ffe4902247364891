"""Translate a question with a language model, and cache the model's answer for `TTL["translation"]`."""

from collections.abc import Collection, Mapping
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from goldpan.contracts import SearchRequest
from goldpan.engine.interpretation import part_id
from goldpan.infra.llm.port import Prompt
from goldpan.kinds.prompts import instructions, translation_prompt
from goldpan.kinds.repositories.expansion import EXPANSIONS, expand
from goldpan.kinds.repositories.models import KIND, SearchParams
from goldpan.kinds.repositories.searches import MAX_KEYWORD
from goldpan.kinds.repositories.vocabulary import platform_of, vocabulary
from goldpan.text import words

MAX_TOKENS = 400
MAX_TOPICS = 2
"""GitHub requires all topics of a search, so more would find next to nothing."""


Words = Annotated[
    list[Annotated[str, Field(max_length=MAX_KEYWORD)]], BeforeValidator(lambda given: [] if given is None else given)
]


class ModelAnswer(BaseModel):
    """The fields that are read from the language model's answer; all others are ignored."""

    keywords: Annotated[Words, Field(min_length=1, max_length=12)]
    expanded_keywords: Annotated[Words, Field(max_length=20)] = []
    language: Annotated[str, Field(max_length=30)] | None = None
    topics: Annotated[Words, Field(max_length=10)] = []
    excluded: Annotated[list[str], Field(max_length=20)] | None = None
    """What the question refuses; None if the model does not say."""


def reading_prompt(request: SearchRequest) -> Prompt:
    """Write what the language model is asked: the question as data, and the earlier rounds."""
    minimum, maximum = EXPANSIONS[request.mode]
    expansions = f"between {minimum} and {maximum}" if maximum else "no"
    system = instructions(KIND, "translate").replace("{expansions}", expansions)
    return translation_prompt(system, request, KIND, _shown, MAX_TOKENS)


def _shown(strategy: Mapping[str, object]) -> dict[str, object]:
    keywords = strategy.get("keywords")
    named = [word[:MAX_KEYWORD] for word in keywords if isinstance(word, str)] if isinstance(keywords, list) else []
    return {"keywords": named}


def params_by_model(
    request: SearchRequest, reading: ModelAnswer, from_rules: SearchParams, intents: Collection[str]
) -> SearchParams:
    """Put the model's cleaned words in the place of the rules'; limits follow from the question alone.

    `intents` are words such as "lightweight", which set a range of stars and are not searched for.
    """
    refused = (*from_rules.constraints.excluded_terms, *(reading.excluded or ()))
    excluded = {*intents, *(" ".join(words(term)) for term in refused)}
    # only words, so that no text is read as a qualifier of a search
    keywords, expanded, topics = (
        [text for text in dict.fromkeys(" ".join(words(one)) for one in texts) if text and text not in excluded]
        for texts in (reading.keywords, reading.expanded_keywords, reading.topics)
    )
    keywords = [word for word in keywords if part_id("term", word) not in request.ignore]
    if from_rules.constraints.languages:  # a filter takes the place of those of the question
        given = (*(word for word in keywords if not _is_language(word)), *filter(_is_language, from_rules.keywords))
        keywords = list(given)
    changed = {
        "keywords": tuple(keywords) or from_rules.keywords,
        "language": _language(reading, from_rules),
        "topics": from_rules.constraints.topics or tuple(topic.replace(" ", "-") for topic in topics[:MAX_TOPICS]),
        "meaning": " ".join(dict.fromkeys(" ".join((*keywords, from_rules.meaning)).split())),
    }
    params = from_rules.model_copy(update=changed)
    return params.model_copy(update={"expanded_keywords": expand(params, request.mode, expanded)})


def _is_language(word: str) -> bool:
    platform = platform_of(word)
    return platform is not None and platform.language_filter is not None


def _language(reading: ModelAnswer, from_rules: SearchParams) -> str | None:
    """Return the model's language if it is known, and none of those that the question or a filter names holds."""
    if from_rules.constraints.languages:
        return from_rules.language
    known = {language for platform in vocabulary().platforms.values() for language in platform.search_languages}
    return next((name for name in known if name.lower() == (reading.language or "").lower()), None)
