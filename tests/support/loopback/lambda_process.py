"""Runs a built function in its own process, under AWS's runtime client, with only the artefact on its path."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from concurrent.futures import TimeoutError as NotYetError
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from tests.support.loopback.lambda_template import (
    CLIENT,
    REGION,
    SDK,
    BuiltFunction,
    installed,
    lambda_environment,
    newer_python,
)
from tests.support.loopback.runtime_api import Invocation, Outcome, RuntimeAPI, failed

START_SECONDS = 60.0
_STEP = 0.02


class StartError(Exception):
    """The function did not get as far as waiting for an event."""


@dataclass(frozen=True)
class Lines:
    """The lines that a process wrote in a while."""

    stdout: tuple[str, ...] = ()
    stderr: tuple[str, ...] = ()

    def imported(self) -> set[str]:
        """Return the modules beside Python's own that PYTHONPROFILEIMPORTTIME shows."""
        rows = {line.rpartition("|")[2].strip() for line in self.stderr if line.startswith("import time:")}
        return {name for name in rows - {"imported package"} if name.partition(".")[0] not in sys.stdlib_module_names}


class Stream:
    """A file for what a process writes, because a file never blocks its writer as a full pipe does."""

    def __init__(self) -> None:
        self.file, self._read = tempfile.TemporaryFile(), 0  # noqa: SIM115 - closed with the process

    def new_lines(self) -> tuple[str, ...]:
        """Return what was written since the last call."""
        begin, self._read = self._read, os.fstat(self.file.fileno()).st_size
        # The process shares the position of the file, so reading must not move it.
        return tuple(os.pread(self.file.fileno(), self._read - begin, begin).decode(errors="replace").splitlines())


@dataclass(frozen=True)
class Answer:
    """What one event led to."""

    result: Any
    error: dict[str, Any] | None
    seconds: float
    lines: Lines


class LambdaProcess:
    """Starts a function as Lambda does, stops it between events and at its snapshot, and always kills it."""

    def __init__(
        self, function: BuiltFunction, environment: Mapping[str, str] | None = None, *, snap_start: bool = False
    ) -> None:
        self._path = [function.folder, *function.layers, installed(CLIENT), installed(SDK)]
        self._function, self._snap_start = function, snap_start
        self._added = dict(environment or {})
        self._stack = ExitStack()
        self._api, self._stdout, self._stderr = RuntimeAPI(), Stream(), Stream()
        self.start_seconds = self.restore_seconds = 0.0
        self.started = Lines()
        """What it wrote before its first event, including the lines of its hooks."""

    def __enter__(self) -> Self:
        """Start, and wait until the function can receive an event. Raises `StartError`."""
        with self._stack:
            self._stack.enter_context(self._api)
            self._stack.callback(self._stdout.file.close)
            self._stack.callback(self._stderr.file.close)
            self._process = self._popen()
            self._stack.callback(self._kill)
            self.start_seconds = self._wait_for(self._api.snapshot if self._snap_start else self._api.idle)
            self._freeze()
            if self._snap_start:
                self._thaw()
                self._api.restored.set()
                self.restore_seconds = self._wait_for(self._api.idle)
                self._freeze()
            self.started = self._new_lines()
            self._stack = self._stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """Kill the process."""
        self._stack.close()

    def invoke(self, event: object, seconds: float | None = None) -> Answer:
        """Send an event and wait for its outcome, for the function's own timeout by default."""
        limit = self._function.timeout if seconds is None else seconds
        arn = f"arn:aws:lambda:{REGION}:123456789012:function:{self._function.name}:live"
        invocation = Invocation(event, limit, arn)
        self._api.submit(invocation)
        self._thaw()
        outcome = self._outcome(invocation)
        if self._process.poll() is None:
            self._api.idle.wait(_STEP * 50)
            self._freeze()
        started_at = invocation.started_at or outcome.at
        return Answer(outcome.result, outcome.error, outcome.at - started_at, self._new_lines())

    def peak_megabytes(self) -> float | None:
        """Return the largest memory of the process so far, if the system reports it (Linux)."""
        status = Path(f"/proc/{self._process.pid}/status")
        rows = status.read_text().splitlines() if status.exists() else []
        return next((int(row.split()[1]) / 1024 for row in rows if row.startswith("VmHWM:")), None)

    def processor_seconds(self) -> float:
        """Return the time of the processor that the process has used so far (Linux)."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _popen(self) -> subprocess.Popen[bytes]:
        address = self._api.url.removeprefix("http://")
        environment = lambda_environment(self._function, address, self._path, snap_start=self._snap_start)
        # -S and -s keep the site-packages of this machine and of its user off the path.
        return subprocess.Popen(
            [newer_python(), "-S", "-s", "-m", CLIENT, self._function.handler],
            cwd=self._function.folder,
            env=environment | self._added,
            stdin=subprocess.DEVNULL,
            stdout=self._stdout.file,
            stderr=self._stderr.file,
        )

    def _wait_for(self, event: threading.Event) -> float:
        start = time.perf_counter()
        while not event.wait(_STEP):
            if self._process.poll() is not None or time.perf_counter() - start > START_SECONDS:
                reason = self._api.start_error or self._new_lines()
                raise StartError(f"{self._function.name} did not start: {reason}")
        return time.perf_counter() - start

    def _outcome(self, invocation: Invocation) -> Outcome:
        """Wait for the outcome; report in place of a function that exits or times out, as Lambda does."""
        until = time.monotonic() + invocation.seconds
        while True:
            try:
                return invocation.outcome.result(_STEP)
            except NotYetError:
                code = self._process.poll()
            if code is not None:
                return failed("Runtime.ExitError", f"Error: Runtime exited with error: exit status {code}")
            if time.monotonic() > until:
                self._kill()
                return failed("Sandbox.Timedout", f"Error: Task timed out after {invocation.seconds:.2f} seconds")

    def _new_lines(self) -> Lines:
        return Lines(self._stdout.new_lines(), self._stderr.new_lines())

    def _freeze(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def _thaw(self) -> None:
        if self._process.poll() is not None:
            raise StartError(f"the process of {self._function.name} has ended")
        self._process.send_signal(signal.SIGCONT)

    def _kill(self) -> None:
        self._process.kill()
        self._process.wait()
