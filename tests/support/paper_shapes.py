"""Writes papers as each source does: the shapes of their real responses, of which only what goldpan reads."""

from collections.abc import Mapping, Sequence
from hashlib import sha1
from html import escape
from typing import Any

Facts = Mapping[str, Any]
"""title, and if known: authors year venue abstract doi arxiv pmid citations open_access pdf_url type retracted."""


def number_of(facts: Facts) -> int:
    """Return a number that identifies the paper in all sources."""
    return int(sha1(facts["title"].encode(), usedforsecurity=False).hexdigest()[:7], 16)


def inverted(abstract: str | None) -> dict[str, list[int]] | None:
    """Write an abstract as OpenAlex does."""
    index: dict[str, list[int]] = {}
    for place, word in enumerate((abstract or "").split()):
        index.setdefault(word, []).append(place)
    return index or None


def openalex_work(facts: Facts) -> dict[str, Any]:
    """Write a work of OpenAlex."""
    doi = f"https://doi.org/{facts['doi']}" if facts.get("doi") else None
    work_id = f"https://openalex.org/W{number_of(facts)}"
    landing = doi or (f"https://arxiv.org/abs/{facts['arxiv']}" if facts.get("arxiv") else None)
    source = {"display_name": facts["venue"], "type": "journal"} if facts.get("venue") else None
    location = {"landing_page_url": landing, "pdf_url": facts.get("pdf_url"), "source": source}
    return {
        "id": work_id,
        "doi": doi,
        "ids": {"openalex": work_id, "doi": doi, "pmid": facts.get("pmid")},
        "display_name": facts["title"],
        "publication_year": facts.get("year"),
        "type": facts.get("type", "article"),
        "authorships": [{"author": {"display_name": name}} for name in facts.get("authors", ())],
        "primary_location": location,
        "best_oa_location": location if facts.get("open_access") else None,
        "open_access": {"is_oa": bool(facts.get("open_access"))},
        "cited_by_count": facts.get("citations", 0),
        "is_retracted": facts.get("retracted", False),
        "abstract_inverted_index": inverted(facts.get("abstract")),
    }


def crossref_work(facts: Facts) -> dict[str, Any]:
    """Write a work of Crossref, with its abstract in JATS."""
    names = [name.rpartition(" ") for name in facts.get("authors", ())]
    abstract = facts.get("abstract")
    return {
        "DOI": facts["doi"].upper() if facts.get("doi") else None,
        "URL": f"https://doi.org/{facts['doi']}" if facts.get("doi") else None,
        "title": [escape(facts["title"], quote=False)],
        "author": [{"given": given, "family": family, "sequence": "first"} for given, _, family in names],
        "container-title": [facts["venue"]] if facts.get("venue") else [],
        "issued": {"date-parts": [[facts.get("year")]]},
        "type": {"preprint": "posted-content"}.get(facts.get("type", ""), "journal-article"),
        "is-referenced-by-count": facts.get("citations", 0),
        "abstract": f"<jats:title>Abstract</jats:title><jats:p>{escape(abstract)}</jats:p>" if abstract else None,
    }


def semantic_scholar_paper(facts: Facts) -> dict[str, Any]:
    """Write a paper of Semantic Scholar."""
    ids = {"DOI": facts.get("doi"), "ArXiv": facts.get("arxiv"), "PubMed": facts.get("pmid")}
    pdf = facts.get("pdf_url")
    paper_id = sha1(facts["title"].encode(), usedforsecurity=False).hexdigest()
    return {
        "paperId": paper_id,
        "externalIds": {"CorpusId": number_of(facts), **{name: value for name, value in ids.items() if value}},
        "url": f"https://www.semanticscholar.org/paper/{paper_id}",
        "title": facts["title"],
        "abstract": facts.get("abstract"),
        "venue": facts.get("venue") or "",
        "year": facts.get("year"),
        "citationCount": facts.get("citations", 0),
        "isOpenAccess": bool(facts.get("open_access")),
        "openAccessPdf": {"url": pdf, "status": "GREEN", "license": None} if pdf else None,
        "publicationTypes": {"review": ["Review"], "preprint": None}.get(facts.get("type", ""), ["JournalArticle"]),
        "authors": [{"authorId": None, "name": name} for name in facts.get("authors", ())],
    }


def arxiv_feed(papers: Sequence[Facts], available: int) -> bytes:
    """Write a feed of arXiv, in Atom."""
    entries = "".join(map(_arxiv_entry, papers))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" '
        'xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom">'
        f"<opensearch:totalResults>{available}</opensearch:totalResults>{entries}</feed>"
    ).encode()


def _arxiv_entry(facts: Facts) -> str:
    authors = "".join(f"<author><name>{escape(name)}</name></author>" for name in facts.get("authors", ()))
    doi = f"<arxiv:doi>{escape(facts['doi'])}</arxiv:doi>" if facts.get("doi") else ""
    published = f"<published>{facts.get('year') or 2020}-06-01T00:00:00Z</published>"
    return (
        f"<entry><id>http://arxiv.org/abs/{facts['arxiv']}v1</id><title>{escape(facts['title'])}</title>"
        f"<summary>{escape(facts.get('abstract') or '')}</summary>{published}{authors}{doi}</entry>"
    )


def europe_pmc_result(facts: Facts) -> dict[str, Any]:
    """Write a result of Europe PMC, with the result type core."""
    pmid = facts.get("pmid")
    return {
        "id": pmid or f"PPR{number_of(facts)}",
        "source": "MED" if pmid else "PPR",
        **({"pmid": pmid} if pmid else {}),
        **({"doi": facts["doi"]} if facts.get("doi") else {}),
        "title": f"{facts['title']}.",
        "authorString": ", ".join(facts.get("authors", ())),
        "authorList": {"author": [{"fullName": name} for name in facts.get("authors", ())]},
        "journalInfo": {"yearOfPublication": facts.get("year"), "journal": {"title": facts.get("venue")}},
        "pubYear": str(facts["year"]) if facts.get("year") else None,
        "abstractText": facts.get("abstract"),
        "pubTypeList": {"pubType": ["Journal Article"]},
        "isOpenAccess": "Y" if facts.get("open_access") else "N",
        "citedByCount": facts.get("citations", 0),
    }


def serpapi_result(facts: Facts, position: int) -> dict[str, Any]:
    """Write an organic result of Google Scholar: no DOI and no abstract."""
    authors = ", ".join(facts.get("authors", ()))
    link = f"https://arxiv.org/abs/{facts['arxiv']}" if facts.get("arxiv") else f"https://doi.org/{facts.get('doi')}"
    return {
        "position": position,
        "title": facts["title"],
        "result_id": f"r{number_of(facts)}",
        "link": link,
        "snippet": (facts.get("abstract") or "")[:150],
        "publication_info": {"summary": f"{authors} - {facts.get('venue') or ''}, {facts.get('year')} - example.org"},
        "inline_links": {"cited_by": {"total": facts.get("citations", 0)}},
    }
