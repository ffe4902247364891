"""An index in memory, which `--data-dir` searches."""

from __future__ import annotations

from pathlib import Path

from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import LibraryPaper
from goldpan.kinds.papers.sources.library.writer import LibraryWriter

PAPERS = [
    LibraryPaper(id="a", title="Replaced attention", authors=("Ada Lovelace",)),
    LibraryPaper(
        id="b",
        title="\u201cGödel\u2019s\u201d proofs \u2013 attention\u2026",
        abstract="On attention.",
        year=1931,
        tags=("logic",),
    ),
    LibraryPaper(id="a", title="Sparse attention", summary="Attention in C++.", authors=("Kurt Gödel",), venue="X"),
]


def test_it_finds_what_an_imported_library_finds(tmp_path: Path) -> None:
    """In the same order, with the same scores; of papers with the same id the last one counts."""
    with LibraryWriter.open(tmp_path / "x.sqlite") as writer:
        writer.replace_origin("papers", "1", PAPERS)
    with LibraryIndex.open(tmp_path / "x.sqlite") as imported, LibraryIndex.of_papers(PAPERS, "x") as in_memory:
        assert in_memory.count == imported.count == 2
        assert in_memory.version != imported.version
        for query in ("attention", "godel", "gödel's proofs", "C++", "author:Gödel", '"proofs attention"', "1931"):
            assert in_memory.search(query) == imported.search(query), query
        assert [hit.paper.id for hit in in_memory.search("proofs").results] == ["b"]
