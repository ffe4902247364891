"""Assemble: the results of all kinds become the answer, with links between them, of which a request asks for a page."""

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain, permutations

from goldpan.contracts import ExecutionTime, Link, SearchRequest, StageError, Usage
from goldpan.counts import counted
from goldpan.engine.failures import DEFECT, known_of, log_defect
from goldpan.engine.interpretation import IGNORED
from goldpan.engine.payload import truncate_json
from goldpan.engine.problem_details import STATUSES, listed_class
from goldpan.engine.stage_values import KindFailure, KindResult, Named
from goldpan.errors import Defect, OutOfTime, Overloaded, SourcesFailed, terminal_error_named
from goldpan.kinds.answer import Answer
from goldpan.kinds.registry import get_kind

REPORTED = (SourcesFailed, Overloaded, OutOfTime, Defect)
"""If another kind has a result, the answer is given without a kind that failed in one of these ways, and says so."""
MAX_MENTIONS, EVIDENCE_BYTES, IDENTITY_BYTES = 5, 160, 200
"""What one result carries to assemble."""
NEVER = datetime.max.replace(tzinfo=UTC)
_LOG = logging.getLogger(__name__)
"""Logs times and costs, never the question."""


def assemble(
    request: SearchRequest, outcomes: Sequence[KindResult | KindFailure], times: ExecutionTime, now: datetime
) -> Answer:
    """Combine the sections, statuses, errors, warnings and usage of all kinds.

    A kind with a temporary failure or a defect is reported in the warnings and errors, and others are answered. Raises
    the terminal error or the `Defect` if no kind has a result, and always if the caller or the operator must correct
    something, with what is known of all kinds.
    """
    raise_terminal_error(outcomes)
    try:
        return _combine(request, outcomes, times, now)
    except Exception as error:
        log_defect(error, "assemble")
        defect = Defect(DEFECT)
        defect.known = known_of(outcomes)
        raise defect from error


def _combine(
    request: SearchRequest, outcomes: Sequence[KindResult | KindFailure], times: ExecutionTime, now: datetime
) -> Answer:
    results = [outcome for outcome in outcomes if isinstance(outcome, KindResult)]
    failures = [outcome for outcome in outcomes if isinstance(outcome, KindFailure)]
    rows = [each.known.sources if isinstance(each, KindFailure) else each.sources for each in outcomes]
    warnings = [warning for result in results for warning in result.warnings]
    # an id of one kind is unknown to the others
    warnings = [one for one in warnings if not one.startswith(IGNORED) or warnings.count(one) == len(outcomes)]
    warnings += [f"No {failure.kind} in this answer: {failure.message}." for failure in failures]
    errors = list({(error.stage, error.error): error for result in results for error in result.errors}.values())
    errors += [StageError(stage=failure.kind, error=failure.message, timestamp=now) for failure in failures]
    return Answer(
        query=request.query,
        mode=request.mode,
        interpretation=tuple({part.id: part for result in results for part in result.interpretation}.values()),
        sections={result.kind: result.section for result in results},
        links=find_links(results),
        sources=tuple(chain.from_iterable(rows)),
        errors=tuple(errors),
        warnings=tuple(dict.fromkeys(warnings)),
        execution_time_ms=times,
        usage=sum((result.usage for result in results), Usage()),
        answered_at=now,
    )


def raise_terminal_error(outcomes: Sequence[KindResult | KindFailure]) -> None:
    """Raise the error of the search, if there is one, with what is known; of several the first of `STATUSES`.

    If the sources of several kinds failed, it names those of all, the earliest time to try again at the end.
    """
    errors = [terminal_error_named(each.error, each.message) for each in outcomes if isinstance(each, KindFailure)]
    if len(errors) < len(outcomes):
        errors = [error for error in errors if not isinstance(error, REPORTED)]
    if errors:
        first = min(errors, key=lambda error: (list(STATUSES).index(listed_class(error)), str(error)))
        if isinstance(first, SourcesFailed):
            said = {str(error): error.retry_at or NEVER for error in errors if isinstance(error, type(first))}
            first = first.read("; ".join(sorted(sorted(said), key=said.__getitem__, reverse=True)))
        first.known = known_of(outcomes)
        raise first


def log_summary(answer: Answer, stage_ms: Mapping[str, int]) -> None:
    """Log the times, the cost and the sources of a search as fields of one line."""
    rows = [
        {"strategy": row.strategy, "source": row.source, "status": row.status, "ms": row.duration_ms}
        for row in answer.sources
    ]
    times, usage = answer.execution_time_ms, answer.usage
    fields = {"ms": times.total, "stage_ms": dict(stage_ms), **usage.model_dump(), "sources": rows}
    _LOG.info("Search completed", extra={"fields": fields})


def named(identifier: str, identities: Sequence[str], mentions: Mapping[str, str]) -> Named:
    """Make the entry of a result from what it is called and what its texts name, as much as a state carries."""
    short = {name: truncate_json(evidence, EVIDENCE_BYTES) for name, evidence in mentions.items() if _fits(name)}
    return Named(
        id=identifier,
        identities=tuple(filter(_fits, identities))[:MAX_MENTIONS],
        mentions=dict(list(short.items())[:MAX_MENTIONS]),
    )


def _fits(identity: str) -> bool:
    return truncate_json(identity, IDENTITY_BYTES) == identity


def find_links(results: Sequence[KindResult]) -> tuple[Link, ...]:
    """Return one link for each pair of results of two kinds of which one names the other, with all its evidence."""
    evidence: dict[tuple[tuple[str, str], ...], list[str]] = {}
    linked = [(field, each.named) for each in results if each.named and (field := get_kind(each.kind).link_field)]
    for (field, sources), (other_field, targets) in permutations(linked, 2):
        owners = {identity: one.id for one in targets for identity in one.identities}
        for one in sources:
            for identity, words in one.mentions.items():
                if identity in owners:
                    pair = tuple(sorted([(field, one.id), (other_field, owners[identity])]))
                    evidence.setdefault(pair, []).append(words)
    return tuple(Link(**dict(pair), evidence="; ".join(dict.fromkeys(words))) for pair, words in evidence.items())


def page_of(answer: Answer, request: SearchRequest | None) -> Answer:
    """Return the page that a request asks for, with the links of its results; without one, or of a comparison, all."""
    if request is None or request.compare:
        return answer
    sections = {name: section.page(request.offset, request.max_results) for name, section in answer.sections.items()}
    warnings = list(answer.warnings)
    for name, section in sections.items():
        if section.offset and section.offset >= section.total:
            warnings.append(f"Of {counted(section.total, name)} none is left after the first {section.offset}.")
    kinds = [(get_kind(name), section.results) for name, section in sections.items()] if answer.links else []
    shown = {(kind.link_field, kind.present().identity.read(each)) for kind, results in kinds for each in results}
    links = tuple(link for link in answer.links if shown & dict(link).items())
    return answer.model_copy(update={"sections": sections, "links": links, "warnings": tuple(warnings)})


def page_of_kind(result: KindResult, request: SearchRequest) -> KindResult:
    """Return what one kind contributes to the page that a request asks for."""
    if request.compare:
        return result
    shown = slice(request.offset, request.offset + request.max_results)
    section = result.section.page(request.offset, request.max_results)
    return result.model_copy(update={"section": section, "named": result.named[shown]})
