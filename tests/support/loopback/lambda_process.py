"""A built function in a process of its own, under AWS's own runtime client, with only the artefact on its path."""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import TimeoutError as NotYetError
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.loopback.lambda_answer import Answer, StartError, platform_error
from tests.support.loopback.lambda_environment import function_arn, lambda_environment
from tests.support.loopback.lambda_output import Lines, Output
from tests.support.loopback.lambda_runtime import CLIENT, SDK, installed, newer_python
from tests.support.loopback.lambda_template import BuiltFunction
from tests.support.loopback.runtime_api import Invocation, KindResult, RuntimeAPI

START_SECONDS = 60.0
_STEP = 0.02


class LambdaProcess:
    """A context manager that starts a function as Lambda does, and always kills it.

    Between two events the process is stopped, as Lambda freezes an environment. With `snap_start` it is stopped
    between its hooks before the snapshot and those after the restore, where `at_snapshot` may change the world around
    it. With `sdk` boto3 is on the path, as it is in the real runtime.
    """

    def __init__(
        self,
        function: BuiltFunction,
        environment: Mapping[str, str] | None = None,
        *,
        snap_start: bool = False,
        at_snapshot: Callable[[], object] = lambda: None,
        sdk: bool = True,
    ) -> None:
        packages = (CLIENT, SDK) if sdk else (CLIENT,)
        self._path = [function.folder, *function.layers, *(installed(package) for package in packages)]
        self._function, self._snap_start, self._at_snapshot = function, snap_start, at_snapshot
        self._added = dict(environment or {})
        self._stack = ExitStack()
        self._api, self._output = RuntimeAPI(), Output()
        self.start_seconds = self.restore_seconds = 0.0
        self.started = Lines()
        """What it wrote until it could take an event, its hooks' lines too."""

    def __enter__(self) -> Self:
        """Start, and wait until the function can take an event; raises `StartError`."""
        with self._stack:
            self._stack.enter_context(self._api)
            self._stack.enter_context(self._output)
            self._process = self._started()
            self._stack.callback(self._kill)
            self.start_seconds = self._await(self._api.snapshot if self._snap_start else self._api.idle)
            self._freeze()
            if self._snap_start:
                self._at_snapshot()
                self._thaw()
                self._api.restored.set()
                self.restore_seconds = self._await(self._api.idle)
                self._freeze()
            self.started = self._output.fresh()
            self._stack = self._stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Kill the process, and forget what it wrote."""
        self._stack.__exit__(kind, error, trace)

    def invoke(self, event: object, seconds: float | None = None) -> Answer:
        """Hand over an event and wait for its outcome, for the function's own timeout where no time is given."""
        limit = self._function.timeout if seconds is None else seconds
        invocation = Invocation(event, limit, function_arn(self._function))
        self._api.submit(invocation)
        self._thaw()
        outcome = self._outcome(invocation)
        if self._process.poll() is None:
            self._api.idle.wait(_STEP * 50)
            self._freeze()
        began = invocation.begun or outcome.at
        return Answer(outcome.result, outcome.error, outcome.at - began, self._output.fresh())

    def peak_megabytes(self) -> float | None:
        """Tell the most memory that the process ever held, where the system says (Linux)."""
        status = Path(f"/proc/{self._process.pid}/status")
        rows = status.read_text().splitlines() if status.exists() else []
        return next((int(row.split()[1]) / 1024 for row in rows if row.startswith("VmHWM:")), None)

    def _started(self) -> subprocess.Popen[bytes]:
        given = lambda_environment(self._function, self._api.address, self._path, snap_start=self._snap_start)
        # -S and -s: neither the site-packages of this machine's Python nor those of its user are on the path.
        command = [newer_python(), "-S", "-s", "-m", CLIENT, self._function.handler]
        return subprocess.Popen(
            command,
            cwd=self._function.folder,
            env=given | self._added,
            stdin=subprocess.DEVNULL,
            stdout=self._output.file("stdout"),
            stderr=self._output.file("stderr"),
        )

    def _await(self, event: threading.Event) -> float:
        begin = time.perf_counter()
        while not event.wait(_STEP):
            if self._process.poll() is not None or time.perf_counter() - begin > START_SECONDS:
                told = self._api.start_error or self._output.fresh()
                message = f"{self._function.name} did not start: {told}"
                raise StartError(message)
        return time.perf_counter() - begin

    def _outcome(self, invocation: Invocation) -> KindResult:
        """Wait for the outcome; what the function does not say is said for it, as Lambda does."""
        until = time.monotonic() + invocation.seconds
        while True:
            try:
                return invocation.ended.result(_STEP)
            except NotYetError:
                code = self._process.poll()
            if code is not None:
                return platform_error(invocation, "Runtime.ExitError", f"Runtime exited with error: exit status {code}")
            if time.monotonic() > until:
                self._kill()
                return platform_error(
                    invocation, "Sandbox.Timedout", f"Task timed out after {invocation.seconds:.2f} seconds"
                )

    def _freeze(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def _thaw(self) -> None:
        if self._process.poll() is not None:
            message = f"the process of {self._function.name} has ended; start another"
            raise StartError(message)
        self._process.send_signal(signal.SIGCONT)

    def _kill(self) -> None:
        self._process.kill()
        self._process.wait()
