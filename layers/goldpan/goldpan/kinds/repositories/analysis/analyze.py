"""Analyze: read a repository, apply the rules, compare it with the question, and let a language model word a summary.

What is read is cached for an hour. Each part has a bound of its own within the deadline; one that fails is a row of
`sources` and a caveat. If GitHub cannot be reached, what a catalogue knows of the repository is analyzed.
"""

from typing import cast

from goldpan.config import DimensionWeights
from goldpan.contracts import FAILED_STATUSES
from goldpan.contracts.validation_errors import parse_fields
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.kind import Analyzer
from goldpan.engine.status_rows import StatusRows
from goldpan.errors import CallFailed, InvalidRequest, OutOfTime, RateLimited, SourcesFailed, SourcesLimited
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.repositories.analysis.case import Case
from goldpan.kinds.repositories.analysis.models import Analysis, AnalyzeRequest, Read, RepositoryFacts, Statement
from goldpan.kinds.repositories.analysis.statements import list_caveats, list_statements
from goldpan.kinds.repositories.analysis.summary import Summary, summarize
from goldpan.kinds.repositories.caveats import constraint_caveats
from goldpan.kinds.repositories.constraint_checks import check
from goldpan.kinds.repositories.dimensions import radar_chart, score_dimensions
from goldpan.kinds.repositories.models import CATALOGUE, KIND, Repository
from goldpan.kinds.repositories.ports import RepositorySource
from goldpan.kinds.repositories.question.lexicon import repository_words
from goldpan.kinds.repositories.question.reader import read_question
from goldpan.kinds.repositories.relevance import Matcher
from goldpan.kinds.repositories.scout import scout
from goldpan.kinds.repositories.searches import plan_lookups
from goldpan.kinds.repositories.shortlist import with_likes_of
from goldpan.kinds.repositories.translate import translate_by_rules

ANALYSIS_SECONDS = 25.0
"""How long an analysis may take on one machine; a function on AWS has less."""
MODEL_SECONDS = 8.0
LIKES_SECONDS, SOURCES = 3.0, ("github", CATALOGUE)
"""Where, and for how long, an analysis looks for what the question wants the repository like."""
MAX_EVIDENCE = 6
RESERVED_SECONDS = 0.5
"""Left for the rules and the response."""
Fit = tuple[float | None, tuple[Statement, ...], tuple[str, ...]]
"""The relevance, the statement about it, and what speaks against the repository."""
NO_FIT: Fit = (None, (), ())
FAILED = FAILED_STATUSES - {"skipped"}
NO_READER = "repo: GitHub is not among the sources here: leave --catalogue out, or name the source github"


def parse_analyze_request(fields: object) -> AnalyzeRequest:
    """Parse a request from plain data. Raises `InvalidRequest` with every invalid field, and what is allowed."""
    return parse_fields(AnalyzeRequest, fields)


def analyze(request: AnalyzeRequest, dependencies: Dependencies, deadline: Deadline | None = None) -> Analysis:
    """Analyze a repository. Without a deadline it ends within `ANALYSIS_SECONDS` from now.

    Raises `InvalidRequest` if it does not exist or cannot be read, `SourcesFailed` or `SourcesLimited` if nothing of it
    could be read, and `CredentialRejected`.
    """
    until = deadline or Deadline.after(ANALYSIS_SECONDS, dependencies.clock)
    if not until.left:
        raise OutOfTime("no time was left for the analysis")
    started_at = dependencies.clock.now()
    facts = _read(request, dependencies, until)
    repository = facts.repository
    page = repository.url or f"https://github.com/{repository.full_name}"
    case = Case(facts, dependencies.clock.now())
    scores = score_dimensions(repository, None, DimensionWeights(), case.now)
    relevance, fitting, against = (
        _fit_question(repository, request.query, page, dependencies, until) if request.query else NO_FIT
    )
    statements = (*fitting, *list_statements(case, page))
    summary = Summary()
    if dependencies.llm is not None:
        left = until.before(RESERVED_SECONDS).within(MODEL_SECONDS)
        summary = summarize(repository, statements, request.query, dependencies.llm, left)
    caveats = (*list_caveats(case, request.repo), *against, *summary.caveats, *_missing(facts))
    now = dependencies.clock.now()
    return Analysis(
        repo=repository.full_name,
        url=page,
        description=repository.description,
        query=request.query,
        relevance=relevance,
        summary=summary.points,
        statements=statements,
        scores=scores,
        radar_chart_data=radar_chart(scores),
        basis="llm" if summary.points else "rules",
        caveats=tuple(dict.fromkeys(caveats)),
        sources=facts.sources,
        usage=summary.usage,
        cached=any(row.cached for row in facts.sources),
        analyzed_at=now,
        execution_time_ms=max(0, round(1000 * (now - started_at).total_seconds())),
    )


