"""How well one repository fits a question, by the rules of a search, without its competitors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from goldpan.engine.dependencies import Dependencies
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.repositories.analysis.models import Statement
from goldpan.kinds.repositories.candidates import rule_name
from goldpan.kinds.repositories.constraint_checks import Check, check
from goldpan.kinds.repositories.constraint_texts import FACTS, mention_caveat, unverified_caveat
from goldpan.kinds.repositories.models import Repository, SearchParams
from goldpan.kinds.repositories.question.lexicon import repository_words
from goldpan.kinds.repositories.question.reader import read_question
from goldpan.kinds.repositories.relevance import Matcher
from goldpan.kinds.repositories.translate import translate_by_rules

MAX_EVIDENCE, MAX_ID = 6, 60


@dataclass(frozen=True)
class Fit:
    """The relevance, the statements about it, and what speaks against the repository."""

    relevance: float | None
    statements: tuple[Statement, ...]
    caveats: tuple[str, ...]


NO_QUESTION = Fit(None, (), ())


def fit_question(repository: Repository, query: str, page: str, dependencies: Dependencies) -> Fit:
    """Compare a repository with a question that is read by rules."""
    today = dependencies.clock.now().date()
    reading = read_question(query, today=today, known=repository_words)
    params = translate_by_rules(reading, "focused", query)
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
    constraints = tuple(_constraints(found, repository, page))
    caveats = [unverified_caveat(found.unverified)] if found.unverified else []
    caveats += [mention_caveat(found.mentioned)] if found.mentioned else []
    return Fit(relevance, (statement, *constraints), (*reading.notes, *caveats))


def _match(repository: Repository, params: SearchParams, dependencies: Dependencies) -> tuple[float, tuple[str, ...]]:
    with CPU_LOCK:
        matcher = Matcher(params, dependencies.encoder)
        match = matcher.match([repository])[0]
        return match.relevance, (*match.evidence, *matcher.closest_words(repository))


def _constraints(found: Check, repository: Repository, page: str) -> Iterator[Statement]:
    """Yield what the question demands and the repository is not, with its own fact."""
    for name in found.violated:
        rule = rule_name(name)
        own = _own_fact(repository, rule)
        text = f"It is not what the question asks for: {own or FACTS.get(rule, name)}."
        yield Statement(id=f"constraint:{name}"[:MAX_ID], dimension="fit", statement=text, evidence_url=page)


def _own_fact(repository: Repository, rule: str) -> str | None:
    """Write the fact of the repository that a rule is about; None for the other rules."""
    pushed, created = repository.pushed_at, repository.created_at
    facts = {
        "stars": f"it has {repository.stars or 0:,} stars",
        "license": f"its licence is {repository.license}",
        "language": f"its language is {repository.language}",
        "platform": f"its language is {repository.language}",
        "pushed": f"its last push was on {pushed:%Y-%m-%d}" if pushed else None,
        "created": f"it was created on {created:%Y-%m-%d}" if created else None,
        "archived": "it is archived" if repository.archived else "it is not archived",
    }
    return facts.get(rule.removeprefix("excluded "))
