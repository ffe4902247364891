"""Analyze: read a repository, apply the rules, search for its fit, and let a language model word a summary.

What is read is cached for an hour. Each part has a bound of its own within the deadline; one that fails is a row of
`sources` and a caveat. If GitHub cannot be reached, what a catalogue knows of the repository is analyzed. The relevance
and the scores for a question are those of a search; the statements rest on further facts.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import cast

from goldpan.config import DimensionWeights
from goldpan.contracts import FAILED_STATUSES, SourceStatus, Usage, parse_request
from goldpan.contracts.validation_errors import parse_fields
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.interpretation import NO_MODEL
from goldpan.engine.kind import Analyzer, Search
from goldpan.engine.status_rows import StatusRows, sources_failed
from goldpan.errors import CallFailed, InvalidRequest, OutOfTime, Overloaded, SourcesFailed
from goldpan.infra.llm.answers import NO_PRICE
from goldpan.kinds.repositories.analysis.case import Case
from goldpan.kinds.repositories.analysis.models import Analysis, AnalyzeRequest, Read, RepositoryFacts, Statement
from goldpan.kinds.repositories.analysis.statements import list_caveats, list_statements
from goldpan.kinds.repositories.analysis.summary import Summary, summarize
from goldpan.kinds.repositories.dimensions import radar_chart, score_dimensions
from goldpan.kinds.repositories.models import CATALOGUE, KIND
from goldpan.kinds.repositories.ports import RepositorySource
from goldpan.kinds.repositories.results import RankedRepository

ANALYSIS_SECONDS = 25.0
"""How long an analysis may take on one machine; a function on AWS has less."""
MODEL_SECONDS, MIN_MODEL_SECONDS, RESERVED_SECONDS = 8.0, 4.0, 0.5
"""How long the summary may take, what the search leaves it at least, and what is left for the response."""
SOURCES, JUDGES = ("github", CATALOGUE), {"llm": "the language model", "rules": "rules"}
SAID = "Relevance and scores: {}"
"""How a caveat begins that is about the search, which reads fewer facts than the statements rest on."""
FAILED = FAILED_STATUSES - {"skipped"}
NO_READER = "repo: GitHub is not among the sources here: leave --catalogue out, or name the source github"


@dataclass(frozen=True)
class Fit:
    """The repository as a search ranks it, None if none could; what the search says, where it looked and its cost."""

    ranked: RankedRepository | None = None
    caveats: tuple[str, ...] = ()
    sources: tuple[SourceStatus, ...] = ()
    usage: Usage = field(default_factory=Usage)

    def statements(self, page: str) -> Iterator[Statement]:
        """State the relevance, if it is known, and what judged it; a model's reasons are no evidence for others."""
        if self.ranked is not None:
            said = f"Relevance {self.ranked.relevance:.2f} of 1, judged by {JUDGES[self.ranked.basis]}."
            yield Statement(id="relevance", dimension="fit", statement=said, evidence_url=f"{page}#readme")


def find_fit(facts: RepositoryFacts, query: str, dependencies: Dependencies, search: Search, deadline: Deadline) -> Fit:
    """Search for a repository by its name, as a comparison does. Raises `InvalidRequest` or `CredentialRejected`."""
    changes = {"compare": (facts.repository.full_name,), "max_seconds": int(deadline.left)}
    asked = parse_request({"query": query}).model_copy(update=changes)
    try:
        answer = search(asked, dependencies, [name for name in SOURCES if name in dependencies.sources])
    except (OutOfTime, Overloaded, SourcesFailed) as error:
        return Fit(caveats=(SAID.format(f"not known, because a search failed: {error}"),))
    warnings = [text for text in answer.warnings if text not in {NO_MODEL, *facts.notes}]
    ranked = next(iter(answer.repositories.results if answer.repositories else ()), None)
    unpriced = NO_PRICE.format(dependencies.llm.name if dependencies.llm else "")  # of the summary, too: said once
    about = (*warnings, *(each.error for each in answer.errors))
    said = (text if text == unpriced else SAID.format(text) for text in about)
    return Fit(ranked, (*(ranked.caveats if ranked else ()), *said), answer.sources, answer.usage)


