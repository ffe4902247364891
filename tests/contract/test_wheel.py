"""The built wheel and its packages: their files, their types, and the version of the data."""

import json
import os
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

import goldpan_data
import pytest
from goldpan.__main__ import main
from goldpan.contracts import SearchRequest
from goldpan.infra.encoder.table import shipped_table

from tests.contract.stack.documents import ROOT, text

PACKAGES = (ROOT / "goldpan-data" / "src", ROOT / "layers" / "goldpan", ROOT / "local")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the source distribution and the wheel from it, and unpack the wheel as an installation would."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    [built] = folder.glob("goldpan_search-*.whl")
    with ZipFile(built) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def goldpan(installed: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start the command from the unpacked wheel, outside the source tree."""
    command = [sys.executable, "-m", "goldpan", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"}
    return subprocess.Popen(
        command, cwd=installed.parent, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def test_wheel_holds_every_file_of_the_packages(installed: Path) -> None:
    """No prompt, vocabulary, catalogue or contract is left out, nothing else is packed, and the command answers."""
    sources, packed = (
        {
            path.relative_to(root).as_posix()
            for root in roots
            for path in root.rglob("*")
            if path.is_file() and path.suffix != ".pyc" and not re.search(r"\.(dist|egg)-info/", str(path))
        }
        for roots in (PACKAGES, [installed])
    )
    assert packed == sources - {"requirements.txt"}  # the list is the layer's
    arguments = ("search", "React animation library", "--source", "catalogue", "--format", "json", "--quiet")
    with goldpan(installed, *arguments) as process:
        answer, _ = process.communicate()
    assert process.returncode == 0, answer
    assert json.loads(answer)["repositories"]["results"]


def test_the_library_alone_has_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a function on AWS."""
    monkeypatch.setattr("goldpan.__main__.entry_points", lambda **_: ())
    with pytest.raises(SystemExit, match="without the command"):
        main()


@pytest.mark.enable_socket
def test_wheel_serves_its_contract(installed: Path) -> None:
    """The installed server starts and shows the HTTP contract."""
    with goldpan(installed, "serve", "--port", "0") as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        address = re.search(r"http://[\d.:]+", first)
        try:
            assert address, first
            with urlopen(f"{address.group()}/openapi.json") as response:
                assert "/search" in json.load(response)["paths"]
        finally:
            process.terminate()


PROJECT = """
import goldpan

answer = goldpan.search(goldpan.SearchRequest(query="date library", kinds=("repositories", "papers")))
assert answer.repositories is not None
assert answer.papers is not None
reveal_type(answer)
reveal_type(answer.repositories.results[0])
reveal_type(answer.repositories.results[0].stars)
reveal_type(answer.papers.results[0])
reveal_type(answer.papers.results[0].authors)
for event in goldpan.stream_search("date library"):
    reveal_type(event.answer)
reveal_type(goldpan.analyze_repository("owner/name"))
reveal_type(goldpan.dedupe([]))
async def use() -> None:
    reveal_type(await goldpan.asearch("date library"))
    async for event in goldpan.astream_search("date library"):
        reveal_type(event.answer)
goldpan.SearchRequest(query="date library", max_results=3, LISTS)
goldpan.SearchRequest(query="date library", feedback="newer")
"""
LISTS = ", ".join(f"{name}=[]" for name, each in SearchRequest.model_fields.items() if "tuple" in str(each.annotation))
"""Every field that is a tuple, which a caller may write as a list."""
REVEALED = [
    "goldpan.kinds.answer.Answer", "goldpan.kinds.repositories.results.RankedRepository", "int | None",
    "goldpan.kinds.papers.results.RankedPaper", "tuple[str, ...]", "goldpan.kinds.answer.Answer | None",
    "goldpan.kinds.repositories.analysis.models.Analysis",
    "list[goldpan.kinds.papers.deduplication.grouping.Group]", "goldpan.kinds.answer.Answer",
    "goldpan.kinds.answer.Answer | None",
]  # fmt: skip


def test_a_strict_type_checker_knows_the_answer(tmp_path: Path) -> None:
    """The answer, its repositories and its papers have their own types; nothing is `Any`; each package says so."""
    project = tmp_path / "project.py"
    project.write_text(PROJECT.replace("LISTS", LISTS), "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-color-output", str(project)]
    environment = os.environ | {"MYPYPATH": os.pathsep.join(map(str, PACKAGES))}
    run = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
    assert re.findall(r'Revealed type is "([^"]*)"', run.stdout) == REVEALED
    packages = [path.parent for root in PACKAGES for path in root.glob("*/__init__.py")]
    assert len(packages) == len(PACKAGES)
    assert all((package / "py.typed").is_file() for package in packages)


RELEASED = ("2026.11.29.5", "523d712cbc1c4db4")
"""The version, and the digest of its files."""


def test_another_version_for_other_files() -> None:
    """With other notes under the same version, an old answer would be served from the cache."""
    digest = sha256()
    for path in sorted(goldpan_data.FOLDER.iterdir()):
        if path.suffix in {".txt", ".bin", ".sqlite"}:
            digest.update(path.name.encode() + path.read_bytes())
    assert (goldpan_data.__version__, digest.hexdigest()[:16]) == RELEASED


def test_the_card_counts_what_the_files_hold() -> None:
    """A reader of the card sees how much each file is."""
    card = text("goldpan-data/README.md")
    lines = {name: goldpan_data.read_lines(f"{name}.txt") for name in ("notes", "former_names", "known_words")}
    kinds = [line.partition("\t") for line in text("goldpan-data/categories/categories.txt").splitlines()]
    needs = text("goldpan-data/categories/needs.txt").splitlines()
    counts = (
        f"{len(kinds):,} kinds",
        f"{sum(names.count('; ') + 1 for names, _, _ in kinds):,} names",
        f"{sum(line.count('; ') + 1 for line in needs):,} needs",
        f"{len({one for _, _, repositories in kinds for one in repositories.split()}):,} repositories",
    )
    assert f"| {len(lines['notes']):,} repositories |" in card
    assert f"| {len(lines['former_names']):,} names |" in card
    assert f"| {', '.join(counts)} |" in card
    assert f"| {len(lines['known_words']):,} words |" in card
    table = shipped_table()
    assert f"| {len(table._rows):,} rows of {table.dimensions} components |" in card