def _fit_question(repository: Repository, query: str, page: str, dependencies: Dependencies, deadline: Deadline) -> Fit:
    """Compare a repository with a question that is read by rules, as a search that looks it up would."""
    today = dependencies.clock.now().date()
    reading = read_question(query, today=today, known=repository_words)
    params = translate_by_rules(reading, "focused", query)
    if params.likes:
        tasks = plan_lookups((repository.full_name,), params, [one for one in SOURCES if one in dependencies.sources])
        found = [scout(task, dependencies, deadline.within(LIKES_SECONDS)) for task in tasks]
        params = with_likes_of(found, params)
    with CPU_LOCK:
        matcher = Matcher(params, dependencies.encoder)
        [match] = matcher.match([repository])
        evidence = (*match.evidence, *matcher.closest_words(repository))
    words = "; ".join(evidence[:MAX_EVIDENCE])
    why = f"matches {words}" if words else "none of the question's words occur in its facts"
    statement = Statement(
        id="relevance",
        dimension="fit",
        statement=f"Relevance {match.relevance:.2f} of 1: {why}.",
        evidence_url=f"{page}#readme",
    )
    broken = constraint_caveats(repository, check(repository, params.constraints, today))
    return match.relevance, (statement,), (*reading.notes, *broken)


def _read(request: AnalyzeRequest, dependencies: Dependencies, deadline: Deadline) -> RepositoryFacts:
    """Read the repository, from a catalogue if GitHub fails. Raises `SourcesLimited` or `SourcesFailed`."""
    make_reader = dependencies.readers.get(KIND)
    if make_reader is None:
        raise InvalidRequest(NO_READER)
    try:
        return cast("Read", make_reader())(request.repo, deadline.before(RESERVED_SECONDS))
    except CallFailed as failure:
        if (known := _of_catalogue(request.repo, failure, dependencies)) is not None:
            return known
        if isinstance(failure, RateLimited):
            raise SourcesLimited(f"github: {failure}", failure.retry_at) from failure
        raise SourcesFailed(f"github: {failure}") from failure


def _of_catalogue(full_name: str, failure: CallFailed, dependencies: Dependencies) -> RepositoryFacts | None:
    """Return what a catalogue knows of the repository, with the failure of GitHub; None if it does not have it."""
    catalogue: RepositorySource | None = dependencies.sources.get(CATALOGUE)
    [found] = catalogue.look_up([full_name], Deadline.after(1, dependencies.clock)).lists if catalogue else [()]
    if catalogue is None or not found:
        return None
    row = StatusRows(KIND, "repository", "catalogue").row("ok", "")
    rows = (StatusRows(KIND, "repository", "github").failed(failure), row)
    return RepositoryFacts(repository=found[0], notes=(catalogue.notice or "",), sources=rows)


def _missing(facts: RepositoryFacts) -> tuple[str, ...]:
    """Say in one sentence which parts are missing because their call failed."""
    failed = [
        f"{row.strategy} ({row.source}: {row.status.replace('_', ' ')})"
        for row in facts.sources
        if row.status in FAILED
    ]
    return (f"Not looked at, because a call failed: {', '.join(failed)}.",) if failed else ()


ANALYZER = Analyzer(parse_analyze_request, analyze)
