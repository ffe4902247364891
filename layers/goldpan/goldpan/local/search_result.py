"""What `SearchOrchestrator` returns: papers of all sources on one scale, and how they were found."""

from datetime import datetime

from goldpan.config import Frozen
from goldpan.contracts import FAILED_STATUSES, Basis, FoundBy, SourceStatus, StageError, Unit
from goldpan.engine.status_rows import Found, StatusRows
from goldpan.kinds.answer import Answer
from goldpan.kinds.papers.models import HYBRID, KIND, LIBRARY
from goldpan.kinds.papers.preferences import authority, recency
from goldpan.kinds.papers.results import RankedPaper
from goldpan.kinds.papers.sources.library.models import LibraryHit, LibraryResult

DIGITS = 4


class FoundPaper(RankedPaper):
    """One paper, from however many sources; `ids.other["library"]` is the project and the user's own id of it."""

    basis: Basis = "rules"
    reasoning: str = ""
    found_by: tuple[FoundBy, ...] = ()
    """The strategies that found it: `library`, `hybrid`, or the name of an academic source, with its rank there."""
    authority: Unit | None = None
    """How much it is cited for its age, and its venue; None if neither is known."""
    recency: Unit | None = None
    excerpt: str = ""


class SearchResult(Frozen):
    """The papers of a search, best first."""

    query: str
    project_id: str | None = None
    results: tuple[FoundPaper, ...] = ()
    sources: tuple[SourceStatus, ...] = ()
    warnings: tuple[str, ...] = ()
    errors: tuple[StageError, ...] = ()
    is_partial: bool = False
    """Whether a source that was asked failed: `sources` and `warnings` say which, and why."""
    strategies: tuple[dict[str, object], ...] = ()
    """`previous_strategies` of a further search, with `feedback`."""
    answered_at: datetime


def of_answer(answer: Answer, project_id: str | None) -> SearchResult:
    """Make the result of an answer: its papers, in their order."""
    papers = list[FoundPaper]()
    for paper in answer.sections[KIND].results:
        terms = {"authority": authority(paper, answer.answered_at), "recency": recency(paper, answer.answered_at)}
        rounded = {name: None if term is None else round(term, DIGITS) for name, term in terms.items()}
        papers.append(FoundPaper.model_validate({**dict(paper), **rounded}))
    own = {
        "project_id": project_id,
        "results": papers,
        "is_partial": any(row.status in FAILED_STATUSES - {"skipped"} for row in answer.sources),
        "strategies": answer.sections[KIND].strategies,
    }
    shared = {field: value for field, value in answer if field in SearchResult.model_fields}
    return SearchResult.model_validate(shared | own)


def of_library(found: LibraryResult, project_id: str, now: datetime) -> SearchResult:
    """Make the result of a search of one library, in its order: the score is the relevance of the texts alone."""
    strategy = HYBRID if found.encoder else LIBRARY
    papers = tuple(_of_hit(hit, strategy, rank) for rank, hit in enumerate(found.results, 1))
    listed = Found((papers,), found.count, (found.query,))
    row = StatusRows(KIND, strategy, LIBRARY).found(listed, len(papers), len(papers))
    return SearchResult(
        query=found.query, project_id=project_id, results=papers, sources=(row,), warnings=found.notes, answered_at=now
    )


def _of_hit(hit: LibraryHit, strategy: str, rank: int) -> FoundPaper:
    paper, name = hit.paper, f"{hit.project}/{hit.paper.id}"
    own = {
        "id": f"{LIBRARY}:{name}",
        "abstract": paper.abstract or paper.summary or None,
        "ids": paper.ids.model_copy(update={"other": {**paper.ids.other, LIBRARY: name}}),
        "score": hit.relevance,
        "relevance": hit.relevance,
        "excerpt": hit.excerpt,
        "found_by": (FoundBy(strategy=strategy, rank=rank),),
    }
    shared = {field: value for field, value in paper if field in FoundPaper.model_fields}
    return FoundPaper.model_validate(shared | own)
