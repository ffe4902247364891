"""Crossref as a source of papers: free, and quicker for callers that give an email address (the polite pool).

Sources: the REST API's documentation at api.crossref.org, and "Tips for using the Crossref REST API" and "Access and
authentication" at crossref.org.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.ports import Found
from goldpan.kinds.papers.sources.client import USER_AGENT, SourceClient
from goldpan.kinds.papers.sources.crossref_works import NAME, SELECT, TYPES, read_work
from goldpan.kinds.papers.sources.limits import CROSSREF_IN_FLIGHT
from goldpan.kinds.papers.sources.not_filtered import Filterable, not_filtered
from goldpan.kinds.papers.sources.queries import (
    NOTHING_TO_ASK,
    Asked,
    Page,
    bag_of_words,
    encoded_length,
    fit,
    own_text,
    page_size,
    run_queries,
    subject_of,
    wording,
)
from goldpan.kinds.papers.sources.records import at, read_count, read_object, read_records
from goldpan.kinds.papers.sources.settings import PaperSettings

TITLE = "Crossref"
QUERIES_A_SEARCH = 2
MAX_QUERY = 1500
"""Characters of the text in an address, of which Crossref's server accepts about 8,000."""
MAX_LOOK_UPS = 40
"""DOIs in the filter of one call."""
DEFAULT_WAIT = timedelta(seconds=5)
"""After a rate limit without a time: "wait a short while"."""

FILTERABLE = Filterable(frozenset(TYPES.values()), excluded_words=False)


class Crossref:
    """Crossref, in its polite pool if an email address is set."""

    queries_a_search = QUERIES_A_SEARCH
    missing_key = None
    looks_up = True

    def __init__(self, settings: PaperSettings, connections: Connections) -> None:
        self._mailto = settings.crossref_mailto
        self._pool = "polite" if self._mailto else "public"
        agent = f"{USER_AGENT} (mailto:{self._mailto})" if self._mailto else USER_AGENT
        self._client = SourceClient(
            NAME,
            settings.crossref_url,
            connections,
            headers={"user-agent": agent},
            max_in_flight=CROSSREF_IN_FLIGHT[self._pool],
            default_wait=DEFAULT_WAIT,
        )

    def search(self, queries: Sequence[PaperQuery], constraints: Constraints, deadline: Deadline) -> Found:
        """Run the queries over titles, authors and venues, best match first; raises `CallFailed`."""
        asked = [write_query(query, constraints) for query in queries]
        return run_queries(asked, partial(self._fetch, rows=page_size(asked), deadline=deadline), deadline)

    def look_up(self, dois: Sequence[str], deadline: Deadline) -> Found:
        """Return the works of these DOIs, at most `MAX_LOOK_UPS`, in one call."""
        filters = [f"doi:{doi}" for doi in dois[:MAX_LOOK_UPS] if "," not in doi]
        asked = [Asked(f"{len(filters)} DOIs", {"filter": ",".join(filters)})] if filters else []
        found = run_queries(asked, partial(self._fetch, rows=MAX_LOOK_UPS, deadline=deadline), deadline)
        return replace(found, incomplete=found.incomplete or len(filters) < len(dois))

    def _fetch(self, asked: Asked, rows: int, deadline: Deadline) -> Page:
        params = {**asked.params, "rows": str(rows), "select": SELECT}
        if self._mailto:
            params["mailto"] = self._mailto
        message = read_object(self._client.get("/works", params, deadline, limit=self._pool), TITLE).get("message")
        with CPU_LOCK:
            papers, unread = read_records(at(message, "items"), read_work, TITLE)
        return Page(papers, read_count(at(message, "total-results")) or len(papers), unread)


def write_query(query: PaperQuery, constraints: Constraints) -> Asked:
    """Write a query: Crossref has no operators, and ranks by how many of the words a record has."""
    text = own_text(query, NAME, MAX_QUERY)
    subject = subject_of(query, constraints)
    asked = Asked(text) if text else fit(subject, bag_of_words, MAX_QUERY, TITLE, length=encoded_length)
    if not asked.text and not constraints.authors:
        return NOTHING_TO_ASK
    filters = _filters(constraints)
    names = {
        "query.bibliographic": asked.text,
        "query.author": " ".join(map(wording, constraints.authors)),
        "query.container-title": " ".join(map(wording, constraints.venues)),
        "filter": ",".join(filters),
    }
    params = {name: value for name, value in names.items() if value}
    shown = [f"{name}:{params[f'query.{name}']}" for name in ("author", "container-title") if f"query.{name}" in params]
    notes = asked.notes + not_filtered(TITLE, constraints, FILTERABLE)
    return Asked(" ".join(filter(None, [asked.text, *shown, *filters])), params, notes)


def _filters(constraints: Constraints) -> list[str]:
    """Write the filters; several types are alternatives."""
    filters = []
    if constraints.year_from is not None:
        filters.append(f"from-pub-date:{constraints.year_from:04}")
    if constraints.year_to is not None:
        filters.append(f"until-pub-date:{constraints.year_to:04}")
    if constraints.types and set(constraints.types) <= set(TYPES.values()):
        filters += [f"type:{name}" for name, kind in TYPES.items() if kind in constraints.types]
    return filters
