"""How well one repository fits a question, by the rules of a search, without its competitors."""

from __future__ import annotations

from dataclasses import dataclass

from goldpan.engine.dependencies import Dependencies
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.repositories.analysis.models import Statement
from goldpan.kinds.repositories.caveats import constraint_caveats
from goldpan.kinds.repositories.constraint_checks import check
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.question.lexicon import repository_words
from goldpan.kinds.repositories.question.reader import read_question
from goldpan.kinds.repositories.relevance import Matcher
from goldpan.kinds.repositories.translate import translate_by_rules

MAX_EVIDENCE = 6


@dataclass(frozen=True)
class Fit:
    """The relevance, the statement about it, and what speaks against the repository."""

    relevance: float | None = None
    statements: tuple[Statement, ...] = ()
    caveats: tuple[str, ...] = ()


def fit_question(repository: Repository, query: str, page: str, dependencies: Dependencies) -> Fit:
    """Compare a repository with a question that is read by rules."""
    today = dependencies.clock.now().date()
    reading = read_question(query, today=today, known=repository_words)
    params = translate_by_rules(reading, "focused", query)
    with CPU_LOCK:
        matcher = Matcher(params, dependencies.encoder)
        [match] = matcher.match([repository])
        evidence = (*match.evidence, *matcher.closest_words(repository))
    words = "; ".join(evidence[:MAX_EVIDENCE])
    why = f"matches {words}" if words else "none of the question's words occur in its facts"
    statement = Statement(
        id="relevance",
        dimension="fit",
        statement=f"Relevance {match.relevance:.2f} of 1: {why}.",
        evidence_url=f"{page}#readme",
    )
    broken = constraint_caveats(repository, check(repository, params.constraints, today))
    return Fit(match.relevance, (statement,), (*reading.notes, *broken))
