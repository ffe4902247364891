"""arXiv as a source of papers, over its API: https://info.arxiv.org/help/api/user-manual.html.

One request in 3 s is allowed over all callers (https://info.arxiv.org/help/api/tou.html), so a search is one request,
which matches what any of its queries matches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.errors import Unavailable
from goldpan.identities import arxiv_of_doi
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.ports import Found
from goldpan.kinds.papers.sources.arxiv_feed import Feed, read_entry, read_feed
from goldpan.kinds.papers.sources.boolean_query import Syntax, any_of, field, write_query
from goldpan.kinds.papers.sources.client import SourceClient
from goldpan.kinds.papers.sources.not_filtered import Filterable, not_filtered
from goldpan.kinds.papers.sources.queries import PAGE, Asked, Page, run_queries, wording
from goldpan.kinds.papers.sources.records import read_records
from goldpan.kinds.papers.sources.settings import PaperSettings

MAX_LOOK_UPS = 100
LONGEST_QUERY = 1500
"""Characters. arXiv documents no limit; encoded, these are within the 8,000 bytes of RFC 9110, section 4.1."""
FIRST_YEAR, LAST_YEAR = 1986, 2999
"""The year of arXiv's oldest papers, and one after all of them."""
OPERATORS = frozenset({"and", "or", "not", "andnot"})
"""arXiv reads its operators in quotes too, and it finds nothing by these words anyway."""
OWN_NAME = "arXiv"
REVIEW_WORDS = ("survey", "review", "overview")
FILTERABLE = Filterable(types=("review", "preprint"), open_access=(True,))
"""All of its papers are preprints, and free to read."""


class ArXiv:
    """arXiv as a source of papers."""

    queries_a_search = 1
    missing_key = None
    looks_up = True

    def __init__(self, settings: PaperSettings, connections: Connections) -> None:
        self._client = SourceClient("arxiv", settings.arxiv_url, connections, max_in_flight=1)

    def search(self, queries: Sequence[PaperQuery], constraints: Constraints, deadline: Deadline) -> Found:
        """Search for what any of the queries matches; all papers are in the first list."""
        asked = write_arxiv_query(queries, constraints)
        found = run_queries([asked], lambda query: self._fetch(query, deadline), deadline)
        return replace(found, lists=(*found.lists, *(() for _ in queries[1:])))

    def look_up(self, dois: Sequence[str], deadline: Deadline) -> Found:
        """Return arXiv's own papers among these DOIs, at most `MAX_LOOK_UPS`; it knows no other DOI."""
        ids = list(filter(None, map(arxiv_of_doi, dois)))[:MAX_LOOK_UPS]
        if not ids:
            return Found(lists=((),), available=0)
        asked = Asked(f"{len(ids)} ids", {"id_list": ",".join(ids), "max_results": str(len(ids))})
        return run_queries([asked], lambda query: self._fetch(query, deadline), deadline)

    def _fetch(self, asked: Asked, deadline: Deadline) -> Page:
        feed = self._feed(asked.params or _searched(asked.text), deadline)
        with CPU_LOCK:
            papers, unread = read_records(feed.entries, read_entry, "arXiv")
        return Page(papers, feed.total, unread)

    def _feed(self, params: Mapping[str, str], deadline: Deadline) -> Feed:
        """Fetch the first page; an empty one although there are results is a fault of arXiv, which is asked again."""
        for _ in range(2):
            response = self._client.get("/query", params, deadline)
            with CPU_LOCK:
                feed = read_feed(response.body)
            if feed.entries or not feed.total:
                return feed
        message = f"arXiv's response has none of its {feed.total} results"
        raise Unavailable(message)


def _searched(query: str) -> dict[str, str]:
    """Return the parameters of a search."""
    fields = {"search_query": query, "start": "0", "max_results": str(PAGE)}
    return {**fields, "sortBy": "relevance", "sortOrder": "descending"}


def write_arxiv_query(queries: Sequence[PaperQuery], constraints: Constraints) -> Asked:
    """Write the queries in arXiv's syntax; a phrase matches where its words are, stemmed and in any order."""
    asked = write_query(queries, constraints, Syntax("arxiv", LONGEST_QUERY, _write_wording, _filters))
    excluded = [_field("ti", term) for term in constraints.excluded_terms] if asked.text else []
    notes = asked.notes + not_filtered("arXiv", constraints, FILTERABLE)
    return replace(asked, text=" ANDNOT ".join([asked.text, *filter(None, excluded)]), notes=notes)


def _filters(constraints: Constraints) -> Iterator[str]:
    """Write the constraints that arXiv knows; it has no types, but a survey says in its title that it is one."""
    first, last = constraints.year_from, constraints.year_to
    if first is not None or last is not None:
        last = LAST_YEAR if last is None else last
        first = min(FIRST_YEAR, last) if first is None else first
        yield f"submittedDate:[{first:04}01010000 TO {last:04}12312359]"
    yield from (text for author in constraints.authors if (text := _field("au", _without_initials(author))))
    here = OWN_NAME in constraints.venues  # as all of its papers are
    venues = () if here else constraints.venues
    yield from any_of([_field(name, venue) for venue in venues for name in ("jr", "co")])
    if constraints.types == ("review",):
        yield from any_of([field("ti", word) for word in REVIEW_WORDS])


def _write_wording(text: str) -> str:
    return _field("all", text)


def _field(name: str, text: str) -> str:
    kept = [word for word in wording(text).split() if word not in OPERATORS]
    return field(name, " ".join(kept))


def _without_initials(author: str) -> str:
    """Leave out single letters, since a name may be written in full; all words of a short name stay."""
    parts = wording(author).split()
    return " ".join([part for part in parts if len(part) > 1] or parts)
