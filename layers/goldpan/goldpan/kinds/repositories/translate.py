"""Translate: a question becomes search parameters, and the strategies to run.

Without a language model the star range and the year follow from words such as "popular" or "since 2021", in every mode.
The other words become keywords, to which the vocabulary adds synonyms.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import accumulate

from goldpan.contracts import Mode, SearchRequest
from goldpan.contracts.kinds import select_filters
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.feedback import wishes_of
from goldpan.engine.interpretation import NO_MODEL, UNUSED, doubtful_parts, no_subject, part, part_id, shown_by_model
from goldpan.infra.llm.answers import read_by_model
from goldpan.kinds.repositories.constraint_checks import merge_filters
from goldpan.kinds.repositories.constraints import Constraints, Filters
from goldpan.kinds.repositories.expansion import expand
from goldpan.kinds.repositories.licenses import resolve_license
from goldpan.kinds.repositories.likeness import reference_repository
from goldpan.kinds.repositories.looked_up import asks, named_repositories
from goldpan.kinds.repositories.models import CATALOGUE, KIND, ScoutTask, SearchParams, StarRange, Translation
from goldpan.kinds.repositories.names import LIKE
from goldpan.kinds.repositories.ports import PlanningSource
from goldpan.kinds.repositories.question.lexicon import Term, cues, repository_words
from goldpan.kinds.repositories.question.reader import Reading, read_question
from goldpan.kinds.repositories.searches import MAX_KEYWORD, plan_tasks, subject_queries
from goldpan.kinds.repositories.vocabulary import github_language, go_together, platform_of, product_subject, vocabulary
from goldpan.kinds.wishes import SEPARATOR, WishRules, read_with_wishes, replaced_constraints
from goldpan.text import words

MAX_QUESTION = 500
TOPICS = {"c++": "cpp", "c#": "csharp", "f#": "fsharp"}
"""Languages whose topic at GitHub is not their name."""

ALTERNATIVES = frozenset({"languages", "licenses"})
"""The constraints of which one value is enough; so is one platform, of those that do not go together."""
RANGES = (("min_stars", "max_stars"), ("created_after", "created_before"), ("pushed_after", "pushed_before"))


def translate(
    request: SearchRequest, sources: Sequence[str], dependencies: Dependencies, deadline: Deadline
) -> Translation:
    """Read the question with the language model, or by rules if there is none or it fails, and plan its searches."""
    if not asks(request):
        said = tuple(UNUSED.format(wish, KIND) for wish in wishes_of(request))
        named = Translation(params=SearchParams(keywords=()), warnings=said)
        return _planned(named, request, sources, dependencies)
    reading, text = _read(request, dependencies)
    read = Translation(
        params=translate_by_rules(reading, request.mode, text),
        interpretation=reading.parts,
        warnings=reading.notes if dependencies.llm else (*reading.notes, NO_MODEL),
    )
    is_name = reference_repository(request.query) is not None  # which leaves nothing to read
    if dependencies.llm and request.max_llm_calls and not is_name:
        read = _by_model(read, reading, request, dependencies, deadline)
    return _planned(read, request, sources, dependencies)


def _by_model(
    by_rules: Translation, reading: Reading, request: SearchRequest, dependencies: Dependencies, deadline: Deadline
) -> Translation:
    """Let the language model read the subject; what it reads otherwise than the rules limits nothing."""
    from goldpan.kinds.repositories import translate_llm  # noqa: PLC0415 - with a model only

    prompt, form = translate_llm.reading_prompt(request), translate_llm.ModelAnswer
    by_model = read_by_model(prompt, form, request, dependencies, deadline)
    params, shown, kept = by_rules.params, by_rules.interpretation, reading.notes
    if answer := by_model.answer:
        doubtful = doubtful_parts(reading.parts, (*answer.keywords, answer.language), answer.excluded)
        if doubtful:
            ignore = (*request.ignore, *(part.id for part in doubtful))
            reading, text = _read(request.model_copy(update={"ignore": ignore}), dependencies)
            params, kept = translate_by_rules(reading, request.mode, text), reading.notes
        # words that set a range of stars, as "lightweight (at least 10 stars)", or only a preference
        intents = {one.text.lower() for one in reading.parts if one.value.startswith(f"{one.text.lower()} (")}
        intents |= {word for term in reading.terms if term.part == "preference" for word in term.words}
        of_answer = translate_llm.params_by_model(request, answer, params, intents)
        if subject_queries(_bounded(of_answer)):
            params = of_answer
            shown, kept = shown_by_model(reading.parts, reading.notes, params.keywords, doubtful)
    return Translation(
        params=params,
        interpretation=shown,
        usage=by_model.usage,
        warnings=(*kept, *by_model.warnings),
        errors=by_model.errors,
    )


def _read(request: SearchRequest, dependencies: Dependencies) -> tuple[Reading, str]:
    """Read the question and the wishes; the filters of the request take the place of what they say of the same fact."""
    filters, today = select_filters(Filters, request.filters), dependencies.clock.now().date()
    reading, text = read_rounds(request, today)
    if others := [one for one, facts in reading.facts.items() if _contradicts(filters, facts)]:
        reading, text = read_rounds(request.model_copy(update={"ignore": (*request.ignore, *others)}), today)
    reading = _in_language(filters.language, reading) if filters.language else reading
    merged = merge_filters(reading.constraints, filters)
    parts = reading.parts_without(replaced_constraints(reading.constraints, merged))
    return reading.model_copy(update={"constraints": merged, "parts": parts}), text


def _contradicts(filters: Filters, facts: Mapping[str, object]) -> bool:
    """Report whether what a part says names another language than a filter, or refuses what one demands."""
    said, language = Constraints.model_validate(facts), github_language(filters.language or "")
    named = [*said.languages, *(vocabulary().platforms[one].language_filter for one in said.platforms)]
    wanted = {language, *resolve_license(filters.license or ""), *filters.topics}
    is_refused = not wanted.isdisjoint((*said.excluded_languages, *said.excluded_licenses, *said.excluded_topics))
    return is_refused or bool(language and any(named) and language not in named)


def _in_language(name: str, reading: Reading) -> Reading:
    """Add a language to the terms that were read, if there are any, as if the question named it."""
    language, platform = github_language(name), platform_of(name) if reading.terms else None
    beside = [vocabulary().platforms[one].compatible_languages for one in reading.constraints.platforms]
    if platform is None or any(language in languages for languages in (reading.constraints.languages, *beside)):
        return reading  # React says enough beside TypeScript
    term = Term(words=tuple(words(platform.name)), part="platform")
    return reading.model_copy(update={"terms": (*reading.terms, term)})


def _planned(
    read: Translation, request: SearchRequest, sources: Sequence[str], dependencies: Dependencies
) -> Translation:
    """Add the scout tasks to what was read. Raises `InvalidRequest` if there is nothing to search for.

    A catalogue beside a live source is left out if it is neither connected nor asked for.
    """
    params, live = _bounded(read.params), [name for name in sources if name != CATALOGUE]
    if live and CATALOGUE in sources:  # the catalogue is the last
        sources = [*live, *({CATALOGUE} & {*dependencies.sources, *(request.sources or ())})]
    able = {name: dependencies.sources.get(name) or PlanningSource(searches_a_question=1) for name in sources}
    if named := named_repositories(request):
        lookup = ScoutTask(id="named", strategy="named", source="", searches=(), params=params, names=named)
        tasks = tuple(lookup.model_copy(update={"id": f"named:{name}", "source": name}) for name in sources)
    else:
        tasks = plan_tasks(params, able, request.config, dependencies.clock.now().date())
    if not tasks:
        raise no_subject(request.query, read.interpretation, KIND, "date library")
    planned = read.model_copy(update={"params": params, "tasks": tasks})
    connected = [task.id for task in tasks if task.source in dependencies.sources]
    return planned.with_allowances(connected, request.max_llm_calls if dependencies.llm else 0)


def _bounded(params: SearchParams) -> SearchParams:
    """Drop what exceeds the length of a question: one character may become eighteen by normalisation."""
    bounded = {"topics": tuple(topic[:MAX_KEYWORD] for topic in params.topics)}
    for name in ("keywords", "expanded_keywords"):
        short = [keyword[: 2 * MAX_KEYWORD].strip() for keyword in getattr(params, name)]
        lengths = accumulate(map(len, short))
        bounded[name] = tuple(one for one, length in zip(short, lengths, strict=True) if length <= MAX_QUESTION)
    return params.model_copy(update=bounded)


def translate_by_rules(reading: Reading, mode: Mode, question: str) -> SearchParams:
    """Turn a reading into parameters: its terms become keywords, the synonyms of its subjects expanded keywords."""
    terms = [term for term in reading.terms if term.part not in {"context", "preference"}]
    products = [subject for name in reading.likenesses if (subject := product_subject(name))]
    keywords = tuple(dict.fromkeys((*(" ".join(term.words) for term in terms), *products)))
    typed = {" ".join(term.words): " ".join(term.typed) for term in terms if term.typed}
    platforms = [each.platform for each in vocabulary().concepts_of(keywords) if each.platform is not None]
    constraints = reading.constraints
    named, topics = constraints.languages[0] if len(constraints.languages) == 1 else None, constraints.topics
    if named and not topics and not keywords and not reading.likenesses:
        topics = (TOPICS.get(named.lower(), named.lower().replace(" ", "-")),)
    low, high = constraints.min_stars, constraints.max_stars or constraints.preferred_max_stars
    params = SearchParams(
        keywords=keywords,
        question=question,
        language=named or next((platform.language_filter for platform in platforms if platform.language_filter), None),
        star_range=StarRange(min=low, max=high) if low is not None or high is not None else None,
        created_after=constraints.created_after,
        topics=topics,
        context=tuple(" ".join(term.words) for term in reading.terms if term.part == "context"),
        meaning=" ".join(
            (*(word for term in reading.terms if term.part != "preference" for word in term.words), *products)
        ),
        typed=typed,
        constraints=constraints,
        likes=reading.likenesses,
    )
    expanded = tuple(dict.fromkeys((*typed.values(), *expand(params, mode))))
    return params.model_copy(update={"expanded_keywords": expanded})


def read_rounds(request: SearchRequest, today: date) -> tuple[Reading, str]:
    """Return the reading of the question with the wishes, and its text."""
    read = partial(_read_text, today=today, strict_stars=request.config.star_intent == "strict")
    rules = WishRules(KIND, read, subjects, cues("feedback"), _are_alternatives, RANGES)
    return read_with_wishes(request, rules)[:2]


def subjects(reading: Reading) -> tuple[str, ...]:
    """Return the subjects, in the order of the question."""
    return tuple(" ".join(term.words) for term in reading.terms if term.part == "subject")


def _read_text(text: str, ignore: Iterable[str], *, today: date, strict_stars: bool) -> Reading:
    """Read a text, also one for what is like exactly one repository, whose name no other rule may read otherwise."""
    ignored = frozenset(ignore)
    asked, _, wishes = text.partition(SEPARATOR)
    name = reference_repository(asked)
    value = f"{LIKE}{name}"
    read = partial(read_question, today=today, known=repository_words, ignore=ignored, strict_stars=strict_stars)
    if name is None or part_id("likeness", value) in ignored:
        return read(text)
    said = read(wishes) if wishes else Reading()
    parts = (part("likeness", value), *said.parts)
    return said.model_copy(update={"parts": parts, "likenesses": (name, *said.likenesses)})


def _are_alternatives(name: str, old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Report whether one of the values is enough, so that new ones take the place of the old ones."""
    platforms = vocabulary().platforms
    if name == "platforms":
        return not any(go_together(platforms[one], platforms[other]) for one in old for other in new)
    return name in ALTERNATIVES
