"""The rules about the project itself: maturity, documentation and ease of use."""

from __future__ import annotations

import re
from collections.abc import Iterable

from goldpan.kinds.repositories.analysis.findings import Case, Finding, Rule, counted, file_page, span
from goldpan.kinds.repositories.dimensions import SIGNALS, days_since, logarithmic
from goldpan.kinds.repositories.models import Dimension

UNKNOWN_LICENSES = frozenset({"NOASSERTION", "OTHER"})
LICENSE_FILE = re.compile(r"(?:licen[sc]e|copying|unlicense)(?:[.-][\w.-]+)?", re.IGNORECASE)
CHANGELOG_FILE = re.compile(r"(?:change(?:s|log)|history|news|releases?(?:[_-]notes)?)(?:\.\w+)?", re.IGNORECASE)
DOCS_FOLDER = re.compile(r"(?:docs?|documentation|website|site|book|guide)/", re.IGNORECASE)
EXAMPLES_FOLDER = re.compile(r"(?:examples?|samples?|demos?|tutorials?|cookbook|playground)/", re.IGNORECASE)
SITE = re.compile(r"(?:https?://)?[^\s/]+\.\S+", re.IGNORECASE)
"""An address; the field is free text."""
CODE_HOST = re.compile(r"https?://(?:www\.)?github\.com/", re.IGNORECASE)
VERSION = re.compile(r"(?:^|[^\d.])(?P<major>\d+)\.\d+")
MANY_DEPENDENCIES = 100


def _age(case: Case) -> Finding | None:
    days = days_since(case.repository, "created_at", case.now)
    if days is None or case.repository.created_at is None:
        return None
    text = f"Created on {case.repository.created_at:%Y-%m-%d}, {span(days)} ago."
    return Finding(logarithmic(days / 365.25, 8), text)


def _stars(case: Case) -> Finding | None:
    stars = case.repository.stars
    if stars is None:
        return None
    day = case.repository.observed.get("stars")
    counted_on = f" (counted on {day.isoformat()})" if day else ""
    return Finding(logarithmic(stars, 50_000), f"{counted(stars, 'star')}{counted_on}.", "stargazers")


def _releases(case: Case) -> Finding | None:
    count = case.repository.releases
    if count is None:
        return None
    return Finding(
        logarithmic(count, 100), f"{counted(count, 'release')} on GitHub." if count else NONE_YET, "releases"
    )


NONE_YET = "No release on GitHub; it may be released elsewhere."


def _version(case: Case) -> Finding | None:
    name = case.repository.latest_release_name
    match = VERSION.search(name or "")
    if name is None or match is None:
        return None
    is_stable = int(match["major"][:9]) > 0
    text = f"The latest release, {name}, is {'at or above' if is_stable else 'below'} version 1.0."
    return Finding(1.0 if is_stable else 0.3, text, "releases")


def _license(case: Case) -> Finding | None:
    name = case.repository.license
    file = _first(case, LICENSE_FILE)
    page = file_page(file) if file else ""
    if name and name.upper() not in UNKNOWN_LICENSES:
        return Finding(1.0, f"Licensed under {name}.", page)
    if file or name:
        return Finding(0.5, "It has a licence that GitHub does not recognise: read it before use.", page)
    if case.facts.paths is None:
        return None
    return Finding(0.0, "No licence: without one, using, changing or sharing it is not allowed.", "")


def _structure(case: Case, dimension: Dimension) -> float | None:
    """Rate the structure of the README by the rule of the search."""
    return SIGNALS[dimension][0].value(case.repository, case.now)


def _readme_docs(case: Case) -> Finding | None:
    value, outline = _structure(case, "documentation"), case.repository.readme_outline
    if value is None:
        return None
    if outline is None:
        return Finding(value, "No README.", "")
    parts = [part for part in ("api", "examples", "docs") if part in outline.sections]
    about = f"sections on {', '.join(parts)}" if parts else "no section on API, examples or documentation"
    text = (
        f"README of {outline.characters:,} characters with {counted(outline.headings, 'heading')}, "
        f"{counted(outline.links, 'link')} and {about}."
    )
    return Finding(value, text, "#readme")


