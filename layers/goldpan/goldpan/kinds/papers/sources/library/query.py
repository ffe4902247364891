"""Reads a query as a person types it: words, phrases, AND, OR, NOT, prefixes and filters; never a syntax error.

    deep learning -survey "graph neural network" optimi* author:hinton year:2020..2023
    (pruning OR quantization) AND "neural network"

A paper with any of the plain words is found; phrases, filters and `+word` are required. A query with AND or OR is a
Boolean one, in which words side by side are all required. What cannot be read, such as a quote without its other half,
is left out.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from goldpan.kinds.papers.sources.library import expressions
from goldpan.kinds.papers.sources.library.expressions import Unit, all_of, any_of
from goldpan.kinds.papers.sources.library.models import LibraryFilters

PROSE_WORDS = 8
"""More words than that next to a quoted phrase are a sentence, in which the phrase raises the score only."""
_QUOTES = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f\uff02", '"'))
_TOKEN = re.compile(
    r"""(?P<sign>(?<![^\s(])[-+\u2212\u2013](?=[^\s)]))?
    (?:(?P<field>[A-Za-z]+):(?=[^\s()]))?
    (?:"(?P<phrase>[^"]*)"(?P<star>\*?) | (?P<paren>[()]) | (?P<word>[^\s()"]+) | ")""",
    re.VERBOSE,
)
_OPERATORS = {"AND": "AND", "OR": "OR", "&&": "AND", "||": "OR", "NOT": "NOT"}
FIELDS = {
    **dict.fromkeys(("author", "authors"), "authors"),
    **dict.fromkeys(("venue", "journal", "conference"), "venue"),
    **dict.fromkeys(("tag", "tags"), "tags"),
    "year": "year",
}
"""What a word with a colon filters by; a name that is none of these belongs to the text."""
ONE_OF = frozenset({"venue", "year"})
"""Of which a paper has one: several filters of the same kind side by side are alternatives."""
_CONTRACTED = re.compile(r"(?<=\w)(?:n['\u2019]t|['\u2019](?:d|ll|re|ve|m))\b", re.IGNORECASE)
Tokens = list[re.Match[str]]


@dataclass
class TypedQuery:
    """The parts of a query, as expressions of FTS5."""

    words: list[Unit] = field(default_factory=list)
    """One of which a paper must have; where other text is required, they only raise the score."""
    text: list[Unit] = field(default_factory=list)
    """What a paper must have in its texts; of a Boolean query, all that `required` has of them."""
    required: list[str] = field(default_factory=list)
    excluded: list[str] = field(default_factory=list)
    terms: list[str] = field(default_factory=list)
    """The words and phrases to search for, as typed."""
    is_boolean: bool = False

    @property
    def content(self) -> list[Unit]:
        """The words, as often as they were typed; stop words only if there is no other text."""
        found = [unit for unit in self.words if not unit.is_stop]
        return found if found or self.text else self.words

    @property
    def ranked(self) -> list[Unit]:
        """The words and phrases that papers are ranked by, and that are marked in them."""
        return [*self.text, *self.content]

    def expression(self, *, with_all_words: bool = False) -> str:
        """Return the whole as one expression; empty if there is nothing to search for."""
        texts = [] if self.is_boolean else [unit.expression for unit in self.text]
        required, words = [*self.required, *texts], [unit.expression for unit in self.content]
        if words:
            required.append(all_of(words) if with_all_words else any_of([*texts[:1], *words]))
        if not required:
            return ""
        return f"({all_of(required)}) NOT {any_of(self.excluded)}" if self.excluded else all_of(required)


def read_query(query: str, filters: LibraryFilters, *, with_operators: bool = True) -> TypedQuery:
    """Read a query, with further filters; without operators their words and the parentheses are left out."""
    lexed = _TOKEN.finditer(_CONTRACTED.sub("", query.replace("\x00", " ").translate(_QUOTES)))
    found = [match for match in lexed if match.lastgroup in {"paren", "word", "phrase", "star"}]
    if with_operators and any(_operator(token) in {"AND", "OR"} for token in found):
        typed = _read_boolean(found)
    else:
        typed = _read_words(found)
        if len(typed.content) > PROSE_WORDS:
            typed = _read_words(found, is_prose=True)
    typed.required += expressions.filters(filters)
    return typed


