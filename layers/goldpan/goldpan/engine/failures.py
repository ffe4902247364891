"""What is reported of stages that failed: a terminal error or a defect, and what was known by then."""

import logging
import traceback
from collections.abc import Iterable, Sequence
from typing import TypeVar

from goldpan.config import Frozen
from goldpan.engine.kind import AnyKind
from goldpan.engine.payload import json_size, within_bytes
from goldpan.engine.stage_values import MAX_PREVIEWS, Batch, KindFailure, KindResult, Shortlist, Translation
from goldpan.errors import Cancelled, Defect, InvalidRequest, SourcesFailed, TerminalError, terminal_error_named
from goldpan.infra.redaction import redact
from goldpan.kinds.registry import get_kind
from goldpan.known import Interpretation, Known, Preview, SourceStatus

ENDING = (TerminalError, Cancelled, ModuleNotFoundError)
"""What ends a search wherever it is raised; another exception of a task costs that task alone."""
DEFECT = "a stage failed unexpectedly; the log has the cause"
PART_BYTES = 16 * 1024
"""How much of a state each part of what is known of a kind may take; what does not fit is left out."""
Row = TypeVar("Row", bound=Frozen)
_LOG = logging.getLogger(__name__)


def log_defect(error: BaseException, where: str) -> None:
    """Log the stack trace of an unexpected exception, without secrets."""
    _LOG.error("%s failed unexpectedly: %s", where, redact("".join(traceback.format_exception(error))))


def kind_failure(error: Exception, kind: str, known: Known) -> KindFailure:
    """Describe how the stages of a kind failed; the text of a defect is for the log alone."""
    if isinstance(error, TerminalError):
        return KindFailure(kind=kind, error=type(error).__name__, message=str(error), known=known)
    return KindFailure(kind=kind, error=Defect.__name__, message=DEFECT, known=known)


def known_so_far(kind: AnyKind, translation: Translation | None, found: Sequence[Batch] | Shortlist) -> Known:
    """Return what the finished stages of a kind found: the batches, or the shortlist of them."""
    rows = found.sources if isinstance(found, Shortlist) else [batch.status for batch in found]
    return _known(kind, translation.interpretation if translation else (), rows, kind.stages().preview(found))


def known_of(outcomes: Iterable[KindResult | KindFailure]) -> Known:
    """Join what is known of several kinds."""
    known = [_known_of_failure(each) if isinstance(each, KindFailure) else _known_of_result(each) for each in outcomes]
    return Known(
        interpretation=tuple({part.id: part for each in known for part in each.interpretation}.values()),
        sources=tuple(row for each in known for row in each.sources),
        candidates={kind: found for each in known for kind, found in each.candidates.items()},
    )


def _known_of_failure(failure: KindFailure) -> Known:
    """Return what is known; if the question could not be followed, its candidates are nothing that was asked for."""
    error = terminal_error_named(failure.error, failure.message)
    is_followed = not isinstance(error, InvalidRequest | SourcesFailed)
    return failure.known if is_followed else failure.known.model_copy(update={"candidates": {}})


def _known_of_result(result: KindResult) -> Known:
    kind = get_kind(result.kind)
    shown, results = kind.present(), result.section.results[:MAX_PREVIEWS]
    found = [{"title": shown.title.read(each), "url": shown.address.read(each)} for each in results]
    return _known(kind, result.interpretation, result.sources, [Preview.model_validate(each) for each in found])


def _known(
    kind: AnyKind, parts: Iterable[Interpretation], rows: Iterable[SourceStatus], found: Iterable[Preview]
) -> Known:
    candidates = _within(found)
    return Known(
        interpretation=_within(parts), sources=_within(rows), candidates={kind.name: candidates} if candidates else {}
    )


def _within(rows: Iterable[Row]) -> tuple[Row, ...]:
    return within_bytes(((row, json_size(row)) for row in rows), PART_BYTES)
