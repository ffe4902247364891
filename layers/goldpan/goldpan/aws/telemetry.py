"""Logs, metrics and traces of a handler, by Powertools; they hold nothing of the question or the answer."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from functools import cache, wraps
from typing import Any

from snapshot_restore_py import register_after_restore, register_before_snapshot

from goldpan.aws.metrics import COUNTERS, SERVICE, measure_call, stage_of

Handler = Callable[[Mapping[str, Any], Any], Any]


def instrumented(handler: Handler) -> Handler:
    """Log, measure and trace every call of a handler.

    Powertools is loaded before the snapshot, else at the first call: the tracer alone doubles the import time of a
    handler. Counts from before the snapshot are dropped: every restored copy would report them.
    """
    made = cache(lambda: _instrument(handler))
    register_before_snapshot(made)
    register_after_restore(COUNTERS.take)

    def wrapped(event: Mapping[str, Any], context: Any) -> Any:
        return made()(event, context)

    return wrapped


def _instrument(handler: Handler) -> Handler:
    from aws_lambda_powertools import Logger, Tracer  # noqa: PLC0415 - loads the X-Ray client

    logger, tracer = Logger(service=SERVICE), Tracer(auto_patch=False)
    for client in ("httpx2", "openai", "botocore"):  # they log URLs with the question, prompts and secrets
        logging.getLogger(client).setLevel(logging.WARNING)
    cold = [1]

    @wraps(handler)
    def measured(event: Mapping[str, Any], context: Any) -> Any:
        started, stage = time.monotonic(), stage_of(event)
        logger.append_keys(stage=stage)
        try:
            return handler(event, context)
        finally:
            spent, first = time.monotonic() - started, bool(cold and cold.pop())
            measure_call(stage, context.aws_request_id, spent, COUNTERS.take(), cold=first)

    traced = tracer.capture_lambda_handler(measured, capture_response=False, capture_error=False)
    return logger.inject_lambda_context(
        traced, log_event=False
    )  # never, whatever the environment says: the event holds the question
