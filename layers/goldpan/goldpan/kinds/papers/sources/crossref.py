"""Crossref as a source of papers: free, and quicker for callers that give an email address (the polite pool).

Sources: the REST API's documentation at api.crossref.org, and "Tips for using the Crossref REST API" and "Access and
authentication" at crossref.org.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.sources.api import ApiSource
from goldpan.kinds.papers.sources.client import USER_AGENT
from goldpan.kinds.papers.sources.crossref_works import NAME, SELECT, TYPES, read_work
from goldpan.kinds.papers.sources.limits import CROSSREF_IN_FLIGHT
from goldpan.kinds.papers.sources.not_filtered import Filterable, not_filtered
from goldpan.kinds.papers.sources.queries import NOTHING_TO_ASK, Asked, bag_of_words, wording, write_text
from goldpan.kinds.papers.sources.records import at, read_object
from goldpan.kinds.papers.sources.settings import PaperSettings

TITLE = "Crossref"
MAX_QUERY = 1500
"""Characters of the text in an address, of which Crossref's server accepts about 8,000."""
FILTERABLE = Filterable(frozenset(TYPES.values()), excluded_words=False)


class Crossref(ApiSource):
    """Crossref, in its polite pool if an email address is set."""

    name = NAME
    dois_a_request = max_look_ups = look_up_rows = 40
    default_wait = timedelta(seconds=5)
    """After a rate limit without a time: "wait a short while"."""
    read = staticmethod(read_work)

    def __init__(self, settings: PaperSettings, connections: Connections) -> None:
        self._mailto = settings.crossref_mailto
        self._pool = "polite" if self._mailto else "public"
        super().__init__(settings, connections, max_in_flight=CROSSREF_IN_FLIGHT[self._pool])

    def headers(self) -> Mapping[str, str]:
        """Name the program, with the email address."""
        return {"user-agent": f"{USER_AGENT} (mailto:{self._mailto})"} if self._mailto else {}

    def write_queries(self, queries: Sequence[PaperQuery], constraints: Constraints) -> list[Asked]:
        """Write the queries over titles, authors and venues."""
        return [write_query(query, constraints) for query in queries]

    def write_look_up(self, dois: Sequence[str]) -> Asked:
        """Ask for works by a filter, whose values commas separate."""
        return Asked(f"{len(dois)} DOIs", {"filter": ",".join(f"doi:{doi}" for doi in dois if "," not in doi)})

    def fetch(self, asked: Asked, rows: int, deadline: Deadline) -> tuple[object, object]:
        """Send a search, or the filter of a look-up."""
        params = {**asked.params, "rows": str(rows), "select": SELECT}
        if self._mailto:
            params["mailto"] = self._mailto
        message = read_object(self.client.get("/works", params, deadline, limit=self._pool), TITLE).get("message")
        return at(message, "items"), at(message, "total-results")


def write_query(query: PaperQuery, constraints: Constraints) -> Asked:
    """Write a query: Crossref has no operators, and ranks by how many of the words a record has."""
    asked = write_text(query, constraints, NAME, MAX_QUERY, bag_of_words)
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
