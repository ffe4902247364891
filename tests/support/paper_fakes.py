"""Papers, sources and libraries that have them, and what the stages of the papers kind are given in unit tests."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self

from goldpan.contracts import SearchRequest, SourceStatus, parse_request
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import CallFailed
from goldpan.infra.encoder.port import Encoder
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import (
    Batch,
    Candidate,
    Paper,
    PaperIds,
    PaperQuery,
    ParsedIntent,
    ScoutTask,
    SearchStrategy,
    Shortlist,
    Translation,
)
from goldpan.kinds.papers.ports import SearchResult, SourcePlan
from goldpan.kinds.papers.shortlist import shortlist
from goldpan.kinds.papers.sources.library.models import LibraryPaper
from goldpan.kinds.papers.sources.library.opened import OpenLibraries
from goldpan.kinds.papers.sources.library.writer import LibraryWriter
from goldpan.local.library_folder import FolderLibraries

from tests.support.factories import StillClock
from tests.support.fakes import FakeClock, FakeModel
from tests.support.loopback.llm import HashedEncoder

ABOUT_CATS = PaperQuery(concepts=(("cats",),))


class ListedPapers:
    """A source that gives the same lists to every search and knows some papers by their DOI, or fails."""

    def __init__(
        self,
        *lists: Sequence[Paper],
        failure: CallFailed | None = None,
        missing_key: str | None = None,
        known: Sequence[Paper] | CallFailed | None = None,
    ) -> None:
        self.lists, self.failure, self.known = lists, failure, known
        self.plan = SourcePlan(2, missing_key, known is not None)
        self.searched: list[PaperQuery] = []
        self.looked_up: list[str] = []

    def search(self, queries: Sequence[PaperQuery], _constraints: Constraints, _deadline: Deadline) -> SearchResult:
        """Give the lists, or fail."""
        self.searched += queries
        if self.failure:
            raise self.failure
        return SearchResult(tuple(map(tuple, self.lists)), sum(map(len, self.lists)))

    def of_project(self, project: str, strategy: str) -> Self:
        """Give the same lists from every library."""
        del project, strategy
        return self

    def look_up(self, dois: Sequence[str], _deadline: Deadline) -> SearchResult:
        """Give what is known of these papers, or fail."""
        self.looked_up += dois
        if isinstance(self.known, CallFailed):
            raise self.known
        found = tuple(paper for paper in self.known or () if paper.ids.doi in dois)
        return SearchResult((found,), len(found))


def paper(title: str = "Cats and graphs", /, source: str = "openalex", **fields: Any) -> Paper:
    """Make a record with an author and a year; names of identifiers give its identifiers."""
    ids = {name: fields.pop(name) for name in [*fields] if name in PaperIds.model_fields}
    return Paper(title=title, source=source, ids=PaperIds(**ids), **{"authors": ("Ada Cat",), "year": 2021, **fields})


def batch(source: str, *found: Paper) -> Batch:
    """Make the batch of a source that answered."""
    records = tuple(each.model_copy(update={"source": source}) for each in found)
    row = SourceStatus(kind="papers", strategy=source, source=source, status="ok" if found else "empty")
    return Batch(status=row, papers=records)


def failed(source: str, status: str = "unavailable", **fields: Any) -> Batch:
    """Make the batch of a source that did not answer."""
    row = {"kind": "papers", "strategy": source, "source": source, "status": status, "detail": "x", **fields}
    return Batch(status=SourceStatus.model_validate(row))


def scout_task(source: str = "openalex", allowance: int = 30_000, *queries: PaperQuery) -> ScoutTask:
    """Make a scout task, by default of one query about cats."""
    asked = queries or (ABOUT_CATS,)
    return ScoutTask(id=f"papers:{source}", strategy=source, source=source, queries=asked, byte_allowance=allowance)


def translation(*concepts: str, calls: int = 0, **constraints: Any) -> Translation:
    """Make the translation of a question about some concepts, by default cats and graphs."""
    words = concepts or ("cats", "graphs")
    intent = ParsedIntent(topic=" ".join(words), concepts=words, constraints=Constraints(**constraints))
    strategy = SearchStrategy(queries=(ABOUT_CATS,), sources=("openalex",))
    return Translation(intent=intent, strategy=strategy, tasks=(), llm_calls_left=calls)


def request(query: str = "cats and graphs", **fields: Any) -> SearchRequest:
    """Make a request for papers."""
    return parse_request({"query": query, "kinds": ["papers"], **fields})


def shortlisted(
    *batches: Batch,
    asked: Translation | None = None,
    model: FakeModel | None = None,
    sources: dict[str, ListedPapers] | None = None,
) -> Shortlist:
    """Run the stage over batches."""
    clock = FakeClock()
    dependencies = Dependencies(clock=clock, sources=sources or {}, llm=model)
    deadline = Deadline.after(4, clock)
    return shortlist(batches, asked or translation(), request(), dependencies, deadline)


def candidates(found: Shortlist) -> list[Candidate]:
    """List the candidates of all tasks."""
    return [candidate for task in found.tasks for candidate in task.candidates]


def own_paper(id: str, title: str, /, **fields: Any) -> LibraryPaper:  # noqa: A002 - the field
    """Make a paper of a library; names of identifiers give its identifiers."""
    ids = {name: fields.pop(name) for name in [*fields] if name in PaperIds.model_fields}
    return LibraryPaper(id=id, title=title, ids=PaperIds(**ids), **{"authors": ("Ada Cat",), "year": 2021, **fields})


def collect(folder: Path, project: str, papers: Iterable[LibraryPaper]) -> Path:
    """Make these papers all that a project has, and return its file."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{project}.sqlite"
    with LibraryWriter.open(file) as writer:
        writer.replace_origin("papers.json", "digest", papers)
    return file


def open_libraries(folder: Path, encoder: Encoder | None = None) -> OpenLibraries:
    """Open the libraries of a folder."""
    return OpenLibraries(FolderLibraries({"GOLDPAN_LIBRARIES": str(folder)}), encoder or HashedEncoder())


def some_seconds() -> Deadline:
    """Return a deadline that does not pass."""
    return Deadline.after(6, StillClock())
