"""Reads a query as a person types it: words, phrases, AND, OR, NOT, prefixes and filters; never a syntax error.

    deep learning -survey "graph neural network" optimi* (pruning OR quantization) author:hinton year:2020..2023

A paper with any of the plain words is found. Phrases, filters, `+word` and parentheses with any of these or an operator
are required; words next to AND or OR are all required there. What cannot be read, such as a quote without its other
half, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from goldpan.kinds.papers.sources.library import expressions
from goldpan.kinds.papers.sources.library.expressions import Term
from goldpan.kinds.papers.sources.library.models import LibraryFilters
from goldpan.kinds.papers.sources.library.typed_query import TypedQuery

PROSE_WORDS = 8
"""More words than that next to a quoted phrase are a sentence, in which the phrase raises the score only."""
MAX_DEPTH = 8
"""Parentheses within each other that are read; SQLite's parser of expressions has a stack of 100."""
_QUOTES = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f\uff02", '"'))
_TOKEN = re.compile(
    r"""(?P<sign>(?<![^\s(])[-+\u2212\u2013](?=[^\s)]))?
    (?:(?P<field>[A-Za-z]+):(?=[^\s()]))?
    (?:"(?P<phrase>[^"]*)"(?P<star>\*?) | (?P<paren>[()]) | (?P<word>[^\s()"]+) | ")""",
    re.VERBOSE,
)
_OPERATORS = {"AND": "AND", "OR": "OR", "&&": "AND", "||": "OR"}
FIELDS = {
    **dict.fromkeys(("author", "authors"), "authors"),
    **dict.fromkeys(("venue", "journal", "conference"), "venue"),
    **dict.fromkeys(("tag", "tags"), "tags"),
    **{name: name for name in ("year", "title", "abstract", "summary")},
}
TEXT_FIELDS, NAME_FIELDS = frozenset({"title", "abstract", "summary"}), frozenset({"authors", "venue", "tags", "year"})
ONE_OF = frozenset({"venue", "year"})
"""Of which a paper has one: several filters of the same kind side by side are alternatives."""
_CONTRACTED = re.compile(r"(?<=\w)(?:n['\u2019]t|['\u2019](?:d|ll|re|ve|m))\b", re.IGNORECASE)


def read_query(query: str, filters: LibraryFilters) -> TypedQuery:
    """Read a query, with further filters."""
    lexed = _TOKEN.finditer(_CONTRACTED.sub("", query.replace("\x00", " ").translate(_QUOTES)))
    found = [match for match in lexed if match.lastgroup in {"paren", "word", "phrase", "star"}]
    parser = _Parser(found)
    group = parser.read()
    if len(group.content) > PROSE_WORDS:
        parser = _Parser(found, is_prose=True)
        group = parser.read()
    group.required += [(expression, False) for expression in expressions.filters(filters)]
    is_only = all(term is None or term.is_stop for term in parser.terms)
    group.terms = tuple(term if term and (is_only or not term.is_stop) else None for term in parser.terms)
    return group


class _Parser:
    """Reads tokens: OR binds loosest, then AND, then words side by side."""

    def __init__(self, tokens: Sequence[re.Match[str]], *, is_prose: bool = False) -> None:
        self.terms: list[Term | None] = []
        self._is_prose = is_prose
        self._tokens, self._at, self._depth = tokens, 0, 0

    def read(self) -> TypedQuery:
        """Read everything; a closing parenthesis without an opening one is left out."""
        group = self._either()
        while self._at < len(self._tokens):
            self._at += 1
            group.add(self._either())
        return group

    def _either(self) -> TypedQuery:
        operands = list(self._operands(self._both, "OR"))
        if len(operands) == 1:
            return operands[0]
        folded = [operand.with_all_words().folded() for operand in operands]
        found = [each for group in folded for each in group.required]
        group = TypedQuery(excluded=[text for each in folded for text in each.excluded])
        if found:
            is_text = any(flag for _, flag in found)
            group.required = [(expressions.any_of([text for text, _ in found]), is_text)]
        return group

    def _both(self) -> TypedQuery:
        operands = list(self._operands(self._side_by_side, "AND"))
        if len(operands) == 1:
            return operands[0]
        group = TypedQuery()
        for operand in operands:
            group.add(operand.with_all_words())
        return group

    def _operands(self, read: Callable[[], TypedQuery], operator: str) -> Iterator[TypedQuery]:
        yield read()
        while self._operator() == operator:
            self._at += 1
            yield read()

    def _operator(self) -> str | None:
        """Return the operator that the next token is, if it is one."""
        if self._at >= len(self._tokens):
            return None
        token = self._tokens[self._at]
        return None if token["sign"] or token["field"] else _OPERATORS.get(token["word"] or "")

    def _side_by_side(self) -> TypedQuery:
        group = TypedQuery()
        alternatives: dict[str, list[str]] = {}
        is_negated = False
        while self._at < len(self._tokens) and self._operator() not in {"AND", "OR"}:
            token = self._tokens[self._at]
            if token["paren"] == ")":
                break
            self._at += 1
            if token["word"] == "NOT" and not token["sign"] and not token["field"]:
                is_negated = True
                continue
            is_excluded, is_negated = is_negated or (token["sign"] or "+") != "+", False
            kept = len(self.terms)
            part = self._part(token, alternatives if not is_excluded else {}, is_single=is_excluded)
            if is_excluded:
                del self.terms[kept:]
                group.excluded += [text for text, _ in part.with_all_words().folded().required]
            else:
                group.add(part.with_all_words() if token["sign"] else part)
        group.required += [(expressions.any_of(found), False) for found in alternatives.values()]
        return group

    def _part(self, token: re.Match[str], alternatives: dict[str, list[str]], *, is_single: bool) -> TypedQuery:
        """Read a parenthesis, a filter, a phrase or a word; filters of venues and years go to `alternatives`."""
        if token["paren"]:
            return self._parenthesis()
        text, is_phrase = token["word"] or token["phrase"], token["phrase"] is not None
        name = FIELDS.get((token["field"] or "").lower())
        if name in NAME_FIELDS and (found := expressions.filter_by(name, text)):
            if name in ONE_OF and not is_single:
                alternatives.setdefault(name, []).append(found)
                return TypedQuery()
            return TypedQuery([(found, False)])
        if token["field"] and name not in TEXT_FIELDS:
            text = f"{token['field']} {text}"
        is_prefix = bool(token["star"]) or text.endswith("*")
        units, terms = expressions.units(text, is_prefix=is_prefix, is_phrase=is_phrase or is_single)
        self.terms += [*terms, None] if is_phrase else terms
        within = f"{{{name}}} : " if name in TEXT_FIELDS else ""
        if is_phrase and self._is_prose and not is_single:
            return TypedQuery(words=[*units, *expressions.units(text, is_prefix=is_prefix, is_phrase=False)[0]])
        if is_phrase or within:
            return TypedQuery([(f"{within}{unit.expression}", True) for unit in units])
        return TypedQuery(words=units)

    def _parenthesis(self) -> TypedQuery:
        if self._depth >= MAX_DEPTH:
            return TypedQuery()
        self._depth += 1
        group = self._either()
        self._depth -= 1
        if self._at < len(self._tokens):
            self._at += 1  # the closing parenthesis
        return group.folded() if group.required or group.excluded else group  # prose has words in parentheses too
