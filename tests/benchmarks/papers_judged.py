"""Six sources of papers that serve a judged collection, each by the documented rules of its queries.

OpenAlex, Europe PMC, arXiv and Google Scholar find what meets AND, OR, NOT, brackets and quotes, words side by side
being joined by AND; Crossref ranks titles, and Semantic Scholar titles and abstracts, by any of the words. All stem and
rank by BM25. OpenAlex's semantic search has BM25 over titles and abstracts as its stand-in, which knows no meaning.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import bm25s
import numpy as np
import Stemmer

from tests.support.paper_shapes import Facts
from tests.support.paper_sources import LoopbackPapers

STEMMER = Stemmer.Stemmer("english")
_TOKEN = re.compile(r'-?(?:(\w+):)?(?:\[[^\]]*\]|"([^"]*)"|([^\s()":]+))|[()]')
_UNFILTERED = {"PUB_YEAR", "submittedDate"}
"""What a collection without years is not filtered by."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""What XML has no way to write."""
HYPHENATED = re.compile(r"\S*\w-\w\S*")


def stems(text: str) -> list[str]:
    """Return the stems of a text without stop words, as bm25s reads it."""
    found = bm25s.tokenize([text], stopwords="en", stemmer=STEMMER, show_progress=False, return_ids=False)
    return list(found[0])


def title_of(row: Mapping[str, Any]) -> str:
    """Return the title by which a document is found again: Google Scholar gives no identifier."""
    return " ".join((row["title"] or row["id"]).split()).rstrip(" .")


class Ranking:
    """Texts with the words that each has, and their order by BM25."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.stemmed = [stems(text) for text in texts]
        self.joined = [f" {' '.join(each)} " for each in self.stemmed]
        self.texts_by_stem: dict[str, Any] = {}
        for place, each in enumerate(self.stemmed):
            for word in set(each):
                self.texts_by_stem.setdefault(word, np.zeros(len(texts), bool))[place] = True
        self._search = bm25s.BM25()
        self._search.index(self.stemmed, show_progress=False)

    def order(self, asked: str, among: Any = None) -> list[int]:
        """Return the places that have a word of a text, best first, or of those that are true in `among`."""
        known = [word for word in stems(asked) if word in self.texts_by_stem]
        scores = self._search.get_scores(known) if known else np.zeros(len(self.joined))
        chosen = np.flatnonzero(scores > 0 if among is None else among)
        return [int(place) for place in chosen[np.argsort(-scores[chosen], kind="stable")]]

    def matching(self, text: str) -> tuple[Any, str]:
        """Return which texts meet a Boolean query, and the words that it asks for."""
        tokens, asked = list(_TOKEN.finditer(text)), list[str]()

        def either() -> Any:
            found = together()
            while tokens and tokens[0][0] == "OR":
                tokens.pop(0)
                found = found | together()
            return found

        def together() -> Any:
            found = np.ones(len(self.joined), bool)
            while tokens and tokens[0][0] not in {"OR", ")"}:
                if tokens[0][0] == "AND":
                    tokens.pop(0)
                is_not = tokens[0][0] in {"NOT", "ANDNOT"} and bool(tokens.pop(0))
                found &= ~one(wanted=False) if is_not else one()
            return found

        def one(*, wanted: bool = True) -> Any:
            token = tokens.pop(0)
            if token[0] == "(":
                found = either()
                tokens[:1] = []
                return found
            if token[0].startswith("-"):
                return ~self._with_words(token[2] or token[3] or "")
            if token[1] in _UNFILTERED or token[1] == "SRC":
                return np.full(len(self.joined), token[1] != "SRC")
            words = token[2] or token[3] or ""
            asked.extend([words] if wanted else [])
            return self._with_words(words)

        return either(), " ".join(asked)

    def _with_words(self, words: str) -> Any:
        """Return which texts have these words side by side; stop words are not looked for."""
        wanted, none = stems(words), np.zeros(len(self.joined), bool)
        found = np.logical_and.reduce([np.ones_like(none), *(self.texts_by_stem.get(word, none) for word in wanted)])
        if len(wanted) > 1:
            phrase = f" {' '.join(wanted)} "
            found = found & np.array([bool(f) and phrase in self.joined[place] for place, f in enumerate(found)])
        return found


class JudgedPapers(LoopbackPapers):
    """Serves the documents of a judged collection."""

    def __init__(self, documents: Sequence[Mapping[str, Any]]) -> None:
        self.facts = [
            {
                "title": title_of(row),
                "abstract": _CONTROL.sub(" ", row["abstract"] or ""),
                "authors": row["authors"] or (),
                "year": row["year"],
                "venue": row["venue"],
                "doi": f"10.1000/doc.{row['id']}".lower(),
                "arxiv": f"2101.{place:05}",
                "pmid": str(1000 + place),
            }
            for place, row in enumerate(documents)
        ]
        super().__init__(self.facts)
        self.credits = 10**9
        self._titles = Ranking([row["title"] for row in self.facts])
        self.texts = Ranking([f"{row['title']} {row['abstract'] or ''}" for row in self.facts])

    def _search(self, source: str, text: str, filters: str = "") -> list[Facts]:
        del filters
        if source == "crossref":
            places = self._titles.order(text)
        elif source in {"semantic_scholar", "openalex_semantic"}:
            places = self.texts.order(HYPHENATED.sub(" ", text) if source == "semantic_scholar" else text)
        else:
            found, asked = self.texts.matching(text)
            places = self.texts.order(asked, found)
        return [self.facts[place] for place in places]
