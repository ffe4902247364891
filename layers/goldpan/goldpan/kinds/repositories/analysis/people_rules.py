"""The rules about the people and their work: how regular it is, how it is spread, and how soon they respond."""

from __future__ import annotations

from collections import Counter
from functools import partial
from statistics import median

from goldpan.counts import counted
from goldpan.kinds.repositories.analysis.findings import (
    Case,
    Finding,
    Rule,
    look_at_count,
    look_at_event,
    look_at_flag,
    span,
)
from goldpan.kinds.repositories.analysis.models import Thread, ThreadKind
from goldpan.kinds.repositories.dimensions import DAYS_A_YEAR, days_since

WEEKS, WEEK_DAYS = 13, 7
"""A quarter of a year, in weeks."""
MIN_COMMITS, MIN_TIMES, MIN_STARS = 10, 3, 100
"""Fewer tell nothing about shares, typical times and the proportions of stars."""
MAX_COMMITS = 100
CONTRIBUTION_GUIDE = r"(?:\.github/|docs/)?contributing(?:\.\w+)?"
SECONDS_A_DAY = 86_400


def _rhythm(case: Case) -> Finding | None:
    """Count the weeks of the last quarter with a commit; of a hundred newer commits, all that they span."""
    commits = case.facts.commits
    if not commits:
        return None
    weeks = [int((case.now - commit.at).days // WEEK_DAYS) for commit in commits]
    complete = len(commits) < MAX_COMMITS or max(weeks) >= WEEKS
    spanned = WEEKS if complete else max(1, max(weeks) + 1)
    active = len({week for week in weeks if 0 <= week < spanned})
    text = f"Commits in {active} of the last {counted(spanned, 'weeks')}."
    return Finding(text, "/graphs/commit-activity")


def _pace(case: Case) -> Finding | None:
    closed, merged = case.repository.closed_issues, case.repository.merged_pull_requests
    if closed is None or merged is None:
        return None
    text = f"{counted(closed, 'issues')} closed and {counted(merged, 'pull requests')} merged over all its time."
    return Finding(text, "/pulse")


def _top_author(case: Case) -> Finding | None:
    """State how the last commits are spread: who leaves takes their knowledge along."""
    authors = Counter(commit.author for commit in case.facts.commits or () if commit.author and not commit.is_bot)
    total = sum(authors.values())
    if total < MIN_COMMITS:
        return None
    [(name, count)] = authors.most_common(1)
    share = count / total
    text = (
        f"{name} made {count} of the last {total} commits by people ({share:.0%}); "
        f"{counted(len(authors), 'people')} made all of them."
    )
    return Finding(text, "/graphs/contributors")


def _response(case: Case, kind: ThreadKind, noun: str, page: str) -> Finding | None:
    """State the median time to the first response of another person; what has none yet counts with its age."""
    threads = [thread for thread in case.facts.threads or () if thread.kind == kind]
    if len(threads) < MIN_TIMES:
        return None
    answered = sum(thread.answered_at is not None for thread in threads)
    typical = median(_days(thread, case) for thread in threads)
    named = counted(len(threads), noun)
    text = f"Median first response within {span(typical)}; {answered} of the last {named} had one."
    if answered * 2 < len(threads):
        text = f"Of the last {named}, {answered} had a response by another person."
    return Finding(text, page)


def _days(thread: Thread, case: Case) -> float:
    return max(0.0, ((thread.answered_at or case.now) - thread.opened_at).total_seconds() / SECONDS_A_DAY)


def _star_profile(case: Case) -> Finding | None:
    """State the forks a star and the stars a year. An unusual profile is no claim of anything."""
    stars, forks = case.repository.stars, case.repository.forks
    if stars is None or forks is None or stars < MIN_STARS:
        return None
    days = days_since(case.repository, "created_at", case.now)
    a_year = f"; {stars / max(1.0, days / DAYS_A_YEAR):,.0f} stars a year" if days else ""
    return Finding(f"{forks / stars * 100:.1f} forks for 100 stars{a_year}.", "/stargazers")


_last_push = look_at_event("pushed_at", "Last push on {}.", "/commits")
_commits = look_at_count("recent_commits", "/commits", "{} in the last 90 days.")
_contributors = look_at_count("contributors", "/graphs/contributors", "About {}.")
_contribution_guide = look_at_flag(
    "has_contribution_guide", "There is a guide for contributors.", "No guide for contributors.", "", CONTRIBUTION_GUIDE
)
_issue_response = partial(_response, kind="issue", noun="issues", page="/issues?q=is%3Aissue")
_pull_response = partial(_response, kind="pull_request", noun="pull requests", page="/pulls?q=is%3Apr")
PEOPLE_RULES = (
    Rule("last_push", "activity", _last_push),
    Rule("commits", "activity", _commits),
    Rule("rhythm", "activity", _rhythm),
    Rule("pace", "activity", _pace),
    Rule("contributors", "community", _contributors),
    Rule("top_author", "community", _top_author),
    Rule("issue_response", "community", _issue_response),
    Rule("star_profile", "community", _star_profile),
    Rule("contribution_guide", "community", _contribution_guide),
    Rule("pull_response", "maintenance", _pull_response),
)
