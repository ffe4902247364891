"""A query that was read, or a part of one, as expressions of SQLite's FTS5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from goldpan.kinds.papers.sources.library import expressions
from goldpan.kinds.papers.sources.library.expressions import Term, Unit


@dataclass
class TypedQuery:
    """The parts of a query or parenthesis: expressions, each required one with whether it is about the text."""

    required: list[tuple[str, bool]] = field(default_factory=list)
    words: list[Unit] = field(default_factory=list)
    """One of which a paper must have; where other text is required, they only raise the score."""
    excluded: list[str] = field(default_factory=list)
    terms: tuple[Term | None, ...] = ()
    """What is ranked by and marked, in order; None where a stop word or another part lies between."""

    def add(self, other: TypedQuery) -> None:
        """Take in the parts of another query."""
        self.required += other.required
        self.words += other.words
        self.excluded += other.excluded

    @property
    def content(self) -> list[Unit]:
        """The words, each once; stop words only if there is no other text."""
        found = [unit for unit in self.words if not unit.term.is_stop]
        return list(dict.fromkeys(found if found or self.text else self.words))

    @property
    def text(self) -> str | None:
        """One of the required that is about the text."""
        return next((expression for expression, is_text in self.required if is_text), None)

    def expression(self, words: Sequence[Unit] | None = None) -> str:
        """Return the whole as one expression, or with some of its words; empty if there is nothing to search for."""
        required = [expression for expression, _ in self.required]
        if chosen := [unit.expression for unit in (self.content if words is None else words)]:
            required.append(expressions.any_of([self.text, *chosen] if self.text else chosen))
        if not required:
            return ""
        found = expressions.all_of(required)
        return f"({found}) NOT {expressions.any_of(list(dict.fromkeys(self.excluded)))}" if self.excluded else found

    def with_all_words(self) -> TypedQuery:
        """Return the query with all its words required."""
        return TypedQuery([*self.required, *((unit.expression, True) for unit in self.content)], [], self.excluded)

    def folded(self) -> TypedQuery:
        """Return the query as one requirement that holds its exclusions; as exclusions if it has nothing else."""
        if not (expression := self.expression()):
            return TypedQuery(excluded=self.excluded)
        return TypedQuery([(f"({expression})", bool(self.text or self.words))])
