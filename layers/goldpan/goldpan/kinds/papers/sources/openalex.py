"""OpenAlex as a source of papers: a search is paid for from a daily budget, a work by its DOI is free.

Sources: "Search", "Filter", "Authentication & pricing" and "Works" at developers.openalex.org.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from urllib.parse import quote

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.errors import CallFailed
from goldpan.infra.response_times import read_digits
from goldpan.infra.threads import CPU_LOCK, run_parallel
from goldpan.kinds.papers.constraints import Constraints, PaperType
from goldpan.kinds.papers.models import Paper, PaperQuery
from goldpan.kinds.papers.ports import Found
from goldpan.kinds.papers.sources.client import SourceClient
from goldpan.kinds.papers.sources.failures import NotFound
from goldpan.kinds.papers.sources.limits import DAY, OPENALEX_DAILY, OPENALEX_SEARCH_COST
from goldpan.kinds.papers.sources.not_filtered import Filterable, not_filtered
from goldpan.kinds.papers.sources.openalex_works import NAME, SELECT, TYPES, read_work
from goldpan.kinds.papers.sources.queries import (
    NOTHING_TO_ASK,
    Asked,
    Concepts,
    Looked,
    Page,
    encoded_length,
    fit,
    found_by_doi,
    own_text,
    page_size,
    run_queries,
    subject_of,
    wording,
)
from goldpan.kinds.papers.sources.records import at, read_count, read_object, read_records
from goldpan.kinds.papers.sources.settings import PaperSettings

TITLE, KEY = "OpenAlex", "OPENALEX_API_KEY"
QUERIES_A_SEARCH = 3
"""Of the 1,000 that a day is free for."""
MAX_SEARCH = 2500
"""Characters of the text in an address, which may have about 4,000."""
MAX_LOOK_UPS, LOOK_UPS_AT_ONCE = 30, 10
EXACT_WORDS = 3
"""Words of a wording that are searched as a phrase; the words of a longer one occur in any place."""
FILTERED_TYPES: Mapping[PaperType, str] = {kind: name for name, kind in TYPES.items() if kind != "conference"}
"""OpenAlex has most papers of conferences as articles, so that no filter finds them."""
FILTERABLE = Filterable(FILTERED_TYPES, FILTERED_TYPES, (True, False), venues=False, excluded_words=False)


class OpenAlex:
    """OpenAlex; without a key it is not asked."""

    queries_a_search = QUERIES_A_SEARCH
    looks_up = True

    def __init__(self, settings: PaperSettings, connections: Connections) -> None:
        secret = settings.openalex_api_key
        self._key = secret.get_secret_value() if secret else None
        self._client = SourceClient(
            NAME,
            settings.openalex_url,
            connections,
            key=self._key,
            key_variable=KEY,
            longest_wait=timedelta(days=1),
        )

    @property
    def missing_key(self) -> str | None:
        """The variable of the key, if it is not set."""
        return None if self._key else KEY

    def search(self, queries: Sequence[PaperQuery], constraints: Constraints, deadline: Deadline) -> Found:
        """Run the queries over titles, abstracts and full texts; raises `CallFailed` or `CredentialRejected`."""
        asked = [write_query(query, constraints) for query in queries]
        return run_queries(asked, partial(self._fetch, rows=page_size(asked), deadline=deadline), deadline)

    def look_up(self, dois: Sequence[str], deadline: Deadline) -> Found:
        """Fetch works one by one, which is free; at most `MAX_LOOK_UPS` of them."""

        def fetch(doi: str) -> Looked:
            try:
                return Looked(self._fetch_work(doi, deadline))
            except CallFailed as failure:
                return Looked(failure=failure)

        outcomes = run_parallel(dois[:MAX_LOOK_UPS], fetch, LOOK_UPS_AT_ONCE, deadline)
        return found_by_doi(outcomes, incomplete=len(dois) > MAX_LOOK_UPS)

    def _fetch(self, asked: Asked, rows: int, deadline: Deadline) -> Page:
        params = {**asked.params, "per_page": str(rows), "select": SELECT, **self._credential}
        response = self._client.get("/works", params, deadline, cost=OPENALEX_SEARCH_COST, limit="search")
        self._reconcile(response.headers)
        body = read_object(response, TITLE)
        with CPU_LOCK:
            papers, unread = read_records(body.get("results"), read_work, TITLE)
        return Page(papers, read_count(at(body, "meta", "count")) or len(papers), unread)

    def _reconcile(self, headers: Mapping[str, str]) -> None:
        """Count what other programs spent of the free credits of the day; a plan that is paid for has another limit."""
        remaining, reset = (headers.get(f"x-ratelimit-{name}", "") for name in ("remaining", "reset"))
        if headers.get("x-ratelimit-limit") == str(OPENALEX_DAILY) and remaining.isdecimal() and reset.isdecimal():
            self._client.reconcile("search", read_digits(remaining), min(read_digits(reset), DAY))

    def _fetch_work(self, doi: str, deadline: Deadline) -> Paper | None:
        params = {"select": SELECT, **self._credential}
        try:
            response = self._client.get(f"/works/doi:{quote(doi, safe='')}", params, deadline, limit="work")
        except NotFound:
            return None
        return read_work(read_object(response, TITLE))

    @property
    def _credential(self) -> dict[str, str]:
        return {"api_key": self._key} if self._key else {}


def write_query(query: PaperQuery, constraints: Constraints) -> Asked:
    """Write a query: the concepts are joined by AND, the wordings of one by OR."""
    text = own_text(query, NAME, MAX_SEARCH)
    subject = subject_of(query, constraints)
    asked = Asked(text) if text else fit(subject, _render, MAX_SEARCH, TITLE, length=encoded_length)
    filters = _filters(constraints)
    if not asked.text and not constraints.authors:
        return NOTHING_TO_ASK
    params = {name: value for name, value in (("search", asked.text), ("filter", ",".join(filters))) if value}
    notes = asked.notes + not_filtered(TITLE, constraints, FILTERABLE)
    return Asked(" ".join(filter(None, [asked.text, *filters])), params, notes)


def _render(concepts: Concepts) -> str:
    parts = (" OR ".join(map(_term, wordings)) for wordings in concepts)
    return " AND ".join(f"({part})" if " " in part else part for part in parts)


def _term(text: str) -> str:
    """Quote a phrase; words with a sign, such as c++, would be operators otherwise."""
    plain = text.replace(" ", "").isalnum()
    if plain and " " not in text:
        return text
    return f"({text})" if plain and text.count(" ") >= EXACT_WORDS else f'"{text}"'


def _filters(constraints: Constraints) -> list[str]:
    """Write the filters; a name loses all that separates filters and values."""
    filters = []
    if constraints.year_from is not None:
        filters.append(f"from_publication_date:{constraints.year_from:04}-01-01")
    if constraints.year_to is not None:
        filters.append(f"to_publication_date:{constraints.year_to:04}-12-31")
    if constraints.open_access is not None:
        filters.append(f"is_oa:{str(constraints.open_access).lower()}")
    if constraints.types and all(kind in FILTERED_TYPES for kind in constraints.types):
        filters.append("type:" + "|".join(FILTERED_TYPES[kind] for kind in constraints.types))
    filters += [f"type:!{FILTERED_TYPES[kind]}" for kind in constraints.excluded_types if kind in FILTERED_TYPES]
    filters += [f"raw_author_name.search:{name}" for name in map(wording, constraints.authors) if name]
    return filters
