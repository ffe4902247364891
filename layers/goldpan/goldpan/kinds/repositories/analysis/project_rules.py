"""The rules about the project itself: maturity, documentation and ease of use."""

from __future__ import annotations

import re
from collections.abc import Callable

from goldpan.kinds.repositories.analysis.findings import (
    Case,
    Finding,
    Rule,
    counted,
    file_page,
    find_file,
    first_path,
    span,
    without_file,
)
from goldpan.kinds.repositories.dimensions import SIGNALS, days_since, logarithmic
from goldpan.kinds.repositories.models import Dimension, ReadmeOutline

UNKNOWN_LICENSES = frozenset({"NOASSERTION", "OTHER"})
LICENSE_FILE = re.compile(r"(?:licen[sc]e|copying|unlicense)(?:[.-][\w.-]+)?", re.IGNORECASE)
CHANGELOG_FILE = re.compile(r"(?:change(?:s|log)|history|news|releases?(?:[_-]notes)?)(?:\.\w+)?", re.IGNORECASE)
DOCS_FOLDER = re.compile(r"(?:docs?|documentation|website|site|book|guide)/", re.IGNORECASE)
EXAMPLES_FOLDER = re.compile(r"(?:examples?|samples?|demos?|tutorials?|cookbook|playground)/", re.IGNORECASE)
SITE = re.compile(r"(?:https?://)?[^\s/]+\.\S+", re.IGNORECASE)
"""An address; the field is free text."""
CODE_HOST = re.compile(r"https?://(?:www\.)?github\.com/", re.IGNORECASE)
VERSION = re.compile(r"(?:^|[^\d.])(?P<major>\d+)\.\d+")
NO_RELEASE = "No release on GitHub; it may be released elsewhere."
MANY_DEPENDENCIES = 100
SECTIONS: dict[Dimension, tuple[tuple[str, ...], str]] = {
    "documentation": (("api", "examples", "docs"), "API, examples or documentation"),
    "ease_of_use": (("install", "usage", "examples"), "installation, usage or examples"),
}
"""The sections of a README that count, and how their absence is stated."""


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
    text = f"{counted(count, 'release')} on GitHub." if count else NO_RELEASE
    return Finding(logarithmic(count, 100), text, "releases")


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
    file = first_path(case, LICENSE_FILE)
    page = file_page(file) if file else ""
    if name and name.upper() not in UNKNOWN_LICENSES:
        return Finding(1.0, f"Licensed under {name}.", page)
    if file or name:
        return Finding(0.5, "It has a licence that GitHub does not recognise: read it before use.", page)
    return without_file(case, "No licence: without one, using, changing or sharing it is not allowed.")


def _readme(case: Case, dimension: Dimension, missing: str, figures: Callable[[ReadmeOutline], str]) -> Finding | None:
    """Rate the structure of the README by the rule of the search, and state its figures and sections."""
    value, outline = SIGNALS[dimension][0].value(case.repository, case.now), case.repository.readme_outline
    if value is None:
        return None
    if outline is None:
        return Finding(value, missing)
    wanted, none = SECTIONS[dimension]
    parts = [part for part in wanted if part in outline.sections]
    sections = f"sections on {', '.join(parts)}" if parts else f"no section on {none}"
    return Finding(value, f"README {figures(outline)} and {sections}.", "#readme")


def _readme_docs(case: Case) -> Finding | None:
    return _readme(
        case,
        "documentation",
        "No README.",
        lambda outline: (
            f"of {outline.characters:,} characters with {counted(outline.headings, 'heading')}, "
            f"{counted(outline.links, 'link')}"
        ),
    )


def _readme_start(case: Case) -> Finding | None:
    return _readme(
        case,
        "ease_of_use",
        "No README that says how to begin.",
        lambda outline: f"with {counted(outline.code_blocks, 'code block')}, {counted(outline.images, 'image')}",
    )


def _documentation_site(case: Case) -> Finding | None:
    site, folder = case.repository.homepage, first_path(case, DOCS_FOLDER)
    own_site = site if site and SITE.fullmatch(site) and not CODE_HOST.match(site) else None
    found = [f"a website ({own_site})" if own_site else "", f"the folder {folder}" if folder else ""]
    if any(found):
        text = f"In addition to the README: {' and '.join(filter(None, found))}."
        return Finding(1.0, text, file_page(folder) if folder else "")
    return without_file(case, "Neither a website nor a folder of documentation.")


def _wiki(case: Case) -> Finding | None:
    """State that there may be a wiki: GitHub switches it on for every repository, so that it earns nothing."""
    return Finding(None, "The wiki is switched on, which may be empty.", "wiki") if case.facts.has_wiki else None


def _changelog(case: Case) -> Finding | None:
    if found := find_file(case, CHANGELOG_FILE, "Changes are listed in {}."):
        return found
    if case.facts.paths is None or case.repository.releases is None:
        return None
    if case.repository.releases:
        return Finding(0.6, "No changelog file; releases may have notes.", "releases")
    return Finding(0.0, "Neither a changelog nor a release.")


def _examples(case: Case) -> Finding | None:
    found = find_file(case, EXAMPLES_FOLDER, "Examples are in {}.")
    return found or without_file(case, "No folder of examples.")


def _dependencies(case: Case) -> Finding | None:
    read, count = case.parsed.read, len(case.parsed.dependencies)
    if not read:
        return None
    named = f"{', '.join(read[:3])}{' and others' if len(read) > 3 else ''}"  # noqa: PLR2004 - as many as are shown
    few = 1 - logarithmic(count, MANY_DEPENDENCIES)
    return Finding(few, f"{counted(count, 'dependency', 'dependencies')} at run time, by {named}.", file_page(read[0]))


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
