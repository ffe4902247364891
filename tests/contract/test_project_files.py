"""The workflows and the documents name commands that exist and the distribution that is ours."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_workflows_call_existing_targets() -> None:
    """Every `make` command of a workflow is a target of the Makefile."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    workflows = "".join(path.read_text("utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml"))
    called = set(re.findall(r": make ([a-z-]+)", workflows))
    assert called
    assert called <= targets


def test_no_document_installs_the_unrelated_project() -> None:
    """No document says to install `goldpan` from the package index, where the name belongs to another project."""
    documents = chain(ROOT.glob("*.md"), ROOT.glob("docs/*.md"), ROOT.glob(".github/**/*"))
    texts = {path: path.read_text("utf-8") for path in documents if path.is_file()}
    assert ROOT / "README.md" in texts
    found = [path.name for path, text in texts.items() if re.search(r"install [^\n]*\bgoldpan(?![\w/-])", text)]
    assert found == []
