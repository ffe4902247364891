"""What a question for repositories was read as, and the patterns of what it says (cues.toml)."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Literal

from goldpan.config import Frozen
from goldpan.contracts import Interpretation
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.question.grammar import matches, pattern
from goldpan.question.spans import Span

_CUES = Path(__file__).with_name("cues.toml")
cue = partial(pattern, file=_CUES)
find_cues = partial(matches, file=_CUES)

TermClass = Literal["subject", "platform", "context", "form", "preference"]
"""What a term is; a preference changes the order only."""


class Term(Frozen):
    """A word or a known phrase to search for."""

    words: tuple[str, ...]
    part: TermClass
    typed: tuple[str, ...] | None = None
    """The words as typed where the spelling was corrected; both are to be searched for."""


RepositorySpan = Span[Term]


class Reading(Frozen):
    """What a question asks for."""

    parts: tuple[Interpretation, ...] = ()
    terms: tuple[Term, ...] = ()
    """In the order of the question."""
    constraints: Constraints = Constraints()
    likenesses: tuple[str, ...] = ()
    """Names to look up: the question asks for repositories like them."""
    notes: tuple[str, ...] = ()
    """Sentences for the answer's warnings."""

    @property
    def empty(self) -> bool:
        """Report whether nothing is left to search for."""
        if self.likenesses or self.constraints.topics or self.constraints.languages:
            return False
        return all(term.part == "preference" for term in self.terms)
