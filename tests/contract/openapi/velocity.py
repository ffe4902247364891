"""What API Gateway hands to a mapping template, by its reference of variables, and the engine that runs one.

The engine is airspeed-ext, a fork of airspeed: it leaves backslashes in a string alone, as Apache Velocity does.

https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import airspeed

SHORT = {
    "\b": r"\b", "\n": r"\n", "\t": r"\t", "\f": r"\f", "\r": r"\r",
    "'": r"\'", '"': r"\"", "\\": r"\\", "/": r"\/",
}  # fmt: skip


def escape_java_script(text: str) -> str:
    r"""Escape as Commons Lang 2 does, by UTF-16 unit; \' is its own, no JSON."""
    return "".join(
        SHORT.get(unit) or (unit if " " <= unit <= "\x7f" else f"\\u{ord(unit):04X}") for unit in _units(text)
    )


def _units(text: str) -> Iterator[str]:
    raw = text.encode("utf-16-be", "surrogatepass")
    return (chr(int.from_bytes(raw[at : at + 2], "big")) for at in range(0, len(raw), 2))


class Final(dict[str, Any]):
    """Overrides are final: API Gateway answers 5xx where a template sets one twice."""

    def __setitem__(self, name: str, value: Any) -> None:
        """Set an override for the first time."""
        assert name not in self, f"{name} was set before"
        super().__setitem__(name, value)


@dataclass(frozen=True)
class Payload:
    """The variable $input: a body, read by the most lenient of parsers, which overlooks all that follows the value."""

    body: str
    ascii: bool = False
    """Whether `json` escapes what is not ASCII; the reference leaves it open."""

    def path(self, expression: str) -> Any:
        """Give what stands at `$` or `$.name`; a missing one is null."""
        value, _ = json.JSONDecoder().raw_decode(self.body)
        for name in expression.split(".")[1:]:
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def json(self, expression: str) -> str:
        """Give it as JSON, written anew."""
        return json.dumps(self.path(expression), ensure_ascii=self.ascii, separators=(",", ":"))


def render(template: str, payload: Payload, trace: str | None = None) -> tuple[str, dict[str, Any]]:
    """Run a template; give its text, and the overrides that it set."""
    overrides: dict[str, Any] = Final(header=Final())
    context: dict[str, Any] = {"responseOverride": overrides}
    if trace is not None:
        context["xrayTraceId"] = trace
    functions = {"escapeJavaScript": escape_java_script, "parseJson": json.loads}
    text = airspeed.Template(template).merge({"input": payload, "util": functions, "context": context})
    return str(text), overrides
