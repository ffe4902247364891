"""Analyze: read a repository, apply the rules, compare it with the question, and let a language model word a summary.

An analysis is cached for an hour, and so are the facts that it rests on; one with a failed part is not. Each part has a
bound of its own within the deadline; one that fails is a row of `sources` and a caveat. If GitHub cannot be reached,
what a catalogue knows of the repository is analyzed.
"""

from __future__ import annotations

from typing import cast

from goldpan.contracts import FAILED_STATUSES, SourceStatus
from goldpan.contracts.validation_errors import parse_fields
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.kind import Analyzer
from goldpan.engine.single_flight import single_flight
from goldpan.engine.status_rows import StatusRows
from goldpan.errors import CallFailed, InvalidRequest, OutOfTime, RateLimited, SourcesFailed, SourcesLimited, TimedOut
from goldpan.infra.cache.port import TTL, CachedValues, cache_key
from goldpan.kinds.repositories.analysis.findings import Case
from goldpan.kinds.repositories.analysis.fit import Fit, fit_question
from goldpan.kinds.repositories.analysis.manifests.parse import Parsed, parse_manifests
from goldpan.kinds.repositories.analysis.models import Advisories, Analysis, AnalyzeRequest, Readers, RepositoryFacts
from goldpan.kinds.repositories.analysis.scoring import list_caveats, score_case
from goldpan.kinds.repositories.analysis.summary import Summary, summarize
from goldpan.kinds.repositories.dimensions import radar_chart
from goldpan.kinds.repositories.models import KIND
from goldpan.kinds.repositories.ports import RepositorySource

ANALYSIS_SECONDS = 25.0
"""How long an analysis may take on one machine; a function on AWS has less."""
READ_SHARE, ADVISORIES_SECONDS, MODEL_SECONDS = 0.6, 5.0, 8.0
"""The share of the time for reading the repository, and the bounds of the other two parts."""
RESERVED_SECONDS = 0.5
"""Left for the rules and the response."""
FRESH_SECONDS = TTL["source"].total_seconds()
FAILED = FAILED_STATUSES - {"skipped"}
NO_READER = "repo: GitHub is not among the sources here: leave --catalogue out, or name the source github"


def parse_analyze_request(fields: object) -> AnalyzeRequest:
    """Parse a request from plain data. Raises `InvalidRequest` with every invalid field, and what is allowed."""
    return parse_fields(AnalyzeRequest, fields)


def analyze(request: AnalyzeRequest, dependencies: Dependencies, deadline: Deadline | None = None) -> Analysis:
    """Analyze a repository, or return the analysis of the last hour, also one that another caller is just making.

    Without a deadline it ends within `ANALYSIS_SECONDS` from now.

    Raises `InvalidRequest` if it does not exist or cannot be read, `SourcesFailed` or `SourcesLimited` if nothing of it
    could be read, and `CredentialRejected`.
    """
    until = deadline or Deadline.after(ANALYSIS_SECONDS, dependencies.clock)
    if not until.left:
        raise OutOfTime("no time was left for the analysis")
    make_readers = dependencies.readers.get(KIND)
    if make_readers is None:
        raise InvalidRequest(NO_READER)
    readers = cast("Readers", make_readers())
    cache, locks = dependencies.cache, dependencies.locks
    if cache is None or locks is None:
        return _analyze(request, readers, dependencies, until)
    cached = CachedValues(cache, "source", Analysis, dependencies.clock)
    key = _key(request, readers, dependencies)

    def find() -> Analysis | None:
        entry = cached.read([key]).get(key)
        return entry.value.model_copy(update={"cached": True}) if entry and entry.fresh else None

    with single_flight(key, find, locks, until) as found:
        if found is not None:
            return found
        analysis = _analyze(request, readers, dependencies, until)
        if _is_complete(analysis, dependencies):
            cached.write({key: analysis})
        return analysis


def _key(request: AnalyzeRequest, readers: Readers, dependencies: Dependencies) -> str:
    """Make the key from all that an analysis depends on; the version of the code is part of every key."""
    return cache_key(
        "source",
        analysis=request.repo.lower(),
        query=request.query,
        model=dependencies.llm.name if dependencies.llm else None,
        encoder=dependencies.encoder.name if dependencies.encoder else None,
        sources=readers.identity,
    )


def _is_complete(analysis: Analysis, dependencies: Dependencies) -> bool:
    """Whether no part failed or is old, and the language model worded it, if there is one."""
    is_read = not any(row.status in FAILED or (row.age_s or 0) > FRESH_SECONDS for row in analysis.sources)
    return is_read and (dependencies.llm is None or analysis.basis == "llm")


