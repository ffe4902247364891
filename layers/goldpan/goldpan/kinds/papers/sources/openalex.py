"""OpenAlex as a source of papers: every request is paid for from a daily budget.

Sources: "Search", "Filter", "Authentication & pricing" and "Works" at developers.openalex.org.
"""

from collections.abc import Mapping, Sequence

from goldpan.engine.deadlines import Deadline
from goldpan.infra.response_times import read_digits
from goldpan.kinds.papers.constraints import Constraints, PaperType
from goldpan.kinds.papers.models import Paper, PaperQuery
from goldpan.kinds.papers.person_names import with_parts
from goldpan.kinds.papers.sources.api import ApiSource
from goldpan.kinds.papers.sources.entry import PROBE
from goldpan.kinds.papers.sources.queries import Asked, encoded_length, with_params, wording, write_query
from goldpan.kinds.papers.sources.records import Record, at, make_ids, make_paper, members, read_object
from goldpan.kinds.papers.sources.settings import DAY, OPENALEX_COSTS, OPENALEX_DAILY

NAME = "openalex"
MAX_WORDS = 3000
"""Words of an abstract that are read."""
SELECT = (
    "id,doi,ids,display_name,publication_year,type,authorships,primary_location,best_oa_location,open_access,"
    "cited_by_count,is_retracted,abstract_inverted_index,biblio,language"
)
TYPES: Mapping[str, PaperType] = {
    "article": "article",
    "preprint": "preprint",
    "review": "review",
    "conference-paper": "conference",
    "book": "book",
    "book-chapter": "chapter",
    "dissertation": "thesis",
    "dataset": "dataset",
}


def read_work(work: Record) -> Paper | None:
    """Map a work; None without a title."""
    authorships = members(work.get("authorships"), dict)
    written = [str(row.get("raw_author_name") or "") for row in authorships]
    named = zip((at(row, "author", "display_name") for row in authorships), written, strict=True)
    kind = work.get("type")
    kind = TYPES.get(kind, "other") if isinstance(kind, str) else None
    ids, primary, best = work.get("ids"), work.get("primary_location"), work.get("best_oa_location")
    return make_paper(
        NAME,
        work.get("display_name") or work.get("title"),
        authors=with_parts([name if isinstance(name, str) and name else raw for name, raw in named], written),
        year=work.get("publication_year"),
        venue=at(primary, "source", "display_name"),
        abstract=restore_abstract(work.get("abstract_inverted_index")),
        url=work.get("doi") or at(primary, "landing_page_url") or work.get("id"),
        pdf_url=at(best, "pdf_url") or at(primary, "pdf_url"),
        ids=make_ids(
            doi=work.get("doi") or at(ids, "doi"),
            arxiv=[at(place, name) for place in (primary, best) for name in ("landing_page_url", "pdf_url")],
            pmid=at(ids, "pmid"),
            pmcid=at(ids, "pmcid"),
            openalex=work.get("id"),
        ),
        citations=work.get("cited_by_count"),
        type="conference" if kind == "article" and at(primary, "source", "type") == "conference" else kind,
        open_access=at(work, "open_access", "is_oa"),
        retracted=work.get("is_retracted"),
        volume=at(work, "biblio", "volume"),
        issue=at(work, "biblio", "issue"),
        pages="-".join(dict.fromkeys(members([at(work, "biblio", f"{end}_page") for end in ("first", "last")], str))),
        publisher=at(primary, "source", "host_organization_name"),
        issn=at(primary, "source", "issn_l"),
        language=work.get("language"),
        license=at(primary, "license") or at(best, "license"),
    )


def restore_abstract(index: object) -> str | None:
    """Write an abstract from its inverted index, {word: [positions]}; positions that are none are left out."""
    if not isinstance(index, dict):
        return None
    placed = {
        place: word
        for word, places in index.items()
        if isinstance(places, list)
        for place in places
        if type(place) is int and 0 <= place < MAX_WORDS  # a bool is an int too
    }
    return " ".join(map(placed.__getitem__, sorted(placed))) or None


