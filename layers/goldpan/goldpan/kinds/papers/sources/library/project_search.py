"""A user's libraries as a source of a search, with the strategies `library` (by words) and `hybrid` (meaning too)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from goldpan.engine.deadlines import Deadline
from goldpan.errors import Misconfigured, Unavailable
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import LIBRARY, LIBRARY_QUERIES, Paper, PaperQuery
from goldpan.kinds.papers.ports import PaperSource, SearchResult, SourcePlan
from goldpan.kinds.papers.sources.by_id import SourceById
from goldpan.kinds.papers.sources.library.models import MAX_QUERY, NO_FILTERS, LibraryFilters, LibraryHit, LibraryResult
from goldpan.kinds.papers.sources.library.opened import OpenLibraries
from goldpan.kinds.papers.sources.records import make_paper

LIMIT = 50
"""Papers of each query."""
PLAN = SourcePlan(LIBRARY_QUERIES)
NO_ENCODER = "no encoder compares meanings here"
_SYNTAX = re.compile(r'["()*:]|\b(?:AND|OR|NOT)\b|(?<!\S)[-+]')
"""What a typed query gives a meaning; the concepts of a question are words alone."""


@dataclass(frozen=True)
class ProjectLibrary:
    """The library of one project, searched by one strategy."""

    libraries: OpenLibraries
    project: str
    strategy: str

    def search(self, queries: Sequence[PaperQuery], constraints: Constraints, deadline: Deadline) -> SearchResult:
        """Run the queries; where there are constraints, also without them: a paper whose facts are unknown may stay.

        Raises `InvalidRequest` if there is no such project, and `CallFailed` if its library cannot be searched.
        """
        best = (" ".join(wordings[0] for wordings in query.concepts) for query in queries[:LIBRARY_QUERIES])
        texts = [
            text
            for text in dict.fromkeys(" ".join(_SYNTAX.sub(" ", each).split())[:MAX_QUERY] for each in best)
            if text
        ]
        known = {name: value for name, value in constraints if name in LibraryFilters.model_fields}
        given = LibraryFilters.model_construct(**known)  # a venue has more names than a request may have
        by_words = self.strategy == LIBRARY
        results: list[LibraryResult] = []
        try:
            for text in texts:
                for filters in dict.fromkeys((given, NO_FILTERS)):
                    result = self.libraries.search(self.project, text, LIMIT, filters, deadline, words_alone=by_words)
                    if not by_words and result.encoder is None:
                        return SearchResult((), 0, skipped=" ".join(result.notes) or NO_ENCODER)
                    results.append(result)
        except Misconfigured as error:
            raise Unavailable(f"the library {self.project} cannot be read: {error}") from error
        return SearchResult(
            lists=tuple(tuple(filter(None, map(self._paper, result.results))) for result in results),
            available=max((result.count for result in results), default=0),
            queries=tuple(texts),
            notes=tuple(dict.fromkeys(note for result in results for note in result.notes)),
        )

    def look_up(self, dois: Sequence[str], deadline: Deadline) -> SearchResult:
        """Find nothing: a library is searched by its texts."""
        del dois, deadline
        return SearchResult(((),), 0)

    def _paper(self, hit: LibraryHit) -> Paper | None:
        own = hit.paper
        ids = own.ids.model_copy(update={"other": {**own.ids.other, LIBRARY: f"{hit.project}/{own.id}"}})
        facts = {name: value for name, value in own if name in Paper.model_fields}
        texts = {"abstract": own.abstract or own.summary or None, "snippet": hit.excerpt or None}
        return make_paper(self.strategy, facts.pop("title"), **{**facts, **texts, "ids": ids})


@dataclass(frozen=True)
class LibrarySource:
    """The libraries as a search reaches them: the source to ask is that of the project that the request names."""

    libraries: OpenLibraries
    plan: SourcePlan = PLAN

    def of_project(self, project: str, strategy: str) -> PaperSource:
        """Return the library of a project as a source; a query that is the id of a paper is not searched for."""
        return SourceById(PLAN, lambda: ProjectLibrary(self.libraries, project, strategy))
