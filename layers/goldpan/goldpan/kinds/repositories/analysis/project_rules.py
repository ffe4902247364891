"""The rules about the project itself: releases, licence, documentation, checks and dependencies."""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise
from statistics import median

from goldpan.counts import counted
from goldpan.kinds.repositories.analysis.findings import (
    Case,
    Finding,
    Rule,
    file_page,
    look_at_count,
    look_at_event,
    look_at_flag,
    look_for_file,
    span,
)
from goldpan.kinds.repositories.analysis.people_rules import MIN_TIMES, SECONDS_A_DAY
from goldpan.kinds.repositories.licenses import is_known_license
from goldpan.kinds.repositories.models import Dimension

LICENSE_FILE = r"(?:licen[sc]e|copying|unlicense)(?:[.-][\w.-]+)?"
CHANGELOG_FILE = r"(?:change(?:s|log)|history|news|releases?(?:[_-]notes)?)(?:\.\w+)?"
DOCS_FOLDER = r"(?:docs?|documentation|website|site|book|guide)/"
OTHER_CI = (
    r"(?:\.travis\.yml|\.gitlab-ci\.yml|\.circleci/|azure-pipelines\.yml|Jenkinsfile|\.appveyor\.yml|appveyor\.yml"
    r"|\.buildkite/|\.drone\.yml|\.woodpecker(?:\.yml|/)|\.cirrus\.yml|bitbucket-pipelines\.yml)"
)
TESTS = r"(?:.*/)?(?:tests?|specs?|__tests__|testing|e2e|integration[_-]tests)/"
TEST_FILE = r"(?:.*/)?(?:tests?[_-]\w+\.\w+|\w+[_.-](?:test|spec)\.\w+|(?:pytest|tox|jest\.config)\.\w+)"
EXAMPLES = r"(?:examples?|samples?|demos?|tutorials?|cookbook|playground)/"
NO_TESTS = "No tests were found in its first two levels of folders."
LATEST_RELEASE = "Latest release {1} on {0}{2}."
NO_RELEASE = "No release on GitHub; it may be released elsewhere."
WORKFLOWS = ".github/workflows/"
SITE = re.compile(r"(?:https?://)?[^\s/]+\.\S+", re.IGNORECASE)
"""An address; the field is free text."""
CODE_HOST = re.compile(r"https?://(?:www\.)?github\.com/", re.IGNORECASE)
VERSION = re.compile(r"(?:^|[^\d.])(?P<major>\d+)\.\d+")
NAMED, NAMED_IDS = 4, 2
"""How many vulnerable dependencies, and vulnerabilities of each, a statement names."""
GRAPH = "/network/dependencies"
SECTIONS: dict[Dimension, tuple[tuple[str, ...], str]] = {
    "documentation": (("api", "examples", "docs"), "API, examples or documentation"),
    "ease_of_use": (("install", "usage", "examples"), "installation, usage or examples"),
}
"""The sections of a README that count, and how their absence is stated."""


def _version(case: Case) -> Finding | None:
    name = case.repository.latest_release_name
    match = VERSION.search(name or "")
    if match is None:
        return None
    is_stable = int(match["major"][:9]) > 0
    text = f"The latest release, {name}, is {'at or above' if is_stable else 'below'} version 1.0."
    return Finding(text, "/releases")


def _name_and_interval(case: Case) -> tuple[str, str]:
    """Return the name of the latest release, and the median time between the last ones, if there are several."""
    name = case.repository.latest_release_name or "without a name"
    times = sorted(case.facts.release_times or ())
    if len(times) < MIN_TIMES:
        return name, ""
    between = median((later - earlier).total_seconds() / SECONDS_A_DAY for earlier, later in pairwise(times))
    return name, f"; a median of {span(between)} between the last {len(times)}"


def _license(case: Case) -> Finding | None:
    name, file = case.repository.license, case.find_path(LICENSE_FILE)
    if is_known_license(name):
        return Finding(f"Licensed under {name}.", file_page(file))
    if file or name:
        return Finding("It has a licence that GitHub does not recognise: read it before use.", file_page(file))
    missing = "No licence: without one, using, changing or sharing it is not allowed."
    return None if case.facts.paths is None else Finding(missing)


def _readme(case: Case, dimension: Dimension, figures: tuple[str, str], missing: str) -> Finding | None:
    """State the figures and sections of the README."""
    outline = case.repository.readme_outline
    if outline is None:
        return Finding(missing) if case.repository.has_readme is False else None
    wanted, none = SECTIONS[dimension]
    parts = [part for part in wanted if part in outline.sections]
    sections = f"sections on {', '.join(parts)}" if parts else f"no section on {none}"
    numbers = ", ".join(counted(getattr(outline, name), name.replace("_", " ")) for name in figures)
    return Finding(f"README of {outline.characters:,} characters with {numbers} and {sections}.", "#readme")


