"""What a question such as "alternative to X" wants: look X up, and let its facts become the subject."""

from collections.abc import Iterable, Mapping, Sequence

from goldpan.kinds.repositories.concepts import liked_words, names_own_kind
from goldpan.kinds.repositories.models import Repository, RepositorySearch, SearchParams, StarRange
from goldpan.kinds.repositories.names import LIKE, is_full_name
from goldpan.kinds.repositories.ports import RepositorySource
from goldpan.kinds.repositories.repository_text import nameless_text
from goldpan.kinds.repositories.searches import subject_queries, wide_searches
from goldpan.kinds.repositories.vocabulary import product_subject, vocabulary
from goldpan.text import name_terms, phrase, terms, words

MAX_TOPICS = 4


def reference_repository(question: str) -> str | None:
    """Return the repository, if a question asks for what is like exactly one, named owner/name, and nothing else."""
    name = question.strip().removeprefix(LIKE)
    return name if question.strip().startswith(LIKE) and is_full_name(name) else None


def derived_searches(params: SearchParams, source: RepositorySource, limit: int) -> tuple[RepositorySearch, ...]:
    """List at most `limit` searches for what the facts of X ask for, beside those that the question itself asks for."""
    stars = StarRange(min=params.constraints.min_stars, max=params.constraints.max_stars)
    queries = subject_queries(params.model_copy(update={"keywords": params.expanded_keywords}))
    wanted = [*wide_searches(params, source), *(queries[1:] or queries)]
    return tuple(search.model_copy(update={"stars": stars}) for search in wanted[:limit])


def find_liked(repositories: Iterable[Repository], params: SearchParams) -> tuple[Repository, ...]:
    """Return the most starred repository of each name that the question gives."""
    by_stars = sorted(repositories, key=lambda repository: -(repository.stars or 0))
    named = (next((one for one in by_stars if has_name(one, like)), None) for like in params.likes)
    return tuple(filter(None, named))


def has_name(repository: Repository, like: str) -> bool:
    """Report whether a repository is what the question names: `owner/name`, its name, or that of its owner."""
    if "/" in like:
        return repository.full_name.lower() == like.lower()
    return "".join(words(like)) in {"".join(words(part)) for part in repository.full_name.split("/")}


def with_found_names(params: SearchParams, found_as: Mapping[str, str]) -> SearchParams:
    """Call what the question wants something like by the names under which it was found."""
    return params.model_copy(update={"likes": tuple(found_as.get(name, name) for name in params.likes)})


def with_liked(params: SearchParams, liked: Sequence[Repository]) -> SearchParams:
    """Make a subject of the facts of what the question wants something like, and of its name, which others mention.

    The facts of a product that the table has are not needed, since what it is was searched for from the start; nor are
    those of what only describes the kind of thing that the question names itself ("vim-like file manager"). A name
    decides if nothing else is known; else it counts little, since clients of a product mention it too.
    """
    mentioned = tuple(map(" ".join, liked_words(params)))
    named = {term for like in params.likes for term in (*terms(like), *name_terms(like))}
    if all(map(product_subject, params.likes)) or names_own_kind(params):
        return params.model_copy(update={"context": (*params.context, *mentioned)})
    phrases = ((topic, phrase(topic)) for one in liked for topic in one.topics or ())
    topics = [topic for topic, key in phrases if key not in vocabulary().generic and named.isdisjoint(key)]
    facts = " ".join(map(nameless_text, liked))
    meaning = [word for word in words(f"{params.meaning} {facts}") if not named & {*terms(word)}]
    subjects = tuple(topic.replace("-", " ") for topic in topics[:MAX_TOPICS])
    if not liked:  # nothing is known of it but its category, and its name, which may say what it is: "Google Photos"
        subjects = params.expanded_keywords[:MAX_TOPICS]
        meaning += [word for name in (*subjects, *mentioned) for word in words(name)]
    asks = any(concept.part == "subject" for concept in vocabulary().concepts_of(params.keywords))
    changed = {
        "keywords": tuple(dict.fromkeys((*params.keywords, *(() if asks else subjects), *mentioned))),
        "expanded_keywords": tuple(dict.fromkeys((*params.expanded_keywords, *subjects))),
        "meaning": " ".join(dict.fromkeys(meaning or mentioned)),
    }
    return params.model_copy(update=changed)


def likeness_note(name: str, liked: Sequence[Repository], params: SearchParams) -> str:
    """Say what stands for a name that the question gives, of which this is known."""
    if subject := product_subject(name):
        return f"{name} was read as “{subject}”; it is itself left out."
    if names_own_kind(params):
        return f"{name} itself is left out; to be like it counts as one quality of what was asked for."
    if any(has_name(repository, name) for repository in liked):
        return f"{name} itself is left out; the results were compared with its facts."
    return f"{name} was not found, so its name alone was compared: say what it does for better results."
