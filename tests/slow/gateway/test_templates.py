"""The mapping templates mean to Apache Velocity, which API Gateway runs, what they mean to the other tests' engine."""

from __future__ import annotations

import json
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from tests.contract.openapi.contract import IMPORTED
from tests.contract.openapi.gateway import INTEGRATION, execution, link_template, render, substituted
from tests.contract.openapi.test_gateway import FINAL, HOSTILE, NO_RESPONSES

RENDER = Path(__file__).with_name("Render.java")
JARS = [Path("/usr/share/java", f"{name}.jar") for name in ("velocity", "commons-lang", "commons-collections3")]
"""Where Debian's package `velocity` and those that it needs put them."""
KEYS = ("unbound1", "a1b2c3", "d4", "d", "a1b2c")
"""The ids of callers' keys, two of them bound to projects."""
TRACE = "1-67891233-abcdef012345678912345678"
Case = tuple[str, str, str | None]
"""A template, a body in JSON (for a link its parameters), and a trace id."""
LINKS: tuple[dict[str, list[str]], ...] = (
    {},
    {"q": list(HOSTILE)},
    {"q": ["x", "", "y"], "topics": ["", ""]},
    {"q": ["", "x"], "max_results": ["007"], "min_stars": ["-1"], "topics": ["a", "b"], "sort": [""]},
    {"exclude": list(HOSTILE), "q": ["it's"], "max_results": ["5"]},
    *({"q": [text], text or "-": [text, "2"]} for text in HOSTILE),
)


def _cases() -> Iterator[Case]:
    """Yield hostile requests and traces, and every result of an execution and of a search that did not start."""
    start = substituted(INTEGRATION["requestTemplates"]["application/json"]["Fn::Sub"][0])
    request = json.dumps({text: [text, 1, None, True, {}] for text in HOSTILE})
    for rest in ("", ', "refresh": true', '}, "refresh": true, "x": {"y": {}'):
        yield start, request + rest, TRACE
    yield from ((link_template(), json.dumps(link), TRACE) for link in LINKS)
    yield from ((start, "{}", text) for text in (None, "", TRACE, f"{TRACE}\n", f"{TRACE}'", *HOSTILE))
    done, refused, broken = (
        each["responseTemplates"]["application/json"] for each in INTEGRATION["responses"].values()
    )
    outputs = [
        None,
        "",
        "null",
        "[]",
        FINAL,
        *NO_RESPONSES,
        *(FINAL | {"retryAfter": again} for again in ("41", "1\r\nx")),
    ]
    outputs += [
        FINAL | {"statusCode": status, "body": json.dumps({"a": text})} for text in HOSTILE for status in (200, 429)
    ]
    yield from ((done, json.dumps(execution("SUCCEEDED", output)), None) for output in outputs)
    yield from ((done, json.dumps(execution(status, FINAL)), None) for status in ("FAILED", "TIMED_OUT", "RUNNING"))
    for fault in ("x#AccessDeniedException", "x#ThrottlingException", "InvalidExecutionInput", "x#ValidationException"):
        yield from ((template, json.dumps({"__type": fault}), None) for template in (refused, broken))
    yield refused, "{}", None
    yield from _library_cases()
    for path, body in (("/compare", {"repos": ["a/b", "c/d"]}), ("/like", {"repo": "a/b", "max_results": 3})):
        template = IMPORTED["paths"][path]["post"]["x-amazon-apigateway-integration"]["requestTemplates"]
        for text in HOSTILE:
            yield (
                substituted(template["application/json"]["Fn::Sub"][0]),
                json.dumps(body | {"query": text, "sort": text}),
                None,
            )


def _library_cases() -> Iterator[Case]:
    """Yield requests of a library, its responses, and what Lambda reports in their place."""
    integration = IMPORTED["paths"]["/library/chunks"]["post"]["x-amazon-apigateway-integration"]
    event = substituted(integration["requestTemplates"]["application/json"]["Fn::Sub"])
    yield from ((event, json.dumps({"query": text}), None) for text in HOSTILE)
    done = integration["responses"]["default"]["responseTemplates"]["application/json"]
    for result in ({"errorMessage": "x"}, FINAL, *NO_RESPONSES, FINAL | {"statusCode": 403, "retryAfter": "5"}):
        yield done, json.dumps(result), None


def test_apache_velocity_renders_what_the_other_tests_check() -> None:
    """Text, status and headers are equal for every case, and each request to start a search is JSON."""
    cases = [
        (case, key) for case in _cases() for key in (KEYS if case[2] == TRACE or '"stage"' in case[0] else KEYS[:1])
    ]
    for (case, key), rendered in zip(cases, _rendered_by_velocity(cases), strict=True):
        assert rendered == render(*case, key=key), (key, case[1:])
        if "stateMachineArn" in case[0]:
            assert set(json.loads(rendered[0])) <= {"stateMachineArn", "input", "traceHeader"}


def _rendered_by_velocity(cases: Sequence[tuple[Case, str]]) -> Iterator[tuple[str, dict[str, Any]]]:
    missing = [path.name for path in JARS if not path.exists()]
    if missing or not (which("java") and which("javac")):
        pytest.skip(
            f"Apache Velocity needs a JDK and Debian's package `velocity` (missing: {', '.join(missing) or 'JDK'})"
        )
    fields = [(template, body, key, *([trace] if trace else [])) for (template, body, trace), key in cases]
    lines = [" ".join(b64encode(text.encode()).decode() for text in each) for each in fields]
    command = ["java", "-Dfile.encoding=UTF-8", "-cp", ":".join(map(str, JARS)), str(RENDER)]
    run = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=False, timeout=120)
    assert run.returncode == 0, run.stderr
    for row in run.stdout.splitlines():
        text, status, *headers = row.split(" ")
        header = {name: b64decode(value).decode() for name, value in (each.split("=", 1) for each in headers)}
        yield b64decode(text).decode(), {"header": header} | ({} if status == "null" else {"status": int(status)})
