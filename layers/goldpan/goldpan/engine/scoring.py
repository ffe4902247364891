"""What the kinds share when they score: tasks without a result, and what an answer says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from goldpan.contracts import StageError, Usage
from goldpan.engine.stage_values import TaskFailure

OUT_OF_TIME = "the time for scoring was up"
LOST = "the function that scores did not answer"
MAX_FAILURES = 8


def reason_and_usage(failure: TaskFailure, *, asks_llm: bool) -> tuple[str, Usage]:
    """Say why a scoring task has no result, and count the call of the language model that had started."""
    started = asks_llm and failure.failure == "timeout"
    return LOST if failure.failure == "lost" else OUT_OF_TIME, Usage(llm_calls=int(started))


def scoring_errors(reasons: Iterable[str | None], now: datetime) -> tuple[StageError, ...]:
    """Report each reason once, with the number of verdicts that it concerns."""
    counts = Counter(reason for reason in reasons if reason)
    return tuple(
        StageError(stage="score", error=f"{reason} ({count} times)" if count > 1 else reason, timestamp=now)
        for reason, count in counts.most_common(MAX_FAILURES)
    )


def not_judged(count: int, total: int, noun: str) -> tuple[str, ...]:
    """Say in one sentence how many results the language model did not score although it was asked to."""
    if not count:
        return ()
    return (f"{count} of {total} {noun} were ordered by rules: the language model did not judge them.",)
