"""Asks one built function outside AWS, under AWS's own runtime client.

The answer goes to stdout as JSON; logs and times go to stderr. Exit codes: 0 answered, 1 the function reported an
error (which is the JSON then), 2 there is no such door, event or artefact.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from tests.support.loopback.lambda_answer import StartError
from tests.support.loopback.lambda_process import LambdaProcess
from tests.support.loopback.lambda_runtime import RuntimeMissingError
from tests.support.loopback.lambda_template import BUILT, ROOT, BuiltFunction, NotBuiltError, built_functions

EVENTS = ROOT / "events"
WITHOUT_TABLES = {
    "AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:9",
    **dict.fromkeys(("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), "none"),
}
"""Nobody listens there: a function goes on without what it would remember, as it does where its tables fail."""


class BadInputError(Exception):
    """What was asked for does not exist; the message has what does."""


def main(arguments: list[str] | None = None) -> int:
    """Ask, print, and give the exit code."""
    asked = _parser().parse_args(arguments)
    try:
        function, event = _door(asked.door, asked.built), _event(asked.event)
        added = dict(_setting(text) for text in asked.set)
        return _ask(function, event, WITHOUT_TABLES | added)
    except (BadInputError, NotBuiltError, RuntimeMissingError, StartError) as error:
        sys.stderr.write(f"{error}\n")
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.support.loopback.invoke", description=__doc__)
    parser.add_argument("door", help="query_translator, scout or screener")
    parser.add_argument("event", type=Path, help="a file, such as events/scout.json")
    parser.add_argument("--built", type=Path, default=BUILT, help="the folder of the artefact (default: %(default)s)")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a variable of the function")
    return parser


def _ask(function: BuiltFunction, event: object, added: dict[str, str]) -> int:
    with LambdaProcess(function, added) as process:
        answer = process.invoke(event)
        peak = process.peak_megabytes()
    for line in (*process.started.stdout, *process.started.stderr, *answer.lines.stdout, *answer.lines.stderr):
        sys.stderr.write(f"{line}\n")
    held = "" if peak is None else f", {peak:.0f} MB at most"
    sys.stderr.write(f"started in {process.start_seconds:.2f} s, answered in {answer.seconds:.2f} s{held}\n")
    told = answer.result if answer.error is None else answer.error
    sys.stdout.write(json.dumps(told, ensure_ascii=False, indent=2) + "\n")
    return int(answer.error is not None)


def _door(name: str, folder: Path) -> BuiltFunction:
    functions = built_functions(folder)
    if name not in functions:
        message = f"no door is called {name}; there are: {', '.join(sorted(functions))}"
        raise BadInputError(message)
    return functions[name]


def _event(file: Path) -> Any:
    if not file.is_file():
        known = ", ".join(sorted(os.path.relpath(path) for path in EVENTS.glob("*.json"))) or "none"
        message = f"no event in {file}; there are: {known}"
        raise BadInputError(message)
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        message = f"{file} holds no JSON: {error}"
        raise BadInputError(message) from error


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        message = f"--set takes NAME=VALUE, not {text}"
        raise BadInputError(message)
    return name, value


if __name__ == "__main__":
    sys.exit(main())
