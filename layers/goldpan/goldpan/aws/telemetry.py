"""Logs, metrics and traces of a door, by Powertools; nothing of what was asked or answered is in them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from functools import cache, wraps
from typing import Any

from snapshot_restore_py import register_after_restore, register_before_snapshot

from goldpan.aws.counts import COUNTS
from goldpan.aws.metrics import SERVICE, measure_call, stage_of

Handler = Callable[[Mapping[str, Any], Any], Any]


def observed(handler: Handler) -> Handler:
    """Log, measure and trace every call of a door.

    Powertools' parts are made before the snapshot, else at the first call: the tracer alone would double what importing
    a door costs. What was counted while the snapshot was made belongs to no call: every restored copy would tell it.
    """
    made = cache(lambda: _observed(handler))
    register_before_snapshot(made)
    register_after_restore(COUNTS.taken)

    def door(event: Mapping[str, Any], context: Any) -> Any:
        return made()(event, context)

    return door


def _observed(handler: Handler) -> Handler:
    from aws_lambda_powertools import Logger, Tracer  # noqa: PLC0415 - loads the X-Ray client

    logger, tracer = Logger(service=SERVICE), Tracer(auto_patch=False)
    for client in ("httpx2", "openai", "botocore"):  # they log addresses with the question, prompts, and secrets
        logging.getLogger(client).setLevel(logging.WARNING)
    cold = [1]

    @wraps(handler)
    def measured(event: Mapping[str, Any], context: Any) -> Any:
        begun, stage = time.monotonic(), stage_of(event)
        logger.append_keys(stage=stage)
        try:
            return handler(event, context)
        finally:
            spent, first = time.monotonic() - begun, bool(cold and cold.pop())
            measure_call(stage, context.aws_request_id, spent, COUNTS.taken(), cold=first)

    traced = tracer.capture_lambda_handler(measured, capture_response=False, capture_error=False)
    return logger.inject_lambda_context(traced, log_event=False)  # whatever the environment says: it is the question
