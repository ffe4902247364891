"""Maps the works of Crossref to papers. Source: the format of a work at api.crossref.org."""

from __future__ import annotations

from collections.abc import Mapping

from goldpan.kinds.papers.constraints import PaperType
from goldpan.kinds.papers.models import Paper
from goldpan.kinds.papers.sources.records import Record, at, make_ids, make_paper, members

NAME = "crossref"
RETRACTIONS = ("retraction", "withdrawal", "removal", "partial_retraction")
SELECT = (
    "DOI,title,subtitle,author,editor,container-title,short-container-title,issued,published,type,abstract,URL,link,"
    "license,is-referenced-by-count,relation,updated-by"
)
TYPES: Mapping[str, PaperType] = {
    "journal-article": "article",
    "posted-content": "preprint",
    "proceedings-article": "conference",
    "book": "book",
    "monograph": "book",
    "edited-book": "book",
    "reference-book": "book",
    "book-chapter": "chapter",
    "book-section": "chapter",
    "book-part": "chapter",
    "dissertation": "thesis",
    "dataset": "dataset",
}


def read_work(work: Record) -> Paper | None:
    """Map a work; titles and venues are lists, of which the first member counts. None without a title."""
    links = members(work.get("link"), dict)
    pdfs = (link.get("URL") for link in links if link.get("content-type") == "application/pdf")
    kind = work.get("type")
    return make_paper(
        NAME,
        _title(work),
        authors=[_author(row) for row in members(work.get("author") or work.get("editor"), dict)],
        year=_year(work.get("issued")) or _year(work.get("published")),
        venue=_first(work.get("container-title")) or _first(work.get("short-container-title")),
        abstract=work.get("abstract"),
        url=work.get("URL"),
        pdf_url=next(pdfs, None),
        ids=make_ids(doi=work.get("DOI"), arxiv=_preprints(work.get("relation"))),
        citations=work.get("is-referenced-by-count"),
        type=TYPES.get(kind, "other") if isinstance(kind, str) else None,
        open_access=_has_open_licence(work.get("license")),
        retracted=_is_retracted(work.get("updated-by")),
    )


def _title(work: Record) -> str | None:
    title, subtitle = _first(work.get("title")), _first(work.get("subtitle"))
    if not title or not subtitle or subtitle.lower() in title.lower():
        return title
    return f"{title}: {subtitle}"


def _first(value: object) -> str | None:
    return next(iter(members(value, str)), None)


def _author(row: Record) -> str | None:
    """Return "Given Family", or the name of a group."""
    parts = [part for part in (row.get("given"), row.get("family")) if isinstance(part, str)]
    name = row.get("name")
    return " ".join(parts) or (name if isinstance(name, str) else None)


def _year(date: object) -> object:
    """Return the year of {"date-parts": [[year, month, day]]}, all of which may be missing or null."""
    parts = next(iter(members(at(date, "date-parts"), list)), [])
    return parts[0] if parts else None


def _preprints(relation: object) -> list[object]:
    """List the identifiers of the preprints of a publication, of which those of arXiv are used."""
    return [at(row, "id") for row in members(at(relation, "has-preprint"), dict)]


def _has_open_licence(licences: object) -> bool | None:
    """Return True for a Creative Commons licence; without one the access is unknown."""
    addresses = [at(row, "URL") for row in members(licences, dict)]
    return True if any("creativecommons.org/" in url for url in members(addresses, str)) else None


def _is_retracted(updates: object) -> bool | None:
    return True if any(at(row, "type") in RETRACTIONS for row in members(updates, dict)) else None
