"""Europe PMC as a source of papers: https://europepmc.org/RestfulWebService, and https://europepmc.org/searchsyntax.

Records have the form "core", in which all but the title can be missing: a preprint has no journal.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import quote

from goldpan.engine.deadlines import Deadline
from goldpan.errors import Refused, Unavailable
from goldpan.infra.redaction import one_line
from goldpan.kinds.papers.constraints import Constraints, PaperType
from goldpan.kinds.papers.models import Paper, PaperQuery
from goldpan.kinds.papers.person_names import join_name, organisations_of
from goldpan.kinds.papers.sources.api import ApiSource
from goldpan.kinds.papers.sources.queries import Asked, any_of, in_field, name_and_initial, write_query
from goldpan.kinds.papers.sources.records import Record, at, make_ids, make_paper, members, read_count, read_object

TYPES: tuple[tuple[PaperType, frozenset[str]], ...] = (
    ("preprint", frozenset({"preprint"})),
    ("review", frozenset({"review", "review-article", "systematic review", "systematic-review", "meta-analysis"})),
    ("thesis", frozenset({"thesis", "academic dissertation"})),
    ("chapter", frozenset({"book chapter", "chapter"})),
    ("book", frozenset({"book", "books & documents"})),
    ("conference", frozenset({"congress", "conference-paper", "meeting-report"})),
    ("dataset", frozenset({"dataset", "data-paper"})),
    ("other", frozenset({"editorial", "letter", "comment", "news", "published erratum", "retraction of publication"})),
    ("article", frozenset({"research-article", "journal article", "research article", "brief-report"})),
)
"""By the publication types of PubMed and of PubMed Central; the first of which a record has one."""
FREE = {"OA", "F"}
"""The availability of a full text that everybody may read."""
RETRACTED = "retracted publication"
NOTICES = frozenset({"Retraction", "Erratum", "Corrected and republished", "Expression of concern"})


def read_record(record: Record) -> Paper | None:
    """Read a paper; None without a title."""
    kinds = {kind.lower() for kind in members(at(record, "pubTypeList", "pubType"), str)}
    title = at(record, "title")
    if isinstance(title, str) and title.endswith(".") and not title.endswith(".."):  # so ends every title of PubMed
        title = title[:-1]
    source, number = at(record, "source"), at(record, "id")
    ids = make_ids(doi=at(record, "doi"), pmid=at(record, "pmid"), pmcid=at(record, "pmcid"))
    listed = members(at(record, "authorList", "author"), dict)
    links = members(at(record, "fullTextUrlList", "fullTextUrl"), dict)
    pdfs = (link for link in links if link.get("documentStyle") == "pdf" and link.get("availabilityCode") in FREE)
    address = None
    if isinstance(source, str) and isinstance(number, str):
        address = f"https://europepmc.org/article/{quote(source)}/{quote(number)}"
        if not ids.pmid:
            ids = ids.model_copy(update={"other": {"europe_pmc": f"{source}:{number}"[:100]}})
    return make_paper(
        "europe_pmc",
        title,
        authors=_authors(listed, at(record, "authorString")),
        organisations=organisations_of(row.get("collectiveName") for row in listed),
        year=at(record, "pubYear") or at(record, "journalInfo", "yearOfPublication"),
        venue=at(record, "journalInfo", "journal", "title") or at(record, "bookOrReportDetails", "publisher"),
        abstract=at(record, "abstractText"),
        url=address,
        pdf_url=next((link.get("url") for link in pdfs), None),
        ids=ids,
        citations=at(record, "citedByCount"),
        type="preprint" if source == "PPR" else next((name for name, names in TYPES if kinds & names), None),
        open_access={"Y": True, "N": False}.get(str(at(record, "isOpenAccess"))),
        retracted=True if RETRACTED in kinds else None,
        volume=at(record, "journalInfo", "volume"),
        issue=at(record, "journalInfo", "issue"),
        pages=at(record, "pageInfo"),
        publisher=at(record, "bookOrReportDetails", "publisher"),
        issn=at(record, "journalInfo", "journal", "issn") or at(record, "journalInfo", "journal", "essn"),
        isbn=at(record, "bookOrReportDetails", "isbn13") or at(record, "bookOrReportDetails", "isbn10"),
        language=at(record, "language"),
        license=at(record, "license"),
        notices=_notices(at(record, "commentCorrectionList", "commentCorrection")),
    )


def _authors(listed: Sequence[Record], text: object) -> Iterator[object]:
    for author in listed:
        first, last = author.get("firstName"), author.get("lastName")
        full = join_name(first, last) if isinstance(first, str) and isinstance(last, str) else author.get("fullName")
        yield full or author.get("collectiveName")
    if not listed and isinstance(text, str):
        yield from text.rstrip(".").split(", ")


def _notices(listed: object) -> list[str]:
    """Name what corrects or retracts a paper: "Erratum in", "Retraction in", each with its PubMed id or reference."""
    notices: list[str] = []
    for row in members(listed, dict):
        kind, source, number = str(row.get("type")).removesuffix(" in"), row.get("source"), row.get("id")
        place = f"{source}:{number}" if source and number else str(row.get("reference") or "")
        notices += [f"{kind}: {place}".removesuffix(": ")] if kind in NOTICES else []
    return notices


LONGEST_QUERY = 1500
"""Characters, up to which the documentation recommends GET."""
FIRST_YEAR, LAST_YEAR = 1000, 3000
"""A year before all papers, and the one by which Europe PMC writes that a range has no end."""
TYPE_FILTERS: Mapping[PaperType, str] = {
    "preprint": "SRC:PPR",
    "review": 'PUB_TYPE:"review"',
    "article": '(PUB_TYPE:"journal article" OR PUB_TYPE:"research-article")',
    "book": 'PUB_TYPE:"book"',
    "thesis": "SRC:ETH",
}
"""The types by which Europe PMC can filter."""
PATENTS = "SRC:PAT"


class EuropePMC(ApiSource):
    """Europe PMC as a source of papers."""

    name = "europe_pmc"
    read = staticmethod(read_record)

    @staticmethod
    def write(query: PaperQuery, constraints: Constraints) -> Asked:
        """Write a query whose concepts are in title, abstract or keywords: it would search full texts as well."""
        asked = write_query(query, constraints, "europe_pmc", LONGEST_QUERY, _write_wording, _filters(constraints))
        if not asked.text:
            return asked
        types = [TYPE_FILTERS[name] for name in constraints.excluded_types if name in TYPE_FILTERS]
        titles = [text for term in constraints.excluded_terms if (text := in_field("TITLE", term))]
        return replace(asked, text=" NOT ".join([asked.text, PATENTS, *types, *titles]))

    def write_look_up(self, dois: Sequence[str]) -> Asked:
        """Ask for any of the DOIs, of which one may have several records."""
        escaped = (doi.replace("\\", "\\\\").replace('"', '\\"') for doi in dois)
        return Asked(" OR ".join(f'DOI:"{doi}"' for doi in escaped))

    def fetch(self, asked: Asked, rows: int, deadline: Deadline) -> tuple[object, object]:
        """Send a query; one that cannot be parsed is reported with status 200."""
        params = {"query": asked.text, "format": "json", "resultType": "core", "pageSize": str(rows)}
        body = read_object(self.send("/search", params, deadline), self.title)
        if message := at(body, "errMsg"):
            raise Refused(f"{self.title} refused the query ({one_line(message)})")
        if read_count(body.get("hitCount")) is None:
            raise Unavailable(f"{self.title}'s response does not say how many papers it found")
        return at(body, "resultList", "result") or [], body["hitCount"]


def _write_wording(text: str) -> str:
    return "(" + " OR ".join(in_field(name, text) for name in ("TITLE", "ABSTRACT", "KW")) + ")"


def _filters(constraints: Constraints) -> Iterator[str]:
    first, last = constraints.year_from, constraints.year_to
    if first or last:
        yield f"PUB_YEAR:[{first or FIRST_YEAR} TO {last or LAST_YEAR}]"
    if constraints.open_access:
        yield "OPEN_ACCESS:y"
    if constraints.types and all(name in TYPE_FILTERS for name in constraints.types):
        yield from any_of([TYPE_FILTERS[name] for name in constraints.types])
    names = (" ".join(name_and_initial(author)) for author in constraints.authors)
    yield from (text for name in names if (text := in_field("AUTH", name)))
    yield from any_of([in_field("JOURNAL", venue) for venue in constraints.venues])
