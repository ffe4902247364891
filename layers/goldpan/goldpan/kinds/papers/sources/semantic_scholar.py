"""Semantic Scholar as a source of papers: without a key it shares one rate limit with all others that have none.

Source: "Academic Graph API" at api.semanticscholar.org/api-docs/graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.errors import Refused, Unavailable
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.papers.constraints import Constraints, PaperType
from goldpan.kinds.papers.identifiers import normalise_semantic_scholar
from goldpan.kinds.papers.models import Paper, PaperQuery
from goldpan.kinds.papers.ports import Found
from goldpan.kinds.papers.sources.client import SourceClient
from goldpan.kinds.papers.sources.not_filtered import Filterable, not_filtered
from goldpan.kinds.papers.sources.queries import (
    NOTHING_TO_ASK,
    Asked,
    Concepts,
    Page,
    encoded_length,
    fit,
    own_text,
    page_size,
    run_queries,
    subject_of,
    wording,
)
from goldpan.kinds.papers.sources.records import (
    Record,
    at,
    make_ids,
    make_paper,
    members,
    read_count,
    read_object,
    read_records,
)
from goldpan.kinds.papers.sources.settings import PaperSettings

NAME, TITLE, KEY = "semantic_scholar", "Semantic Scholar", "SEMANTIC_SCHOLAR_API_KEY"
QUERIES_WITH_KEY, QUERIES_WITHOUT_KEY = 2, 1
"""One call a second is allowed, and without a key many are refused."""
MAX_QUERY = 600
MAX_LOOK_UPS = 100
"""DOIs of one call, which may have 500."""
NONE_KNOWN = "No valid paper ids given"
"""What a batch is refused with, by status 400, if none of its DOIs is known; beside known ones they are null."""
DEFAULT_WAIT = timedelta(seconds=2)
"""After a rate limit without a time, as most of them are."""
FIELDS = (
    "title,abstract,year,venue,authors.name,externalIds,url,citationCount,isOpenAccess,openAccessPdf,publicationTypes"
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
FILTERABLE = Filterable(frozenset(TYPES.values()), open_access=(True,), excluded_words=False)


class SemanticScholar:
    """Semantic Scholar, with or without a key."""

    missing_key = None
    looks_up = True

    def __init__(self, settings: PaperSettings, connections: Connections) -> None:
        secret = settings.semantic_scholar_api_key
        key = secret.get_secret_value() if secret else None
        self.queries_a_search = QUERIES_WITH_KEY if key else QUERIES_WITHOUT_KEY
        self._client = SourceClient(
            NAME,
            settings.semantic_scholar_url,
            connections,
            key=key,
            key_variable=KEY,
            headers={"x-api-key": key} if key else {},
            default_wait=DEFAULT_WAIT,
        )

    def search(self, queries: Sequence[PaperQuery], constraints: Constraints, deadline: Deadline) -> Found:
        """Run the queries over titles, abstracts and authors; raises `CallFailed` or `CredentialRejected`."""
        asked = [write_query(query, constraints) for query in queries]
        return run_queries(asked, partial(self._fetch, rows=page_size(asked), deadline=deadline), deadline)

    def look_up(self, dois: Sequence[str], deadline: Deadline) -> Found:
        """Return the papers of these DOIs, at most `MAX_LOOK_UPS`, in one call."""
        asked = [Asked(f"{min(len(dois), MAX_LOOK_UPS)} DOIs")] if dois else []
        found = run_queries(asked, lambda _: self._fetch_batch(dois[:MAX_LOOK_UPS], deadline), deadline)
        return replace(found, incomplete=len(dois) > MAX_LOOK_UPS)

    def _fetch(self, asked: Asked, rows: int, deadline: Deadline) -> Page:
        params = {**asked.params, "fields": FIELDS, "limit": str(rows)}
        body = read_object(self._client.get("/paper/search", params, deadline), TITLE)
        available = read_count(body.get("total")) or 0
        items = body.get("data")
        if items is None and "total" in body and not available:
            return Page()
        with CPU_LOCK:
            papers, unread = read_records(items, read_paper, TITLE)
        return Page(papers, available or len(papers), unread)

    def _fetch_batch(self, dois: Sequence[str], deadline: Deadline) -> Page:
        body = {"ids": [f"DOI:{doi}" for doi in dois]}
        try:
            items = self._client.post("/paper/batch", {"fields": FIELDS}, body, deadline).json()
        except Refused as refused:
            if NONE_KNOWN in str(refused):
                return Page()
            raise
        if not isinstance(items, list):
            message = f"{TITLE}'s response has no list of papers"
            raise Unavailable(message)
        known = [item for item in items if item is not None]  # null stands for an unknown DOI
        with CPU_LOCK:
            papers, unread = read_records(known, read_paper, TITLE)
        return Page(papers, len(papers), unread)


def write_query(query: PaperQuery, constraints: Constraints) -> Asked:
    """Write a query as plain words: the search has no operators, and finds no hyphenated words.

    Further wordings are left out, because a paper should have all words.
    """
    text = own_text(query, NAME, MAX_QUERY)
    best = tuple(wordings[:1] for wordings in subject_of(query, constraints))
    authors = " ".join(map(wording, constraints.authors))
    asked = Asked(text) if text else fit(best, _render, MAX_QUERY, TITLE, length=encoded_length)
    filters = _filters(constraints)
    words = " ".join(filter(None, (asked.text, authors)))
    if not words:
        return NOTHING_TO_ASK
    notes = asked.notes + not_filtered(TITLE, constraints, FILTERABLE)
    shown = [f"{name}:{value}" if value else name for name, value in filters.items()]
    return Asked(" ".join([words, *shown]), {"query": words, **filters}, notes)


def _render(concepts: Concepts) -> str:
    return " ".join(wordings[0] for wordings in concepts)


def _filters(constraints: Constraints) -> dict[str, str]:
    """Write the filters; commas separate venues and types."""
    filters = {}
    if constraints.year_from is not None or constraints.year_to is not None:
        first, last = constraints.year_from, constraints.year_to
        filters["year"] = f"{'' if first is None else first}-{'' if last is None else last}"
    venues = [" ".join(venue.replace(",", " ").split()) for venue in constraints.venues]
    if any(venues):
        filters["venue"] = ",".join(filter(None, venues))
    if constraints.types and set(constraints.types) <= set(TYPES.values()):
        filters["publicationTypes"] = ",".join(name for name, kind in TYPES.items() if kind in constraints.types)
    if constraints.open_access:
        filters["openAccessPdf"] = ""
    return filters


def read_paper(record: Record) -> Paper | None:
    """Map a paper; nearly every field may be null. None without a title."""
    ids = record.get("externalIds")
    return make_paper(
        NAME,
        record.get("title"),
        authors=members([at(row, "name") for row in members(record.get("authors"), dict)], str),
        year=record.get("year"),
        venue=record.get("venue"),
        abstract=record.get("abstract"),
        url=record.get("url"),
        pdf_url=at(record, "openAccessPdf", "url"),
        ids=make_ids(
            doi=at(ids, "DOI"),
            arxiv=at(ids, "ArXiv"),
            pmid=at(ids, "PubMed"),
            pmcid=_pmcid(at(ids, "PubMedCentral")),
            semantic_scholar=normalise_semantic_scholar(record.get("paperId")),
            corpus=_corpus(at(ids, "CorpusId")),
        ),
        citations=record.get("citationCount"),
        type=_type(record),
        open_access=record.get("isOpenAccess"),
    )


def _pmcid(number: object) -> object:
    return f"PMC{number}" if isinstance(number, str) and number.isdecimal() else number


def _corpus(number: object) -> str | None:
    return str(number) if read_count(number) is not None else None


def _type(record: Record) -> PaperType | None:
    names = members(record.get("publicationTypes"), str)
    if record.get("venue") == "arXiv.org":
        return "preprint"
    return next((kind for name, kind in TYPES.items() if name in names), None)
