"""The sample catalogue answers typical first questions."""

from __future__ import annotations

import json
from typing import Any

import pytest
from goldpan.contracts import SearchRequest
from goldpan.engine.search import get_or_search
from goldpan.local.bootstrap import open_runtime, sample_catalogue

from tests.support.catalogue_in_memory import catalogue_in_memory
from tests.support.sample import SAMPLE_SOURCE, sample_records, stored_repositories

ACCEPTABLE = {
    "React animation library": "pmndrs/react-spring ibelick/motion-primitives motiondivision/motion "
    "magicuidesign/magicui",
    "Rust web framework": "actix/actix-web tokio-rs/axum rwf2/Rocket leptos-rs/leptos poem-web/poem",
    "Python ML tool": "scikit-learn/scikit-learn evidentlyai/evidently mlflow/mlflow huggingface/transformers "
    "Netflix/metaflow zenml-io/zenml bentoml/BentoML online-ml/river rasbt/mlxtend",
    "Go microservices": "trpc-group/trpc-go go-kratos/kratos zeromicro/go-zero micro/go-micro dapr/dapr",
    "TypeScript ORM": "typeorm/typeorm prisma/prisma drizzle-team/drizzle-orm mikro-orm/mikro-orm",
    "alternative to Ableton": "LMMS/lmms audacity/audacity",
    "Open source CRM": "twentyhq/twenty odoo/odoo espocrm/espocrm frappe/erpnext SuiteCRM/SuiteCRM krayin/laravel-crm",
}
"""Questions, and results that fit them best, separated by spaces."""


@pytest.mark.parametrize("question", ACCEPTABLE)
def test_a_first_question_is_answered(question: str) -> None:
    """Two sensible results among the first ten, those below the line included."""
    with open_runtime({"GOLDPAN_CACHE": "off"}, ["catalogue"]) as runtime:
        answer = get_or_search(SearchRequest(query=question), runtime)
    found, weaker = (
        [item.repo for item in shown] for shown in (answer.repositories.results, answer.repositories.weaker)
    )
    assert len({*[*found, *weaker][:10]} & {*ACCEPTABLE[question].split()}) >= 2
    assert len(found) + len(weaker) >= 10


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
