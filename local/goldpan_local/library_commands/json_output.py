"""The results of a library's search, and its passages, as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from goldpan.escaping import escape_json
from goldpan.kinds.papers.sources.library.models import Chunk, LibraryResult


def render_result(result: LibraryResult) -> str:
    """Render the papers; `count` is the number of all that match."""
    papers = [
        {
            "id": hit.paper.id,
            "title": hit.paper.title,
            "authors": list(hit.paper.authors),
            "score": round(hit.score, 4),
            "excerpt": hit.excerpt,
        }
        for hit in result.results
    ]
    return _document({"query": result.query, "count": result.count, "results": papers})


def render_chunks(query: str, chunks: Sequence[Chunk]) -> str:
    """Render the passages with all of their fields."""
    return _document({"query": query, "count": len(chunks), "chunks": [chunk.model_dump() for chunk in chunks]})


def _document(value: dict[str, Any]) -> str:
    return escape_json(json.dumps(value, ensure_ascii=False, indent=2)) + "\n"
