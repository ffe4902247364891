"""Europe PMC as a source of papers: https://europepmc.org/RestfulWebService, and https://europepmc.org/searchsyntax."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.errors import Refused, Unavailable
from goldpan.infra.redaction import one_line
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.papers.constraints import Constraints, PaperType
from goldpan.kinds.papers.identifiers import normalise_doi
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.ports import Found
from goldpan.kinds.papers.sources.boolean_query import (
    Syntax,
    any_of,
    field,
    name_and_initial,
    write_query,
)
from goldpan.kinds.papers.sources.client import SourceClient
from goldpan.kinds.papers.sources.europe_pmc_records import read_record
from goldpan.kinds.papers.sources.not_filtered import Filterable, not_filtered
from goldpan.kinds.papers.sources.queries import Asked, Page, page_size, run_queries
from goldpan.kinds.papers.sources.records import at, read_count, read_object, read_records
from goldpan.kinds.papers.sources.settings import PaperSettings

TITLE = "Europe PMC"
LONGEST_QUERY = 1500
"""Characters, up to which the documentation recommends GET."""
DOIS_A_REQUEST, LOOK_UP_PAGE = 20, 100
"""DOIs of one call, and the records that it may return: a DOI may have several."""
FIRST_YEAR, LAST_YEAR = 1000, 3000
"""A year before all papers, and the one by which Europe PMC writes that a range has no end."""
TYPE_FILTERS: Mapping[PaperType, str] = {
    "preprint": "SRC:PPR",
    "review": 'PUB_TYPE:"review"',
    "article": '(PUB_TYPE:"journal article" OR PUB_TYPE:"research-article")',
    "book": 'PUB_TYPE:"book"',
    "thesis": "SRC:ETH",
}
"""The types by which Europe PMC can filter."""
FILTERABLE = Filterable(TYPE_FILTERS, TYPE_FILTERS, (True,))
PATENTS = "SRC:PAT"


class EuropePMC:
    """Europe PMC as a source of papers."""

    queries_a_search = 4
    missing_key = None
    looks_up = True

    def __init__(self, settings: PaperSettings, connections: Connections) -> None:
        self._client = SourceClient("europe_pmc", settings.europe_pmc_url, connections)

    def search(self, queries: Sequence[PaperQuery], constraints: Constraints, deadline: Deadline) -> Found:
        """Run the queries at the same time, each with all constraints that Europe PMC can filter by."""
        asked = [write_europe_pmc_query(query, constraints) for query in queries]
        return run_queries(asked, partial(self._fetch, rows=page_size(asked), deadline=deadline), deadline)

    def look_up(self, dois: Sequence[str], deadline: Deadline) -> Found:
        """Return the records of these DOIs, in one list; a preprint and its publication have different DOIs."""
        wanted = list(dict.fromkeys(filter(None, map(normalise_doi, dois))))
        groups = [wanted[i : i + DOIS_A_REQUEST] for i in range(0, len(wanted), DOIS_A_REQUEST)]
        asked = [Asked(" OR ".join(f'DOI:"{_escape(doi)}"' for doi in group)) for group in groups]
        found = run_queries(asked, partial(self._fetch, rows=LOOK_UP_PAGE, deadline=deadline), deadline)
        papers = tuple(paper for group in found.lists for paper in group if paper.ids.doi in wanted)
        return replace(found, lists=(papers,), available=len(papers))

    def _fetch(self, asked: Asked, rows: int, deadline: Deadline) -> Page:
        params = {"query": asked.text, "format": "json", "resultType": "core", "pageSize": str(rows)}
        body = read_object(self._client.get("/search", params, deadline), TITLE)
        message = at(body, "errMsg")
        if message:  # Europe PMC reports a query that it cannot parse with status 200
            raise Refused(f"{TITLE} refused the query ({one_line(message)})")
        if read_count(body.get("hitCount")) is None:
            raise Unavailable(f"{TITLE}'s response does not say how many papers it found")
        with CPU_LOCK:
            papers, unread = read_records(at(body, "resultList", "result") or [], read_record, TITLE)
        return Page(papers, body["hitCount"], unread)


def write_europe_pmc_query(query: PaperQuery, constraints: Constraints) -> Asked:
    """Write a query whose concepts are in title, abstract or keywords: Europe PMC would search full texts as well."""
    asked = write_query([query], constraints, Syntax("europe_pmc", LONGEST_QUERY, _write_wording, _filters))
    if not asked.text:
        return asked
    notes = asked.notes + not_filtered(TITLE, constraints, FILTERABLE)
    return replace(asked, text=" NOT ".join([asked.text, PATENTS, *_exclusions(constraints)]), notes=notes)


def _write_wording(text: str) -> str:
    return "(" + " OR ".join(field(name, text) for name in ("TITLE", "ABSTRACT", "KW")) + ")"


def _filters(constraints: Constraints) -> Iterator[str]:
    first, last = constraints.year_from, constraints.year_to
    if first is not None or last is not None:
        yield f"PUB_YEAR:[{FIRST_YEAR if first is None else first} TO {LAST_YEAR if last is None else last}]"
    if constraints.open_access:
        yield "OPEN_ACCESS:y"
    if constraints.types and all(name in TYPE_FILTERS for name in constraints.types):
        yield from any_of([TYPE_FILTERS[name] for name in constraints.types])
    names = (" ".join(name_and_initial(author)) for author in constraints.authors)
    yield from (text for name in names if (text := field("AUTH", name)))
    yield from any_of([field("JOURNAL", venue) for venue in constraints.venues])


def _exclusions(constraints: Constraints) -> Iterator[str]:
    yield from (TYPE_FILTERS[name] for name in constraints.excluded_types if name in TYPE_FILTERS)
    yield from (text for term in constraints.excluded_terms if (text := field("TITLE", term)))


def _escape(doi: str) -> str:
    return doi.replace("\\", "\\\\").replace('"', '\\"')
