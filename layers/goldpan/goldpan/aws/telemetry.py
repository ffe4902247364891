"""Logs, metrics and traces of the handlers, by Powertools; they hold nothing of the question or the answer."""

import logging
import os
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from functools import cache, wraps

from aws_lambda_powertools import Logger, Tracer
from aws_lambda_powertools.metrics import EphemeralMetrics
from aws_lambda_powertools.utilities.typing import LambdaContext
from snapshot_restore_py import register_after_restore, register_before_snapshot

from goldpan.aws.events import EVENTS
from goldpan.contracts import Usage
from goldpan.engine.failures import DEFECT, log_defect
from goldpan.engine.problem_details import Response
from goldpan.errors import Defect, Forbidden, GoldpanError, InvalidRequest, SourcesLimited
from goldpan.kinds.answer import Answer

SERVICE = "goldpan"
COSTS = ("CostUsd", "LlmCalls", "InputTokens", "OutputTokens")
UNITS = {"Duration": "Milliseconds", "SearchTime": "Milliseconds", "CostUsd": "None"}
"""The units of all metrics that are no counts."""
_EVENTS = deque[str]()
count_event = _EVENTS.append
"""Counts an event by its metric until the end of the call, as a container runs one at a time; safe between threads."""


def take_counts() -> dict[str, int]:
    """Return the counts and reset them."""
    return dict(Counter(_EVENTS.popleft() for _ in range(len(_EVENTS))))


def measure_call(stage: str, request_id: str, seconds: float, counted: Mapping[str, int], *, cold: bool) -> None:
    """Write the metrics of one call: its duration, whether it was a cold start, and its counters."""
    first = {"ColdStart": 1.0} if cold else {}
    _write({"Duration": 1000 * seconds, **first, **counted}, {"stage": stage}, request_id)


def measure_response(response: Response, answer: Answer | None) -> None:
    """Write the metrics of a finished search: its status, and the duration, cost and sources of the answer."""
    _write({"Responses": 1}, {"status": str(response.statusCode)})
    if answer is None:
        return
    results = [result for section in answer.sections.values() for result in section.results]
    measured = {
        "SearchTime": answer.execution_time_ms.total,
        **_cost(answer.usage),
        "RulesOnly": sum(result.basis == "rules" for result in results),
    }
    _write(measured, {})
    for (source, status), rows in Counter((row.source, row.status) for row in answer.sources).items():
        _write({"SourceStatus": rows}, {"source": source, "status": status})


def measure_refusal() -> None:
    """Write that a function refuses a request: Lambda counts an error, although nothing failed."""
    _write({"RequestsRefused": 1}, {})


def measure_usage(usage: Usage) -> None:
    """Write the metrics of what an analysis cost."""
    _write(_cost(usage), {})


def _cost(usage: Usage) -> dict[str, float]:
    spent = (usage.cost_usd, usage.llm_calls, usage.input_tokens, usage.output_tokens)
    return dict(zip(COSTS, spent, strict=True))


def _write(values: Mapping[str, float], dimensions: Mapping[str, str], request_id: str = "") -> None:
    """Write one line; the request and trace ids are metadata, not dimensions, to find the lines of one request."""
    # The stack's own namespace: in a shared one, alarms would count the searches of other stacks.
    namespace = os.environ.get("POWERTOOLS_METRICS_NAMESPACE") or "goldpan"
    metrics = EphemeralMetrics(namespace=namespace, service=SERVICE)
    for name, part in dimensions.items():
        metrics.add_dimension(name, part)
    for name, value in values.items():
        metrics.add_metric(name, UNITS.get(name, "Count"), value)
    trace_id = os.environ.get("_X_AMZN_TRACE_ID", "").partition(";")[0].removeprefix("Root=")  # set for every call
    for name, known in {"function_request_id": request_id, "xray_trace_id": trace_id}.items():
        if known:
            metrics.add_metadata(name, known)
    metrics.flush_metrics()


Handler = Callable[[Mapping[str, object], LambdaContext], dict[str, object] | None]


def instrumented(handler: Handler) -> Handler:
    """Log, measure and trace every call of a handler.

    Powertools is loaded before the snapshot, else at the first call: the tracer alone doubles the import time of a
    handler. Counts from before the snapshot are dropped: every restored copy would report them.
    """
    made = cache(lambda: _instrument(handler))
    register_before_snapshot(made)
    register_after_restore(take_counts)
    return lambda event, context: made()(event, context)  # noqa: PLW0108 - made at the first call


def _instrument(handler: Handler) -> Handler:
    logger, tracer = Logger(service=SERVICE), Tracer(auto_patch=False)
    for client in ("httpx2", "openai", "botocore"):  # they log URLs with the question, prompts and secrets
        logging.getLogger(client).setLevel(logging.WARNING)
    cold = [1]

    @wraps(handler)
    def measured(event: Mapping[str, object], context: LambdaContext) -> dict[str, object] | None:
        started, stage = time.monotonic(), str(event.get("stage"))
        if stage not in EVENTS:  # a free text would create a metric of its own for each value
            stage = "unknown"
        logger.append_keys(stage=stage)
        try:
            return handler(event, context)
        except (InvalidRequest, Forbidden, SourcesLimited):
            measure_refusal()
            raise
        except GoldpanError:
            raise
        except Exception as error:  # noqa: BLE001 - Lambda would log its text, with the secrets in it
            log_defect(error, stage)
            raise Defect(DEFECT) from None
        finally:
            spent, first = time.monotonic() - started, bool(cold and cold.pop())
            measure_call(stage, context.aws_request_id, spent, take_counts(), cold=first)

    traced = tracer.capture_lambda_handler(measured, capture_response=False, capture_error=False)
    # log_event: never, whatever the environment says, because the event holds the question
    return logger.inject_lambda_context(traced, log_event=False)
