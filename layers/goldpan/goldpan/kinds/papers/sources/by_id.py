"""A source whose query may be the id of a paper, which is looked up: as words it would find what has its digits."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache

from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, CredentialRejected, Unavailable
from goldpan.identities import normalise_doi
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.ports import AskedSource, CheckedSource, SearchResult, SourcePlan

ARXIV, DOI = "arXiv:", "10."
ARXIV_DOI = "10.48550/arxiv."
"""Begins the DOI that arXiv gives to each of its papers."""
PROBE = f"{ARXIV_DOI}1706.03762"
"""A paper that is asked for to see whether a source answers; one that does not know it answers too."""
NOT_LOOKED_UP = "an id alone is not searched for here"


class SourceById:
    """A source that looks papers up by the ids that are asked for; it is made at its first call.

    What it raises unexpectedly becomes `Unavailable` if another distribution offers it, which is named.
    """

    def __init__(self, plan: SourcePlan, make: Callable[[], AskedSource], distribution: str = "") -> None:
        self.plan, self._source, self._distribution = plan, cache(make), distribution

    def search(self, queries: Sequence[PaperQuery], constraints: Constraints, deadline: Deadline) -> SearchResult:
        """Run the queries that are no ids, or look the papers up if all of them are. Raises `CallFailed`."""
        dois = {query: doi for query in queries if (doi := _doi_of(query))}
        if others := [query for query in queries if query not in dois]:
            with self._named_failures():
                return self._source().search(others, constraints, deadline)
        if not self.plan.looks_up:
            return SearchResult(((),), 0, notes=(NOT_LOOKED_UP,))
        found = self.look_up(list(dois.values()), deadline)
        return replace(found, queries=tuple(f"doi:{doi}" for doi in dois.values()))

    def check(self, deadline: Deadline) -> str:
        """Ask for what spends least; returns what is left of its limits, "" if it does not say. Raises `CallFailed`."""
        with self._named_failures():
            source = self._source()
            if isinstance(source, CheckedSource):
                return source.check(deadline)
            source.look_up([PROBE], deadline)
        return ""

    def look_up(self, dois: Sequence[str], deadline: Deadline) -> SearchResult:
        """Look papers up at the source."""
        with self._named_failures():
            return self._source().look_up(dois, deadline)

    @contextmanager
    def _named_failures(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            if not self._distribution or isinstance(error, (CallFailed, CredentialRejected)):
                raise
            raise Unavailable(f"{self._distribution} failed unexpectedly: {error}") from error


def _doi_of(query: PaperQuery) -> str | None:
    """Return the DOI of a query that consists of the id of a paper, written as an intent has it."""
    words = [wording for concept in query.concepts for wording in concept]
    if len(words) != 1 or " " in words[0]:
        return None
    if words[0].startswith(ARXIV):
        return ARXIV_DOI + words[0].removeprefix(ARXIV).lower()
    return normalise_doi(words[0]) if words[0].startswith(DOI) else None
