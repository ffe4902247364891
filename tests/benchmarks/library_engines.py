"""The engines that the benchmark of the library compares: each indexes papers in a folder, and returns ids."""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import bm25s
import Stemmer
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import LibraryPaper
from goldpan.kinds.papers.sources.library.writer import LibraryWriter

_WORD = re.compile(r"\w+")


class Engine(Protocol):
    """Indexes papers when it is made."""

    name: str

    def __init__(self, papers: Iterable[LibraryPaper], folder: Path) -> None: ...

    def open(self) -> None:
        """Open what was written to the folder, anew."""

    def search(self, question: str, limit: int) -> Sequence[str]:
        """Return the ids of the best papers."""


class Words:
    """The library of goldpan, by words."""

    name = "goldpan, words"

    def __init__(self, papers: Iterable[LibraryPaper], folder: Path) -> None:
        self._path = folder / "library.sqlite"
        with LibraryWriter.open(self._path) as writer:
            writer.replace_origin("benchmark", "", papers)
        self.open()

    def open(self) -> None:
        """Open the file."""
        self._index = LibraryIndex.open(self._path)

    def search(self, question: str, limit: int) -> Sequence[str]:
        """Search as a caller does, with excerpts."""
        return [hit.paper.id for hit in self._index.search(question, limit).results]


class PlainFts5:
    """SQLite's FTS5 as its documentation has it."""

    name = "FTS5, plain"

    def __init__(self, papers: Iterable[LibraryPaper], folder: Path) -> None:
        self._path = folder / "plain.sqlite"
        with sqlite3.connect(self._path) as connection:
            connection.execute("CREATE VIRTUAL TABLE t USING fts5 (id UNINDEXED, title, abstract, tokenize='porter')")
            values = ((paper.id, paper.title, paper.abstract) for paper in papers)
            connection.executemany("INSERT INTO t VALUES (?, ?, ?)", values)
        self.open()

    def open(self) -> None:
        """Open the file."""
        self._connection = sqlite3.connect(self._path)

    def search(self, question: str, limit: int) -> Sequence[str]:
        """Join all words with OR."""
        expression = " OR ".join(f'"{word}"' for word in dict.fromkeys(_WORD.findall(question.lower())))
        select = "SELECT id FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT ?"
        return [row[0] for row in self._connection.execute(select, (expression, limit))]


class Bm25s:
    """bm25s with its own stop words and an English stemmer, over title and abstract; in memory."""

    name = "bm25s"

    def __init__(self, papers: Iterable[LibraryPaper], folder: Path) -> None:
        self._folder, self._stemmer = folder, Stemmer.Stemmer("english")
        self._ids, texts = [], []
        for paper in papers:
            self._ids.append(paper.id)
            texts.append(f"{paper.title} {paper.abstract}")
        self._search: Any = bm25s.BM25()
        self._search.index(self._tokens(texts), show_progress=False)
        self._search.save(folder)

    def open(self) -> None:
        """Read the files."""
        self._search = bm25s.BM25.load(self._folder)

    def _tokens(self, texts: Sequence[str]) -> Any:
        return bm25s.tokenize(texts, stopwords="en", stemmer=self._stemmer, show_progress=False)

    def search(self, question: str, limit: int) -> Sequence[str]:
        """Search for one question."""
        places, _ = self._search.retrieve(self._tokens([question]), k=min(limit, len(self._ids)), show_progress=False)
        return [self._ids[int(place)] for place in places[0]]


class Tantivy:
    """tantivy with its English stemmer; the weights of title and abstract are equal."""

    name = "tantivy"

    def __init__(self, papers: Iterable[LibraryPaper], folder: Path) -> None:
        import tantivy  # noqa: PLC0415 - it may not be installed

        self._tantivy, self._folder = tantivy, folder
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("id", stored=True, tokenizer_name="raw")
        for field in ("title", "abstract"):
            builder.add_text_field(field, stored=False, tokenizer_name="en_stem")
        self._index: Any = tantivy.Index(builder.build(), path=str(folder))
        writer = self._index.writer()
        for paper in papers:
            writer.add_document(tantivy.Document(id=paper.id, title=paper.title, abstract=paper.abstract))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def open(self) -> None:
        """Open the folder."""
        self._index = self._tantivy.Index.open(str(self._folder))
        self._searcher = self._index.searcher()

    def search(self, question: str, limit: int) -> Sequence[str]:
        """Join all words with OR, in both fields."""
        query = self._index.parse_query(" ".join(_WORD.findall(question.lower())), ["title", "abstract"])
        hits = self._searcher.search(query, limit, count=False).hits
        return [self._searcher.doc(address)["id"][0] for _, address in hits]


def engines() -> list[type[Engine]]:
    """List the engines that can be measured here."""
    found: list[type[Engine]] = [Words, PlainFts5, Bm25s]
    if find_spec("tantivy") is None:
        print("skipped: tantivy, because it is not installed", file=sys.stderr)
        return found
    return [*found, Tantivy]