def _operator(token: re.Match[str]) -> str | None:
    return None if token["sign"] or token["field"] else _OPERATORS.get(token["word"] or "")


def _is_refused(token: re.Match[str]) -> bool:
    return (token["sign"] or "+") != "+"


def _read_words(tokens: Tokens, *, is_prose: bool = False) -> TypedQuery:
    typed, is_negated, within = TypedQuery(), False, list[bool]()
    alternatives: dict[str, list[str]] = {}
    for token in tokens:
        is_excluded, is_negated = is_negated or _is_refused(token) or any(within), _operator(token) == "NOT"
        if token["paren"]:
            within = [*within, is_excluded] if token["paren"] == "(" else within[:-1]
        if token["paren"] or _operator(token):
            continue
        name, found = _filter(token)
        if found and name in ONE_OF and not is_excluded:
            alternatives.setdefault(name, []).append(found)
        elif found:
            (typed.excluded if is_excluded else typed.required).append(found)
        elif is_excluded:
            typed.excluded += (unit.expression for unit in _units(token, is_phrase=True))
        else:
            _add_text(typed, token, is_prose=is_prose)
    typed.required += map(any_of, alternatives.values())
    return typed


def _add_text(typed: TypedQuery, token: re.Match[str], *, is_prose: bool) -> None:
    """Add a word or a phrase to search for; in prose a phrase is as good as its words."""
    is_phrase = token["phrase"] is not None
    is_required = token["sign"] or (is_phrase and not is_prose)
    (typed.text if is_required else typed.words).extend(_units(token))
    if is_phrase and not is_required:
        typed.words += _units(token, is_phrase=False)
    typed.terms.append(_text(token))


def _read_boolean(tokens: Tokens) -> TypedQuery:
    """Read a query for FTS5 to parse, which reports a syntax error where operators or parentheses do not fit."""
    typed, parts = TypedQuery(is_boolean=True), list[str]()
    for token in tokens:
        if (operator := _operator(token)) or token["paren"]:
            parts += ["NOT"] if _is_refused(token) else []
            parts.append(operator or token["paren"])
            continue
        _, found = _filter(token)
        units = [] if found else [unit for unit in _units(token) if not unit.is_stop]
        expression = found or all_of([unit.expression for unit in units])
        if expression and _is_refused(token):
            typed.excluded.append(expression)
        elif expression:
            is_searched = not found and parts[-1:] != ["NOT"]
            parts.append(expression)
            typed.text += units if is_searched else []
            typed.terms += [_text(token)] if is_searched else []
    typed.required.append(f"({_with_and(parts)})")
    return typed


def _with_and(parts: Iterable[str]) -> str:
    """Join the parts of a Boolean query: AND stands between two operands, and not before NOT, which has two itself."""
    written: list[str] = []
    for part in parts:
        if written and part not in {"AND", "OR", "NOT", ")"} and written[-1] not in {"AND", "OR", "NOT", "("}:
            written.append("AND")
        if part == "NOT" and written[-1:] == ["AND"]:
            written.pop()
        written.append(part)
    return " ".join(written)


def _filter(token: re.Match[str]) -> tuple[str, str | None]:
    """Return the field and the expression of a filter; None if the token is none, or says nothing."""
    name = FIELDS.get((token["field"] or "").lower(), "")
    return name, expressions.filter_by(name, _written(token)) if name else None


def _written(token: re.Match[str]) -> str:
    return token["word"] or token["phrase"]


def _text(token: re.Match[str]) -> str:
    """Return the text of a word or phrase, with the name that is no field."""
    return f"{token['field']} {_written(token)}" if token["field"] else _written(token)


def _units(token: re.Match[str], *, is_phrase: bool | None = None) -> list[Unit]:
    """Return the units of a word or phrase, by default as it was typed."""
    is_prefix = bool(token["star"]) or _written(token).endswith("*")
    as_phrase = token["phrase"] is not None if is_phrase is None else is_phrase
    return expressions.units(_text(token), is_prefix=is_prefix, is_phrase=as_phrase)
