"""The log of a saved search, a JSON line per run with all that a report needs, and what changed between two runs.

The items are those that PRISMA-S asks for ("PRISMA-S: an extension to the PRISMA Statement for Reporting Literature
Searches in Systematic Reviews", Rethlefsen et al., Systematic Reviews 10:39, 2021): each source with its full strategy
as it was run and its limits, the dates of the searches, the total of each source, and the deduplication.
"""

import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from goldpan.config import Frozen
from goldpan.contracts import FAILED_STATUSES, Interpretation, SearchRequest, SourceStatus, StageError
from goldpan.counts import counted
from goldpan.engine.presentation import AnyPresentation, RankedResult
from goldpan.kinds.answer import Answer
from goldpan.version import __version__
from pydantic import Field, JsonValue, ValidationError

from goldpan_local.exit_codes import write_notes
from goldpan_local.files import named_in_errors
from goldpan_local.presentations import presentation, result_address

OWNER_ONLY = 0o600


class LoggedResult(Frozen):
    """A result: its id, title, address and relevance, whether a model or rules judged it, and why."""

    id: str
    title: str = ""
    url: str | None = None
    relevance: float
    basis: str
    reasoning: str = ""


class Ranked(Frozen):
    """A result of a run, with its rank in its kind, from 1."""

    kind: str
    rank: int
    result: LoggedResult

    @property
    def named(self) -> str:
        """The title of the result with its id, or its id if it has no other title."""
        return f"{self.result.title} ({self.result.id})" if self.result.title else self.result.id


class LoggedSection(Frozen):
    """The numbers and the results of one kind."""

    before_deduplication: int
    after_deduplication: int
    dropped: dict[str, int] = Field(default_factory=dict)
    """How many each rule, constraint or filter dropped."""
    shortlisted: int
    results: tuple[LoggedResult, ...] = ()
    weaker: int = 0
    """How many were shown below the results; they are not compared."""

    def ranked(self, kind: str) -> list[Ranked]:
        """Return the results with their ranks."""
        return [Ranked(kind=kind, rank=rank, result=result) for rank, result in enumerate(self.results, start=1)]


class Decisions(Frozen):
    """How the question was read, and the warnings and errors of the answer."""

    read_as: tuple[Interpretation, ...] = ()
    warnings: tuple[str, ...] = ()
    errors: tuple[StageError, ...] = ()


class Run(Frozen):
    """One run; without sections it failed, and `error` says why."""

    at: datetime
    goldpan: str = __version__
    request: dict[str, JsonValue]
    sources: tuple[SourceStatus, ...] = ()
    sections: dict[str, LoggedSection] = Field(default_factory=dict)
    decisions: Decisions = Decisions()
    error: str | None = None


def run_of(request: SearchRequest, answer: Answer) -> Run:
    """Return what the log keeps of an answer."""
    sections = {
        kind: LoggedSection(
            before_deduplication=sum(row.kept for row in answer.sources if row.kind == kind),
            after_deduplication=section.total_candidates,
            dropped=section.dropped,
            shortlisted=section.shortlisted,
            results=tuple(_logged(presentation(kind), result) for result in section.results),
            weaker=len(section.weaker),
        )
        for kind, section in answer.sections.items()
    }
    decisions = Decisions(read_as=answer.interpretation, warnings=answer.warnings, errors=answer.errors)
    return Run(
        at=answer.answered_at, request=written(request), sources=answer.sources, sections=sections, decisions=decisions
    )


def written(request: SearchRequest) -> dict[str, JsonValue]:
    """Return a request as JSON values, without its defaults."""
    return request.model_dump(mode="json", exclude_defaults=True)


def _logged(shown: AnyPresentation, result: RankedResult) -> LoggedResult:
    identity, title = str(shown.identity.read(result)), str(shown.title.read(result))
    called = "" if title == identity else title
    known = {name: getattr(result, name) for name in ("relevance", "basis", "reasoning")}
    return LoggedResult(id=identity, title=called, url=result_address(shown, result), **known)


def append_run(path: Path, run: Run) -> None:
    """Append a run as one line, also after an unfinished line. Raises `Misconfigured`."""
    with named_in_errors(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, OWNER_ONLY), "r+b") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 1))
            ending = b"" if file.read() in {b"", b"\n"} else b"\n"
            file.write(ending + run.model_dump_json().encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())


def read_runs(path: Path) -> list[Run]:
    """Return the runs, oldest first; damaged lines are skipped, and counted on stderr. Raises `Misconfigured`."""
    runs, broken = list[Run](), 0
    with named_in_errors(path):
        lines = path.read_bytes().splitlines() if path.exists() else []
    for line in lines:
        try:
            runs.append(Run.model_validate_json(line))
        except ValidationError:
            broken += 1
    if broken:
        write_notes([f"{path}: skipped {counted(broken, 'damaged lines')}"])
    return runs


class Changes(Frozen):
    """The changes since an earlier run, which is None for the first."""

    name: str
    at: datetime
    since: datetime | None
    new: tuple[Ranked, ...] = ()
    gone: tuple[Ranked, ...] = ()
    failed_sources: tuple[SourceStatus, ...] = ()
    """The sources that did not answer in this run: results that are gone may only be missing."""
    old_sources: tuple[SourceStatus, ...] = ()
    """The sources that failed in this run and were read from the cache: new results may be missing."""


def changes_of(name: str, run: Run, runs: Sequence[Run]) -> Changes:
    """Compare a run with the last one that has results and the same failed sources, else with the last one of all.

    Then nothing counts as new, since it may only stand in for what a source would have found. Nor does what was new in
    another run since then.
    """
    ended = [each for each in runs if each.error is None]
    like = [each for each in ended if _failed(each) == _failed(run)] or ended
    before = like[-1] if like else None
    old, now = _ranked(before), _ranked(run)
    known, new = dict[frozenset[str], set[tuple[str, str]]](), set[tuple[str, str]]()
    for each in (*ended, run):
        found = set(_ranked(each))
        new = found - known.get(_failed(each), found if known else set())
        for keys in known.values():
            keys.update(new)
        known[_failed(each)] = found
    return Changes(
        name=name,
        at=run.at,
        since=before.at if before else None,
        new=tuple(each for key, each in now.items() if key in new),
        gone=tuple(each for key, each in old.items() if key not in now),
        failed_sources=tuple(row for row in run.sources if row.status in FAILED_STATUSES),
        old_sources=tuple(row for row in run.sources if row.cached and row.status not in FAILED_STATUSES),
    )


def _failed(run: Run) -> frozenset[str]:
    """Return the sources that should have answered and did not."""
    return frozenset(row.source for row in run.sources if row.status in FAILED_STATUSES - {"skipped"})


def _ranked(run: Run | None) -> dict[tuple[str, str], Ranked]:
    sections = run.sections if run else {}
    return {(kind, each.result.id): each for kind, section in sections.items() for each in section.ranked(kind)}
