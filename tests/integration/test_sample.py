"""The sample catalogue is as large as it says, and made from its texts."""

from __future__ import annotations

import json
from typing import Any

from goldpan.local.bootstrap import sample_catalogue

from tests.support.catalogue_in_memory import catalogue_in_memory
from tests.support.sample import SAMPLE_SOURCE, sample_records, stored_repositories


def test_the_sample_is_large_and_varied_enough() -> None:
    """At least 15,000 repositories of at least 200 subjects, each name once, and every line a valid record."""
    rows, records = _rows(), sample_records()
    assert len({record.full_name.lower() for record in records}) == len(records) == len(rows) >= 15000
    assert len({row.get("subject") for row in rows}) >= 200
    assert all(record.description for record in records)
    notice = f"Answered from the embedded sample catalogue of {len(rows):,} repositories, facts as of 20"
    assert sample_catalogue().notice.startswith(notice)


def test_the_sample_is_made_from_its_texts() -> None:
    """A text that was changed without building the sample again would be lost; every subject has a question."""
    built = catalogue_in_memory(sample_records(), "the same")
    assert stored_repositories(sample_catalogue()) == stored_repositories(built)
    texts = {tuple(line.split("\t")[:3]) for line in (SAMPLE_SOURCE / "texts.tsv").read_text("utf-8").splitlines()}
    assert {(row["full_name"], row["subject"], row["description"]) for row in _rows() if "subject" in row} == texts
    questions = [line.split("\t") for line in (SAMPLE_SOURCE / "questions.tsv").read_text("utf-8").splitlines()]
    assert sorted(subject for subject, _ in questions) == sorted({subject for _, subject, _ in texts})


def _rows() -> list[dict[str, Any]]:
    text = (SAMPLE_SOURCE / "sample.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]