def _readme_start(case: Case) -> Finding | None:
    value, outline = _structure(case, "ease_of_use"), case.repository.readme_outline
    if value is None:
        return None
    if outline is None:
        return Finding(value, "No README that says how to begin.", "")
    parts = [part for part in ("install", "usage", "examples") if part in outline.sections]
    about = f"sections on {', '.join(parts)}" if parts else "no section on installation, usage or examples"
    code = counted(outline.code_blocks, "code block")
    return Finding(value, f"README with {code}, {counted(outline.images, 'image')} and {about}.", "#readme")


def _documentation_site(case: Case) -> Finding | None:
    site, folder = case.repository.homepage, _first(case, DOCS_FOLDER)
    own_site = site if site and SITE.fullmatch(site) and not CODE_HOST.match(site) else None
    if own_site is None and folder is None and case.facts.paths is None:
        return None
    found = [f"a website ({own_site})" if own_site else "", f"the folder {folder}" if folder else ""]
    if any(found):
        text = f"Beside the README: {' and '.join(filter(None, found))}."
        return Finding(1.0, text, file_page(folder) if folder else "")
    return Finding(0.0, "Neither a website nor a folder of documentation.", "")


def _wiki(case: Case) -> Finding | None:
    """State that there may be a wiki: GitHub switches it on for every repository, so that it earns nothing."""
    return Finding(None, "The wiki is switched on, which may be empty.", "wiki") if case.facts.has_wiki else None


def _changelog(case: Case) -> Finding | None:
    if (file := _first(case, CHANGELOG_FILE)) is not None:
        return Finding(1.0, f"Changes are listed in {file}.", file_page(file))
    if case.facts.paths is None or case.repository.releases is None:
        return None
    if case.repository.releases:
        return Finding(0.6, "No changelog file; releases may have notes.", "releases")
    return Finding(0.0, "Neither a changelog nor a release.", "")


def _examples(case: Case) -> Finding | None:
    if (folder := _first(case, EXAMPLES_FOLDER)) is not None:
        return Finding(1.0, f"Examples are in {folder}.", file_page(folder))
    return None if case.facts.paths is None else Finding(0.0, "No folder of examples.", "")


def _dependencies(case: Case) -> Finding | None:
    read, count = case.parsed.read, len(case.parsed.dependencies)
    if not read:
        return None
    named = f"{', '.join(read[:3])}{' and others' if len(read) > 3 else ''}"  # noqa: PLR2004 - as many as are shown
    few = 1 - logarithmic(count, MANY_DEPENDENCIES)
    return Finding(few, f"{counted(count, 'dependency', 'dependencies')} at run time, by {named}.", file_page(read[0]))


def _first(case: Case, pattern: re.Pattern[str]) -> str | None:
    """Return the first path of the root that matches."""
    paths: Iterable[str] = case.facts.paths or ()
    return next((path for path in paths if "/" not in path.rstrip("/") and pattern.fullmatch(path)), None)


PROJECT_RULES = (
    Rule("age", "maturity", 0.2, "log, 1 at 8 years", _age),
    Rule("stars", "maturity", 0.35, "log, 1 at 50,000", _stars),
    Rule("releases", "maturity", 0.25, "log, 1 at 100", _releases),
    Rule("version", "maturity", 0.1, "1 from version 1.0, 0.3 below", _version),
    Rule("license", "maturity", 0.1, "1 known to GitHub, 0.5 another, 0 none", _license),
    Rule("readme", "documentation", 0.5, "as in a search: length, headings, links, sections", _readme_docs),
    Rule("documentation_site", "documentation", 0.25, "1 for a website or a folder, else 0", _documentation_site),
    Rule("changelog", "documentation", 0.25, "1 for a file, 0.6 for releases alone, else 0", _changelog),
    Rule("wiki", "documentation", 0.0, "stated only", _wiki),
    Rule("readme_start", "ease_of_use", 0.6, "as in a search: sections, code blocks, images", _readme_start),
    Rule("examples", "ease_of_use", 0.2, "1 for a folder, else 0", _examples),
    Rule("dependencies", "ease_of_use", 0.2, "1 without any, 0 from 100, log between", _dependencies),
)
