"""Google Scholar as a source of papers, over SerpAPI: https://serpapi.com/google-scholar-api."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.errors import Unavailable
from goldpan.infra.redaction import one_line
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.papers.constraints import Constraints, PaperType
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
from goldpan.kinds.papers.sources.not_filtered import Filterable, not_filtered
from goldpan.kinds.papers.sources.queries import Asked, Page, full_name, run_queries
from goldpan.kinds.papers.sources.records import at, read_count, read_object, read_records
from goldpan.kinds.papers.sources.serpapi_results import read_result
from goldpan.kinds.papers.sources.settings import PaperSettings

KEY = "SERPAPI_API_KEY"
PAGE = 20
"""The most that Google Scholar shows at once."""
LONGEST_QUERY = 256
"""Characters: Google Scholar ignores what follows."""
NOTHING_FOUND = "returned any results for this query"
"""SerpAPI reports a search without results as an error: `Google hasn't returned any results for this query.`"""
REVIEWS: tuple[PaperType, ...] = ("review",)
FILTERABLE = Filterable(types=REVIEWS)
ONE_QUERY = "only the first of its queries was sent, because every one is paid for"


class SerpApi:
    """Google Scholar as a source of papers; every search is paid for."""

    queries_a_search = 1
    looks_up = False

    def __init__(self, settings: PaperSettings, connections: Connections) -> None:
        key = settings.serpapi_api_key
        self._key = key.get_secret_value() if key else None
        self._client = SourceClient("serpapi", settings.serpapi_url, connections, key=self._key, key_variable=KEY)

    @property
    def missing_key(self) -> str | None:
        """The environment variable of the key, None if it is set."""
        return None if self._key else KEY

    def search(self, queries: Sequence[PaperQuery], constraints: Constraints, deadline: Deadline) -> Found:
        """Run the first query; the lists of the others are empty."""
        asked = write_scholar_query(queries[0], constraints)
        if len(queries) > 1:
            asked = replace(asked, notes=(*asked.notes, ONE_QUERY))
        found = run_queries([asked], lambda query: self._fetch(query, deadline), deadline)
        return replace(found, lists=(*found.lists, *(() for _ in queries[1:])))

    def look_up(self, dois: Sequence[str], deadline: Deadline) -> Found:
        """Return nothing: Google Scholar knows no DOIs."""
        del dois, deadline
        return Found(lists=((),), available=0)

    def _fetch(self, asked: Asked, deadline: Deadline) -> Page:
        if self._key is None:
            message = f"{KEY} is not set"
            raise Unavailable(message)
        params = {"engine": "google_scholar", "q": asked.text, "hl": "en", "num": str(PAGE), **asked.params}
        body = read_object(self._client.get("/search.json", {**params, "api_key": self._key}, deadline), "SerpAPI")
        error = body.get("error")
        if error and NOTHING_FOUND in str(error):
            return Page()
        if error:
            message = f"SerpAPI's search failed: {one_line(error)}"
            raise Unavailable(message)
        with CPU_LOCK:
            papers, unread = read_records(body.get("organic_results"), read_result, "SerpAPI")
        return Page(papers, read_count(at(body, "search_information", "total_results")) or len(papers), unread)


def write_scholar_query(query: PaperQuery, constraints: Constraints) -> Asked:
    """Write a query in Google Scholar's syntax, and the parameters that it has for years and reviews."""
    syntax = Syntax("serpapi", LONGEST_QUERY, _write_wording, _filters, all_of=" ")
    years = {"as_ylo": constraints.year_from, "as_yhi": constraints.year_to}
    params = {name: str(year) for name, year in years.items() if year is not None}
    if constraints.types == REVIEWS:
        params["as_rr"] = "1"
    asked = write_query([query], constraints, syntax)
    return replace(asked, params=params, notes=asked.notes + not_filtered("Google Scholar", constraints, FILTERABLE))


def _write_wording(text: str) -> str:
    """Quote a phrase; a single word in quotes would not be found in its other forms."""
    return f'"{text}"' if " " in text else text


def _filters(constraints: Constraints) -> Iterator[str]:
    names = (" ".join(reversed(name_and_initial(author))) for author in constraints.authors)
    yield from (text for name in names if (text := field("author", name)))
    yield from any_of([field("source", full_name(venue)) for venue in constraints.venues])
    yield from (text for term in constraints.excluded_terms if (text := field("-intitle", term)))
