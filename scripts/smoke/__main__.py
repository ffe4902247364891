"""Check a deployed stack, or a server, from outside: `make smoke STACK=goldpan`, `make smoke URL=http://127.0.0.1:8080`.

It sends about forty requests, eight of them searches, changes nothing, and exits with 1 if a check fails.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence

import httpx2
from botocore.exceptions import BotoCoreError, ClientError

from scripts.smoke.endpoint import CheckError, Endpoint
from scripts.smoke.stack import Stack


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all checks, also after a failed one; return the exit code."""
    parser = argparse.ArgumentParser(prog="make smoke", description="Check a running goldpan.")
    target = parser.add_mutually_exclusive_group(required=True)
    target.add_argument("--stack", help="name of a stack, in the region of the AWS profile")
    target.add_argument("--url", help="address of a server; its key is read from GOLDPAN_API_KEY")
    chosen = parser.parse_args(arguments)
    failed = 0
    for name, check in _checks(chosen.stack, chosen.url):
        try:
            print(f"ok      {name}: {check()}", flush=True)
        except (CheckError, httpx2.HTTPError, BotoCoreError, ClientError) as error:
            failed += 1
            print(f"FAILED  {name}: {error or type(error).__name__}", flush=True)
    return 1 if failed else 0


def _checks(stack_name: str | None, url: str | None) -> Iterator[tuple[str, Callable[[], str]]]:
    stack = Stack(stack_name) if stack_name else None
    if stack:
        endpoint = stack.endpoint()
    else:
        endpoint = Endpoint(f"{str(url).rstrip('/')}/search", os.environ.get("GOLDPAN_API_KEY"))
    yield "health", endpoint.health
    if endpoint.key:
        yield "authorization", endpoint.authorization
    yield "search", endpoint.search
    yield "search without waiting", endpoint.search_without_waiting
    yield "other requests", endpoint.other_requests
    yield "refusals", endpoint.refusals
    if stack:
        yield "models", stack.models
        yield "alarms", stack.alarms


if __name__ == "__main__":
    raise SystemExit(main())
