"""The rules about the people and their work: activity, community and maintenance."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from statistics import median

from goldpan.kinds.repositories.analysis.findings import Case, Finding, Rule, counted, file_page, span
from goldpan.kinds.repositories.analysis.models import Thread, ThreadKind
from goldpan.kinds.repositories.dimensions import SIGNALS, days_since, logarithmic, recency

WEEKS, WEEK_DAYS = 13, 7
"""A quarter of a year, in weeks."""
MIN_COMMITS, MIN_THREADS, MIN_STARS = 10, 3, 100
"""Fewer tell nothing about shares, response times and the proportions of stars."""
EVEN_SHARE = 0.3
"""The share of the commits of the most active author up to which the work is well spread."""
TESTS = re.compile(r"(?:tests?|specs?|__tests__|testing|e2e|integration[_-]tests)/", re.IGNORECASE)
TEST_FILE = re.compile(
    r"(?:tests?[_-]\w+\.\w+|\w+[_.-](?:test|spec)\.\w+|(?:pytest|tox|jest\.config)\.\w+)", re.IGNORECASE
)
OTHER_CI = re.compile(
    r"(?:\.travis\.yml|\.gitlab-ci\.yml|\.circleci/|azure-pipelines\.yml|Jenkinsfile|\.appveyor\.yml|appveyor\.yml"
    r"|\.buildkite/|\.drone\.yml|\.woodpecker(?:\.yml|/)|\.cirrus\.yml|bitbucket-pipelines\.yml)"
)
WORKFLOWS = ".github/workflows/"
NAMED = 4


def _last_push(case: Case) -> Finding | None:
    days = days_since(case.repository, "pushed_at", case.now)
    if days is None or case.repository.pushed_at is None:
        return None
    observed = case.repository.observed.get("pushed_at")
    age = f"{span(days)} ago" if observed is None else f"as known on {observed.isoformat()}"
    return Finding(recency(days, 14, 730), f"Last push on {case.repository.pushed_at:%Y-%m-%d}, {age}.", "commits")


def _commits(case: Case) -> Finding | None:
    count = case.repository.recent_commits
    if count is None:
        return None
    return Finding(logarithmic(count, 300), f"{counted(count, 'commit')} in the last 90 days.", "commits")


def _rhythm(case: Case) -> Finding | None:
    """Count the weeks of the last quarter with a commit; of a hundred newer commits, all that they span."""
    commits = case.facts.commits
    if not commits:
        return None
    weeks = [int((case.now - commit.at).days // WEEK_DAYS) for commit in commits]
    complete = len(commits) < MAX_COMMITS or weeks[-1] >= WEEKS
    spanned = WEEKS if complete else max(1, weeks[-1] + 1)
    active = len({week for week in weeks if 0 <= week < spanned})
    text = f"Commits in {active} of the last {counted(spanned, 'week')}."
    return Finding(active / spanned, text, "graphs/commit-activity")


MAX_COMMITS = 100


def _pace(case: Case) -> Finding | None:
    value = SIGNALS["activity"][2].value(case.repository, case.now)
    closed, merged = case.repository.closed_issues, case.repository.merged_pull_requests
    if value is None or closed is None or merged is None:
        return None
    text = f"{counted(closed, 'issue')} closed and {counted(merged, 'pull request')} merged over all its time."
    return Finding(value, text, "pulse")


def _contributors(case: Case) -> Finding | None:
    count = case.repository.contributors
    if count is None:
        return None
    return Finding(logarithmic(count, 500), f"About {counted(count, 'contributor')}.", "graphs/contributors")


def _top_author(case: Case) -> Finding | None:
    """Rate how the last commits are spread: who leaves takes their knowledge along."""
    authors = Counter(commit.author for commit in case.facts.commits or () if commit.author and not commit.is_bot)
    total = sum(authors.values())
    if total < MIN_COMMITS:
        return None
    (name, count), share = authors.most_common(1)[0], authors.most_common(1)[0][1] / total
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


def _pull_response(case: Case) -> Finding | None:
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
    file = _first(case, re.compile(r"(?:\.github/|docs/)?contributing(?:\.\w+)?", re.IGNORECASE))
    text = "There is a guide for contributors." if has_guide else "No guide for contributors."
    return Finding(float(has_guide), text, file_page(file) if file else "")


def _latest_release(case: Case) -> Finding | None:
    repository = case.repository
    days = days_since(repository, "latest_release_at", case.now)
    if days is None or repository.latest_release_at is None:
        return None
    name = repository.latest_release_name or "without a name"
    text = f"Latest release {name} on {repository.latest_release_at:%Y-%m-%d}, {span(days)} ago{_interval(case)}."
    return Finding(recency(days, 60, 1095), text, "releases")


def _interval(case: Case) -> str:
    """Describe the median time between the last releases, if there are several."""
    times = sorted(release.at for release in case.facts.releases or () if release.at)
    if len(times) < MIN_THREADS:
        return ""
    between = median((later - earlier).total_seconds() / 86_400 for earlier, later in pairwise(times))
    return f"; a median of {span(between)} between the last {len(times)}"


def _closed(case: Case) -> Finding | None:
    opened, closed = case.repository.open_issues, case.repository.closed_issues
    if opened is None or closed is None or not opened + closed:
        return None
    share = closed / (opened + closed)
    return Finding(share, f"{closed:,} of {opened + closed:,} issues are closed ({share:.0%}).", "issues")


def _tests(case: Case) -> Finding | None:
    paths = case.facts.paths
    if paths is None:
        return None
    folders = (path for path in paths if path.endswith("/"))
    found = next((path for path in folders if TESTS.fullmatch(path.rstrip("/").rpartition("/")[2] + "/")), None)
    found = found or next((path for path in paths if TEST_FILE.fullmatch(path.rpartition("/")[2])), None)
    if found:
        return Finding(1.0, f"Tests are in {found}.", file_page(found))
    return Finding(0.0, "No tests were found in its first two levels of folders.", "")


def _continuous_integration(case: Case) -> Finding | None:
    paths = case.facts.paths
    if paths is None:
        return None
    workflows = [path for path in paths if path.startswith(WORKFLOWS) and path != WORKFLOWS]
    if workflows:
        return Finding(1.0, f"{counted(len(workflows), 'workflow')} of GitHub Actions.", "actions")
    if (other := _first(case, OTHER_CI)) is not None:
        return Finding(1.0, f"Continuous integration by {other}.", file_page(other))
    return Finding(0.0, "No configuration of continuous integration.", "")


def _vulnerabilities(case: Case) -> Finding | None:
    advisories = case.advisories
    if advisories is None or not advisories.judged:
        return None
    bad = advisories.vulnerable
    judged = f"{advisories.judged} judged dependencies, of {len(case.parsed.dependencies)} in all"
    page = file_page(
        case.parsed.dependencies.get(bad[0].dependency, case.parsed.read[0]) if bad else case.parsed.read[0]
    )
    if not bad:
        return Finding(1.0, f"OSV knows no vulnerability of the {judged}.", page)
    named = "; ".join(
        f"{one.dependency.name} {'' if one.dependency.is_exact else 'from '}{one.dependency.version}: {_ids(one.ids)}"
        for one in bad[:NAMED]
    )
    more = f"; and {len(bad) - NAMED} more" if len(bad) > NAMED else ""
    text = f"OSV knows vulnerabilities of {len(bad)} of the {judged} ({named}{more})."
    return Finding(1 - len(bad) / advisories.judged, text, page)


def _ids(ids: tuple[str, ...]) -> str:
    return ", ".join(ids[:2]) + (f" and {len(ids) - 2} more" if len(ids) > 2 else "")  # noqa: PLR2004 - as many as are named


def _security_policy(case: Case) -> Finding | None:
    has_policy = case.facts.has_security_policy
    if has_policy is None:
        return None
    return Finding(
        float(has_policy), "It has a security policy." if has_policy else "No security policy.", "security/policy"
    )


def _first(case: Case, pattern: re.Pattern[str]) -> str | None:
    return next((path for path in case.facts.paths or () if pattern.fullmatch(path)), None)


PEOPLE_RULES = (
    Rule("last_push", "activity", 0.3, "1 until 14 days, 0 from 730, log between", _last_push),
    Rule("commits", "activity", 0.3, "log, 1 at 300 in 90 days", _commits),
    Rule("rhythm", "activity", 0.2, "share of the last 13 weeks with a commit", _rhythm),
    Rule("pace", "activity", 0.2, "issues closed and pull requests merged a month, log, 1 at 100", _pace),
    Rule("contributors", "community", 0.3, "log, 1 at 500", _contributors),
    Rule("top_author", "community", 0.25, "1 where the most active author made up to 30%, 0 at 100%", _top_author),
    Rule("issue_response", "community", 0.2, "median, 1 until a day, 0 from 90, log between", _issue_response),
    Rule("star_profile", "community", 0.15, "1 at 1 fork for 5 stars", _star_profile),
    Rule("contribution_guide", "community", 0.1, "1 or 0", _contribution_guide),
    Rule("latest_release", "maintenance", 0.25, "1 until 60 days, 0 from 1,095, log between", _latest_release),
    Rule("closed_issues", "maintenance", 0.15, "closed / all", _closed),
    Rule("pull_response", "maintenance", 0.15, "median, 1 until a day, 0 from 90, log between", _pull_response),
    Rule("tests", "maintenance", 0.15, "1 where tests are found, else 0", _tests),
    Rule("continuous_integration", "maintenance", 0.1, "1 or 0", _continuous_integration),
    Rule("vulnerabilities", "maintenance", 0.15, "share of the judged dependencies without one", _vulnerabilities),
    Rule("security_policy", "maintenance", 0.05, "1 or 0", _security_policy),
)
