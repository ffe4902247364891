"""Maps the works of OpenAlex to papers. Source: "Works" at developers.openalex.org."""

from __future__ import annotations

from collections.abc import Mapping

from goldpan.kinds.papers.constraints import PaperType
from goldpan.kinds.papers.identifiers import normalise_openalex
from goldpan.kinds.papers.models import Paper
from goldpan.kinds.papers.sources.records import Record, at, make_ids, make_paper, members

NAME = "openalex"
MAX_WORDS = 3000
"""Words of an abstract that are read."""
SELECT = (
    "id,doi,ids,display_name,publication_year,type,authorships,primary_location,best_oa_location,open_access,"
    "cited_by_count,is_retracted,abstract_inverted_index"
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
    ids, primary, best = work.get("ids"), work.get("primary_location"), work.get("best_oa_location")
    return make_paper(
        NAME,
        work.get("display_name") or work.get("title"),
        authors=[_author(row) for row in members(work.get("authorships"), dict)],
        year=work.get("publication_year"),
        venue=at(primary, "source", "display_name"),
        abstract=restore_abstract(work.get("abstract_inverted_index")),
        url=work.get("doi") or at(primary, "landing_page_url") or work.get("id"),
        pdf_url=at(best, "pdf_url") or at(primary, "pdf_url"),
        ids=make_ids(
            doi=work.get("doi") or at(ids, "doi"),
            arxiv=[at(place, name) for place in (primary, best) for name in ("landing_page_url", "pdf_url")],
            pmid=at(ids, "pmid"),
            pmcid=_pmcid(at(ids, "pmcid")),
            openalex=normalise_openalex(work.get("id")),
        ),
        citations=work.get("cited_by_count"),
        type=_type(work.get("type"), at(primary, "source", "type")),
        open_access=at(work, "open_access", "is_oa"),
        retracted=work.get("is_retracted"),
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


def _author(row: Record) -> str | None:
    """Return the name of the author's profile, else the name as the paper has it."""
    profile, raw = at(row, "author", "display_name"), row.get("raw_author_name")
    name = profile if isinstance(profile, str) and profile else raw
    return name if isinstance(name, str) else None


def _pmcid(address: object) -> object:
    """Return the last part of an address, which lacks its PMC in some records."""
    last = address.rstrip("/").rpartition("/")[2] if isinstance(address, str) else ""
    return f"PMC{last}" if last.isdecimal() else last


def _type(name: object, venue_type: object) -> PaperType | None:
    if not isinstance(name, str):
        return None
    return "conference" if name == "article" and venue_type == "conference" else TYPES.get(name, "other")
