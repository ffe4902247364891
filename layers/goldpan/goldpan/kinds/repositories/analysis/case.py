"""What is known of a repository at the time of its analysis, in words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from urllib.parse import quote

from goldpan.counts import counted
from goldpan.kinds.repositories.analysis.models import RepositoryFacts, ThreadKind
from goldpan.kinds.repositories.dimensions import days_since
from goldpan.kinds.repositories.models import Repository

SECONDS_A_DAY = 86_400
MIN_TIMES = 3
"""Fewer tell nothing about typical times."""
Said = Iterator[tuple[str, str, str]]
"""The id of each statement, its sentence with figures, and its page, which follows the repository's own address."""


@dataclass(frozen=True)
class Case:
    """All that is known of a repository, at the time of the analysis."""

    facts: RepositoryFacts
    now: datetime

    @property
    def repository(self) -> Repository:
        """The facts that a search has, too."""
        return self.facts.repository

    def count(self, field: str) -> str:
        """Write a number of the repository with its noun, and the day of an older count; empty if it is unknown."""
        count, day = getattr(self.repository, field), self.repository.observed.get(field)
        if count is None:
            return ""
        return counted(count, field.removeprefix("recent_")) + (f" (counted on {day.isoformat()})" if day else "")

    def event(self, field: str) -> str:
        """Write the day of an event and its age; empty if it is unknown."""
        days, observed = days_since(self.repository, field, self.now), self.repository.observed.get(field)
        if days is None:
            return ""
        age = f"{span(days)} ago" if observed is None else f"as known on {observed.isoformat()}"
        return f"{getattr(self.repository, field):%Y-%m-%d}, {age}"

    def find_path(self, *patterns: str) -> str | None:
        """Return the first path that matches the first of the patterns that any path matches, in any letter case."""
        paths = self.facts.paths or ()
        return next((path for one in patterns for path in paths if re.fullmatch(one, path, re.IGNORECASE)), None)

    def say_file(self, name: str, found: str, missing: str, *patterns: str) -> Said:
        """State where a file or folder is, whose path takes the place of braces, or that it is missing."""
        if path := self.find_path(*patterns):
            yield name, found.format(path), file_page(path)
        elif self.facts.has_all_paths:
            yield name, missing, ""


def responses(case: Case, kind: ThreadKind, noun: str, page: str) -> Said:
    """State the median time to the first response of another person; what has none yet counts with its age."""
    threads = [thread for thread in case.facts.threads or () if thread.kind == kind]
    if len(threads) < MIN_TIMES:
        return
    answered = sum(thread.answered_at is not None for thread in threads)
    waits = ((thread.answered_at or case.now) - thread.opened_at for thread in threads)
    typical = median(max(0.0, wait.total_seconds() / SECONDS_A_DAY) for wait in waits)
    named = counted(len(threads), noun)
    text = f"Median first response within {span(typical)}; {answered} of the last {named} had one."
    if answered * 2 < len(threads):
        text = f"Of the last {named}, {answered} had a response by another person."
    yield f"{kind.removesuffix('_request')}_response", text, page


def span(days: float) -> str:
    """Write a number of days as a person would: 5 hours, 12 days, 7 months, 3.4 years."""
    for unit, name, up_to in ((1 / 24, "hours", 2.0), (1.0, "days", 60.0), (30.44, "months", 730.5)):
        if days < up_to:
            return counted(max(1, round(days / unit)), name)
    return f"{days / 365.25:.1f} years"


def file_page(path: str | None) -> str:
    """Return the page of a file or folder of the default branch, that of the repository without one."""
    if path is None:
        return ""
    return f"/{'tree' if path.endswith('/') else 'blob'}/HEAD/{quote(path.rstrip('/'))}"
