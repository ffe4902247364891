"""Statements and caveats: what all rules find of one repository, as docs/analyze.md lists them."""

from __future__ import annotations

from collections.abc import Iterator

from goldpan.kinds.repositories.analysis.findings import Case
from goldpan.kinds.repositories.analysis.models import RepositoryFacts, Statement
from goldpan.kinds.repositories.analysis.people_rules import PEOPLE_RULES
from goldpan.kinds.repositories.analysis.project_rules import PROJECT_RULES
from goldpan.kinds.repositories.caveats import caveats
from goldpan.kinds.repositories.dimensions import SIGNALS

RULES = sorted((*PROJECT_RULES, *PEOPLE_RULES), key=lambda rule: list(SIGNALS).index(rule.dimension))
"""All rules, in the order of the dimensions."""
MAX_NAMES = 5


def list_statements(case: Case, page: str) -> Iterator[Statement]:
    """Apply all rules; `page` is the address of the repository, below which the evidence is."""
    for rule in RULES:
        if found := rule.look(case):
            yield Statement(
                id=rule.id,
                dimension=rule.dimension,
                statement=found.statement,
                evidence_url=page + found.page,
            )


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
