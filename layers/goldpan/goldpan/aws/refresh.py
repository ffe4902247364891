"""Refreshes the facts of the files that kinds search, on a schedule, and stores them where scout finds them."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import boto3
from botocore.exceptions import ClientError

from goldpan.aws.bootstrap import FILES_PREFIX
from goldpan.aws.settings import Environment, RefreshSettings
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Connections
from goldpan.errors import Unavailable
from goldpan.infra.encoder.table import shipped_table
from goldpan.infra.http_client import HttpClient
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.s3_libraries import NOT_THERE
from goldpan.infra.table import MemoryTable
from goldpan.kinds.registry import all_kinds

SHARE = 0.5
"""The share of each limit at which it waits, so that searches never do; of what they spend, the responses tell."""


def refresh_files(environment: Mapping[str, str], seconds: float) -> dict[str, dict[str, int]]:
    """Refresh the file of each kind that has one, within a time; returns counts by the names of the files."""
    bucket, counts = RefreshSettings.from_environment(environment).library_bucket, dict[str, dict[str, int]]()
    clock, http = WallClock(), HttpClient()
    for kind in all_kinds():
        if kind.refresher is None:
            continue
        refresher, connector = kind.refresher(), kind.connector()
        limiter = RateLimiter(MemoryTable(), clock, connector.rate_limits).with_share(SHARE)
        connections = Connections(lambda: http, limiter, None, clock, shipped_table())
        settings = Environment(environment).read(connector.settings)
        with replaced_object(bucket, f"{FILES_PREFIX}{refresher.file}.sqlite") as path:
            counts[refresher.file] = dict(refresher.refresh(path, settings, connections, seconds))
    http.close()
    return counts


@contextmanager
def replaced_object(bucket: str, key: str) -> Iterator[Path]:
    """Hand out a copy, and store it at the end. Raises `Unavailable` if it was changed since, or `ClientError`."""
    client = boto3.client("s3")
    with tempfile.TemporaryDirectory() as folder:
        path, condition = Path(folder, Path(key).name), {"IfNoneMatch": "*"}
        try:
            response = client.get_object(Bucket=bucket, Key=key)
            path.write_bytes(response["Body"].read())
            condition = {"IfMatch": str(response["ETag"])}
        except ClientError as error:
            if error.response["Error"]["Code"] not in NOT_THERE:
                raise
        yield path
        try:
            client.put_object(Bucket=bucket, Key=key, Body=path.read_bytes(), **condition)
        except ClientError as error:
            raise Unavailable(f"{bucket}/{key} was not stored: {error}") from error
