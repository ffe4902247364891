"""Semantic Scholar as a source of papers: without a key it shares one rate limit with all others that have none.

Source: "Academic Graph API" at api.semanticscholar.org/api-docs/graph.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from goldpan.engine.deadlines import Deadline
from goldpan.errors import Refused
from goldpan.identities import arxiv_of_doi
from goldpan.kinds.papers.constraints import Constraints, PaperType
from goldpan.kinds.papers.deduplication.preprints import PREPRINT_VENUE
from goldpan.kinds.papers.models import Paper, PaperQuery
from goldpan.kinds.papers.sources.api import ApiSource
from goldpan.kinds.papers.sources.queries import Asked, encoded_length, subject_of, with_params, wording, write_query
from goldpan.kinds.papers.sources.records import Record, at, make_ids, make_paper, members, read_count, read_object

NAME = "semantic_scholar"
MAX_QUERY = 600
BATCH = "/paper/batch"
NONE_KNOWN = "No valid paper ids given"
"""What a batch is refused with, by status 400, if none of its DOIs is known; among known ones they are null."""
FIELDS = (
    "title,abstract,year,venue,authors.name,externalIds,url,citationCount,isOpenAccess,openAccessPdf,publicationTypes,"
    "journal"
)
TYPES: Mapping[str, PaperType] = {
    "Review": "review",
    "MetaAnalysis": "review",
    "Conference": "conference",
    "Book": "book",
    "BookSection": "chapter",
    "Dataset": "dataset",
    "JournalArticle": "article",
}
"""In the order of their precedence: a paper may have several."""


def read_paper(record: Record) -> Paper | None:
    """Map a paper; nearly every field may be null. None without a title."""
    ids = record.get("externalIds")
    corpus = read_count(at(ids, "CorpusId"))
    names, venue = members(record.get("publicationTypes"), str), record.get("venue") or at(record, "journal", "name")
    kind = next((kind for name, kind in TYPES.items() if name in names), None)
    volume = at(record, "journal", "volume")  # of a paper that was a preprint too: "abs/1412.6980"
    return make_paper(
        NAME,
        record.get("title"),
        authors=[at(row, "name") for row in members(record.get("authors"), dict)],
        year=record.get("year"),
        venue=venue,
        abstract=record.get("abstract"),
        url=record.get("url"),
        pdf_url=at(record, "openAccessPdf", "url"),
        ids=make_ids(
            doi=at(ids, "DOI"),
            arxiv=at(ids, "ArXiv"),
            pmid=at(ids, "PubMed"),
            pmcid=at(ids, "PubMedCentral"),
            semantic_scholar=record.get("paperId"),
            corpus=None if corpus is None else str(corpus),
        ),
        citations=record.get("citationCount"),
        type="preprint" if PREPRINT_VENUE.search(str(venue)) else kind,
        open_access=record.get("isOpenAccess"),
        volume=None if str(volume).startswith("abs/") else volume,
        pages=at(record, "journal", "pages"),
        license=at(record, "openAccessPdf", "license"),
    )


class SemanticScholar(ApiSource):
    """Semantic Scholar, with or without a key."""

    name = NAME
    read = staticmethod(read_paper)
    default_wait = timedelta(seconds=2)
    """After a rate limit without a time, as most of them are."""

    def headers(self) -> Mapping[str, str]:
        """Give the key, if there is one."""
        return {"x-api-key": self.key} if self.key else {}

    @staticmethod
    def write(query: PaperQuery, constraints: Constraints) -> Asked:
        """Write a query as plain words: the search has no operators, and finds no hyphenated words.

        Further wordings are left out, because a paper should have all words.
        """
        best = query.model_copy(update={"concepts": tuple(wordings[:1] for wordings in query.concepts)})
        asked = write_query(best, constraints, NAME, MAX_QUERY, length=encoded_length)
        words = " ".join(filter(None, [asked.text, *map(wording, constraints.authors)]))
        return with_params(replace(asked, text=words), "query", _filters(constraints))

    def widen(self, query: PaperQuery) -> PaperQuery:
        """Return the two rarest words."""
        return PaperQuery(concepts=subject_of(query, Constraints())[:2])

    def write_look_up(self, dois: Sequence[str]) -> Asked:
        """Ask for a batch of papers; those of arXiv by their ids there, as few have the DOI that arXiv gives them."""
        ids = [f"ARXIV:{arxiv}" if (arxiv := arxiv_of_doi(doi)) else f"DOI:{doi}" for doi in dois]
        return Asked(f"{len(dois)} DOIs", body={"ids": ids})

    def fetch(self, asked: Asked, rows: int, deadline: Deadline) -> tuple[object, object]:
        """Send a search, or a batch of a look-up."""
        if asked.body is not None:
            try:
                items = self.send(BATCH, {"fields": FIELDS}, deadline, body=asked.body).json()
            except Refused as refused:
                if NONE_KNOWN in str(refused):
                    return [], None
                raise
            known = [item for item in items if item is not None] if isinstance(items, list) else items
            return known, None  # null stands for an unknown DOI
        params = {**asked.params, "fields": FIELDS, "limit": str(rows)}
        body = read_object(self.send("/paper/search", params, deadline), self.title)
        items, available = body.get("data"), read_count(body.get("total"))
        return [] if items is None and "total" in body and not available else items, available


def _filters(constraints: Constraints) -> dict[str, str | None]:
    """Write the filters; commas separate venues and types."""
    first, last = constraints.year_from or "", constraints.year_to or ""
    venues = filter(None, (" ".join(venue.replace(",", " ").split()) for venue in constraints.venues))
    is_known = set(constraints.types) <= set(TYPES.values())
    types = [name for name, kind in TYPES.items() if is_known and kind in constraints.types]
    return {
        "year": f"{first}-{last}" if first or last else None,
        "venue": ",".join(venues) or None,
        "publicationTypes": ",".join(types) or None,
        "openAccessPdf": "" if constraints.open_access else None,
    }
