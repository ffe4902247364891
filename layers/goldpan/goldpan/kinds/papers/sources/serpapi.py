"""Google Scholar as a source of papers, over SerpAPI: https://serpapi.com/google-scholar-api."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from goldpan.engine.deadlines import Deadline
from goldpan.errors import Unavailable
from goldpan.infra.redaction import one_line
from goldpan.kinds.papers.constraints import Constraints, PaperType
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.sources.api import ApiSource
from goldpan.kinds.papers.sources.boolean_query import Syntax, any_of, field, name_and_initial, write_query
from goldpan.kinds.papers.sources.not_filtered import Filterable, not_filtered
from goldpan.kinds.papers.sources.queries import Asked, full_name
from goldpan.kinds.papers.sources.records import at, read_object
from goldpan.kinds.papers.sources.serpapi_results import read_result

PAGE = 20
"""The most that Google Scholar shows at once."""
LONGEST_QUERY = 256
"""Characters: Google Scholar ignores what follows."""
NOTHING_FOUND = "returned any results for this query"
"""SerpAPI reports a search without results as an error: `Google hasn't returned any results for this query.`"""
REVIEWS: tuple[PaperType, ...] = ("review",)
FILTERABLE = Filterable(types=REVIEWS)
ONE_QUERY = "only the first of its queries was sent, because every one is paid for"


class SerpApi(ApiSource):
    """Google Scholar, with a key of SerpAPI; every search is paid for."""

    name = "serpapi"
    read = staticmethod(read_result)

    def write_queries(self, queries: Sequence[PaperQuery], constraints: Constraints) -> list[Asked]:
        """Write the first query alone."""
        asked = write_scholar_query(queries[0], constraints)
        return [replace(asked, notes=(*asked.notes, ONE_QUERY)) if len(queries) > 1 else asked]

    def fetch(self, asked: Asked, rows: int, deadline: Deadline) -> tuple[object, object]:
        """Send a search; one without results is reported as an error."""
        given = {"engine": "google_scholar", "q": asked.text, "hl": "en", "num": str(min(rows, PAGE))}
        params = {**given, **asked.params, "api_key": self.key or ""}
        body = read_object(self.client.get("/search.json", params, deadline), self.title)
        error = body.get("error")
        if error and NOTHING_FOUND in str(error):
            return [], 0
        if error:
            message = f"SerpAPI's search failed: {one_line(error)}"
            raise Unavailable(message)
        return body.get("organic_results"), at(body, "search_information", "total_results")


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
