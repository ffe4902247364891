"""OpenAlex as a source of papers: a search is paid for from a daily budget, a work by its DOI is free.

Sources: "Search", "Filter", "Authentication & pricing" and "Works" at developers.openalex.org.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from urllib.parse import quote

from goldpan.engine.deadlines import Deadline
from goldpan.infra.response_times import read_digits
from goldpan.kinds.papers.constraints import Constraints, PaperType
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.sources.api import ApiSource
from goldpan.kinds.papers.sources.failures import NotFound
from goldpan.kinds.papers.sources.limits import DAY, OPENALEX_DAILY, OPENALEX_SEARCH_COST
from goldpan.kinds.papers.sources.not_filtered import Filterable, not_filtered
from goldpan.kinds.papers.sources.openalex_works import NAME, SELECT, TYPES, read_work
from goldpan.kinds.papers.sources.queries import NOTHING_TO_ASK, Asked, Concepts, wording, write_text
from goldpan.kinds.papers.sources.records import at, read_object

TITLE = "OpenAlex"
MAX_SEARCH = 2500
"""Characters of the text in an address, which may have about 4,000."""
EXACT_WORDS = 3
"""Words of a wording that are searched as a phrase; the words of a longer one occur in any place."""
FILTERED_TYPES: Mapping[PaperType, str] = {kind: name for name, kind in TYPES.items() if kind != "conference"}
"""OpenAlex has most papers of conferences as articles, so that no filter finds them."""
FILTERABLE = Filterable(FILTERED_TYPES, FILTERED_TYPES, (True, False), venues=False, excluded_words=False)


class OpenAlex(ApiSource):
    """OpenAlex, with a key."""

    name = NAME
    max_look_ups, look_ups_at_once = 30, 10
    longest_wait = timedelta(days=1)
    read = staticmethod(read_work)

    def write_queries(self, queries: Sequence[PaperQuery], constraints: Constraints) -> list[Asked]:
        """Write the queries over titles, abstracts and full texts."""
        return [write_query(query, constraints) for query in queries]

    def write_look_up(self, dois: Sequence[str]) -> Asked:
        """Ask for one work by its DOI."""
        return Asked(dois[0], path=f"/works/doi:{quote(dois[0], safe='')}")

    def fetch(self, asked: Asked, rows: int, deadline: Deadline) -> tuple[object, object]:
        """Send a search, which costs of the budget of the day, or ask for one work, which is free."""
        params = {"select": SELECT, **({"api_key": self.key} if self.key else {})}
        if asked.path:
            try:
                response = self.client.get(asked.path, params, deadline, limit="work")
            except NotFound:
                return [], 0
            return [read_object(response, TITLE)], 1
        params |= {**asked.params, "per_page": str(rows)}
        response = self.client.get("/works", params, deadline, cost=OPENALEX_SEARCH_COST, limit="search")
        self._reconcile(response.headers)
        body = read_object(response, TITLE)
        return body.get("results"), at(body, "meta", "count")

    def _reconcile(self, headers: Mapping[str, str]) -> None:
        """Count what other programs spent of the free credits of the day; a plan that is paid for has another limit."""
        remaining, reset = (headers.get(f"x-ratelimit-{name}", "") for name in ("remaining", "reset"))
        if headers.get("x-ratelimit-limit") == str(OPENALEX_DAILY) and remaining.isdecimal() and reset.isdecimal():
            self.client.reconcile("search", read_digits(remaining), min(read_digits(reset), DAY))


def write_query(query: PaperQuery, constraints: Constraints) -> Asked:
    """Write a query: the concepts are joined by AND, the wordings of one by OR."""
    asked = write_text(query, constraints, NAME, MAX_SEARCH, _render)
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
