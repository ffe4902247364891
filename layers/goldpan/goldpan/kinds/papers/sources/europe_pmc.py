"""Europe PMC as a source of papers: https://europepmc.org/RestfulWebService, and https://europepmc.org/searchsyntax."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from goldpan.engine.deadlines import Deadline
from goldpan.errors import Refused, Unavailable
from goldpan.infra.redaction import one_line
from goldpan.kinds.papers.constraints import Constraints, PaperType
from goldpan.kinds.papers.identifiers import normalise_doi
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.ports import SearchResult
from goldpan.kinds.papers.sources.api import ApiSource
from goldpan.kinds.papers.sources.boolean_query import Syntax, any_of, field, name_and_initial, write_query
from goldpan.kinds.papers.sources.europe_pmc_records import read_record
from goldpan.kinds.papers.sources.not_filtered import Filterable, not_filtered
from goldpan.kinds.papers.sources.queries import Asked
from goldpan.kinds.papers.sources.records import at, read_count, read_object

TITLE = "Europe PMC"
LONGEST_QUERY = 1500
"""Characters, up to which the documentation recommends GET."""
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


class EuropePMC(ApiSource):
    """Europe PMC as a source of papers."""

    name = "europe_pmc"
    dois_a_request, max_look_ups = 20, 1000
    read = staticmethod(read_record)

    def write_queries(self, queries: Sequence[PaperQuery], constraints: Constraints) -> list[Asked]:
        """Write each query with all constraints that Europe PMC can filter by."""
        return [write_europe_pmc_query(query, constraints) for query in queries]

    def known_dois(self, dois: Sequence[str]) -> Sequence[str]:
        """Return the DOIs in their normal form."""
        return list(filter(None, map(normalise_doi, dois)))

    def write_look_up(self, dois: Sequence[str]) -> Asked:
        """Ask for any of the DOIs, of which one may have several records."""
        return Asked(" OR ".join(f'DOI:"{_escape(doi)}"' for doi in dois))

    def look_up(self, dois: Sequence[str], deadline: Deadline) -> SearchResult:
        """Return the records of these DOIs alone; a preprint and its publication have different ones."""
        found, wanted = super().look_up(dois, deadline), set(self.known_dois(dois))
        papers = tuple(paper for paper in found.lists[0] if paper.ids.doi in wanted)
        return replace(found, lists=(papers,), available=len(papers))

    def fetch(self, asked: Asked, rows: int, deadline: Deadline) -> tuple[object, object]:
        """Send a query; one that cannot be parsed is reported with status 200."""
        params = {"query": asked.text, "format": "json", "resultType": "core", "pageSize": str(rows)}
        body = read_object(self.client.get("/search", params, deadline), TITLE)
        if message := at(body, "errMsg"):
            raise Refused(f"{TITLE} refused the query ({one_line(message)})")
        if read_count(body.get("hitCount")) is None:
            raise Unavailable(f"{TITLE}'s response does not say how many papers it found")
        return at(body, "resultList", "result") or [], body["hitCount"]


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
