"""What a rule finds: a sentence with its figures, and the page that shows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from urllib.parse import quote

from goldpan.counts import counted
from goldpan.kinds.repositories.analysis.models import RepositoryFacts
from goldpan.kinds.repositories.dimensions import days_since
from goldpan.kinds.repositories.models import Dimension, Repository

HOURS_A_DAY = 24


@dataclass(frozen=True)
class Case:
    """All that is known of a repository, at the time of the analysis."""

    facts: RepositoryFacts
    now: datetime

    @property
    def repository(self) -> Repository:
        """The facts that a search has, too."""
        return self.facts.repository

    def find_path(self, *patterns: str) -> str | None:
        """Return the first path that matches the first of the patterns that any path matches, in any letter case."""
        paths = self.facts.paths or ()
        return next((path for one in patterns for path in paths if re.fullmatch(one, path, re.IGNORECASE)), None)


class Finding(NamedTuple):
    """A sentence; the page follows the repository's own address."""

    statement: str
    page: str = ""


Look = Callable[[Case], Finding | None]
"""Looks at one signal; None if nothing is known of it."""


class Rule(NamedTuple):
    """One signal of a dimension, described in docs/analyze.md."""

    id: str
    dimension: Dimension
    look: Look


def look_at_count(field: str, page: str, text: str = "{}.", none: str = "") -> Look:
    """Make the rule of a number of the repository; the text has braces for it."""
    noun = field.removeprefix("recent_")

    def look(case: Case) -> Finding | None:
        count = getattr(case.repository, field)
        if count is None:
            return None
        day = case.repository.observed.get(field)
        stated = text.format(counted(count, noun) + (f" (counted on {day.isoformat()})" if day else ""))
        return Finding(stated if count else none or stated, page)

    return look


def look_at_event(field: str, text: str, page: str = "", more: Callable[[Case], Sequence[str]] = lambda _: ()) -> Look:
    """Make the rule of a time of the repository; the text has braces for the day with its age, and for `more`."""

    def look(case: Case) -> Finding | None:
        days = days_since(case.repository, field, case.now)
        if days is None:
            return None
        observed = case.repository.observed.get(field)
        age = f"{span(days)} ago" if observed is None else f"as known on {observed.isoformat()}"
        when = f"{getattr(case.repository, field):%Y-%m-%d}, {age}"
        return Finding(text.format(when, *more(case)), page)

    return look


def look_at_flag(field: str, yes: str, no: str, page: str, *patterns: str) -> Look:
    """Make the rule of what there is or is not; its page is that of the file, if one matches the patterns."""

    def look(case: Case) -> Finding | None:
        known = getattr(case.facts, field)
        found = page or file_page(case.find_path(*patterns))
        return None if known is None else Finding(yes if known else no, found)

    return look


def look_for_file(found: str, missing: str, *patterns: str) -> Look:
    """Make the rule of a file or folder, of which a text has the path in place of its braces."""

    def look(case: Case) -> Finding | None:
        if path := case.find_path(*patterns):
            return Finding(found.format(path), file_page(path))
        return None if case.facts.paths is None else Finding(missing)

    return look


def span(days: float) -> str:
    """Write a number of days as a person would: 5 hours, 12 days, 7 months, 3.4 years."""
    if days * HOURS_A_DAY < 2 * HOURS_A_DAY:
        return counted(max(1, round(days * HOURS_A_DAY)), "hours")
    for unit, name, up_to in ((1.0, "days", 60.0), (30.44, "months", 730.5)):
        if days < up_to:
            return counted(round(days / unit), name)
    return f"{days / 365.25:.1f} years"


def file_page(path: str | None) -> str:
    """Return the page of a file or folder of the default branch, that of the repository without one."""
    if path is None:
        return ""
    return f"/{'tree' if path.endswith('/') else 'blob'}/HEAD/{quote(path.rstrip('/'))}"
