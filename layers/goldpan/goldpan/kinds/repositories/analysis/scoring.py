"""Statements, scores and caveats: what all rules find of one repository.

A dimension is the weighted mean of its known signals, 0 to 10, and null without one; what is unknown is left out of the
mean, never counted as 0. docs/analyze.md has the same table of rules; a test compares both.
"""

from __future__ import annotations

from collections.abc import Iterator

from goldpan.config import DimensionWeights
from goldpan.kinds.repositories.analysis.findings import Case, Finding, Rule
from goldpan.kinds.repositories.analysis.models import RepositoryFacts, Statement
from goldpan.kinds.repositories.analysis.people_rules import PEOPLE_RULES
from goldpan.kinds.repositories.analysis.project_rules import PROJECT_RULES
from goldpan.kinds.repositories.caveats import caveats
from goldpan.kinds.repositories.dimensions import SIGNALS, mean_score, overall
from goldpan.kinds.repositories.models import Dimension
from goldpan.kinds.repositories.results import Scores

RULES = sorted((*PROJECT_RULES, *PEOPLE_RULES), key=lambda rule: list(SIGNALS).index(rule.dimension))
"""All rules, in the order of the dimensions."""
ARCHIVED_MAX = 1.0
"""The most that an archived repository has in activity and maintenance: it is read-only."""
MAX_NAMES = 5


def score_case(case: Case, page: str) -> tuple[tuple[Statement, ...], Scores]:
    """Apply all rules; return the statements in the order of the dimensions, and the scores.

    `page` is the address of the repository, below which the evidence is.
    """
    found = [(rule, finding) for rule in RULES if (finding := rule.look(case)) is not None]
    scores = {dimension: _dimension(dimension, found, case) for dimension in SIGNALS}
    statements = tuple(
        Statement(
            id=rule.id,
            dimension=rule.dimension,
            statement=finding.statement,
            evidence_url=page + finding.page,
        )
        for rule, finding in found
    )
    return statements, Scores(**scores, overall=overall(scores, DimensionWeights()))


def _dimension(dimension: Dimension, found: list[tuple[Rule, Finding]], case: Case) -> float | None:
    score = mean_score((rule.share, finding.value) for rule, finding in found if rule.dimension == dimension)
    is_capped = case.repository.archived and dimension in {"activity", "maintenance"}
    return min(score, ARCHIVED_MAX) if is_capped and score is not None else score


def list_caveats(case: Case, requested: str) -> Iterator[str]:
    """Yield what a reader should know in addition to the statements, one sentence each."""
    repository, facts = case.repository, case.facts
    if repository.full_name.lower() != requested.lower():
        yield f"{requested} is now {repository.full_name}: it was renamed or moved."
    if facts.is_empty:
        yield "Empty: it has no commit yet."
    if repository.fork:
        yield f"A fork of {facts.parent or 'another repository'}, which may be the one to look at."
    yield from caveats(repository, case.now)
    yield from facts.notes
    yield from _dependency_caveats(facts)


def _dependency_caveats(facts: RepositoryFacts) -> Iterator[str]:
    dependencies, advisories = facts.dependencies, facts.advisories
    if advisories is not None and dependencies and (unclear := len(dependencies) - advisories.judged):
        names = [each.name for each in dependencies if each.version is None]
        shown = ", ".join(names[:MAX_NAMES]) + (" and others" if len(names) > MAX_NAMES else "")
        of_all = f"{unclear} of {len(dependencies)} dependencies"
        yield f"{of_all} were not judged: no exact version{f' ({shown})' if names else ''}."
        yield from advisories.notes
    if dependencies:
        yield "Dependencies are those of GitHub's dependency graph, which has those for development too."
