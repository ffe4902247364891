"""The snippets and commands of README.md and docs/*.md, run in a clone on a machine whose names do not resolve."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from goldpan.contracts import SearchRequest
from goldpan.engine.dependencies import Runtime
from goldpan.engine.search import get_or_search
from goldpan.local.bootstrap import open_runtime
from goldpan_local.formats.notes import read_as
from goldpan_local.formats.values import short_count

from tests.integration.serve.process import ROOT, ServerProcess, plain_environment
from tests.support.paper_shapes import Facts
from tests.support.paper_sources import LoopbackPapers

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
COLLECT, SKILL = ROOT / "commands" / "paper-collect.md", ROOT / "skills" / "paper-searcher" / "SKILL.md"
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
PLACEHOLDERS = {"/path/to/": "skills/", "the question": "attention mechanisms"}
"""What a reader writes in place of an example."""
NOT_CODE = {
    "text": "what a command prints; JSON is compared with it, and two others below",
    "mermaid": "a diagram",
    "json": "a request, a response of a moment, a policy of AWS, or an entry in the settings of an agent's client",
    "yaml": "a job of a workflow",
    "ini": "units of systemd",
    "toml": "the user's config file, which tests/unit/local/test_config_files.py reads",
    "": "a query for CloudWatch Logs Insights, which needs an AWS account",
}
NOT_RUN = {
    r"make wheel|pip install ": "downloads packages; tests/contract/test_wheel.py does the same offline",
    r"goldpan serve": "serves until it is stopped; every page with `curl` is run against such a server",
    r"goldpan .*--source github": "queries GitHub alone, without the sample",
    r"goldpan catalogue (crawl|update|enrich) ": "queries GitHub; tests/integration/test_catalogue_work.py does",
    r"make build|make deploy|make invoke|make smoke|\.venv-sam/bin/sam": "needs the AWS SAM CLI and an AWS account",
    r"\.venv/bin/python -m scripts\.page": "needs Chromium, and makes hundreds of pictures",
    r"make rehearse": "needs the built functions; tests/slow/artefact/test_rehearsal.py does the same",
    r"(read -rs SECRET && |output\(\) \{ |KEY=\$\()?aws ": "needs an AWS account",
    r"curl .*(\$\(output SearchUrl\)|X-Amzn-Trace-Id)": "needs the deployed stack",
}
SUBJECTS = (
    "graph neural networks for drug discovery", "retrieval augmented generation and its evaluation",
    "speech recognition", "contrastive learning", "a vector database", "attention mechanisms",
)  # fmt: skip
PAPERS: list[Facts] = [
    {
        "title": f"On {subject}", "authors": ["Geoffrey Hinton", "Ada Lovelace"], "year": 2023, "venue": "Interspeech",
        "abstract": f"We study {subject}.", "doi": f"10.1000/{place}", "pmid": str(1000 + place), "citations": place,
        "open_access": True,
    }
    for place, subject in enumerate(SUBJECTS)
]  # fmt: skip
SLOW = {"ARXIV_URL", "SEMANTIC_SCHOLAR_URL"}
OFFLINE = """
import socket

resolve = socket.getaddrinfo


def getaddrinfo(host, *rest, **options):
    if host not in {"127.0.0.1", "localhost"}:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
    return resolve(host, *rest, **options)


