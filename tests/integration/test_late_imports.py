"""What a search needs is loaded before the first one: when the server starts, and before the snapshot of a function."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.conftest import environment
from tests.integration.papers.searches import PAPERS
from tests.support.loopback import LoopbackGitHub, LoopbackLLM
from tests.support.paper_sources import LoopbackPapers

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["server", "functions"])
def test_the_first_search_loads_no_module(name: str, github: LoopbackGitHub, llm: LoopbackLLM) -> None:
    """It waits for none, whatever kind it asks for, and no garbage collection visits what was loaded before."""
    with LoopbackPapers(PAPERS[:6]) as papers:
        settings = environment(github, llm) | papers.environment() | {"GOLDPAN_CACHE": "off"}
        path = os.pathsep.join(str(ROOT / folder) for folder in ("layers/goldpan", "local", "."))
        run = subprocess.run(
            [sys.executable, "-m", "tests.integration.late_imports", name],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": path, **settings},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
    assert papers.requests
    assert github.requests
    assert llm.requests
    assert json.loads(run.stdout.splitlines()[-1]) == {"late": [], "frozen": True}
