"""What surrounds a rehearsal: GitHub and the sources of papers on loopback ports, and the emulator of AWS."""

import os
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from unittest.mock import patch

import httpx2

from tests.support.loopback.github import LoopbackGitHub
from tests.support.loopback.sample_repositories import sample_repositories
from tests.support.loopback.tls_proxy import write_certificate
from tests.support.paper_search_fakes import papers as papers_about_molecules
from tests.support.paper_sources import LoopbackPapers

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv-rehearse" / "bin" / "python"
REGION, START_SECONDS = "us-east-1", 60


class MissingError(Exception):
    """What a rehearsal needs is not installed."""


class TlsGitHub(LoopbackGitHub):
    """A GitHub behind TLS, because the template accepts no other address."""

    def __init__(self, certificate: Path) -> None:
        super().__init__(sample_repositories(), searches_a_minute=1000, calls_an_hour=5000)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate)

    @property
    def url(self) -> str:
        """The address of the server, by the name in its certificate."""
        return super().url.replace("http://127.0.0.1", "https://localhost")

    def __enter__(self) -> Self:
        """Listen on a free port."""
        super().__enter__()
        self._listener.socket = self._context.wrap_socket(self._listener.socket, server_side=True)
        return self


@dataclass(frozen=True)
class World:
    """The servers of the sources."""

    github: LoopbackGitHub
    papers: LoopbackPapers


@contextmanager
def rehearsal_world(folder: Path) -> Iterator[World]:
    """Start the sources and the emulator, and set the environment of its clients. Raises MissingError."""
    if not PYTHON.exists():
        raise MissingError(f"{PYTHON} is missing: `make rehearse` installs it")
    authority, certificate = folder / "authority.pem", folder / "server.pem"
    write_certificate(authority, certificate, ["localhost"])
    with ExitStack() as ends:
        github = ends.enter_context(TlsGitHub(certificate))
        papers = ends.enter_context(LoopbackPapers(papers_about_molecules(12)))
        port = _free_port()
        clients = {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_DEFAULT_REGION": REGION,
            "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
            "SAM_CLI_TELEMETRY": "0", "SAM_CLI_POLL_DELAY": "1",
        }  # fmt: skip
        own = {
            "GATEWAY_PORT": str(port), "BIND_HOST": "127.0.0.1", "MINISTACK_HOST": "127.0.0.1", "LOG_LEVEL": "WARNING",
            "SSL_CERT_FILE": str(authority), "NO_PROXY": "localhost,127.0.0.1",
            "PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder),
        }  # fmt: skip
        log = ends.enter_context((folder / "emulator.log").open("w"))
        command = [str(PYTHON), "-m", "scripts.rehearse.emulator"]
        environment = papers.environment(key=None) | clients | own
        emulator = subprocess.Popen(command, env=environment, cwd=ROOT, stdout=log, stderr=log)  # noqa: S603
        ends.callback(_end, emulator)
        _wait(emulator, clients["AWS_ENDPOINT_URL"])
        ends.enter_context(patch.dict(os.environ, clients))
        yield World(github, papers)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def _wait(emulator: subprocess.Popen[bytes], url: str) -> None:
    ends = time.monotonic() + START_SECONDS
    while emulator.poll() is None and time.monotonic() < ends:
        try:
            httpx2.get(f"{url}/_ministack/health")
        except httpx2.TransportError:
            time.sleep(0.2)
        else:
            return
    raise MissingError("the emulator did not start: see emulator.log")


def _end(emulator: subprocess.Popen[bytes]) -> None:
    emulator.terminate()
    try:
        emulator.wait(10)
    except subprocess.TimeoutExpired:
        emulator.kill()
        emulator.wait()
