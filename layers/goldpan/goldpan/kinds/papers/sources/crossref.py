"""Crossref as a source of papers: free, and quicker for callers that give an email address (the polite pool).

Sources: the REST API's documentation at api.crossref.org, and "Tips for using the Crossref REST API" and "Access and
authentication" at crossref.org.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.infra.source_client import USER_AGENT
from goldpan.kinds.papers.constraints import Constraints, PaperType
from goldpan.kinds.papers.models import Paper, PaperQuery
from goldpan.kinds.papers.person_names import join_name, organisations_of
from goldpan.kinds.papers.sources.api import ApiSource
from goldpan.kinds.papers.sources.queries import Asked, encoded_length, with_params, wording, write_query
from goldpan.kinds.papers.sources.records import Record, at, make_ids, make_paper, members, read_object
from goldpan.kinds.papers.sources.settings import CROSSREF_IN_FLIGHT, PaperSettings

NAME = "crossref"
CREATIVE_COMMONS = "creativecommons.org/"
RETRACTIONS = ("retraction", "withdrawal", "removal", "partial_retraction")
SELECT = (
    "DOI,title,subtitle,author,editor,container-title,short-container-title,issued,published,type,abstract,URL,link,"
    "license,is-referenced-by-count,relation,updated-by,volume,issue,page,article-number,publisher,ISBN,ISSN"
)
CHAPTERS = ("book-chapter", "book-section", "book-part")
"""The types whose venues are the series, such as Lecture Notes in Computer Science, and after it the book."""
TYPES: Mapping[str, PaperType] = {
    "journal-article": "article",
    "posted-content": "preprint",
    "proceedings-article": "conference",
    "book": "book",
    "monograph": "book",
    "edited-book": "book",
    "reference-book": "book",
    **dict.fromkeys(CHAPTERS, "chapter"),
    "dissertation": "thesis",
    "dataset": "dataset",
}


def read_work(work: Record) -> Paper | None:
    """Map a work; titles and venues are lists, of which the first member counts. None without a title."""
    title, subtitle = _first(work.get("title")), _first(work.get("subtitle"))
    has_subtitle = title and subtitle and subtitle.lower() not in title.lower()
    links, updates = members(work.get("link"), dict), members(work.get("updated-by"), dict)
    pdfs = (link.get("URL") for link in links if link.get("content-type") == "application/pdf")
    notices = ((str(row.get("type") or row.get("label") or "update"), row.get("DOI") or "") for row in updates)
    preprints = members(at(work, "relation", "has-preprint"), dict)
    people = [row for role in ("author", "editor") for row in members(work.get(role), dict)]
    kind, licences = work.get("type"), members(work.get("license"), dict)
    venues = members(work.get("container-title"), str)[:: -1 if kind in CHAPTERS else 1]
    rows = [(str(row.get("URL") or ""), row.get("content-version") == "tdm") for row in licences]
    # one of Creative Commons, else the first that is not for text mining alone
    licence = min(rows, key=lambda row: (CREATIVE_COMMONS not in row[0], row[1]), default=("", False))[0]
    return make_paper(
        NAME,
        f"{title}: {subtitle}" if has_subtitle else title,
        authors=[_author(row) for row in members(work.get("author") or work.get("editor"), dict)],
        year=_year(work.get("issued")) or _year(work.get("published")),
        venue=_first(venues) or _first(work.get("short-container-title")),
        abstract=work.get("abstract"),
        url=work.get("URL"),
        pdf_url=next(pdfs, None),
        ids=make_ids(doi=work.get("DOI"), arxiv=[row.get("id") for row in preprints]),
        citations=work.get("is-referenced-by-count"),
        type=TYPES.get(kind, "other") if isinstance(kind, str) else None,
        open_access=True if CREATIVE_COMMONS in licence else None,  # without one the access is unknown
        retracted=any(row.get("type") in RETRACTIONS for row in updates) or None,
        **{name.lower(): work.get(name) for name in ("volume", "issue", "publisher", "language", "ISBN", "ISSN")},
        pages=work.get("page") or work.get("article-number"),
        editors=[_author(row) for row in members(work.get("author") and work.get("editor"), dict)],
        organisations=organisations_of(row.get("name") for row in people),
        license=licence,
        notices=[f"{name.replace('_', ' ').capitalize()}: {doi}".rstrip(": ") for name, doi in notices],
    )


def _first(value: object) -> str | None:
    return next(iter(members(value, str)), None)


def _author(row: Record) -> object:
    """Return the name of a person, or of a group."""
    return join_name(row.get("given"), row.get("family"), row.get("suffix")) or row.get("name")


def _year(date: object) -> object:
    """Return the year of {"date-parts": [[year, month, day]]}, all of which may be missing or null."""
    parts = next(iter(members(at(date, "date-parts"), list)), [])
    return parts[0] if parts else None


MAX_QUERY = 1500
"""Characters of the text in an address, of which Crossref's server accepts about 8,000."""


class Crossref(ApiSource):
    """Crossref, in its polite pool if an email address is set."""

    name = NAME
    default_wait = timedelta(seconds=5)
    """After a rate limit without a time: "wait a short while"."""
    read = staticmethod(read_work)

    def __init__(self, settings: PaperSettings, connections: Connections) -> None:
        self._mailto = settings.crossref_mailto
        self._pool = "polite" if self._mailto else "public"
        self.max_in_flight = CROSSREF_IN_FLIGHT[self._pool]
        super().__init__(settings, connections)

    def headers(self) -> Mapping[str, str]:
        """Name the program, with the email address."""
        return {"user-agent": f"{USER_AGENT} (mailto:{self._mailto})"} if self._mailto else {}

    @staticmethod
    def write(query: PaperQuery, constraints: Constraints) -> Asked:
        """Write a query: Crossref has no operators, and ranks by how many of the words a record has."""
        params = {
            "query.author": " ".join(map(wording, constraints.authors)) or None,
            "query.container-title": " ".join(map(wording, constraints.venues)) or None,
            "filter": ",".join(_filters(constraints)) or None,
        }
        asked = write_query(query, constraints, NAME, MAX_QUERY, length=encoded_length)
        return with_params(asked, "query.bibliographic", params)

    def write_look_up(self, dois: Sequence[str]) -> Asked:
        """Ask for works by a filter, whose values commas separate; without any it would ask for all works."""
        wanted = ",".join(f"doi:{doi}" for doi in dois if "," not in doi)
        return Asked(wanted, {"filter": wanted})

    def fetch(self, asked: Asked, rows: int, deadline: Deadline) -> tuple[object, object]:
        """Send a search, or the filter of a look-up."""
        params = {**asked.params, "rows": str(rows), "select": SELECT}
        if self._mailto:
            params["mailto"] = self._mailto
        message = read_object(self.send("/works", params, deadline, limit=self._pool), self.title).get("message")
        return at(message, "items"), at(message, "total-results")


def _filters(constraints: Constraints) -> list[str]:
    """Write the filters; several types are alternatives."""
    filters = []
    if constraints.year_from:
        filters.append(f"from-pub-date:{constraints.year_from}")
    if constraints.year_to:
        filters.append(f"until-pub-date:{constraints.year_to}")
    if constraints.types and set(constraints.types) <= set(TYPES.values()):
        filters += [f"type:{name}" for name, kind in TYPES.items() if kind in constraints.types]
    return filters
