"""arXiv as a source of papers, over its API: https://info.arxiv.org/help/api/user-manual.html.

One request in 3 s is allowed over all callers (https://info.arxiv.org/help/api/tou.html).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from goldpan.engine.deadlines import Deadline
from goldpan.identities import arxiv_of_doi
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.sources.api import ApiSource, Filterable
from goldpan.kinds.papers.sources.arxiv_feed import read_entry, read_feed
from goldpan.kinds.papers.sources.boolean_query import Syntax, any_of, field, write_query
from goldpan.kinds.papers.sources.queries import Asked, wording

LONGEST_QUERY = 1500
"""Characters. arXiv documents no limit; encoded, these are within the 8,000 bytes of RFC 9110, section 4.1."""
FIRST_YEAR, LAST_YEAR = 1986, 2999
"""The year of arXiv's oldest papers, and one after all of them."""
OPERATORS = frozenset({"and", "or", "not", "andnot"})
"""arXiv reads its operators in quotes too, and it finds nothing by these words anyway."""
OWN_NAME = "arXiv"
REVIEW_WORDS = ("survey", "review", "overview")


class ArXiv(ApiSource):
    """arXiv as a source of papers."""

    name = "arxiv"
    dois_a_request = max_look_ups = 100
    max_in_flight = 1
    filterable = Filterable(types=("review", "preprint"), open_access=(True,))
    """All of its papers are preprints, and free to read."""
    read = staticmethod(read_entry)

    @staticmethod
    def write(query: PaperQuery, constraints: Constraints) -> Asked:
        """Write a query; a phrase matches where its words are, stemmed and in any order."""
        asked = write_query(query, constraints, Syntax("arxiv", LONGEST_QUERY, _write_wording, _filters))
        excluded = [_field("ti", term) for term in constraints.excluded_terms] if asked.text else []
        return replace(asked, text=" ANDNOT ".join([asked.text, *filter(None, excluded)]))

    def known_dois(self, dois: Sequence[str]) -> Sequence[str]:
        """Return the ids of arXiv's own papers; it knows no other DOI."""
        return list(filter(None, map(arxiv_of_doi, dois)))

    def write_look_up(self, dois: Sequence[str]) -> Asked:
        """Ask for papers by their arXiv ids."""
        return Asked(f"{len(dois)} ids", {"id_list": ",".join(dois), "max_results": str(len(dois))})

    def fetch(self, asked: Asked, rows: int, deadline: Deadline) -> tuple[object, object]:
        """Fetch the first page; an empty one although there are results is a fault of arXiv, which is asked again."""
        search = {"search_query": asked.text, "start": "0", "max_results": str(rows)}
        params = asked.params or {**search, "sortBy": "relevance", "sortOrder": "descending"}
        for _ in range(2):
            response = self.send("/query", params, deadline)
            with CPU_LOCK:
                entries, total = read_feed(response.body)
            if entries or not total:
                break
        return entries, total


def _filters(constraints: Constraints) -> Iterator[str]:
    """Write the constraints that arXiv knows; it has no types, but a survey says in its title that it is one."""
    first, last = constraints.year_from, constraints.year_to
    if first is not None or last is not None:
        last = LAST_YEAR if last is None else last
        first = min(FIRST_YEAR, last) if first is None else first
        yield f"submittedDate:[{first:04}01010000 TO {last:04}12312359]"
    yield from (text for author in constraints.authors if (text := _field("au", _without_initials(author))))
    here = OWN_NAME in constraints.venues  # as all of its papers are
    venues = () if here else constraints.venues
    yield from any_of([_field(name, venue) for venue in venues for name in ("jr", "co")])
    if constraints.types == ("review",):
        yield from any_of([field("ti", word) for word in REVIEW_WORDS])


def _write_wording(text: str) -> str:
    return _field("all", text)


def _field(name: str, text: str) -> str:
    kept = [word for word in wording(text).split() if word not in OPERATORS]
    return field(name, " ".join(kept))


def _without_initials(author: str) -> str:
    """Leave out single letters, since a name may be written in full; all words of a short name stay."""
    parts = wording(author).split()
    return " ".join([part for part in parts if len(part) > 1] or parts)
