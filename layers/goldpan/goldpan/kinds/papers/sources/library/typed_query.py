"""A query that was read, as expressions of SQLite's FTS5, and the groups of parts that it is put together from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from goldpan.kinds.papers.sources.library import expressions
from goldpan.kinds.papers.sources.library.expressions import Term, Unit


@dataclass(frozen=True)
class TypedQuery:
    """A query that was read; its parts are expressions of SQLite's FTS5."""

    required: tuple[str, ...] = ()
    words: tuple[Unit, ...] = ()
    """One of which a paper must have; where other text is required, they only raise the score."""
    excluded: tuple[str, ...] = ()
    text: str | None = None
    """One of the required that is about the text, not a filter."""
    terms: tuple[Term | None, ...] = ()
    """What is ranked by and marked, in order; None where a stop word or another part lies between."""

    def expression(self, words: Sequence[Unit] | None = None) -> str:
        """Return the whole as one expression, or with some of its words; empty if there is nothing to search for."""
        required, chosen = list(self.required), [unit.expression for unit in (self.words if words is None else words)]
        if chosen:
            required.append(expressions.any_of([self.text, *chosen] if self.text else chosen))
        if not required:
            return ""
        found = expressions.all_of(required)
        return f"({found}) NOT {expressions.any_of(self.excluded)}" if self.excluded else found


@dataclass
class Group:
    """The parts of a query or parenthesis: expressions, each required one with whether it is about the text."""

    required: list[tuple[str, bool]] = field(default_factory=list)
    words: list[Unit] = field(default_factory=list)
    excluded: list[str] = field(default_factory=list)

    def add(self, other: Group) -> None:
        """Take in the parts of another group."""
        self.required += other.required
        self.words += other.words
        self.excluded += other.excluded

    def content(self) -> list[Unit]:
        """List the words; stop words only if there is no other text."""
        found = [unit for unit in self.words if not unit.term.is_stop]
        return found if found or self.text() else self.words

    def text(self) -> str | None:
        """Return one of the required that is about the text."""
        return next((expression for expression, is_text in self.required if is_text), None)

    def query(self, terms: Iterable[Term | None] = ()) -> TypedQuery:
        """Return the group as a query."""
        required = tuple(expression for expression, _ in self.required)
        words, excluded = tuple(dict.fromkeys(self.content())), tuple(dict.fromkeys(self.excluded))
        return TypedQuery(required, words, excluded, self.text(), tuple(terms))

    def with_all_words(self) -> Group:
        """Return the group with all its words required."""
        return Group([*self.required, *((unit.expression, True) for unit in self.content())], [], self.excluded)

    def folded(self) -> Group:
        """Return the group as one requirement that holds its exclusions; as exclusions if it has nothing else."""
        query = self.query()
        if not (expression := query.expression()):
            return Group(excluded=self.excluded)
        return Group([(f"({expression})", bool(query.text or query.words))])
