"""Refreshes the facts of the files that kinds search, on a schedule, and stores them where scout finds them."""

from collections.abc import Mapping
from functools import cache

from goldpan.aws.bootstrap import FILES_PREFIX
from goldpan.aws.secrets import read_settings, with_secret_names
from goldpan.aws.settings import RefreshSettings
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Connections
from goldpan.infra.encoder.table import shipped_table
from goldpan.infra.http_client import HttpClient
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.s3_object import replaced_object
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
        connections = Connections(cache(lambda: http), limiter, None, clock, shipped_table())
        settings = read_settings(with_secret_names(environment), connector.settings)
        with replaced_object(bucket, f"{FILES_PREFIX}{refresher.file}.sqlite") as path:
            counts[refresher.file] = dict(refresher.refresh(path, settings, connections, seconds))
    http.close()
    return counts
