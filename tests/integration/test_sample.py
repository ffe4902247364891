"""The sample catalogue is as large as it says, made from its texts, and searched without notes and categories."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import goldpan_data
from goldpan.kinds.repositories.repository_text import present_names
from goldpan.local.bootstrap import sample_catalogue

from tests.support.sample import SAMPLE_SOURCE, catalogue_in_memory, sample_records, stored_repositories


def test_the_sample_is_large_enough_and_made_from_its_texts() -> None:
    """14,500 projects of 200 subjects, each once; a text that was changed without building the sample would be lost."""
    rows, records = _rows(), sample_records()
    assert len({record.full_name.lower() for record in records}) == len(records) == len(rows) >= 14500
    assert len({row.get("subject") for row in rows}) >= 200
    assert all(record.description for record in records)
    notice = f"Answered from the embedded sample catalogue of {len(rows):,} repositories, facts as of 20"
    assert sample_catalogue().notice.startswith(notice)
    built = catalogue_in_memory(records, "the same")
    assert stored_repositories(sample_catalogue()) == stored_repositories(built)
    assert {*present_names().values()} <= {row["full_name"].lower() for row in rows}
    texts = {tuple(line[:3]) for line in _columns("texts.tsv") if line[0].lower() not in present_names()}
    assert {(row["full_name"], row["subject"], row["description"]) for row in rows if "subject" in row} == texts
    assert sorted(subject for subject, _ in _columns("questions.tsv")) == sorted({subject for _, subject, _ in texts})


def _columns(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (SAMPLE_SOURCE / name).read_text("utf-8").splitlines()]


def _rows() -> list[dict[str, Any]]:
    text = (SAMPLE_SOURCE / "sample.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


COMMAND = """
import sys
from pathlib import Path
import goldpan_data
goldpan_data.FOLDER = Path(sys.argv[1])
from goldpan_local.command import main
sys.argv = ["goldpan", "search", "date library for javascript", "--source", "catalogue", "--format", "json"]
main()
"""


def test_a_search_needs_no_notes_or_known_words(tmp_path: Path) -> None:
    """Results then have their relevance from the texts and the categories alone."""
    for name in ("word_table.bin", "sample_catalogue.sqlite", "categories.sqlite"):
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
    assert not any(result["note"] for result in answer["repositories"]["results"])
