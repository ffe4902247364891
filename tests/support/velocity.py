"""Runs mapping templates as API Gateway does, by its reference of variables.

The engine is airspeed-ext, which leaves backslashes in a string alone, as Apache Velocity does; the tests compare the
two where that is installed. Imports nothing of goldpan: the emulator of `make rehearse` runs deployed templates by it.
https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import airspeed

airspeed.operators.__additional_methods__[str] |= {
    "toLowerCase": str.lower,
    "compareTo": lambda text, other: (text > other) - (text < other),
    "replaceAll": lambda text, pattern, by: re.sub(pattern, by, text, flags=re.ASCII),  # in Java, \s is of ASCII
}
ESCAPES = {
    "\b": r"\b", "\n": r"\n", "\t": r"\t", "\f": r"\f", "\r": r"\r",
    "'": r"\'", '"': r"\"", "\\": r"\\", "/": r"\/",
}  # fmt: skip


def escape_java_script(text: str) -> str:
    r"""Escape as Commons Lang 2 does, by UTF-16 unit; \' is valid in JavaScript, not in JSON."""
    raw = text.encode("utf-16-be", "surrogatepass")
    units = (chr(int.from_bytes(raw[at : at + 2], "big")) for at in range(0, len(raw), 2))
    return "".join(ESCAPES.get(unit) or (unit if " " <= unit <= "\x7f" else f"\\u{ord(unit):04X}") for unit in units)


class _Overrides(dict[str, Any]):
    """Refuses to set an override twice: API Gateway then responds with 5XX."""

    def __setitem__(self, name: str, value: Any) -> None:
        assert name not in self, f"{name} was set before"
        super().__setitem__(name, value)


@dataclass(frozen=True)
class Payload:
    """The variable $input: a body, read by a lenient parser, which ignores all that follows the value."""

    body: str
    parameters: Mapping[str, dict[str, str]]

    def params(self, name: str | None = None) -> Any:
        """Return a parameter of the path, or all that are in the path and in the headers."""
        return self.parameters if name is None else self.parameters["path"].get(name)

    def path(self, expression: str) -> Any:
        """Return the value at `$` or `$.name`; a missing one is null."""
        value, _ = json.JSONDecoder().raw_decode(self.body)
        for name in expression.split(".")[1:]:
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def json(self, expression: str) -> str:
        """Return the value as JSON; two separators are escaped, as the serializer in `Render.java` does."""
        written = json.dumps(self.path(expression), ensure_ascii=False, separators=(",", ":"))
        return written.replace("\u2028", r"\u2028").replace("\u2029", r"\u2029")


def render(
    template: str, body: str, context: Mapping[str, Any], **parameters: dict[str, str]
) -> tuple[str, dict[str, Any]]:
    """Run a template with a body and variables of `$context`; return its text and the overrides that it set."""
    overrides: dict[str, Any] = _Overrides(header=_Overrides())
    functions = {"escapeJavaScript": escape_java_script, "parseJson": json.loads}
    variables = {
        "input": Payload(body, {"path": {}, "header": {}} | parameters),
        "util": functions,
        "context": {**context, "responseOverride": overrides},
    }
    return str(_parsed(template).merge(variables)), overrides


_parsed = lru_cache(airspeed.Template)
"""To parse a template takes far longer than to run it."""