def analyze(
    request: AnalyzeRequest, dependencies: Dependencies, search: Search, deadline: Deadline | None = None
) -> Analysis:
    """Analyze a repository. Without a deadline it ends within `ANALYSIS_SECONDS` from now.

    Raises `InvalidRequest` if it does not exist or cannot be read, `SourcesFailed` or `SourcesLimited` if nothing of it
    could be read, and `CredentialRejected`.
    """
    until = deadline or Deadline.after(ANALYSIS_SECONDS, dependencies.clock)
    if not until.left:
        raise OutOfTime("no time was left for the analysis")
    if KIND not in dependencies.readers:
        raise InvalidRequest(NO_READER)
    started_at, facts, fit = dependencies.clock.now(), _read(request, dependencies, until), Fit()
    if request.query is not None:
        end = until.before(RESERVED_SECONDS + (MIN_MODEL_SECONDS if dependencies.llm else 0))
        fit = find_fit(facts, request.query, dependencies, search, end)
    case, summary = Case(facts, dependencies.clock.now()), Summary()
    statements = (*fit.statements(case.repository.page), *list_statements(case))
    if dependencies.llm is not None:
        left = until.before(RESERVED_SECONDS).within(MODEL_SECONDS)
        summary = summarize(case.repository, statements, request.query, dependencies.llm, left)
    now = dependencies.clock.now()
    took = max(0, round(1000 * (now - started_at).total_seconds()))
    analysis = _assembled(request, case, fit, statements, summary)
    return analysis.model_copy(update={"analyzed_at": now, "execution_time_ms": took})


def _assembled(
    request: AnalyzeRequest, case: Case, fit: Fit, statements: tuple[Statement, ...], summary: Summary
) -> Analysis:
    repository, ranked, sources = case.repository, fit.ranked, (*case.facts.sources, *fit.sources)
    scores = ranked.scores if ranked else score_dimensions(repository, None, DimensionWeights(), case.now)
    failed = (row for row in sources if row.status in FAILED)
    missing = ", ".join(f"{row.strategy} ({row.source}: {row.status.replace('_', ' ')})" for row in failed)
    caveats = [*list_caveats(case, request.repo), *fit.caveats, *summary.caveats]
    caveats += [f"Not looked at, because a call failed: {missing}."] if missing else []
    return Analysis(
        repo=repository.full_name,
        url=case.repository.page,
        description=repository.description,
        query=request.query,
        relevance=ranked.relevance if ranked else None,
        reasoning=ranked.reasoning if ranked else None,
        summary=summary.points,
        statements=statements,
        scores=scores,
        radar_chart_data=radar_chart(scores),
        basis=ranked.basis if ranked else "rules",
        caveats=tuple(dict.fromkeys(caveats)),
        sources=sources,
        usage=fit.usage + summary.usage,
        cached=any(row.cached for row in case.facts.sources),
        analyzed_at=case.now,
    )


def _read(request: AnalyzeRequest, dependencies: Dependencies, deadline: Deadline) -> RepositoryFacts:
    """Read the repository, from a catalogue if GitHub fails. Raises `SourcesLimited` or `SourcesFailed`."""
    try:
        return cast("Read", dependencies.readers[KIND]())(request.repo, deadline.before(RESERVED_SECONDS))
    except CallFailed as failure:
        failed = StatusRows(KIND, "repository", "github").failed(failure)
        catalogue: RepositorySource | None = dependencies.sources.get(CATALOGUE)
        within = Deadline.after(1, dependencies.clock)
        [found] = catalogue.look_up([request.repo], within).lists if catalogue else [()]
        if catalogue is None or not found:
            raise sources_failed([failed], f"github: {failure}") from failure
        rows = (failed, StatusRows(KIND, "repository", "catalogue").row("ok", ""))
        return RepositoryFacts(repository=found[0], notes=(catalogue.notice or "",), sources=rows)


ANALYZER = Analyzer(partial(parse_fields, AnalyzeRequest), analyze)
