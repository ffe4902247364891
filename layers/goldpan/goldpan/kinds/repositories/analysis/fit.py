"""How well one repository fits a question, by the rules of a search, without its competitors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from goldpan.engine.dependencies import Dependencies
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.repositories.analysis.models import Statement
from goldpan.kinds.repositories.candidates import rule_name
from goldpan.kinds.repositories.constraint_texts import FACTS, mention_caveat, unverified_caveat
from goldpan.kinds.repositories.models import Repository, SearchParams
from goldpan.kinds.repositories.question.reading import Check, check, read_question
from goldpan.kinds.repositories.relevance import Matcher
from goldpan.kinds.repositories.translate import translate_by_rules

MAX_EVIDENCE = 6


@dataclass(frozen=True)
class Fit:
    """The relevance, the statements about it, and what speaks against the repository."""

    relevance: float
    statements: tuple[Statement, ...]
    caveats: tuple[str, ...]


def fit_question(repository: Repository, query: str, page: str, dependencies: Dependencies) -> Fit:
    """Compare a repository with a question that is read by rules."""
    from goldpan.kinds.repositories.question.reading.spelling import repository_words  # noqa: PLC0415 - they are many

    today = dependencies.clock.now().date()
    reading = read_question(query, today=today, known=repository_words)
    params = translate_by_rules(reading, "focused")
    relevance, evidence = _match(repository, params, dependencies)
    found = check(repository, params.constraints, today)
    words = "; ".join(evidence[:MAX_EVIDENCE])
    why = f"matches {words}" if words else "none of the question's words occur in its facts"
    statement = Statement(
        id="relevance",
        dimension="fit",
        statement=f"Relevance {relevance:.2f} of 1: {why}.",
        evidence_url=f"{page}#readme",
    )
    constraints = tuple(_constraints(found, page))
    return Fit(relevance, (statement, *constraints), (*reading.notes, *_caveats(found)))


def _match(repository: Repository, params: SearchParams, dependencies: Dependencies) -> tuple[float, tuple[str, ...]]:
    with CPU_LOCK:
        matcher = Matcher(params, dependencies.encoder)
        match = matcher.match([repository])[0]
        return match.relevance, (*match.evidence, *matcher.closest_words(repository))


def _constraints(found: Check, page: str) -> Iterator[Statement]:
    for name in found.violated:
        fact = FACTS.get(rule_name(name), name)
        text = f"It is not what the question asks for: {fact}."
        yield Statement(id=f"constraint:{name}"[:60], dimension="fit", statement=text, evidence_url=page)


def _caveats(found: Check) -> Iterator[str]:
    if found.unverified:
        yield unverified_caveat(found.unverified)
    if found.mentioned:
        yield mention_caveat(found.mentioned)
