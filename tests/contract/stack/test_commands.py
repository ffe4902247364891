"""The commands that people run: the Makefile, .ci/run, the documents, and the answers of the SAM CLI."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.infra.dynamodb_table import open_tables
from goldpan.infra.llm.port import Prompt
from goldpan.infra.llm.spending import LimitedModel
from goldpan.infra.table import uncounted

from scripts.invoke import environment_of, keys_of
from tests.benchmarks import frame
from tests.contract.stack.documents import ROOT, template, text
from tests.support.factories import QueuedModel
from tests.support.loopback.aws import LoopbackDynamoDB

MAKEFILE = text("Makefile")
TARGETS = set(re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE))


def test_every_command_of_a_document_exists() -> None:
    """`make` lists all that is called; none installs `goldpan` of the package index, which is another project."""
    [phony] = re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)
    assert set(phony.split()) == TARGETS
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")):
        called = re.findall(r"(?m)(?:`|^)make ([a-z]+(?:-[a-z]+)*)(?=`| ARCH| [A-Z]+=|\n|  )", page.read_text("utf-8"))
        assert set(called) <= TARGETS, page.name
    workflows = "".join(path.read_text("utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml"))
    assert set() < set(re.findall(r": make ([a-z-]+)", workflows)) <= TARGETS
    lines = re.findall(r"^\s*make ([a-z -]+?)(?: --| #|$)", text(".ci/run"), re.MULTILINE)
    called = [target for line in lines for target in line.split()]
    assert {"lint", "types", "audit", "template", "builds", "quality", "test"} <= set(called) <= TARGETS
    assert called.index("builds") < called.index("test")
    documents = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob(".github/**/*.*")]
    pattern = re.compile(r"install [^\n]*(?<![\w@])goldpan(?![\w/-])")
    assert [path.name for path in documents if pattern.search(path.read_text("utf-8"))] == []


@pytest.mark.parametrize("name", ["python3.12", "python3.14", "python3"])
def test_make_takes_the_python_that_is_there(tmp_path: Path, name: str) -> None:
    """Whichever supported one is alone on the PATH."""
    (tmp_path / name).symlink_to(sys.executable)
    command = [shutil.which("make") or "", "--silent", "--eval", "shown:; @:; echo $(PYTHON)", "shown"]
    shown = subprocess.run(command, cwd=ROOT, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == name


def test_a_local_call_has_the_keys_of_the_environment_or_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """`make invoke` passes on the settings of sources and endpoints, and nothing else."""
    monkeypatch.setenv("GITHUB_TOKEN", "of-the-environment")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "private")
    assert keys_of("")["GITHUB_TOKEN"] == "of-the-environment"
    keys = keys_of("# keys\nexport GITHUB_TOKEN='of-the-file'\nOPENALEX_API_KEY=a\nOTHER=b")
    assert (keys["GITHUB_TOKEN"], keys["OPENALEX_API_KEY"]) == ("of-the-file", "a")
    assert not keys.keys() & {"OTHER", "AWS_SECRET_ACCESS_KEY"}


@pytest.mark.enable_socket
def test_a_local_call_may_ask_the_language_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it costs is counted in a table, and without one it is not asked."""
    with LoopbackDynamoDB() as served:
        for name, value in {"AWS_DEFAULT_REGION": "eu-west-1", **environment_of(served)}.items():
            monkeypatch.setenv(name, value)
        model = LimitedModel(QueuedModel(), open_tables("budget")[0], WallClock(), uncounted).with_limit(5)
        assert model.complete(Prompt("", ""), Deadline.after(60, WallClock())).data


def test_a_benchmark_without_its_data_is_skipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With exit code 0, so that the next line of its target of make runs."""
    monkeypatch.setattr(frame, "SHARED", tmp_path)
    monkeypatch.setattr(frame, "DATA", tmp_path / "data")
    monkeypatch.setattr(sys, "argv", ["benchmark"])
    with pytest.raises(SystemExit, match=r"^0$"):
        frame.run_main(lambda: len(frame.read_rows(frame.DATA / "queries.jsonl.gz")))


def test_the_build_is_what_is_deployed() -> None:
    """It is for the processor of the template by default, and is repeated when a file of the template changes."""
    [default] = re.findall(r"^ARCHITECTURE \?= (\S+)$", MAKEFILE, re.MULTILINE)
    assert default == template()["Parameters"]["Architecture"]["Default"]
    [watched] = re.findall(r"shell find ([a-z/ _-]+) -type f", MAKEFILE)
    named = {*re.findall(r"(?:Uri|Location): ([a-z_./-]+)$", text("template.yaml"), re.MULTILINE)}
    assert len(named) == 11
    assert [path for path in named if not any(f"{path}/".startswith(f"{folder}/") for folder in watched.split())] == []
