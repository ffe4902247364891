"""Reads the records of Europe PMC in their `core` form: https://europepmc.org/RestfulWebService, "Result types".

Everything but the title can be missing: a preprint has no journal, a record of PubMed may have no abstract.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from goldpan.kinds.papers.constraints import PaperType
from goldpan.kinds.papers.models import Paper
from goldpan.kinds.papers.sources.records import Record, at, make_ids, make_paper, members

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


def read_record(record: Record) -> Paper | None:
    """Read a paper; None without a title."""
    kinds = {kind.lower() for kind in members(at(record, "pubTypeList", "pubType"), str)}
    source, number = at(record, "source"), at(record, "id")
    ids = make_ids(doi=at(record, "doi"), pmid=at(record, "pmid"), pmcid=at(record, "pmcid"))
    address = None
    if isinstance(source, str) and isinstance(number, str):
        address = f"https://europepmc.org/article/{quote(source)}/{quote(number)}"
        if not ids.pmid:
            ids = ids.model_copy(update={"other": {"europe_pmc": f"{source}:{number}"[:100]}})
    return make_paper(
        "europe_pmc",
        _title(at(record, "title")),
        authors=_authors(record),
        year=at(record, "pubYear") or at(record, "journalInfo", "yearOfPublication"),
        venue=at(record, "journalInfo", "journal", "title") or at(record, "bookOrReportDetails", "publisher"),
        abstract=at(record, "abstractText"),
        url=address,
        pdf_url=_pdf_url(record),
        ids=ids,
        citations=at(record, "citedByCount"),
        type="preprint" if source == "PPR" else _type(kinds),
        open_access={"Y": True, "N": False}.get(str(at(record, "isOpenAccess"))),
        retracted=True if RETRACTED in kinds else None,
    )


def _title(title: object) -> object:
    """Leave out the full stop with which PubMed ends every title."""
    return title[:-1] if isinstance(title, str) and title.endswith(".") and not title.endswith("..") else title


def _authors(record: Record) -> Iterator[str]:
    listed = members(at(record, "authorList", "author"), dict)
    for author in listed:
        first, last = author.get("firstName"), author.get("lastName")
        full = f"{first} {last}" if isinstance(first, str) and isinstance(last, str) else author.get("fullName")
        name = full or author.get("collectiveName")
        if isinstance(name, str):
            yield name
    text = at(record, "authorString")
    if not listed and isinstance(text, str):
        yield from text.rstrip(".").split(", ")


def _type(kinds: set[str]) -> PaperType | None:
    return next((name for name, names in TYPES if kinds & names), None)


def _pdf_url(record: Record) -> object:
    """Return the address of a PDF that everybody may read."""
    links = members(at(record, "fullTextUrlList", "fullTextUrl"), dict)
    pdfs = (link for link in links if link.get("documentStyle") == "pdf" and link.get("availabilityCode") in FREE)
    return next((link.get("url") for link in pdfs), None)
