"""The scoring tasks of a shortlist: what the language model will be shown, cut to the budget of a state."""

from collections.abc import Sequence

from goldpan.contracts import SearchRequest
from goldpan.engine.payload import json_size, task_budget, truncate_json
from goldpan.identities import find_papers
from goldpan.kinds.repositories.candidates import Candidate
from goldpan.kinds.repositories.looked_up import asks, named_repositories
from goldpan.kinds.repositories.models import Repository, ScoreTask, Translation
from goldpan.kinds.repositories.readme import excerpt

EVIDENCE_BYTES = 120
MAX_RETRIES = 3
FURTHER_TASK_BYTES = 5 * 1024
"""Of what the rules alone score: 100 of these, compressed, are less than an item of DynamoDB."""
TASK_OVERHEAD_BYTES = 2304
"""Kept free in a scoring task for all fields but its repository."""
MAX_PAPERS, IDENTITY_BYTES = 3, 100
"""The papers that a scoring task carries, if they fit: their number, and the bytes of an identity."""


def scoring_tasks(
    ranked: Sequence[Candidate], translation: Translation, request: SearchRequest
) -> tuple[tuple[ScoreTask, ...], tuple[ScoreTask, ...]]:
    """Make the scoring tasks, and those of what the rules alone score, which no state carries.

    The LLM calls are divided among the first: one each, then what is left for retries.
    """
    most = len(ranked) if named_repositories(request) else request.config.shortlist_size
    carried = _carried(ranked[:most], request, task_budget(translation, request.config.shortlist_size))
    calls = translation.llm_calls_left if asks(request) else 0
    rounds = [len(range(place, calls, len(carried))) for place in range(len(carried))]
    tasks = (
        task.model_copy(update={"ask_llm": count > 0, "retries": min(MAX_RETRIES, max(0, count - 1))})
        for task, count in zip(carried, rounds, strict=True)
    )
    return tuple(tasks), _carried(ranked[most:], request, FURTHER_TASK_BYTES)


def _carried(ranked: Sequence[Candidate], request: SearchRequest, allowance: int) -> tuple[ScoreTask, ...]:
    tasks = (_task(each, request, allowance) for each in ranked)
    return tuple(task for task in tasks if json_size(task) <= allowance)  # a name alone may exceed the budget


def _task(ranked: Candidate, request: SearchRequest, allowance: int) -> ScoreTask:
    """Make a task; the README is truncated to what the model will be shown, and the repository to its budget.

    Both are the same whatever else the request asks for, so that the model is shown the same.
    """
    repository = ranked.repository
    shown = repository.model_copy(update={"readme": excerpt(repository.readme, request.config.readme_chars)})
    task = ScoreTask(
        id=repository.full_name,
        repository=_truncated(shown, allowance - TASK_OVERHEAD_BYTES),
        relevance=ranked.relevance,
        evidence=ranked.evidence,
        found_by=ranked.found_by,
        missing=ranked.missing,
        asked=asks(request),
        **ranked.found._asdict(),
    )
    papers = named_papers(repository) if len(request.kinds) > 1 else {}
    while papers and json_size(task.model_copy(update={"papers": papers})) > allowance:
        papers.popitem()
    return task.model_copy(update={"papers": papers})


def named_papers(repository: Repository) -> dict[str, str]:
    """Return the identity of each paper that its texts name, with the evidence; the first of the same paper counts."""
    texts = {"homepage": repository.homepage, "description": repository.description, "README": repository.readme}
    found: dict[str, str] = {}
    for place, text in texts.items():
        for identity, words in find_papers(text or ""):
            if len(found) < MAX_PAPERS and truncate_json(identity, IDENTITY_BYTES) == identity:
                found.setdefault(identity, truncate_json(f"its {place} names {words}", EVIDENCE_BYTES))
    return found


def _truncated(repository: Repository, allowance: int) -> Repository:
    """Truncate a repository to its budget: README first, then file list, topics, description and homepage."""
    for field_name in ("readme", "curator_text", "tree", "topics", "description"):
        while (value := getattr(repository, field_name)) and json_size(repository) > allowance:
            repository = repository.model_copy(update={field_name: value[: len(value) // 2]})
    too_large = json_size(repository) > allowance
    return repository.model_copy(update={"homepage": None}) if too_large else repository
