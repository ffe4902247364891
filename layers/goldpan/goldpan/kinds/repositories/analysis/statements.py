"""Statements and caveats about a repository, as docs/analyze.md lists them."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from statistics import median

from goldpan.counts import counted, first_named
from goldpan.kinds.repositories.analysis.case import MIN_TIMES, SECONDS_A_DAY, Case, Said, file_page, responses, span
from goldpan.kinds.repositories.analysis.models import Statement
from goldpan.kinds.repositories.licenses import is_known_license
from goldpan.kinds.repositories.models import Dimension
from goldpan.kinds.repositories.notices import caveats
from goldpan.kinds.repositories.readme import MAX_MEASURED

MIN_COMMITS, MAX_NAMES = 10, 5
"""Of fewer commits shares tell nothing; of dependencies that were not judged as many are named."""
CONTRIBUTION_GUIDE = r"(?:\.github/|docs/)?contributing(?:\.\w+)?"
LICENSE_FILE = r"(?:licen[sc]e|copying|unlicense)(?:[.-][\w.-]+)?"
NAMED_LICENSE = r"(?:[^/]*[^a-z/])?(?:licen[sc]es?|copying|unlicense)(?:[^a-z/][^/]*)?/?"
"""Has it as a word: LICENSES/, LICENSE_1_0.txt, MIT-LICENSE."""
CHANGELOG = r"(?:docs?/)?(?:(?:changes|history|news|releases?(?:[_-]notes)?)(?:\.\w+)?|changelogs?(?:[._-][\w.-]+)?/?)"
DOCS_FOLDER = r"(?:docs?|documentation|website|site|book|guide)/"
OTHER_CI = (
    r"(?:\.travis\.yml|\.gitlab-ci\.yml|\.circleci/|azure-pipelines\.yml|Jenkinsfile|\.appveyor\.yml|appveyor\.yml"
    r"|\.buildkite/|\.drone\.yml|\.woodpecker(?:\.yml|/)|\.cirrus\.yml|bitbucket-pipelines\.yml)"
)
TESTS = r"(?:.*/)?(?:(?:[^/]*[._-])?tests?|specs?|__tests__|testing|e2e)/"
TEST_FILE = r"(?:.*/)?(?:tests?[_-]\w+\.\w+|\w+[_.-](?:test|spec)\.\w+|(?:pytest|tox|jest\.config)\.\w+)"
EXAMPLES = r"(?:docs?/)?_?(?:examples?|samples?|demos?|tutorials?|cookbook|playground)/"
WORKFLOWS = ".github/workflows/"
SITE = re.compile(r"(?:https?://)?[^\s/]+\.\S+", re.IGNORECASE)
"""An address; the field is free text."""
CODE_HOST = re.compile(r"https?://(?:www\.)?github\.com/", re.IGNORECASE)
NAMED, NAMED_IDS = 4, 2
"""How many vulnerable dependencies, and vulnerabilities of each, a statement names."""
GRAPH = "/network/dependencies"


def maturity(case: Case) -> Said:
    """State the age, the stars, the releases and the licence."""
    if created := case.event("created_at"):
        yield "age", f"Created on {created}.", ""
    if stars := case.count("stars"):
        yield "stars", f"{stars}.", "/stargazers"
    if releases := case.count("releases"):
        none = "No release on GitHub; it may be released elsewhere."
        yield "releases", f"{releases} on GitHub." if case.repository.releases else none, "/releases"
    yield from _license(case)


def _license(case: Case) -> Said:
    name, file = case.repository.license, case.find_path(LICENSE_FILE, NAMED_LICENSE)
    if is_known_license(name):
        yield "license", f"Licensed under {name}.", file_page(file)
    elif file or name:
        text = "It has a licence that GitHub does not recognise: read it before use."
        yield "license", text, file_page(file)
    elif case.facts.has_all_paths:
        yield "license", "No licence: without one, using, changing or sharing it is not allowed.", ""


def documentation(case: Case) -> Said:
    """State what the README, a website, a folder and a changelog document."""
    counts, sections = ("headings", "links"), ("api", "examples", "docs")
    yield from _readme(case, "readme", counts, sections, "API, examples or documentation")
    site, folder = case.repository.homepage, case.find_path(DOCS_FOLDER)
    own_site = site if site and SITE.fullmatch(site) and not CODE_HOST.match(site) else None
    found = [f"a website ({own_site})" if own_site else "", f"the folder {folder}" if folder else ""]
    if any(found):
        place = "In place of a README" if case.repository.has_readme is False else "In addition to the README"
        yield "documentation_site", f"{place}: {' and '.join(filter(None, found))}.", file_page(folder)
    elif case.facts.has_all_paths:
        yield "documentation_site", "Neither a website nor a folder of documentation.", ""
    releases = case.repository.releases
    if releases is not None or case.find_path(CHANGELOG):
        without = "No changelog file; releases may have notes." if releases else "Neither a changelog nor a release."
        yield from case.say_file("changelog", "Changes are listed in {}.", without, CHANGELOG)


def _readme(case: Case, name: str, counts: tuple[str, ...], sections: tuple[str, ...], none: str) -> Said:
    """State figures of the README, and which of the sections it has."""
    outline = case.repository.readme_outline
    if outline is None:
        if case.repository.has_readme is False:
            yield name, f"No README: no {none}.", ""
        return
    parts = [part for part in sections if part in outline.sections]
    shown = f"sections on {', '.join(parts)}" if parts else f"no section on {none}"
    figures = ", ".join(counted(getattr(outline, count), count.replace("_", " ")) for count in counts)
    size = f"{outline.characters:,} characters"
    if outline.characters >= MAX_MEASURED:
        size = f"more than {size}, of which the first are read,"
    yield name, f"README of {size} with {figures} and {shown}.", "#readme"


def ease_of_use(case: Case) -> Said:
    """State what helps to begin, and what the project depends on."""
    counts, sections = ("code_blocks", "images"), ("install", "usage", "examples")
    yield from _readme(case, "readme_start", counts, sections, "installation, usage or examples")
    yield from case.say_file("examples", "Examples are in {}.", "No folder of examples.", EXAMPLES)
    if count := len(case.facts.dependencies or ()):  # a graph without any may be of an ecosystem that it does not know
        yield "dependencies", f"{counted(count, 'dependencies')} in GitHub's dependency graph.", GRAPH


def maintenance(case: Case) -> Said:
    """State releases, closed issues, tests and checks, vulnerabilities, and responses to pull requests."""
    if released := case.event("latest_release_at"):
        name = case.repository.latest_release_name or "without a name"
        yield "latest_release", f"Latest release {name} on {released}{_interval(case)}.", "/releases"
    opened, closed = case.repository.open_issues, case.repository.closed_issues
    if opened is not None and closed is not None and (total := opened + closed):
        yield "closed_issues", f"{closed:,} of {total:,} issues are closed ({closed / total:.0%}).", "/issues"
    missing = "No tests were found in its first two levels of folders."
    yield from case.say_file("tests", "Tests are in {}.", missing, TESTS, TEST_FILE)
    yield from _continuous_integration(case)
    yield from _vulnerabilities(case)
    if (has_policy := case.facts.has_security_policy) is not None:
        text = "It has a security policy." if has_policy else "No security policy."
        yield "security_policy", text, "/security/policy"
    yield from responses(case, "pull_request", "pull requests", "/pulls?q=is%3Apr")


def _interval(case: Case) -> str:
    """Write the median time between the last releases, if there are several."""
    times = sorted(case.facts.release_times or ())
    if len(times) < MIN_TIMES:
        return ""
    between = median((later - earlier).total_seconds() / SECONDS_A_DAY for earlier, later in pairwise(times))
    return f"; a median of {span(between)} between the last {len(times)}"


def _continuous_integration(case: Case) -> Said:
    workflows = [path for path in case.facts.paths or () if path.startswith(WORKFLOWS) and path != WORKFLOWS]
    if workflows:
        yield "continuous_integration", f"{counted(len(workflows), 'workflows')} of GitHub Actions.", "/actions"
    else:
        found, missing = "Continuous integration by {}.", "No configuration of continuous integration."
        yield from case.say_file("continuous_integration", found, missing, OTHER_CI)


def _vulnerabilities(case: Case) -> Said:
    """Count the judged dependencies with a known vulnerability, and name the first."""
    known = case.facts.dependencies or ()
    judged = [(each, each.vulnerabilities) for each in known if each.vulnerabilities is not None]
    if not judged:
        return
    bad = [(each, ids) for each, ids in judged if ids]
    of_all = f"{len(judged)} judged dependencies, of {len(known)} in all"
    if not bad:
        yield "vulnerabilities", f"OSV knows no vulnerability of the {of_all}.", GRAPH
        return
    named = "; ".join(f"{each.name} {each.version}: {first_named(ids, NAMED_IDS)}" for each, ids in bad[:NAMED])
    more = f"; and {len(bad) - NAMED} more" if len(bad) > NAMED else ""
    yield "vulnerabilities", f"OSV knows vulnerabilities of {len(bad)} of the {of_all} ({named}{more}).", GRAPH


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
