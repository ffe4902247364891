"""Records and sources that the tests of the command search in place of GitHub."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.engine.runtime import Runtime
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.ports import Dependencies, Enriched, Found, RepositorySource
from goldpan.kinds.repositories.sources.catalogue.build import Record
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue

HOSTILE = (
    "[red]x[/red]\x1b[31m<script>alert(1)</script> \x1b]8;;http://evil.example\x07motion\x1b]8;;\x07 [a](javascript:b)"
)
FACTS = (
    ("motion/react-motion", "React animation library with springs.", 21_000),
    ("glide/glide", "Animation library for React lists and pages.", 3_400),
    ("weblate/other", "Continuous localisation of software.", 900),
)


def records(description: str | None = None) -> tuple[Record, ...]:
    """Make a few records; `description` takes the place of the first one's."""
    made = [Record(full_name=name, description=text, stars=stars, language="TypeScript") for name, text, stars in FACTS]
    if description is not None:
        made[0] = made[0].model_copy(update={"description": f"React animation library {description}"})
    return tuple(made)


def catalogue(description: str | None = None) -> Catalogue:
    """Make a catalogue of the records."""
    return Catalogue.in_memory(records(description), title="the test catalogue")


@dataclass
class FailingSource:
    """A source that raises at every search."""

    failure: BaseException
    searches_a_question: int = 15
    notice: str | None = None

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Raise."""
        del searches, deadline
        raise self.failure

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Give the repositories back."""
        del deadline
        return Enriched(tuple(repositories))


def use_github(monkeypatch: pytest.MonkeyPatch, source: RepositorySource) -> None:
    """Put a source in the place of GitHub, under the real composition."""
    monkeypatch.setattr("goldpan.bootstrap.github_source", lambda *_: source)


def use_runtime(monkeypatch: pytest.MonkeyPatch, source: RepositorySource) -> WallClock:
    """Let every search ask this source alone, and give its clock."""
    clock = WallClock()
    runtime = Runtime(Dependencies(clock=clock, sources={"catalogue": source}), ("catalogue",), (), clock)
    monkeypatch.setattr("goldpan_local.runtime.open_runtime", lambda *_: runtime)
    return clock
