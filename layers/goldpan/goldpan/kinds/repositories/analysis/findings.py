"""What a rule finds: a value for the score, a sentence with its figures, and the page that shows it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from goldpan.kinds.repositories.analysis.manifests.parse import Parsed
from goldpan.kinds.repositories.analysis.models import Advisories, RepositoryFacts
from goldpan.kinds.repositories.dimensions import logarithmic
from goldpan.kinds.repositories.models import Dimension, Repository

HOURS_A_DAY = 24


@dataclass(frozen=True)
class Case:
    """All that is known of a repository, at the time of the analysis."""

    facts: RepositoryFacts
    parsed: Parsed
    advisories: Advisories | None
    now: datetime

    @property
    def repository(self) -> Repository:
        """The facts that a search has, too."""
        return self.facts.repository


@dataclass(frozen=True)
class Finding:
    """A value from 0 to 1, None for what is stated but not scored; the page is relative to the repository's."""

    value: float | None
    statement: str
    page: str = ""


Look = Callable[[Case], Finding | None]
"""Looks at one signal; None if nothing is known of it."""


@dataclass(frozen=True)
class Rule:
    """One signal of a dimension; the shares of a dimension sum to 1."""

    id: str
    dimension: Dimension
    share: float
    scale: str
    """The scale in words, as in docs/analyze.md."""
    look: Look


def look_at_count(field: str, noun: str, text: str, cap: float, page: str) -> Look:
    """Make the rule of a number of the repository, on a logarithmic scale; the text has braces for it."""

    def look(case: Case) -> Finding | None:
        count = getattr(case.repository, field)
        return None if count is None else Finding(logarithmic(count, cap), text.format(counted(count, noun)), page)

    return look


def find_file(case: Case, pattern: re.Pattern[str], text: str) -> Finding | None:
    """State the first path that matches as a whole, in place of the braces of a text; None if none does."""
    path = first_path(case, pattern)
    return Finding(1.0, text.format(path), file_page(path)) if path else None


def without_file(case: Case, text: str) -> Finding | None:
    """State that there is no such file; None if the files are unknown."""
    return None if case.facts.paths is None else Finding(0.0, text)


def first_path(case: Case, pattern: re.Pattern[str]) -> str | None:
    """Return the first path that matches as a whole."""
    return next((path for path in case.facts.paths or () if pattern.fullmatch(path)), None)


def counted(count: int, one: str, many: str | None = None) -> str:
    """Write a number with its noun."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def span(days: float) -> str:
    """Write a number of days as a person would: 5 hours, 12 days, 7 months, 3.4 years."""
    if days * HOURS_A_DAY < 2 * HOURS_A_DAY:
        return counted(max(1, round(days * HOURS_A_DAY)), "hour")
    for unit, name, up_to in ((1.0, "day", 60.0), (30.44, "month", 730.5)):
        if days < up_to:
            return counted(round(days / unit), name)
    return f"{days / 365.25:.1f} years"


def file_page(path: str) -> str:
    """Return the page of a file or folder of the default branch."""
    kind = "tree" if path.endswith("/") else "blob"
    return f"{kind}/HEAD/{quote(path.rstrip('/'))}"