def _analyze(request: AnalyzeRequest, readers: Readers, dependencies: Dependencies, deadline: Deadline) -> Analysis:
    started_at = dependencies.clock.now()
    facts = _read(request, readers, dependencies, deadline)
    repository = facts.repository
    parsed = parse_manifests(facts.manifests or ())
    advisories, row = _look_up(parsed, facts, readers, deadline)
    case = Case(facts, parsed, advisories, dependencies.clock.now())
    page = repository.url or f"https://github.com/{repository.full_name}"
    found, scores = score_case(case, page)
    fit = fit_question(repository, request.query, page, dependencies) if request.query else Fit()
    statements = (*fit.statements, *found)
    summary = Summary()
    if dependencies.llm is not None:
        left = deadline.before(RESERVED_SECONDS).within(MODEL_SECONDS)
        summary = summarize(repository, statements, request.query, dependencies.llm, left)
    sources = (*facts.sources, row)
    caveats = (*list_caveats(case, request.repo), *fit.caveats, *summary.caveats, *summary.notes, *_missing(sources))
    now = dependencies.clock.now()
    return Analysis(
        repo=repository.full_name,
        url=page,
        description=repository.description,
        query=request.query,
        relevance=fit.relevance,
        summary=summary.points,
        statements=statements,
        scores=scores,
        radar_chart_data=radar_chart(scores),
        basis="llm" if summary.points else "rules",
        caveats=tuple(dict.fromkeys(caveats)),
        sources=sources,
        usage=summary.usage,
        analyzed_at=now,
        execution_time_ms=max(0, round(1000 * (now - started_at).total_seconds())),
    )


def _read(request: AnalyzeRequest, readers: Readers, dependencies: Dependencies, deadline: Deadline) -> RepositoryFacts:
    """Read the repository, from a catalogue if GitHub fails. Raises `SourcesLimited` or `SourcesFailed`."""
    try:
        return readers.read(request.repo, deadline.within(READ_SHARE * deadline.left))
    except CallFailed as failure:
        if (known := _of_catalogue(request.repo, failure, dependencies)) is not None:
            return known
        if isinstance(failure, RateLimited):
            raise SourcesLimited(f"github: {failure}", failure.retry_at) from failure
        raise SourcesFailed(f"github: {failure}") from failure


def _of_catalogue(full_name: str, failure: CallFailed, dependencies: Dependencies) -> RepositoryFacts | None:
    """Return what a catalogue knows of the repository, with the failure of GitHub; None if it does not have it."""
    catalogue: RepositorySource | None = dependencies.sources.get("catalogue")
    [found] = catalogue.look_up([full_name], Deadline.after(1, dependencies.clock)).lists if catalogue else [()]
    if catalogue is None or not found:
        return None
    row = StatusRows(KIND, "repository", "catalogue").row("ok", "")
    rows = (StatusRows(KIND, "repository", "github").failed(failure), row)
    return RepositoryFacts(repository=found[0], notes=(catalogue.notice or "",), sources=rows)


def _look_up(
    parsed: Parsed, facts: RepositoryFacts, readers: Readers, deadline: Deadline
) -> tuple[Advisories | None, SourceStatus]:
    """Look the dependencies up; what could not be asked, and why, is the row of the source."""
    rows = StatusRows(KIND, "vulnerabilities", "osv")
    judged = [dependency for dependency in parsed.dependencies if dependency.version]
    if facts.manifests is None:
        return None, rows.row("skipped", "the manifests were not read")
    if not judged:
        reason = "no dependency has an exact or lowest version" if parsed.dependencies else "no dependency was found"
        return Advisories(judged=0), rows.row("skipped", reason)
    try:
        if not deadline.left:
            raise TimedOut("no time was left")
        found = readers.look_up(judged, deadline.before(RESERVED_SECONDS).within(ADVISORIES_SECONDS))
    except CallFailed as failure:
        return None, rows.failed(failure)
    return found, rows.row("ok", f"{len(judged)} dependencies asked")


def _missing(sources: tuple[SourceStatus, ...]) -> tuple[str, ...]:
    """Say in one sentence which parts are missing because their call failed."""
    failed = [
        f"{row.strategy} ({row.source}: {row.status.replace('_', ' ')})" for row in sources if row.status in FAILED
    ]
    return (f"Not looked at, because a call failed: {', '.join(failed)}.",) if failed else ()


ANALYZER = Analyzer(parse_analyze_request, analyze)
