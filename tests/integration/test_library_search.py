"""`goldpan library` with an endpoint for embeddings on a loopback port."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from goldpan_local.command import app
from typer.testing import CliRunner, Result

from tests.support.loopback.embeddings import LoopbackEmbeddings, hashed_words

pytestmark = pytest.mark.enable_socket


def by_meaning(texts: Sequence[str]) -> list[list[float]]:
    """Encode texts so that cars and automobiles are near each other."""
    return hashed_words([text.replace("automobiles", "cars") for text in texts])


def test_a_search_by_meaning_says_which_encoder_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It finds what has none of the words; a second import encodes nothing again; without the endpoint words decide."""
    monkeypatch.setenv("GOLDPAN_LIBRARIES", str(tmp_path / "libraries"))
    monkeypatch.setenv("GOLDPAN_CACHE", "off")
    (tmp_path / "notes.md").write_text("automobiles need fuel")

    def run(*arguments: str, **environment: str) -> Result:
        return CliRunner().invoke(app, ["library", *arguments], env=environment, prog_name="goldpan")

    with LoopbackEmbeddings(encode=by_meaning) as server:
        endpoint = {
            "EMBEDDING_BASE_URL": server.base_url, "EMBEDDING_API_KEY": "good-key", "EMBEDDING_MODEL": "own-model"
        }  # fmt: skip
        assert run("import", str(tmp_path / "notes.md"), **endpoint).exit_code == 0
        sent = len(server.inputs)
        assert (sent > 0, run("import", str(tmp_path / "notes.md"), **endpoint).exit_code) == (True, 0)
        assert len(server.inputs) == sent
        found = run("search", "cars", **endpoint).stdout
        assert "automobiles need fuel" in found
        assert "1 shown of 1 found, by words and by the vectors of own-model" in " ".join(found.split())
        assert "automobiles" in run("chunks", "cars", **endpoint).stdout
    assert run("search", "cars").stdout == "No papers found matching 'cars'\n"
