"""Where the tests of `goldpan library` keep libraries."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the libraries in a folder that does not exist yet."""
    monkeypatch.setenv("GOLDPAN_LIBRARIES", str(tmp_path / "libraries"))
    return tmp_path / "libraries"
