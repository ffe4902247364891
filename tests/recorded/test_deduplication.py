"""Recorded answers of several sources to the same look-ups are the papers that they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from goldpan.kinds.papers.deduplication.deduplicator import Record, deduplicate
from goldpan.kinds.papers.identifiers import normalise_openalex
from goldpan.kinds.papers.models import Paper, PaperIds

from tests.recorded.recordings import recorded_exchanges

TWO_REPORTS = "Convalescent-anti-sars-cov-2-plasma/immune-globulin"
SOURCES = {
    "api.crossref.org": "crossref",
    "api.semanticscholar.org": "semantic_scholar",
    "api.openalex.org": "openalex",
    "api.unpaywall.org": "unpaywall",
}


def test_recorded_answers_of_four_sources_are_the_papers_that_they_are() -> None:
    """A preprint joins its publication; two case reports of one title and year have two DOIs, and are two papers."""
    records = list(_records())
    assert {record.paper.source for record in records} == set(SOURCES.values())
    found = deduplicate(records)
    titles = Counter(group.merged.paper.title for group in found.groups)
    assert (len(records), len(found.groups)) == (77, 16)
    assert [title for title, count in titles.items() if count > 1] == [TWO_REPORTS]
    chemistry = next(group for group in found.groups if "10.1038/s42256-024-00832-8" in group.merged.id)
    assert {"crossref", "semantic_scholar", "openalex"} <= set(chemistry.merged.sources)
    assert [version.arxiv for version in chemistry.merged.versions] == [None, "2304.05376"]
    assert found.undecided == ()


def _records() -> Iterator[Record]:
    number = 0
    for exchange in recorded_exchanges("mixed_sources"):
        source = SOURCES[urlsplit(exchange["url"]).hostname or ""]
        for raw in _items(exchange["body"]):
            if (paper := _paper(source, raw)) is not None:
                number += 1
                yield Record(str(number), paper)


def _items(body: Any) -> list[dict[str, Any]]:
    if not isinstance(body, dict):
        return []
    inner = body.get("message", body)
    if not isinstance(inner, dict):
        return []
    listed = next((inner[name] for name in ("items", "data", "results") if name in inner), [inner])
    return [item.get("response", item) for item in listed if isinstance(item, dict)]


def _paper(source: str, raw: dict[str, Any]) -> Paper | None:
    """Read what the four sources share; an answer without a title is no record."""
    title = raw.get("title")
    title = title[0] if isinstance(title, list) and title else title
    if not isinstance(title, str):
        return None
    external = raw.get("externalIds") or {}
    dates = raw.get("published", {}).get("date-parts") if isinstance(raw.get("published"), dict) else None
    ids = PaperIds(
        doi=raw.get("DOI") or raw.get("doi") or external.get("DOI"),
        arxiv=external.get("ArXiv"),
        pmid=external.get("PubMed"),
        openalex=normalise_openalex(raw.get("id")),
        semantic_scholar=raw.get("paperId"),
    )
    return Paper(
        source=source,
        title=title,
        authors=tuple(_name(author) for author in raw.get("author") or raw.get("authors") or ()),
        year=raw.get("year") or raw.get("publication_year") or (dates[0][0] if dates else None),
        type="preprint" if raw.get("type") in {"preprint", "posted-content"} else None,
        ids=ids,
    )


def _name(raw: dict[str, Any]) -> str:
    return str(raw.get("name") or f"{raw.get('given', '')} {raw.get('family', '')}".strip())
