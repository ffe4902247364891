"""What the type checker of a project that uses goldpan sees."""

import os
import re
import subprocess
import sys
from pathlib import Path

from goldpan.contracts import SearchRequest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (ROOT / "goldpan-data" / "src", ROOT / "layers" / "goldpan", ROOT / "local")
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
    "goldpan.kinds.answer.Answer",
    "goldpan.kinds.repositories.results.RankedRepository",
    "int | None",
    "goldpan.kinds.papers.results.RankedPaper",
    "tuple[str, ...]",
    "goldpan.kinds.answer.Answer | None",
    "goldpan.kinds.repositories.analysis.models.Analysis",
    "list[goldpan.kinds.papers.input_files.groups.DuplicateGroup]",
    "goldpan.kinds.answer.Answer",
    "goldpan.kinds.answer.Answer | None",
]


def test_a_strict_type_checker_knows_the_answer(tmp_path: Path) -> None:
    """The answer, its repositories and its papers have their own types; nothing is `Any`."""
    project = tmp_path / "project.py"
    project.write_text(PROJECT.replace("LISTS", LISTS), "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-color-output", str(project)]
    environment = os.environ | {"MYPYPATH": os.pathsep.join(map(str, PACKAGES))}
    run = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
    assert re.findall(r'Revealed type is "([^"]*)"', run.stdout) == REVEALED


def test_every_package_has_types() -> None:
    """A type checker reads the annotations of a package only if the package says that it has them."""
    packages = [path.parent for root in PACKAGES for path in root.glob("*/__init__.py")]
    assert len(packages) == len(PACKAGES)
    assert all((package / "py.typed").is_file() for package in packages)
