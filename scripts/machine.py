"""Runs the state machine as it is deployed, with the real handlers, on this machine: `make machine QUESTION="..."`.

Step Functions, Lambda and DynamoDB are simulated; sources and a language model are called, with the keys of the
environment. Each state is printed to stderr when it is entered, with the seconds since the start; the body of the
response to stdout.
"""

import argparse
import json
import logging
import os
import sys
import time
from functools import partial
from http import HTTPStatus

import boto3

from tests.contract.openapi.gateway import execution, execution_input, reply
from tests.support.dynamodb_service import create_tables
from tests.support.handler_search import settings
from tests.support.handlers import FUNCTIONS, load_function
from tests.support.simulated_aws import simulated_aws
from tests.support.state_machine import search_machine

QUIET = {"POWERTOOLS_METRICS_DISABLED": "true", "POWERTOOLS_LOG_LEVEL": "WARNING"}


def main() -> int:
    """Run one search; return 0 if it is answered."""
    parser = argparse.ArgumentParser(prog="make machine", description=__doc__)
    parser.add_argument("question")
    parser.add_argument("--request", type=json.loads, default={}, help="further fields of the request, as JSON")
    given = parser.parse_args()
    os.environ |= settings() | QUIET
    logging.getLogger("moto").setLevel(logging.CRITICAL)  # it reports each path of a Choice that is not there
    with simulated_aws() as platform:
        create_tables(boto3.client("dynamodb"))
        platform.functions.handlers.update({name: load_function(name).handler for name in FUNCTIONS})
        machine, started = search_machine(platform), time.monotonic()
        platform.wait = time.sleep
        platform.entered = partial(_report, started)
        body = json.dumps({"query": given.question, **given.request})
        ended = machine.run(execution_input("/search", body))
    response = reply(execution(ended.status, ended.output, error=ended.error or ""))
    _report(started, f"{ended.status}, status {response.status}")
    sys.stdout.write(response.body.strip() + "\n")
    return int(response.status != HTTPStatus.OK)


def _report(started: float, state: str) -> None:
    sys.stderr.write(f"{time.monotonic() - started:6.2f} s  {state}\n")


if __name__ == "__main__":
    sys.exit(main())
