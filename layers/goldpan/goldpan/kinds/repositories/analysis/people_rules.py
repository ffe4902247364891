"""The rules about the people and their work: activity and community, and how soon they respond."""

from __future__ import annotations

import re
from collections import Counter
from statistics import median

from goldpan.kinds.repositories.analysis.findings import (
    Case,
    Finding,
    Rule,
    counted,
    file_page,
    first_path,
    look_at_count,
    span,
)
from goldpan.kinds.repositories.analysis.models import Thread, ThreadKind
from goldpan.kinds.repositories.dimensions import SIGNALS, days_since, recency

WEEKS, WEEK_DAYS = 13, 7
"""A quarter of a year, in weeks."""
MIN_COMMITS, MIN_THREADS, MIN_STARS = 10, 3, 100
"""Fewer tell nothing about shares, response times and the proportions of stars."""
MAX_COMMITS = 100
EVEN_SHARE = 0.3
"""The share of the commits of the most active author up to which the work is well spread."""


def _last_push(case: Case) -> Finding | None:
    days = days_since(case.repository, "pushed_at", case.now)
    if days is None or case.repository.pushed_at is None:
        return None
    observed = case.repository.observed.get("pushed_at")
    age = f"{span(days)} ago" if observed is None else f"as known on {observed.isoformat()}"
    return Finding(recency(days, 14, 730), f"Last push on {case.repository.pushed_at:%Y-%m-%d}, {age}.", "commits")


_commits = look_at_count("recent_commits", "commit", "{} in the last 90 days.", 300, "commits")
_contributors = look_at_count("contributors", "contributor", "About {}.", 500, "graphs/contributors")


def _rhythm(case: Case) -> Finding | None:
    """Count the weeks of the last quarter with a commit; of a hundred newer commits, all that they span."""
    commits = case.facts.commits
    if not commits:
        return None
    weeks = [int((case.now - commit.at).days // WEEK_DAYS) for commit in commits]
    complete = len(commits) < MAX_COMMITS or max(weeks) >= WEEKS
    spanned = WEEKS if complete else max(1, max(weeks) + 1)
    active = len({week for week in weeks if 0 <= week < spanned})
    text = f"Commits in {active} of the last {counted(spanned, 'week')}."
    return Finding(active / spanned, text, "graphs/commit-activity")


def _pace(case: Case) -> Finding | None:
    value = SIGNALS["activity"][2].value(case.repository, case.now)
    closed, merged = case.repository.closed_issues, case.repository.merged_pull_requests
    if value is None or closed is None or merged is None:
        return None
    text = f"{counted(closed, 'issue')} closed and {counted(merged, 'pull request')} merged over all its time."
    return Finding(value, text, "pulse")


def _top_author(case: Case) -> Finding | None:
    """Rate how the last commits are spread: who leaves takes their knowledge along."""
    authors = Counter(commit.author for commit in case.facts.commits or () if commit.author and not commit.is_bot)
    total = sum(authors.values())
    if total < MIN_COMMITS:
        return None
    [(name, count)] = authors.most_common(1)
    share = count / total
    text = (
        f"{name} made {count} of the last {total} commits by people ({share:.0%}); "
        f"{counted(len(authors), 'person', 'people')} made all of them."
    )
    return Finding(min(1.0, (1 - share) / (1 - EVEN_SHARE)), text, "graphs/contributors")


def _response(case: Case, kind: ThreadKind, page: str, noun: str) -> Finding | None:
    """Rate the median time to the first response of another person; what has none yet counts with its age."""
    threads = [thread for thread in case.facts.threads or () if thread.kind == kind]
    if len(threads) < MIN_THREADS:
        return None
    answered = [_days(thread, case) for thread in threads if thread.answered_at]
    typical = median(_days(thread, case) for thread in threads)
    named = counted(len(threads), noun)
    if len(answered) * 2 < len(threads):
        text = f"Of the last {named}, {len(answered)} had a response by another person."
    else:
        text = f"Median first response within {span(typical)}; {len(answered)} of the last {named} had one."
    return Finding(recency(max(typical, 1e-6), 1, 90), text, page)


def _days(thread: Thread, case: Case) -> float:
    return max(0.0, ((thread.answered_at or case.now) - thread.opened_at).total_seconds() / 86_400)


def _issue_response(case: Case) -> Finding | None:
    return _response(case, "issue", "issues?q=is%3Aissue", "issue")


def pull_response(case: Case) -> Finding | None:
    """Rate the response to pull requests."""
    return _response(case, "pull_request", "pulls?q=is%3Apr", "pull request")


def _star_profile(case: Case) -> Finding | None:
    """Rate the forks a star; watchers and stars a year are stated. An unusual profile is no claim of anything."""
    repository = case.repository
    stars, forks = repository.stars, repository.forks
    if stars is None or forks is None or stars < MIN_STARS:
        return None
    days = days_since(repository, "created_at", case.now)
    parts = [f"{forks / stars * 100:.1f} forks"]
    parts += [f"{repository.watchers / stars * 100:.1f} watchers"] if repository.watchers is not None else []
    a_year = f"; {stars / max(1.0, days / 365.25):,.0f} stars a year" if days else ""
    text = f"{' and '.join(parts)} for 100 stars{a_year}."
    return Finding(min(1.0, forks / stars / 0.2), text, "stargazers")


def _contribution_guide(case: Case) -> Finding | None:
    has_guide = case.facts.has_contribution_guide
    if has_guide is None:
        return None
    file = first_path(case, re.compile(r"(?:\.github/|docs/)?contributing(?:\.\w+)?", re.IGNORECASE))
    text = "There is a guide for contributors." if has_guide else "No guide for contributors."
    return Finding(float(has_guide), text, file_page(file) if file else "")


PEOPLE_RULES = (
    Rule("last_push", "activity", 0.3, "1 until 14 days, 0 from 730, log between", _last_push),
    Rule(
        "commits",
        "activity",
        0.3,
        "log, 1 at 300 in 90 days",
        _commits,
    ),
    Rule("rhythm", "activity", 0.2, "share of the last 13 weeks with a commit", _rhythm),
    Rule("pace", "activity", 0.2, "issues closed and pull requests merged a month, log, 1 at 100", _pace),
    Rule(
        "contributors",
        "community",
        0.3,
        "log, 1 at 500",
        _contributors,
    ),
    Rule("top_author", "community", 0.25, "1 where the most active author made up to 30%, 0 at 100%", _top_author),
    Rule("issue_response", "community", 0.2, "median, 1 until a day, 0 from 90, log between", _issue_response),
    Rule("star_profile", "community", 0.15, "1 at 1 fork for 5 stars", _star_profile),
    Rule("contribution_guide", "community", 0.1, "1 or 0", _contribution_guide),
)
