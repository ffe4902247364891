"""Excerpts: the first match of a query in a paper with what stands around it, the matched words between `**`."""

import re
from collections.abc import Iterable, Iterator

from goldpan.kinds.papers.sources.library.expressions import completions
from goldpan.kinds.papers.sources.library.folding import MARKS, UNSPACED, is_unspaced, tokens
from goldpan.kinds.papers.sources.library.models import LibraryHit, LibraryPaper
from goldpan.kinds.papers.sources.library.query import TypedQuery
from goldpan.text import stemmed

CONTEXT = 50
"""Characters either side of the match."""
ELLIPSIS, MARK = "\u2026", "**"
_WORD = re.compile(
    rf"(?i:\b[cg]\+\+|\b[cfjq]\#|(?:\basp|(?<!\w))\.net\b)|[{UNSPACED}]+|(?:[^\W_{UNSPACED}][{MARKS}]*)+"
)
_MARK = re.compile(f"[{MARKS}]")
Span = tuple[int, int]


class QueryWords(dict[str, bool]):
    """Whether a word is a form of one of a query; filled as words are looked up."""

    def __init__(self, stems: Iterable[str]) -> None:
        super().__init__()
        self._stems = set(stems)
        self._prefixes = tuple(each[:-1] for each in self._stems if each.endswith("*"))
        self._stems.update(stemmed(word) for prefix in self._prefixes for word in completions(prefix))

    def __missing__(self, word: str) -> bool:
        self[word] = stemmed(word) in self._stems or word.startswith(self._prefixes)
        return self[word]


def with_excerpts(hits: Iterable[LibraryHit], typed: TypedQuery) -> tuple[LibraryHit, ...]:
    """Add the excerpt of each hit that has none."""
    known = QueryWords(stem for unit in typed.ranked for stem in unit.stems)
    return tuple(hit if hit.excerpt else hit.model_copy(update={"excerpt": excerpt(hit.paper, known)}) for hit in hits)


def excerpt(paper: LibraryPaper, known: QueryWords) -> str:
    """Return an excerpt of the abstract or the summary, of the title if only that matches.

    Without a match it is the beginning of the first text that the paper has.
    """
    first = ""
    for text in (" ".join(text.split()) for text in (paper.abstract, paper.summary, paper.title)):
        first = first or text
        if found := marked_excerpt(text, known):
            return found
    return beginning(first)


def marked_excerpt(text: str, known: QueryWords, context: int = CONTEXT) -> str:
    """Return the first match in a text with characters on either side, and its words marked; empty without one."""
    first = next(_matches(text, known), None)
    if first is None:
        return ""
    found = _cut(text, max(0, first[0] - context), min(len(text), first[1] + context), first)
    for start, end in reversed(list(_matches(found, known))):
        found = f"{found[:start]}{MARK}{found[start:end]}{MARK}{found[end:]}"
    return found


def beginning(text: str) -> str:
    """Return the beginning of a text, as long as an excerpt."""
    return _cut(text, 0, min(len(text), 2 * CONTEXT))


def _matches(text: str, known: QueryWords) -> Iterator[Span]:
    """Find the words of a query, as places in the text; in scripts without spaces, the characters of its pairs."""
    begin = stop = -1
    for start, end in _single_matches(text, known):
        if start > stop >= 0:
            yield begin, stop
        begin, stop = (begin if start <= stop else start), end
    if stop >= 0:
        yield begin, stop


def _single_matches(text: str, known: QueryWords) -> Iterator[Span]:
    for match in _WORD.finditer(text):
        if not is_unspaced(match[0]):
            if any(known[token] for token in tokens(match[0])):
                yield match.span()
            continue
        for at in range(match.start(), match.end()):
            sizes = (size for size in (2, 1) if at + size <= match.end())
            if size := next((size for size in sizes if any(known[one] for one in tokens(text[at : at + size])[:1])), 0):
                yield at, at + size


def _cut(text: str, start: int, end: int, kept: Span = (0, 0)) -> str:
    """Cut at word boundaries where there are some before and after what is kept."""
    if start and text[start - 1] != " ":
        space = text.find(" ", start, kept[0])
        start = space if space >= 0 else start
    while start < len(text) and (text[start] == " " or (start and _MARK.match(text[start]))):
        start += 1
    if end < len(text) and text[end] != " ":
        space = text.rfind(" ", kept[1], end)
        end = space if space > 0 else end
        while end < len(text) and _MARK.match(text[end]):
            end += 1
    return f"{ELLIPSIS if start else ''}{text[start:end].rstrip()}{ELLIPSIS if end < len(text) else ''}"
