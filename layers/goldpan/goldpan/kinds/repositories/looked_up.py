"""What an answer says of repositories that were looked up by their names: not found, or renamed since."""

from collections.abc import Iterable, Mapping, Sequence

from goldpan.contracts import FAILED_STATUSES, SearchRequest, SourceStatus
from goldpan.engine.status_rows import sources_failed
from goldpan.errors import InvalidRequest
from goldpan.kinds.repositories.models import Batch
from goldpan.kinds.repositories.names import ADDRESS, is_full_name, without_address
from goldpan.kinds.repositories.question.lexicon import repository_words
from goldpan.kinds.repositories.repository_text import notes
from goldpan.text import words

LOOKED_UP = "{0} was looked up by its name; “like {0}” finds others."
ANSWERED = ("ok", "empty")
"""The statuses of a source that was asked for every name without a failure."""


def named_repositories(request: SearchRequest) -> tuple[str, ...]:
    """Return what a request names in place of a question: what it compares, or the one whose address it is.

    "CI/CD" is no address: an owner and a name alone are one if goldpan knows it, or if they are no usual words, nor in
    capitals alone, as "TCP/IP" and "UI/UX" are.
    """
    name = str(without_address(request.query))
    if request.compare or not is_full_name(name):
        return request.compare
    is_certain = ADDRESS.match(request.query) or name.lower() in notes()
    is_unusual = not name.isupper() and any(word not in repository_words() for word in words(name))
    return (name,) if is_certain or is_unusual else ()


def asks(request: SearchRequest) -> bool:
    """Whether a request asks anything that a repository could fit."""
    return request.has_question and bool(request.compare or not named_repositories(request))


def found_names(batches: Iterable[Batch]) -> dict[str, str]:
    """Return the full name of each repository that a batch looked up, by the name that was asked for."""
    return {name: full_name for batch in reversed(list(batches)) for name, full_name in batch.found_as.items()}


def renamed_notes(found_as: Mapping[str, str]) -> tuple[str, ...]:
    """Say which repositories have another name now."""
    return tuple(f"{name} is now {new}." for name, new in found_as.items() if name.lower() != new.lower())


def require_found(name: str, batches: Sequence[Batch]) -> None:
    """Raise if no source found a repository of that name.

    Raises `SourcesFailed` or `SourcesLimited` if some could not be asked for it, else `InvalidRequest` if one answered
    in full.
    """
    asked = [batch.status for batch in batches if batch.status.strategy in ("expanded", "known")]
    if found_names(batches):
        return
    if failed := [row for row in asked if row.status in FAILED_STATUSES - {"skipped"}]:
        raise sources_failed(failed, not_found(name, asked))
    if any(row.status in ANSWERED for row in asked):
        raise InvalidRequest(f"repo: {not_found(name, asked)}")


def not_found(name: str, rows: Sequence[SourceStatus]) -> str:
    """Say that a repository was not found, which sources have none of that name, and which could not say."""
    none = dict.fromkeys(row.source for row in rows if row.status in ANSWERED)
    unknown = {row.source: row.detail or row.status for row in rows if row.status not in ANSWERED}
    said = [f"{source} has none of that name that may be read here" for source in none]
    said += [f"{source} could not say ({why})" for source, why in unknown.items()]
    return f"{name} was not found: {'; '.join(said)}"
