"""The functions of a built template, and what Lambda puts beside one: its environment, Python, client and SDK."""

import os
import platform
import re
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.contract.stack.documents import ROOT, evaluate, merge, read

ARCHITECTURE = {"aarch64": "arm64"}.get(platform.machine(), platform.machine())
BUILT = Path(os.environ.get("GOLDPAN_BUILT", ROOT / "build" / f"sam-{ARCHITECTURE}"))
"""The result of `make build` for this machine; GOLDPAN_BUILT names another folder."""
ENCODER_LAYER = ROOT / "build" / f"encoder-{ARCHITECTURE}" / "EncoderLayer" / "python"
"""The result of `make encoder-build` for this machine."""
REGION = "eu-central-1"


class NotBuiltError(Exception):
    """The functions are not built for this machine."""


@dataclass(frozen=True)
class BuiltFunction:
    """One built function."""

    name: str
    folder: Path
    layers: tuple[Path, ...]
    handler: str
    timeout: float
    memory: int
    environment: Mapping[str, str]


def built_functions(folder: Path = BUILT) -> dict[str, BuiltFunction]:
    """Return the built functions by the names of their handlers. Raises `NotBuiltError`."""
    if not (folder / "template.yaml").exists():
        raise NotBuiltError(f"no built functions for {ARCHITECTURE} in {folder}: run `make build`")
    template = read(folder / "template.yaml")
    resources, shared = template["Resources"], template["Globals"]["Function"]
    defaults = {name: parameter["Default"] for name, parameter in template.get("Parameters", {}).items()}
    values = {"AWS::StackName": "goldpan", "AWS::NoValue": "", **{name: name for name in resources}, **defaults}
    functions = {}
    for logical_id, resource in resources.items():
        if resource.get("Type") == "AWS::Serverless::Function":  # the alarms are a file that is included
            name = re.sub(r"(?<!^)(?=[A-Z])", "_", logical_id.removesuffix("Function")).lower()
            functions[name] = _function(name, folder, merge(shared, resource["Properties"]), resources, values)
    return functions


def _function(
    name: str, folder: Path, properties: Mapping[str, Any], resources: Mapping[str, Any], values: Mapping[str, Any]
) -> BuiltFunction:
    named = (evaluate(layer, values) for layer in properties["Layers"])
    layers = (resources[name]["Properties"]["ContentUri"] for name in named if name)
    return BuiltFunction(
        name=name,
        folder=folder / properties["CodeUri"],
        layers=tuple(folder / layer / "python" for layer in layers),
        handler=properties["Handler"],
        timeout=float(properties["Timeout"]),
        memory=int(properties["MemorySize"]),
        environment={
            key: str(evaluate(value, values)) for key, value in properties["Environment"]["Variables"].items()
        },
    )


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


VERSION = "3.13"
CLIENT, SDK = "awslambdaric", "boto3"


class RuntimeMissingError(Exception):
    """This machine has no such Python, or a package could not be installed."""


@cache
def newer_python() -> str:
    """Find the Python of the functions. Raises `RuntimeMissingError`."""
    pyenv = sorted(Path.home().glob(f".pyenv/versions/{VERSION}.*/bin/python{VERSION}"))
    for name in (os.environ.get("PYTHON_NEWER"), sys.executable, f"python{VERSION}", *map(str, reversed(pyenv))):
        python = shutil.which(name) if name else None
        if python and _version(python) == VERSION:
            return python
    raise RuntimeMissingError(f"no Python {VERSION}, which the functions run on (PYTHON_NEWER may name one)")


def _version(python: str) -> str:
    run = subprocess.run([python, "--version"], capture_output=True, text=True, check=False)
    return run.stdout.removeprefix("Python ").rpartition(".")[0]


@cache
def installed(package: str) -> Path:
    """Return the folder of a package and its dependencies, for the Python of the functions; install it once."""
    folder = ROOT / "build" / "runtime" / f"{sys.platform}-{os.uname().machine}" / package
    if not folder.exists():
        own = folder.with_name(f"{package}-{uuid.uuid4().hex}")  # two test processes may install at the same time
        _install(package, own)
        try:
            own.rename(folder)
        except OSError:
            shutil.rmtree(own)
    return folder


def _install(package: str, folder: Path) -> None:
    options = ["--quiet", "--disable-pip-version-check", "--root-user-action", "ignore"]
    pinned = ["--constraint", str(ROOT / "constraints.txt"), "--target", str(folder)]
    command = [newer_python(), "-m", "pip", "install", *options, *pinned, package]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        shutil.rmtree(folder, ignore_errors=True)
        raise RuntimeMissingError(f"{package} could not be installed: {run.stderr.strip().splitlines()[-1:]}")
