"""The environment variables that Lambda sets for a Python function."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from tests.contract.stack.documents import ROOT
from tests.support.loopback.lambda_template import BuiltFunction

REGION = "eu-central-1"
ACCOUNT = "123456789012"


def lambda_environment(
    function: BuiltFunction, runtime_api: str, path: Iterable[Path], *, snap_start: bool
) -> dict[str, str]:
    """Return the environment of a function; it holds nothing of this process's own."""
    return {
        "AWS_DEFAULT_REGION": REGION,
        "AWS_EC2_METADATA_DISABLED": "true",  # Lambda has no metadata service; that of this machine must not answer
        "AWS_EXECUTION_ENV": "AWS_Lambda_python3.13",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(function.memory),
        "AWS_LAMBDA_FUNCTION_NAME": function.name,
        "AWS_LAMBDA_FUNCTION_VERSION": "1",
        "AWS_LAMBDA_INITIALIZATION_TYPE": "snap-start" if snap_start else "on-demand",
        "AWS_LAMBDA_LOG_FORMAT": "JSON",
        "AWS_LAMBDA_LOG_LEVEL": "INFO",  # Lambda's default for JSON, set at Python's root logger
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
        # In Lambda /var/task and /opt are read-only; here compiled files are elsewhere, so that tests start faster.
        "PYTHONPYCACHEPREFIX": str(ROOT / "build" / "compiled"),
        **function.environment,
    }


def function_arn(function: BuiltFunction) -> str:
    """Return the ARN of the function's alias."""
    return f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{function.name}:live"
