"""The environment variables that Lambda sets for a function of Python."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from tests.support.loopback.lambda_template import ROOT, BuiltFunction

REGION = "eu-central-1"
ACCOUNT = "123456789012"
COMPILED = ROOT / "build" / "compiled"


def lambda_environment(
    function: BuiltFunction, runtime_api: str, path: Iterable[Path], *, snap_start: bool
) -> dict[str, str]:
    """Make the environment of a function; nothing of this process's own is in it."""
    return {
        "AWS_DEFAULT_REGION": REGION,
        "AWS_EC2_METADATA_DISABLED": "true",  # Lambda has none, and where there is some it is this machine's own
        "AWS_EXECUTION_ENV": "AWS_Lambda_python3.13",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(function.memory),
        "AWS_LAMBDA_FUNCTION_NAME": function.name,
        "AWS_LAMBDA_FUNCTION_VERSION": "1",
        "AWS_LAMBDA_INITIALIZATION_TYPE": "snap-start" if snap_start else "on-demand",
        "AWS_LAMBDA_LOG_FORMAT": function.log_format,
        # With JSON, Lambda filters by a level, which is INFO by default; the runtime sets it at Python's root logger.
        **({"AWS_LAMBDA_LOG_LEVEL": function.log_level} if function.log_format == "JSON" else {}),
        "AWS_LAMBDA_LOG_GROUP_NAME": f"/aws/lambda/{function.name}",
        "AWS_LAMBDA_LOG_STREAM_NAME": "2026/01/01/[1]0123456789abcdef0123456789abcdef",
        "AWS_LAMBDA_RUNTIME_API": runtime_api,
        "AWS_REGION": REGION,
        "AWS_XRAY_CONTEXT_MISSING": "LOG_ERROR",
        "LAMBDA_RUNTIME_DIR": "/var/runtime",
        "LAMBDA_TASK_ROOT": str(function.folder),
        "LANG": "en_US.UTF-8",
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": os.pathsep.join(map(str, path)),
        "TZ": ":UTC",
        "_HANDLER": function.handler,
        "_X_AMZN_TRACE_ID": "",
        # /var/task and /opt cannot be written to in Lambda; compiled files lie elsewhere, so that tests start sooner.
        "PYTHONPYCACHEPREFIX": str(COMPILED),
        **function.environment,
    }


def function_arn(function: BuiltFunction) -> str:
    """Name a function as its callers do, by its alias."""
    return f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{function.name}:live"
