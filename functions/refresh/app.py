"""The handler of refresh: on a schedule, it refreshes the facts of the files that scout searches."""

import os
from collections.abc import Mapping

from aws_lambda_powertools.utilities.typing import LambdaContext
from goldpan.aws.refresh import refresh_files


def handler(_event: Mapping[str, object], context: LambdaContext) -> dict[str, dict[str, int]]:
    """Replace the files in the bucket; returns what became of what each holds."""
    return refresh_files(os.environ, context.get_remaining_time_in_millis() / 1000)
