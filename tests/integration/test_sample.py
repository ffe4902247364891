"""The sample catalogue answers typical first questions."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
from goldpan.contracts import SearchRequest
from goldpan.engine.search import get_or_search
from goldpan_local.bootstrap import open_runtime, sample_catalogue, sample_records

ACCEPTABLE = {
    "React animation library": "pmndrs/react-spring ibelick/motion-primitives motiondivision/motion "
    "magicuidesign/magicui",
    "Rust web framework": "actix/actix-web tokio-rs/axum rwf2/Rocket leptos-rs/leptos poem-web/poem",
    "Python ML tool": "scikit-learn/scikit-learn evidentlyai/evidently mlflow/mlflow huggingface/transformers",
    "Go microservices": "trpc-group/trpc-go go-kratos/kratos zeromicro/go-zero micro/go-micro",
    "TypeScript ORM": "typeorm/typeorm prisma/prisma drizzle-team/drizzle-orm mikro-orm/mikro-orm",
    "Open source CRM": "twentyhq/twenty odoo/odoo espocrm/espocrm frappe/erpnext SuiteCRM/SuiteCRM krayin/laravel-crm",
}
"""Questions, and acceptable first results, separated by spaces."""


@pytest.mark.parametrize("question", ACCEPTABLE)
def test_a_first_question_gets_ten_results(question: str) -> None:
    """The first of them is a sensible one."""
    with open_runtime({"GOLDPAN_CACHE": "off"}, ["catalogue"]) as runtime:
        answer = get_or_search(SearchRequest(query=question), runtime)
    found = [item.repo for item in answer.repositories.results]
    assert (len(found), found[0] in ACCEPTABLE[question].split()) == (10, True)


def test_the_sample_is_large_and_varied_enough() -> None:
    """At least 300 repositories of at least 40 subjects, each name once, and every line a valid record."""
    text = files("goldpan_local").joinpath("sample_catalogue.jsonl").read_text("utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    records = sample_records()
    assert len({record.full_name.lower() for record in records}) == len(records) == len(rows) >= 300
    assert len({row["subject"] for row in rows}) >= 40
    assert all(record.description for record in records)
    notice = f"Answered from the embedded sample catalogue of {len(rows)} repositories, facts as of 20"
    assert sample_catalogue().notice.startswith(notice)