socket.getaddrinfo = getaddrinfo
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Make a clone in which `make run` has installed goldpan, with no file that a reader lacks."""
    for path in ROOT.iterdir():
        if not path.name.startswith(".") and path.name != "build":
            (tmp_path / path.name).symlink_to(path)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / ".run").touch()
    command = tmp_path / ".venv" / "bin" / "goldpan"
    command.write_text(f"#!{sys.executable}\nfrom goldpan_local.command import main\n\nmain()\n")
    python = tmp_path / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    command.chmod(0o755)
    python.chmod(0o755)
    (python.parent / "python3").symlink_to(python)
    (tmp_path / "offline").mkdir()
    (tmp_path / "offline" / "sitecustomize.py").write_text(OFFLINE)
    return tmp_path


@pytest.fixture
def environment(clone: Path) -> Iterator[dict[str, str]]:
    """Return the environment of a reader: no network, no proxy, no key, a cache, and the quick sources of papers."""
    plain = {name: value for name, value in plain_environment().items() if not name.lower().endswith("_proxy")}
    paths = {
        "PYTHONPATH": f"{clone / 'offline'}{os.pathsep}{plain['PYTHONPATH']}",
        "PATH": f"{clone / '.venv' / 'bin'}{os.pathsep}{plain['PATH']}",
        "GOLDPAN_CACHE": str(clone / "cache.sqlite"),
        "CROSSREF_MAILTO": "reader@example.org",  # three calls a second instead of one
        "GOLDPAN_LIBRARIES": str(clone / "libraries"),
        "CLAUDE_PLUGIN_ROOT": str(clone),
    }
    with LoopbackPapers(PAPERS) as sources:
        addresses = {name: value for name, value in sources.environment(key=None).items() if name not in SLOW}
        yield plain | paths | addresses


@pytest.fixture
def server(environment: dict[str, str]) -> Iterator[ServerProcess]:
    """Serve on a free port in place of 8080."""
    with ServerProcess(**environment) as process:
        yield process


@pytest.mark.parametrize("pages", [*([page] for page in PAGES), [COLLECT, SKILL]], ids=lambda pages: pages[-1].name)
def test_every_snippet_runs_offline(
    pages: list[Path], clone: Path, environment: dict[str, str], request: pytest.FixtureRequest
) -> None:
    """In the order of the pages, and prints the JSON that is shown; what cannot run is listed above with its reason."""
    printed = ""
    for language, block in FENCE.findall("".join(page.read_text("utf-8") for page in pages)):
        if printed and language == "text" and block.startswith("{"):
            parts = re.split(r"\.\.\.|,", "".join(block.split()))
            assert [part for part in parts if part not in printed] == []
            continue
        if language == "sh":
            lines = block.replace("\\\n", "").splitlines()
            script = "\n".join(line for line in lines if not re.match("|".join(NOT_RUN), line))
            for example, written in PLACEHOLDERS.items():
                script = script.replace(example, written)
            if ":8080" in script:
                port = request.getfixturevalue("server").port
                script = script.replace(":8080", f":{port}").replace("curl -s ", "curl -sf ")
            run = ["bash", "-eux", "-o", "pipefail", "-c", script]
        elif language == "python":
            run = [sys.executable, "-c", block]
        else:
            assert language in NOT_CODE, block
            continue
        ended = subprocess.run(run, cwd=clone, env=environment, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, f"{block}\n{ended.stdout}\n{ended.stderr}"
        printed = "".join(ended.stdout.split())


def answered(question: str, runtime: Runtime) -> str:
    """Answer a question as the first page of the README shows it."""
    answer = get_or_search(SearchRequest(query=question, max_results=3), runtime)
    assert answer.repositories is not None
    lines = [question, f"  {read_as(answer.interpretation)}"]
    for place, found in enumerate(answer.repositories.results, start=1):
        facts = f"{short_count(found.stars):>7}  {found.language or '-':<12}{found.relevance:.2f}"
        lines.append(f"  {place}  {found.repo:<30}{facts}")
    return "".join(f"{line}\n" for line in lines)


def test_the_five_questions_of_the_readme_have_these_answers() -> None:
    """What the README shows first is what the sample answers today."""
    [shown] = re.findall(
        r"^Five questions.*?^```text\n(.*?)^```", PAGES[0].read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    questions = [line for line in shown.splitlines() if line[:1].strip()]
    with open_runtime({"GOLDPAN_CACHE": "off"}, ["catalogue"]) as runtime:
        assert "\n".join(answered(question, runtime) for question in questions) == shown
    assert len(questions) == 5


def test_the_answer_of_a_page_is_what_its_command_prints(clone: Path, environment: dict[str, str]) -> None:
    """The section "An answer" of docs/command.md shows the output of its command, but for the times."""
    section = (ROOT / "docs" / "command.md").read_text("utf-8").partition("\n## An answer\n")[2]
    [(command, shown)] = re.findall(r"\A\s*`(goldpan [^`]+)`.*?^```text\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    ended = subprocess.run(
        shlex.split(command), cwd=clone, env=environment | {"COLUMNS": "80"}, capture_output=True, text=True, check=True
    )
    printed, written = (re.sub(r";\s+[\d.]+\s+m?s$", "", text, flags=re.MULTILINE) for text in (ended.stdout, shown))
    assert re.sub(r"\d+\.\d s,", "? s,", printed) == re.sub(r"\d+\.\d s,", "? s,", written)
