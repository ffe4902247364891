"""Statements about the people and their work: how regular it is, how it is spread, and how soon they respond."""

from collections import Counter
from statistics import median

from goldpan.counts import counted
from goldpan.kinds.repositories.analysis.case import MIN_TIMES, SECONDS_A_DAY, Case, Said, file_page, span
from goldpan.kinds.repositories.analysis.models import ThreadKind
from goldpan.kinds.repositories.dimensions import DAYS_A_YEAR, days_since

WEEKS, WEEK_DAYS = 13, 7
"""A quarter of a year, in weeks."""
MIN_COMMITS, MIN_STARS = 10, 100
"""Fewer tell nothing about shares and the proportions of stars."""
MAX_COMMITS = 100
CONTRIBUTION_GUIDE = r"(?:\.github/|docs/)?contributing(?:\.\w+)?"


def activity(case: Case) -> Said:
    """State the last push, the commits, and how much is closed and merged."""
    if pushed := case.event("pushed_at"):
        yield "last_push", f"Last push on {pushed}.", "/commits"
    if commits := case.count("recent_commits"):
        yield "commits", f"{commits} in the last 90 days.", "/commits"
    yield from _rhythm(case)
    closed, merged = case.repository.closed_issues, case.repository.merged_pull_requests
    if closed is not None and merged is not None:
        done = f"{counted(closed, 'issues')} closed and {counted(merged, 'pull requests')} merged"
        yield "pace", f"{done} over all its time.", "/pulse"


def _rhythm(case: Case) -> Said:
    """Count the weeks of the last quarter with a commit; of a hundred newer commits, all that they span."""
    commits = case.facts.commits
    if not commits:
        return
    weeks = [int((case.now - commit.at).days // WEEK_DAYS) for commit in commits]
    complete = len(commits) < MAX_COMMITS or max(weeks) >= WEEKS
    spanned = WEEKS if complete else max(1, max(weeks) + 1)
    active = len({week for week in weeks if 0 <= week < spanned})
    yield "rhythm", f"Commits in {active} of the last {counted(spanned, 'weeks')}.", "/graphs/commit-activity"


def community(case: Case) -> Said:
    """State who contributes, how soon people respond, and what the stars are beside the forks."""
    if contributors := case.count("contributors"):
        yield "contributors", f"About {contributors}.", "/graphs/contributors"
    yield from _top_author(case)
    yield from responses(case, "issue", "issues", "/issues?q=is%3Aissue")
    yield from _star_profile(case)
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


def responses(case: Case, kind: ThreadKind, noun: str, page: str) -> Said:
    """State the median time to the first response of another person; what has none yet counts with its age."""
    threads = [thread for thread in case.facts.threads or () if thread.kind == kind]
    if len(threads) < MIN_TIMES:
        return
    answered = sum(thread.answered_at is not None for thread in threads)
    waits = ((thread.answered_at or case.now) - thread.opened_at for thread in threads)
    typical = median(max(0.0, wait.total_seconds() / SECONDS_A_DAY) for wait in waits)
    named = counted(len(threads), noun)
    text = f"Median first response within {span(typical)}; {answered} of the last {named} had one."
    if answered * 2 < len(threads):
        text = f"Of the last {named}, {answered} had a response by another person."
    yield f"{kind.removesuffix('_request')}_response", text, page


def _star_profile(case: Case) -> Said:
    """State the forks a star and the stars a year. An unusual profile is no claim of anything."""
    stars, forks = case.repository.stars, case.repository.forks
    if stars is None or forks is None or stars < MIN_STARS:
        return
    days = days_since(case.repository, "created_at", case.now)
    a_year = f"; {stars / max(1.0, days / DAYS_A_YEAR):,.0f} stars a year" if days else ""
    yield "star_profile", f"{forks / stars * 100:.1f} forks for 100 stars{a_year}.", "/stargazers"
