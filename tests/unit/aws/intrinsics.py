"""Evaluates the intrinsic functions of the Amazon States Language, as far as the definition uses them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

CALL = re.compile(r"States\.(?P<name>\w+)\((?P<given>.*)\)", re.DOTALL)
MAX_HASHED = 10_000
"""https://docs.aws.amazon.com/step-functions/latest/dg/intrinsic-functions.html: characters that States.Hash takes."""
LITERALS = {"true": True, "false": False}


class IntrinsicFailure(Exception):  # noqa: N818 - as Step Functions calls it
    """A function refused what it was given: a Task can catch that, and a Pass cannot."""


def evaluated(text: str, path: Callable[[str], Any]) -> Any:
    """Evaluate a call, a literal, or a path, which is read by the function that is given."""
    text = text.strip()
    call = CALL.fullmatch(text)
    if call:
        given = [evaluated(one, path) for one in _arguments(call["given"])]
        try:
            return FUNCTIONS[call["name"]](*given)
        except (TypeError, ValueError, LookupError, AttributeError) as refused:
            raise IntrinsicFailure(text) from refused
    if text.startswith("$"):
        return path(text)
    return text[1:-1] if text.startswith("'") else LITERALS[text] if text in LITERALS else int(text)


def _arguments(text: str) -> Iterator[str]:
    """Cut at the commas that stand neither in quotes nor in a call's own brackets."""
    depth, quoted, begin = 0, False, 0
    for place, letter in enumerate(text):
        quoted ^= letter == "'"
        depth += 0 if quoted else {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and not depth and not quoted:
            yield text[begin:place]
            begin = place + 1
    yield text[begin:]


def _hash(text: str, method: str) -> str:
    if len(text) > MAX_HASHED or method != "SHA-256":
        raise ValueError(method)
    return hashlib.sha256(text.encode()).hexdigest()


def _merge(one: dict[str, Any], other: dict[str, Any], deep: bool) -> dict[str, Any]:  # noqa: FBT001 - as it is called
    if deep:
        raise ValueError(deep)
    return {**one, **dict(other.items())}


def _format(text: str, *values: object) -> str:
    if text.count("{}") != len(values):
        raise ValueError(text)
    return text.format(*values)


def _length(values: list[Any]) -> int:
    if not isinstance(values, list):
        raise TypeError(values)
    return len(values)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "Array": lambda *values: [*values],
    "ArrayGetItem": lambda values, place: values[place],
    "ArrayLength": _length,
    "ArrayUnique": lambda values: list(dict.fromkeys(values)),
    "Format": _format,
    "Hash": _hash,
    "JsonMerge": _merge,
    "JsonToString": lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":")),
    "StringSplit": lambda text, at: text.split(at),
}
