"""What the tests of the server share: one process for those that leave it unchanged."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_socket import enable_socket

from tests.integration.serve.process import ServerProcess


@pytest.fixture(scope="package")
def served() -> Iterator[ServerProcess]:
    """Serve the sample; the address of GitHub is a port on which no server listens."""
    enable_socket()
    with ServerProcess(GITHUB_API_URL="http://127.0.0.1:9") as process:
        yield process
