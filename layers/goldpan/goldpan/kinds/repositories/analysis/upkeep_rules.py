"""The rules about upkeep: releases, issues, tests, continuous integration, vulnerabilities, security policy."""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import median

from goldpan.kinds.repositories.analysis.findings import (
    Case,
    Finding,
    Rule,
    counted,
    file_page,
    find_file,
    span,
    without_file,
)
from goldpan.kinds.repositories.analysis.people_rules import MIN_THREADS, pull_response
from goldpan.kinds.repositories.dimensions import days_since, recency

TESTS = re.compile(r"(?:.*/)?(?:tests?|specs?|__tests__|testing|e2e|integration[_-]tests)/", re.IGNORECASE)
TEST_FILE = re.compile(
    r"(?:.*/)?(?:tests?[_-]\w+\.\w+|\w+[_.-](?:test|spec)\.\w+|(?:pytest|tox|jest\.config)\.\w+)", re.IGNORECASE
)
OTHER_CI = re.compile(
    r"(?:\.travis\.yml|\.gitlab-ci\.yml|\.circleci/|azure-pipelines\.yml|Jenkinsfile|\.appveyor\.yml|appveyor\.yml"
    r"|\.buildkite/|\.drone\.yml|\.woodpecker(?:\.yml|/)|\.cirrus\.yml|bitbucket-pipelines\.yml)"
)
WORKFLOWS = ".github/workflows/"
NAMED = 4


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
    found = find_file(case, TESTS, "Tests are in {}.") or find_file(case, TEST_FILE, "Tests are in {}.")
    return found or without_file(case, "No tests were found in its first two levels of folders.")


def _continuous_integration(case: Case) -> Finding | None:
    workflows = [path for path in case.facts.paths or () if path.startswith(WORKFLOWS) and path != WORKFLOWS]
    if workflows:
        return Finding(1.0, f"{counted(len(workflows), 'workflow')} of GitHub Actions.", "actions")
    found = find_file(case, OTHER_CI, "Continuous integration by {}.")
    return found or without_file(case, "No configuration of continuous integration.")


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


UPKEEP_RULES = (
    Rule("latest_release", "maintenance", 0.25, "1 until 60 days, 0 from 1,095, log between", _latest_release),
    Rule("closed_issues", "maintenance", 0.15, "closed / all", _closed),
    Rule("pull_response", "maintenance", 0.15, "median, 1 until a day, 0 from 90, log between", pull_response),
    Rule("tests", "maintenance", 0.15, "1 where tests are found, else 0", _tests),
    Rule("continuous_integration", "maintenance", 0.1, "1 or 0", _continuous_integration),
    Rule("vulnerabilities", "maintenance", 0.15, "share of the judged dependencies without one", _vulnerabilities),
    Rule("security_policy", "maintenance", 0.05, "1 or 0", _security_policy),
)
