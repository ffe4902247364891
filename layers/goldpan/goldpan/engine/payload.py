"""How many bytes may travel between stages: Step Functions carries 256 KiB, and an overflow cannot be caught.

https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html, "Maximum input or output size". Every stage
that makes something large is given an allowance and cuts to it, so that the sum of all that one state holds fits.
"""

from __future__ import annotations

import json

from pydantic import BaseModel

STATE_BYTES = 256 * 1024
RESERVED_BYTES = 40 * 1024
"""Kept free in every state for the request, the times, and the cause of a failure, which may have 32 KiB."""
BATCH_BYTES = 200 * 1024
"""What all batches of a search may take together."""
STATUS_ALONE_BYTES = 256
"""What a batch takes whose source is not there."""
TASK_BYTES = 128 * 1024
"""What all scoring tasks of a search may take together, so that their verdicts fit beside them."""
VERDICT_BYTES = 2048
REASON_BYTES, FAILURE_BYTES = 900, 300
"""What a verdict may take, and its reason and its failure within it."""


def json_size(value: BaseModel) -> int:
    """Tell how many bytes of JSON a value takes at most, whoever writes it: with a space after each comma and colon."""
    written = value.model_dump_json(exclude_defaults=True).encode()
    return len(written) + written.count(b",") + written.count(b":")


def cut(text: str, most: int) -> str:
    """Cut a text so that it takes at most that many bytes as JSON."""
    while len(json.dumps(text, ensure_ascii=False).encode()) > most:
        text = text[: len(text) * 7 // 8]
    return text


def batch_budget(translation: BaseModel) -> int:
    """Tell what the batches may take beside a translation."""
    return max(0, min(BATCH_BYTES, STATE_BYTES - RESERVED_BYTES - json_size(translation)))


def task_budget(translation: BaseModel, tasks: int) -> int:
    """Tell what each of so many scoring tasks may take beside a translation and its verdict."""
    left = STATE_BYTES - RESERVED_BYTES - json_size(translation) - tasks * VERDICT_BYTES
    return max(0, min(TASK_BYTES, left)) // max(1, tasks)
