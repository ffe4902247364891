"""`goldpan analyze` as people run it: a process of its own, GitHub and OSV on loopback ports, a cache file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.serve.process import plain_environment
from tests.support.analyzed import FULL_NAME, VULNERABLE, analyzed_repository
from tests.support.loopback import LoopbackGitHub
from tests.support.loopback.osv import LoopbackOsv

pytestmark = pytest.mark.enable_socket


def test_the_command_analyzes_a_repository_once_an_hour(tmp_path: Path) -> None:
    """The first run reads GitHub and OSV, the second one neither; the answer is the same, marked as cached."""
    with LoopbackGitHub([analyzed_repository()]) as github, LoopbackOsv(VULNERABLE) as osv:
        addresses = {"GITHUB_API_URL": github.url, "GITHUB_TOKEN": "good-token", "OSV_URL": osv.url}
        cache = {"GOLDPAN_CACHE": str(tmp_path / "cache.sqlite")}
        command = [
            sys.executable,
            "-m",
            "goldpan_local",
            "analyze",
            FULL_NAME,
            "-q",
            "React animation",
            "--format",
            "json",
        ]
        first, second = (
            json.loads(
                subprocess.run(
                    command, env=plain_environment() | addresses | cache, capture_output=True, text=True, check=True
                ).stdout
            )
            for _ in range(2)
        )
        assert (len(github.requests), len(osv.requests)) == (2, 1)
    assert (first["cached"], second["cached"]) == (False, True)
    assert second == first | {"cached": True}
    statements = {each["id"]: each["statement"] for each in first["statements"]}
    assert "lodash 4.17.15: GHSA-35jh-r3h4-6jhm" in statements["vulnerabilities"]
    assert statements["top_author"].startswith("ada made 60 of the last 80 commits by people (75%)")
    assert first["relevance"] > 0.5
