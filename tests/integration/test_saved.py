"""Saved searches over the network: a run tells what the sources say now, or says how old its data are."""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from goldpan.local.bootstrap import open_runtime
from goldpan_local.saved.app import run
from goldpan_local.saved.running import save_and_search
from goldpan_local.search_options import SearchOptions
from goldpan_local.search_request import read_request

from tests.support.loopback import LoopbackFault, LoopbackGitHub


def last_source(folder: Path) -> dict[str, Any]:
    """Return the row of the last run's first source."""
    row: dict[str, Any] = json.loads((folder / "goldpan/saved/motion.jsonl").read_text().splitlines()[-1])["sources"][0]
    return row


def test_a_run_asks_the_sources_again_and_their_cached_data_serve_if_they_fail(
    github: LoopbackGitHub, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache has what the previous run read."""
    environment = {"GITHUB_API_URL": github.url, "GITHUB_TOKEN": "good-token", "XDG_DATA_HOME": str(tmp_path)}
    environment["GOLDPAN_CACHE"] = str(tmp_path / "cache.sqlite")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with ExitStack() as stack:  # closes what the command leaves to the end of its process
        opened = lambda *given, **named: stack.enter_context(open_runtime(*given, **named))  # noqa: E731
        monkeypatch.setattr("goldpan.local.bootstrap.open_runtime", opened)
        given: SearchOptions = {"save": "motion", "quiet": True}
        save_and_search(read_request("React animation library", {}), given, environment)
        asked = len(github.requests)
        assert run("motion", "json", quiet=True) == 1
        assert len(github.requests) == 2 * asked
        assert not last_source(tmp_path)["cached"]
        github.inject(LoopbackFault.status(500, times=None))
        run("motion", "markdown", quiet=True)
        assert last_source(tmp_path)["cached"]
        said = (
            b"Read from the cache after a failure: github (cached less than a minute ago); new results may be missing."
        )
        assert said in capsysbinary.readouterr().out
