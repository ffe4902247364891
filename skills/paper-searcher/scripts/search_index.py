"""Search the papers of DIR/index/papers.json by words, and print the best as JSON.

    python search_index.py --query "attention mechanisms" --data-dir ./data --limit 10

The ranking and the excerpts are those of `goldpan library search`. Exit codes: 0 found, 1 nothing found, 2 invalid
input, or no papers yet; stderr has the reason.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

try:
    from goldpan.errors import InvalidRequest, TerminalError
    from goldpan.escaping import plain
    from goldpan.kinds.papers.input_files.input_record import InputCounts, known_fields
    from goldpan.kinds.papers.paper_text import STOP_TERMS
    from goldpan.kinds.papers.sources.library.excerpts import QueryWords, beginning, marked_excerpt
    from goldpan.kinds.papers.sources.library.folding import tokens
    from goldpan.kinds.papers.sources.library.index import LibraryIndex
    from goldpan.kinds.papers.sources.library.models import MAX_QUERY, NO_FILTERS, LibraryPaper, LibraryResult
    from goldpan.kinds.papers.sources.library.query import read_query
    from goldpan.kinds.papers.sources.library.requests import LibraryRow
    from goldpan.text import stemmed
    from goldpan_local.exit_codes import write_json
    from goldpan_local.library_files.records import DATA_DIR, SHOWN, data_directory_papers, make_library_paper
except ModuleNotFoundError as error:
    print(f"{error.name} is not installed for {sys.executable}: use the Python that has goldpan", file=sys.stderr)
    sys.exit(2)

NO_PAPERS = "No papers collected yet. Run /paper-collect first."


def load_index(data_dir: Path) -> dict[str, list[dict[str, object]]]:
    """Load the papers of a directory; stderr has what is left out. Raises `InvalidRequest`, also if there are none."""
    found, reading = data_directory_papers(None if data_dir == DATA_DIR else data_dir, NO_PAPERS)
    papers = [paper.model_dump() for paper in found]
    for note in reading.notes():
        print(plain(note), file=sys.stderr)
    if not papers:
        raise InvalidRequest(NO_PAPERS)
    return {"papers": papers}


def tokenize_query(query: str) -> list[str]:
    """Split a query into keywords in lower case, without signs, stop words and the words that it excludes."""
    searched = [token for text in read_query(query[:MAX_QUERY], NO_FILTERS).terms for token in tokens(text)]
    return [token for token in searched if stemmed(token) not in STOP_TERMS] or searched


def search_paper(paper: Mapping[str, object], keywords: Sequence[str]) -> float:
    """Calculate the score of one paper by itself: matches in the title count 3, in the abstract 2, in the summary 1."""
    if not keywords:
        return 0.0
    counts = InputCounts()
    own = make_library_paper(known_fields(paper, counts), "paper", counts)
    with LibraryIndex.of_papers([own]) as index:
        return max((hit.score for hit in index.search(" ".join(keywords)).results), default=0.0)


def extract_excerpt(text: str, keywords: Sequence[str], context: int = 50) -> str:
    """Return the first keyword with its surroundings, keywords between `**`; without one, the beginning of the text."""
    words = QueryWords(stemmed(token) for keyword in keywords for token in tokens(keyword))
    single = " ".join(text.split())
    return marked_excerpt(single, words, context) or beginning(single)


def search_papers(query: str, data_dir: Path, limit: int) -> list[dict[str, object]]:
    """Return the best papers for a query, at most `limit`, best first. Raises `InvalidRequest`."""
    return _rows(_search(query, data_dir, limit))


def main(arguments: Sequence[str] | None = None) -> int:
    """Search as the arguments say, print the result, and return the exit code."""
    parser = argparse.ArgumentParser(description="Search the papers of an index by words; prints JSON.")
    parser.add_argument("--query", required=True, help="what to search for, at most 500 characters")
    parser.add_argument("--data-dir", type=Path, default=DATA_DIR, help="the folder that has index/papers.json")
    parser.add_argument("--limit", type=int, default=10, help="the number of results")
    options = parser.parse_args(arguments)
    try:
        found = _search(options.query, options.data_dir, options.limit)
    except TerminalError as error:
        print(plain(str(error)), file=sys.stderr)
        return 2
    answer = {"query": found.query, "count": found.count, "results": _rows(found)}
    write_json(json.dumps(answer, ensure_ascii=False, indent=2))
    if not found.count:
        print(plain(f"No papers found matching '{found.query}'"), file=sys.stderr)
    return 0 if found.count else 1


def _search(query: str, data_dir: Path, limit: int) -> LibraryResult:
    """Search the index of a directory; a query is cut to the length that a library reads."""
    if not query.strip():
        raise InvalidRequest("Query cannot be empty")
    if limit < 0:
        raise InvalidRequest(f"--limit: must be at least 0 (given {limit})")
    index = load_index(data_dir)
    with LibraryIndex.of_papers(map(LibraryPaper.model_validate, index["papers"])) as library:
        return library.search(query.strip()[:MAX_QUERY], limit)


def _rows(found: LibraryResult) -> list[dict[str, object]]:
    return [LibraryRow.of(hit).model_dump(mode="json", include=SHOWN) for hit in found.results]


if __name__ == "__main__":
    sys.exit(main())
