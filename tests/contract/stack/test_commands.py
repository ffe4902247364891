"""The commands that people run: the Makefile, .ci/run, the documents, and the answers of the SAM CLI."""

from __future__ import annotations

import re

from tests.contract.stack.documents import ROOT, functions, template, text

MAKEFILE = text("Makefile")
TARGETS = set(re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE))


def test_every_command_of_a_document_exists() -> None:
    """The documents, .ci/run and the workflows call targets that `make` lists; .ci/run calls them in order."""
    [phony] = re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)
    assert set(phony.split()) == TARGETS
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")):
        called = re.findall(r"(?m)(?:`|^)make ([a-z]+(?:-[a-z]+)*)(?=`| ARCH| [A-Z]+=|\n|  )", page.read_text("utf-8"))
        assert set(called) <= TARGETS, page.name
    workflows = "".join(path.read_text("utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml"))
    assert set() < set(re.findall(r": make ([a-z-]+)", workflows)) <= TARGETS
    called = re.findall(r"^\s*make ([a-z-]+)", text(".ci/run"), re.MULTILINE)
    assert {"lint", "types", "audit", "template", "build", "quality", "test"} <= set(called) <= TARGETS
    assert called.index("template") < called.index("build") < called.index("test")


def test_no_document_installs_the_unrelated_project() -> None:
    """No document says to install `goldpan` from the package index, where the name belongs to another project."""
    documents = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob(".github/**/*.*")]
    pattern = re.compile(r"install [^\n]*(?<![\w@])goldpan(?![\w/-])")
    assert [path.name for path in documents if pattern.search(path.read_text("utf-8"))] == []


def test_every_handler_can_be_invoked() -> None:
    """`make invoke HANDLER=...` knows each handler by the name of its folder."""
    table = dict(re.findall(r"^FUNCTION_(\w+) := (\w+)$", MAKEFILE, re.MULTILINE))
    assert table == {function["CodeUri"].removeprefix("functions/"): name for name, function in functions().items()}


def test_the_build_is_what_is_deployed() -> None:
    """It is for the processor of the template by default, and is repeated when a file of the template changes."""
    [default] = re.findall(r"^ARCHITECTURE \?= (\S+)$", MAKEFILE, re.MULTILINE)
    assert default == template()["Parameters"]["Architecture"]["Default"]
    [watched] = re.findall(r"shell find ([a-z/ _-]+) -type f", MAKEFILE)
    named = {*re.findall(r"(?:Uri|Location): ([a-z_./-]+)$", text("template.yaml"), re.MULTILINE)}
    assert len(named) == 8
    assert [path for path in named if not any(f"{path}/".startswith(f"{folder}/") for folder in watched.split())] == []
