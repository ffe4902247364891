"""How many bytes may travel between stages: Step Functions carries 256 KiB, and an overflow cannot be caught.

https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html, "Maximum input or output size". Every stage
with a large value has a byte budget and truncates to it, so that the sum of all values in one state fits.
"""

from __future__ import annotations

import json

from pydantic import BaseModel

STATE_BYTES = 256 * 1024
RESERVED_BYTES = 40 * 1024
"""Kept free in every state for the request, the times, and the cause of a failure, which may have 32 KiB."""
BATCHES_BYTES = 200 * 1024
"""The maximum of all batches of a search together."""
SKIPPED_BATCH_BYTES = 256
"""The size of a batch whose source is not configured: a status row alone."""
TASKS_BYTES = 128 * 1024
"""The maximum of all scoring tasks of a search together, so that their verdicts fit beside them."""
VERDICT_BYTES = 2048
REASON_BYTES, FAILURE_BYTES = 900, 300
"""The maximum of a verdict, and of its reason and its failure within it."""


def json_size(value: BaseModel) -> int:
    """Return the maximum size of a value as JSON, in bytes: with a space after each comma and colon."""
    written = value.model_dump_json(exclude_defaults=True).encode()
    return len(written) + written.count(b",") + written.count(b":")


def truncate_json(text: str, max_bytes: int) -> str:
    """Truncate a text so that it takes at most that many bytes as JSON."""
    while len(json.dumps(text, ensure_ascii=False).encode()) > max_bytes:
        text = text[: len(text) * 7 // 8]
    return text


def batches_budget(translation: BaseModel) -> int:
    """Return how many bytes the batches may take beside a translation."""
    return max(0, min(BATCHES_BYTES, STATE_BYTES - RESERVED_BYTES - json_size(translation)))


def task_budget(translation: BaseModel, tasks: int) -> int:
    """Return how many bytes each of so many scoring tasks may take beside a translation and its verdict."""
    left = STATE_BYTES - RESERVED_BYTES - json_size(translation) - tasks * VERDICT_BYTES
    return max(0, min(TASKS_BYTES, left)) // max(1, tasks)
