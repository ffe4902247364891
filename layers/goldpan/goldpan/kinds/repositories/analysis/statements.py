"""Statements and caveats about a repository, as docs/analyze.md lists them; here those about people and their work."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from goldpan.counts import counted
from goldpan.kinds.repositories.analysis.case import Case, Said, file_page, responses
from goldpan.kinds.repositories.analysis.models import Statement
from goldpan.kinds.repositories.analysis.project import documentation, ease_of_use, maintenance, maturity
from goldpan.kinds.repositories.models import Dimension
from goldpan.kinds.repositories.notices import caveats

MIN_COMMITS = 10
"""Fewer tell nothing about shares."""
CONTRIBUTION_GUIDE = r"(?:\.github/|docs/)?contributing(?:\.\w+)?"


def activity(case: Case) -> Said:
    """State the last push and the commits."""
    if pushed := case.event("pushed_at"):
        yield "last_push", f"Last push on {pushed}.", "/commits"
    if commits := case.count("recent_commits"):
        yield "commits", f"{commits} in the last 90 days.", "/commits"


def community(case: Case) -> Said:
    """State who contributes, and how soon people respond."""
    if contributors := case.count("contributors"):
        yield "contributors", f"About {contributors}.", "/graphs/contributors"
    yield from _top_author(case)
    yield from responses(case, "issue", "issues", "/issues?q=is%3Aissue")
    if (has_guide := case.facts.has_contribution_guide) is not None:
        text = "There is a guide for contributors." if has_guide else "No guide for contributors."
        yield "contribution_guide", text, file_page(case.find_path(CONTRIBUTION_GUIDE))


def _top_author(case: Case) -> Said:
    """State how the last commits are spread: who leaves takes their knowledge along."""
    authors = Counter(commit.author for commit in case.facts.commits or () if commit.author)
    total = sum(authors.values())
    if total < MIN_COMMITS:
        return
    [(name, count)] = authors.most_common(1)
    made = f"{name} made {count} of the last {total} commits by people ({count / total:.0%})"
    yield "top_author", f"{made}; {counted(len(authors), 'people')} made all of them.", "/graphs/contributors"


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


def list_statements(case: Case) -> Iterator[Statement]:
    """Yield the statements by dimension."""
    for dimension, state in STATED.items():
        for name, text, place in state(case):
            yield Statement(id=name, dimension=dimension, statement=text, evidence_url=case.repository.page + place)


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
