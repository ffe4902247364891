"""Statements and caveats about one repository, as docs/analyze.md lists them."""

from collections.abc import Callable, Iterator, Mapping

from goldpan.kinds.repositories.analysis.case import Case, Said
from goldpan.kinds.repositories.analysis.models import Statement
from goldpan.kinds.repositories.analysis.people import activity, community
from goldpan.kinds.repositories.analysis.project import documentation, ease_of_use, maintenance, maturity
from goldpan.kinds.repositories.models import Dimension
from goldpan.kinds.repositories.notices import caveats

STATED: Mapping[Dimension, Callable[[Case], Said]] = {
    "maturity": maturity,
    "activity": activity,
    "documentation": documentation,
    "community": community,
    "ease_of_use": ease_of_use,
    "maintenance": maintenance,
}
"""What is stated of each dimension; of what is unknown nothing is."""
MAX_NAMES = 5


def list_statements(case: Case, page: str) -> Iterator[Statement]:
    """Yield the statements by dimension; `page` is the address of the repository, below which the evidence is."""
    for dimension, state in STATED.items():
        for name, text, place in state(case):
            yield Statement(id=name, dimension=dimension, statement=text, evidence_url=page + place)


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
    if facts.dependencies:
        unclear = [each.name for each in facts.dependencies if each.version is None]
        if unclear:
            shown = ", ".join(unclear[:MAX_NAMES]) + (" and others" if len(unclear) > MAX_NAMES else "")
            of_all = f"{len(unclear)} of {len(facts.dependencies)} dependencies"
            yield f"{of_all} were not judged: no exact version ({shown})."
        yield "Dependencies are those of GitHub's dependency graph, which has those for development too."
