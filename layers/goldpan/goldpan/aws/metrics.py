"""The one place that writes metrics, in CloudWatch's embedded metric format; nothing of what was asked is in them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from typing import Any

from goldpan.contracts import Answer
from goldpan.engine.events import FUNCTIONS
from goldpan.engine.problem_details import Response

SERVICE = "goldpan"
COUNTED = (
    "CacheHit", "CacheMiss", "CacheStale", "CacheFailed", "CacheEntryTooLarge", "CacheBatchCut",
    "RateBudgetFailed", "FlightsFailed", "PopularityFailed", "LlmFailed",
)  # fmt: skip
"""What is counted by these names while a stage runs."""
ANSWERED = ("SearchTime", "CostUsd", "LlmCalls", "InputTokens", "OutputTokens", "RulesOnly")
DIMENSIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("Duration", "ColdStart", *COUNTED), ("stage", "service")),
    "Responses": ("status", "service"),
    **dict.fromkeys(ANSWERED, ("service",)),
    "SourceStatus": ("source", "status", "service"),
}
"""Every metric that is written, with its dimensions: what an alarm watches has to stand here."""
UNITS = {"Duration": "Milliseconds", "SearchTime": "Milliseconds", "CostUsd": "None"}
"""Of what is no count."""
STAGES = frozenset({"begin", *FUNCTIONS})


def stage_of(event: Mapping[str, Any]) -> str:
    """Tell the stage that is asked for, by a word of the flow: of another word each would make a metric of its own."""
    return next((stage for stage in STAGES if stage == event.get("stage")), "unknown")


def measure_call(stage: str, request_id: str, seconds: float, counted: Mapping[str, int], *, cold: bool) -> None:
    """Measure a call of a door: how long it took, whether it was the first, and what was counted while it ran."""
    first = {"ColdStart": 1.0} if cold else {}
    _write({"Duration": 1000 * seconds, **first, **counted}, {"stage": stage}, request_id)


def measure_response(response: Response, answer: Answer | None) -> None:
    """Measure how a search ended: its status, and what the answer took, cost and was made of."""
    _write({"Responses": 1}, {"status": str(response.statusCode)})
    if answer is None:
        return
    _write(_measured(answer), {})
    for (source, status), rows in Counter((row.source, row.status) for row in answer.sources).items():
        _write({"SourceStatus": rows}, {"source": source, "status": status})


def _measured(answer: Answer) -> dict[str, float]:
    usage, results = answer.usage, answer.repositories.results if answer.repositories else ()
    return {
        "SearchTime": answer.execution_time_ms.total,
        "CostUsd": usage.cost_usd,
        "LlmCalls": usage.llm_calls,
        "InputTokens": usage.input_tokens,
        "OutputTokens": usage.output_tokens,
        "RulesOnly": sum(result.basis == "rules" for result in results),
    }


def _namespace() -> str:
    """Tell the namespace that the stack named; in a shared one, alarms would count the searches of other stacks."""
    return os.environ.get("POWERTOOLS_METRICS_NAMESPACE") or "goldpan"


def _write(values: Mapping[str, float], dimensions: Mapping[str, str], request_id: str = "") -> None:
    """Write one line; the ids beside its metrics are no dimensions: by them the lines of one request are found."""
    from aws_lambda_powertools.metrics import EphemeralMetrics  # noqa: PLC0415 - a door that is not called costs little

    metrics = EphemeralMetrics(namespace=_namespace(), service=SERVICE)
    for name, part in dimensions.items():
        metrics.add_dimension(name, part)
    for name, value in values.items():
        metrics.add_metric(name, UNITS.get(name, "Count"), value)
    for name, known in {"function_request_id": request_id, "xray_trace_id": _trace_id()}.items():
        if known:
            metrics.add_metadata(name, known)
    metrics.flush_metrics()


def _trace_id() -> str:
    """Tell the trace of this call as the log lines have it; Lambda sets it anew for every call."""
    return os.environ.get("_X_AMZN_TRACE_ID", "").partition(";")[0].removeprefix("Root=")
