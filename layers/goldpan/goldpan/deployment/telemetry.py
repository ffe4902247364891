"""Logs, metrics and traces of a door, by Powertools; nothing of what was asked or answered is in them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from functools import cache, wraps
from typing import Any

from snapshot_restore_py import register_before_snapshot

Handler = Callable[[Mapping[str, Any], Any], Any]
NAMESPACE = "goldpan"


def observed(handler: Handler) -> Handler:
    """Log, measure and trace every call of a door.

    Powertools' parts are made before the snapshot, else at the first call: the tracer alone would double what importing
    a door costs.
    """
    made = cache(lambda: _observed(handler))
    register_before_snapshot(made)

    def door(event: Mapping[str, Any], context: Any) -> Any:
        return made()(event, context)

    return door


def _observed(handler: Handler) -> Handler:
    from aws_lambda_powertools import Logger, Tracer  # noqa: PLC0415 - loads the X-Ray client

    logger, tracer = Logger(service=NAMESPACE), Tracer(auto_patch=False)
    for client in ("httpx2", "openai", "botocore"):  # they log addresses with the question, prompts, and secrets
        logging.getLogger(client).setLevel(logging.WARNING)
    cold = [1]

    @wraps(handler)
    def measured(event: Mapping[str, Any], context: Any) -> Any:
        begun = time.monotonic()
        try:
            return handler(event, context)
        finally:
            _measure(str(event.get("stage", "unknown")), time.monotonic() - begun, cold=bool(cold and cold.pop()))

    traced = tracer.capture_lambda_handler(measured, capture_response=False, capture_error=False)
    return logger.inject_lambda_context(traced)


def _measure(stage: str, seconds: float, *, cold: bool) -> None:
    """Write the metrics of one call, in CloudWatch's embedded metric format."""
    from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit  # noqa: PLC0415

    metrics = EphemeralMetrics(namespace=NAMESPACE, service=NAMESPACE)
    metrics.add_dimension("stage", stage)
    metrics.add_metric("Duration", MetricUnit.Milliseconds, 1000 * seconds)
    if cold:
        metrics.add_metric("ColdStart", MetricUnit.Count, 1)
    metrics.flush_metrics()
