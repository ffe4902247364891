"""What the searches of a library have in common: the query, and how results are written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from goldpan.errors import InvalidRequest
from goldpan.escaping import plain
from goldpan.kinds.papers.sources.library.index import checked
from goldpan.kinds.papers.sources.library.models import Chunk, LibraryResult
from goldpan.kinds.papers.sources.library.requests import LibraryRow

from goldpan_local.exit_codes import NOTHING_FOUND, SUCCESS, write_for_terminal, write_json, write_notes

FIELDS = {"id", "title", "authors", "score", "excerpt"}
"""What JSON has of a paper."""


def read_query(words: Sequence[str] | None, query: str | None) -> str:
    """Return the query: the words, or the option. Raises `InvalidRequest` if it is empty or too long."""
    if words and query is not None:
        raise InvalidRequest("--query: the query is given twice; leave out QUERY or --query")
    return checked(" ".join((query if query is not None else " ".join(words or ())).split()))


def write_papers(result: LibraryResult, query: str, output_format: str) -> int:
    """Print the papers, and return the exit code; `count` in JSON is the number of all that match."""
    papers = [LibraryRow.of(hit).model_dump(include=FIELDS) for hit in result.results]
    return _write(result, {"query": result.query, "count": result.count, "results": papers}, query, output_format)


def write_passages(chunks: Sequence[Chunk], query: str, output_format: str) -> int:
    """Print the passages, and return the exit code; in JSON with all of their fields."""
    passages = [chunk.model_dump() for chunk in chunks]
    return _write(chunks, {"query": query, "count": len(chunks), "chunks": passages}, query, output_format)


def _write(
    found: LibraryResult | Sequence[Chunk], document: Mapping[str, object], query: str, output_format: str
) -> int:
    nothing = [] if document["count"] else [f"No papers found matching '{query}'"]
    if output_format == "json":
        write_json(json.dumps(document, ensure_ascii=False, indent=2))
        write_notes(nothing)
    elif nothing:
        write_for_terminal(f"{plain(nothing[0])}\n")
    else:
        from goldpan_local.library_commands.table import render_table  # noqa: PLC0415 - imports rich

        write_for_terminal(render_table(found))
    return NOTHING_FOUND if nothing else SUCCESS
