"""The built wheel holds every file that the command and the server need, and runs without the source tree."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[2]
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
