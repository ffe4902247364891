"""Understanding a question about papers: its words, concepts and constraints, by the patterns of cues.toml."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from goldpan.kinds.papers.models import Domain
from goldpan.question.grammar import matches, pattern, patterns
from goldpan.question.question_text import Span

_CUES = Path(__file__).with_name("cues.toml")
cue = partial(pattern, file=_CUES)
cues = partial(patterns, file=_CUES)
find_cues = partial(matches, file=_CUES)


@dataclass(frozen=True)
class Concept:
    """A word or phrase to search for: the wording that leads, and what means the same."""

    text: str
    wordings: tuple[str, ...] = ()
    domain: Domain | None = None
    is_method: bool = False
    is_weak: bool = False
    """It says little of the subject alone, such as "effect"."""
    is_exact: bool = False
    """It was quoted, so that its words stay together."""
    alternative_to: str | None = None
    """The lead of the concept that it is another wording of, as in "teenagers or adolescents"."""


PaperSpan = Span[Concept]
"""The fields of a span are those of `Constraints`, and `preferences`."""
