"""The handler of refresh: on a schedule, it refreshes the facts of the files that scout searches."""

from __future__ import annotations

import os
from collections.abc import Mapping

from goldpan.aws.refresh import LambdaContext, refresh_files


def handler(_event: Mapping[str, object], context: LambdaContext) -> dict[str, dict[str, int]]:
    """Replace the files in the bucket; returns what became of what each holds."""
    return refresh_files(os.environ, context.get_remaining_time_in_millis() / 1000)
