"""The handler of release: called in a deployment, before the state machine calls the new versions."""

import os
from collections.abc import Mapping

import boto3
from goldpan.aws.release import release, report


def handler(event: Mapping[str, object], _context: object) -> None:
    """Check the release that the event describes, and report the result."""
    report(event, release(event, os.environ, boto3.client))
