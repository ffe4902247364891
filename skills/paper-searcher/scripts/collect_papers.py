"""Search the sources of papers for a question, and add what is found to DIR/index/papers.json.

    python collect_papers.py --query "attention mechanisms" --data-dir ./data --limit 10

A paper whose id the index has already is left as it is. Exit codes: 0 success, 1 nothing found, 2 invalid input, or no
source answered; stderr has the reason.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import search_index  # noqa: F401 - first: it reports a missing goldpan

# isort: split
from goldpan import search
from goldpan.contracts import parse_request
from goldpan.engine.dependencies import Runtime
from goldpan.errors import InvalidRequest, TerminalError
from goldpan.escaping import plain
from goldpan.kinds.papers.models import KIND
from goldpan_local.exit_codes import write_json
from goldpan_local.files import write_whole
from goldpan_local.library_files.records import DATA_DIR, INDEX_FILE

FIELDS = {
    "id", "title", "authors", "year", "venue", "type", "abstract", "url", "pdf_url", "ids", "citations", "open_access",
}  # fmt: skip
"""What a paper of the index has of a result."""


def collect_papers(query: str, data_dir: Path, limit: int, runtime: Runtime | None = None) -> dict[str, object]:
    """Add the papers for a question to an index, and return them. Raises `InvalidRequest` or `TerminalError`."""
    request = parse_request({"query": query, "kinds": [KIND], "max_results": limit})
    file = data_dir / INDEX_FILE
    _papers_of(file)  # a wrong file is refused before the search
    answer = search(request, runtime=runtime)
    papers = _papers_of(file)  # with what another run has added meanwhile
    known = {paper.get("id") for paper in papers if isinstance(paper, dict)}
    found = answer.papers.results if answer.papers else ()
    rows = [paper.model_dump(mode="json", include=FIELDS, exclude_defaults=True) for paper in found]
    added = [row for row in rows if row["id"] not in known]
    if added:
        text = json.dumps({KIND: [*papers, *added]}, ensure_ascii=False, indent=2)
        write_whole(f"{text}\n", file, private=True)
    return {
        "query": request.query,
        "found": len(rows),
        "added": [{"id": row["id"], "title": row["title"]} for row in added],
        "count": len(papers) + len(added),
        "warnings": [*answer.warnings, *(error.error for error in answer.errors)],
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Collect as the arguments say, print what was added, and return the exit code."""
    parser = argparse.ArgumentParser(description="Add papers for a question to an index; prints JSON.")
    parser.add_argument("--query", required=True, help="the question, at most 500 characters")
    parser.add_argument("--data-dir", type=Path, default=DATA_DIR, help="the folder that has index/papers.json")
    parser.add_argument("--limit", type=int, default=10, help="the number of papers, at most 25")
    options = parser.parse_args(arguments)
    try:
        collected = collect_papers(options.query, options.data_dir, options.limit)
    except (TerminalError, OSError) as error:
        print(plain(str(error)), file=sys.stderr)
        return 2
    write_json(json.dumps(collected, ensure_ascii=False, indent=2))
    return 0 if collected["found"] else 1


def _papers_of(file: Path) -> list[object]:
    """Return the papers of an index as they are, none if there is no file."""
    try:
        document = json.loads(file.read_text("utf-8-sig")) if file.exists() else {KIND: []}
        papers = document[KIND] if isinstance(document, dict) else document
    except (ValueError, KeyError):
        papers = None
    if not isinstance(papers, list):
        raise InvalidRequest(f'{file}: has no list of papers, {{"{KIND}": [...]}}, to which some could be added')
    return papers


if __name__ == "__main__":
    sys.exit(main())
