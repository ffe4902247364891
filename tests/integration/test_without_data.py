"""The command answers without the notes, categories and known words of goldpan-data."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import goldpan_data

COMMAND = """
import sys
from pathlib import Path
import goldpan_data
goldpan_data.FOLDER = Path(sys.argv[1])
from goldpan_local.command import main
sys.argv = ["goldpan", "search", "date library for javascript", "--source", "catalogue", "--format", "json"]
main()
"""


def test_a_search_needs_no_notes_categories_or_known_words(tmp_path: Path) -> None:
    """Results then have their relevance from the texts of the repositories alone."""
    for name in ("word_table.bin", "sample_catalogue.sqlite"):
        (tmp_path / name).symlink_to(goldpan_data.file(name))
    run = subprocess.run(
        [sys.executable, "-c", COMMAND, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        env={"HOME": str(tmp_path)},
    )
    answer = json.loads(run.stdout)
    names = [result["repo"] for result in answer["repositories"]["results"]]
    assert "iamkun/dayjs" in names
    assert not any("Listed as" in result["reasoning"] for result in answer["repositories"]["results"])