def _documentation_site(case: Case) -> Finding | None:
    site, folder = case.repository.homepage, case.find_path(DOCS_FOLDER)
    own_site = site if site and SITE.fullmatch(site) and not CODE_HOST.match(site) else None
    found = [f"a website ({own_site})" if own_site else "", f"the folder {folder}" if folder else ""]
    if any(found):
        return Finding(f"In addition to the README: {' and '.join(filter(None, found))}.", file_page(folder))
    missing = "Neither a website nor a folder of documentation."
    return None if case.facts.paths is None else Finding(missing)


def _changelog(case: Case) -> Finding | None:
    """State whether changes are listed; releases may have notes."""
    if path := case.find_path(CHANGELOG_FILE):
        return Finding(f"Changes are listed in {path}.", file_page(path))
    if case.facts.paths is None or case.repository.releases is None:
        return None
    if case.repository.releases:
        return Finding("No changelog file; releases may have notes.", "/releases")
    return Finding("Neither a changelog nor a release.")


def _continuous_integration(case: Case) -> Finding | None:
    workflows = [path for path in case.facts.paths or () if path.startswith(WORKFLOWS) and path != WORKFLOWS]
    if workflows:
        return Finding(f"{counted(len(workflows), 'workflows')} of GitHub Actions.", "/actions")
    return look_for_file("Continuous integration by {}.", "No configuration of continuous integration.", OTHER_CI)(case)


def _closed_issues(case: Case) -> Finding | None:
    opened, closed = case.repository.open_issues, case.repository.closed_issues
    if opened is None or closed is None or not opened + closed:
        return None
    share = closed / (opened + closed)
    return Finding(f"{closed:,} of {opened + closed:,} issues are closed ({share:.0%}).", "/issues")


def _dependencies(case: Case) -> Finding | None:
    if not case.facts.dependencies:  # a graph without any may be one of an ecosystem that it does not know
        return None
    count = len(case.facts.dependencies)
    return Finding(f"{counted(count, 'dependencies')} in GitHub's dependency graph.", GRAPH)


def _vulnerabilities(case: Case) -> Finding | None:
    """Count the judged dependencies with a known vulnerability, and name the first."""
    advisories, dependencies = case.facts.advisories, case.facts.dependencies
    if advisories is None or not advisories.judged:
        return None
    bad = advisories.vulnerable
    judged = f"{advisories.judged} judged dependencies, of {len(dependencies or ())} in all"
    if not bad:
        return Finding(f"OSV knows no vulnerability of the {judged}.", GRAPH)
    named = "; ".join(f"{one.dependency.name} {one.dependency.version}: {_ids(one.ids)}" for one in bad[:NAMED])
    more = f"; and {len(bad) - NAMED} more" if len(bad) > NAMED else ""
    text = f"OSV knows vulnerabilities of {len(bad)} of the {judged} ({named}{more})."
    return Finding(text, GRAPH)


def _ids(ids: tuple[str, ...]) -> str:
    return ", ".join(ids[:NAMED_IDS]) + (f" and {len(ids) - NAMED_IDS} more" if len(ids) > NAMED_IDS else "")


_readme_docs = partial(_readme, dimension="documentation", figures=("headings", "links"), missing="No README.")
_readme_start = partial(
    _readme,
    dimension="ease_of_use",
    figures=("code_blocks", "images"),
    missing="No README that says how to begin.",
)
_security_policy = look_at_flag(
    "has_security_policy", "It has a security policy.", "No security policy.", "/security/policy"
)
_age = look_at_event("created_at", "Created on {}.")
_stars = look_at_count("stars", "/stargazers")
_releases = look_at_count("releases", "/releases", "{} on GitHub.", NO_RELEASE)
_latest_release = look_at_event("latest_release_at", LATEST_RELEASE, "/releases", _name_and_interval)
_examples = look_for_file("Examples are in {}.", "No folder of examples.", EXAMPLES)
_tests = look_for_file("Tests are in {}.", NO_TESTS, TESTS, TEST_FILE)
PROJECT_RULES = (
    Rule("age", "maturity", _age),
    Rule("stars", "maturity", _stars),
    Rule("releases", "maturity", _releases),
    Rule("version", "maturity", _version),
    Rule("license", "maturity", _license),
    Rule("readme", "documentation", _readme_docs),
    Rule("documentation_site", "documentation", _documentation_site),
    Rule("changelog", "documentation", _changelog),
    Rule("readme_start", "ease_of_use", _readme_start),
    Rule("examples", "ease_of_use", _examples),
    Rule("dependencies", "ease_of_use", _dependencies),
    Rule("latest_release", "maintenance", _latest_release),
    Rule("closed_issues", "maintenance", _closed_issues),
    Rule("tests", "maintenance", _tests),
    Rule("continuous_integration", "maintenance", _continuous_integration),
    Rule("vulnerabilities", "maintenance", _vulnerabilities),
    Rule("security_policy", "maintenance", _security_policy),
)
