"""The byte budgets of what travels between stages, and how values are measured and truncated to them.

Step Functions carries 256 KiB, and an overflow cannot be caught, so every stage truncates large values to a budget:
https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html, "Maximum input or output size".
"""

import re
from collections.abc import Iterable
from json.encoder import encode_basestring
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator

STATE_BYTES = 256 * 1024
RESERVED_BYTES = 40 * 1024
"""Kept free in every state for the request, the times, and the cause of a failure, which may have 32 KiB."""
BATCHES_BYTES = 200 * 1024
"""The maximum of all batches of a search together."""
SKIPPED_BATCH_BYTES = 256
"""The size of a batch whose source is not configured: a status row alone."""
TASKS_BYTES = 128 * 1024
"""The maximum of all scoring tasks of a search together, so that their verdicts fit as well."""
VERDICT_BYTES = 2048
REASON_BYTES, FAILURE_BYTES = 900, 300
"""The maximum of a verdict, and of its reason and its failure within it."""
MAX_ADDRESS_BYTES = 200
SEPARATOR_BYTES = 2
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
Value = TypeVar("Value")


def json_size(value: BaseModel) -> int:
    """Return the maximum size of a value as JSON, in bytes: with a space after each comma and colon."""
    written = value.model_dump_json(exclude_defaults=True).encode()
    return len(written) + written.count(b",") + written.count(b":")


def json_text_size(text: str) -> int:
    """Return what a text adds to `json_size` of a value that holds it."""
    return _json_text_size(text) + text.count(",") + text.count(":")


def truncate_json(text: str, max_bytes: int) -> str:
    """Truncate a text so that it takes at most that many bytes as JSON."""
    while (size := _json_text_size(text)) > max_bytes:
        text = text[: len(text) * max_bytes // size]
    return text


def _json_text_size(text: str) -> int:
    return len(encode_basestring(text).encode())


def within_bytes(sized: Iterable[tuple[Value, int]], allowance: int) -> tuple[Value, ...]:
    """Return the first values that fit as members of a JSON list, each given with the bytes that it takes."""
    kept = []
    for value, size in sized:
        if size + SEPARATOR_BYTES <= allowance:
            allowance -= size + SEPARATOR_BYTES
            kept.append(value)
    return tuple(kept)


def batches_budget(translation: BaseModel) -> int:
    """Return how many bytes the batches may take in a state that holds a translation; none if it is not positive."""
    return min(BATCHES_BYTES, STATE_BYTES - RESERVED_BYTES - json_size(translation))


def task_budget(translation: BaseModel, tasks: int) -> int:
    """Return how many bytes each scoring task may take in a state with the translation and all verdicts."""
    left = STATE_BYTES - RESERVED_BYTES - json_size(translation) - tasks * VERDICT_BYTES
    return min(TASKS_BYTES, left) // tasks


def _web_link(address: object) -> object:
    """Return None for an address with another scheme than http and https, such as javascript; browsers skip blanks."""
    if not isinstance(address, str) or address.startswith(("https://", "http://")):
        return address
    scheme = _SCHEME.match("".join(sign for sign in address if sign > " "))
    return address if scheme is None or scheme[0].lower() in {"http:", "https:"} else None


def _short_address(address: object) -> object:
    """Return None for an address that is empty or too long to travel: a part of one leads nowhere."""
    text = _web_link(address.strip() if isinstance(address, str) else address)
    return None if not text or truncate_json(str(text), MAX_ADDRESS_BYTES) != text else text


WebLink = Annotated[str | None, BeforeValidator(_web_link)]
Address = Annotated[str | None, BeforeValidator(_short_address)]
