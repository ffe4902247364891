"""Invokes one built function outside of AWS, under AWS's own runtime client.

The result is printed as JSON to stdout, logs and times to stderr. Exit codes: 0 for a result, 1 for an error of the
function (which is then printed), 2 if there is no such function, event or build.
"""

import argparse
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from goldpan.infra.settings import EmbeddingSettings, LLMSettings, Settings
from goldpan.kinds.registry import all_kinds

from tests.support.loopback.aws import LoopbackDynamoDB
from tests.support.loopback.lambda_process import LambdaProcess, StartError
from tests.support.loopback.lambda_template import BuiltFunction, NotBuiltError, RuntimeMissingError, built_functions


def main() -> int:
    """Invoke, print, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m scripts.invoke", description=__doc__)
    parser.add_argument("handler", help="query_translator, scout or screener")
    parser.add_argument("event", type=Path, help="a file, such as events/scout.json")
    parser.add_argument("--keys", type=Path, help="a file of lines such as GITHUB_TOKEN=..., beside the environment")
    options = parser.parse_args()
    try:
        functions = built_functions()
        if options.handler not in functions:
            parser.error(f"there is no handler {options.handler!r}; there are: {', '.join(sorted(functions))}")
        keys = keys_of(options.keys.read_text("utf-8") if options.keys else "")
        return _invoke(functions[options.handler], json.loads(options.event.read_text("utf-8")), keys)
    except (NotBuiltError, RuntimeMissingError, StartError, OSError, ValueError) as error:
        parser.error(str(error))


def keys_of(text: str) -> dict[str, str]:
    """Return the settings of sources and endpoints that the text or the environment has; the text comes first."""
    models: list[type[Settings]] = [LLMSettings, EmbeddingSettings]
    models += [kind.connector().settings for kind in all_kinds()]
    known = {name.upper() for model in models for name in model.model_fields}
    lines = (line.partition("=") for line in text.splitlines() if not line.startswith("#"))
    written = {name.removeprefix("export ").strip(): value.strip().strip("'\"") for name, _, value in lines}
    return {name: value for name, value in {**os.environ, **written}.items() if name in known and value}


def environment_of(tables: LoopbackDynamoDB) -> dict[str, str]:
    """Return what a function needs to call empty tables: where no cost can be counted, it asks no language model."""
    credentials = dict.fromkeys(("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), "none")
    return {"AWS_ENDPOINT_URL_DYNAMODB": tables.url} | credentials


def _invoke(function: BuiltFunction, event: object, keys: Mapping[str, str]) -> int:
    with LoopbackDynamoDB() as tables, LambdaProcess(function, {**environment_of(tables), **keys}) as process:
        answer, peak = process.invoke(event), process.peak_megabytes()
    for line in (*process.started.stdout, *process.started.stderr, *answer.lines.stdout, *answer.lines.stderr):
        sys.stderr.write(f"{line}\n")
    memory = "" if peak is None else f", {peak:.0f} MB at most"
    sys.stderr.write(f"started in {process.start_seconds:.2f} s, answered in {answer.seconds:.2f} s{memory}\n")
    sys.stdout.write(json.dumps(answer.error or answer.result, ensure_ascii=False, indent=2) + "\n")
    return int(answer.error is not None)


if __name__ == "__main__":
    sys.exit(main())