MAX_SEARCH = 2500
"""Characters of the text in an address, which may have about 4,000."""
MAX_SENTENCE = 2000
"""Characters that the semantic search reads."""
SEMANTIC = "search.semantic"
PRICED = "one semantic search, for $0.01 of the $1 a day"
FILTERED_TYPES: Mapping[PaperType, str] = {kind: name for name, kind in TYPES.items() if kind != "conference"}
"""OpenAlex has most papers of conferences as articles, so that no filter finds them."""


class OpenAlex(ApiSource):
    """OpenAlex, with a key."""

    name = NAME
    read = staticmethod(read_work)
    _left = ""

    def write_searches(self, query: PaperQuery, constraints: Constraints) -> list[Asked]:
        """Write a query after the semantic search of its sentence, which has no filter for authors."""
        asked, sentence = [self.write(query, constraints)], query.sentence[:MAX_SENTENCE]
        if not sentence or constraints.authors:
            return asked
        filters = {"filter": ",".join(_filters(constraints)) or None}
        return [with_params(Asked(sentence, notes=(PRICED,)), SEMANTIC, filters), *asked]

    @staticmethod
    def write(query: PaperQuery, constraints: Constraints) -> Asked:
        """Write a query over titles, abstracts and full texts."""
        asked = write_query(query, constraints, NAME, MAX_SEARCH, _term, length=encoded_length)
        return with_params(asked, "search", {"filter": ",".join(_filters(constraints)) or None})

    def write_look_up(self, dois: Sequence[str]) -> Asked:
        """Ask for works by a filter, a tenth of the price of a search; commas and bars separate its values."""
        wanted = "|".join(doi for doi in dois if not {",", "|"} & set(doi))
        return Asked(wanted, {"filter": f"doi:{wanted}"})

    def check(self, deadline: Deadline) -> str:
        """Ask for one paper, for a credit of the 10,000 of a day."""
        self.look_up([PROBE], deadline)
        return f"{self._left} credits of the day left" if self._left else ""

    def fetch(self, asked: Asked, rows: int, deadline: Deadline) -> tuple[object, object]:
        """Send a search or a list, which cost of the budget of the day."""
        params = {"select": SELECT, **({"api_key": self.key} if self.key else {}), **asked.params}
        params["per_page"] = str(rows)
        operation = "semantic" if SEMANTIC in params else "search" if "search" in params else "list"
        limit = "semantic" if operation == "semantic" else "search"
        response = self.send("/works", params, deadline, cost=OPENALEX_COSTS[operation], limit=limit)
        remaining, reset = (response.headers.get(f"x-ratelimit-{name}", "") for name in ("remaining", "reset"))
        self._left = f"{read_digits(remaining):,}" if remaining.isdecimal() else ""
        is_free = response.headers.get("x-ratelimit-limit") == str(OPENALEX_DAILY)  # paid plans have another limit
        if is_free and remaining.isdecimal() and reset.isdecimal():  # other programs spend of it too
            self.client.reconcile("search", read_digits(remaining), min(read_digits(reset), DAY))
        body = read_object(response, self.title)
        return body.get("results"), at(body, "meta", "count")


def _term(text: str) -> str:
    """Quote a phrase; words with a sign, such as c++, would be operators otherwise."""
    return text if text.isalnum() else f'"{text}"'


def _filters(constraints: Constraints) -> list[str]:
    """Write the filters; a name loses all that separates filters and values."""
    filters = []
    if constraints.year_from:
        filters.append(f"from_publication_date:{constraints.year_from}-01-01")
    if constraints.year_to:
        filters.append(f"to_publication_date:{constraints.year_to}-12-31")
    if constraints.open_access is not None:
        filters.append(f"is_oa:{str(constraints.open_access).lower()}")
    if constraints.types and all(kind in FILTERED_TYPES for kind in constraints.types):
        filters.append("type:" + "|".join(FILTERED_TYPES[kind] for kind in constraints.types))
    filters += [f"type:!{FILTERED_TYPES[kind]}" for kind in constraints.excluded_types if kind in FILTERED_TYPES]
    filters += [f"raw_author_name.search:{name}" for name in map(wording, constraints.authors) if name]
    return filters
