"""The sample catalogue answers typical first questions."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
from goldpan_local.bootstrap import sample_catalogue, sample_records

from tests.unit.local.conftest import Run

ACCEPTABLE = {
    "React animation library": "pmndrs/react-spring ibelick/motion-primitives motiondivision/motion "
    "magicuidesign/magicui",
    "Rust web framework": "actix/actix-web tokio-rs/axum rwf2/Rocket leptos-rs/leptos poem-web/poem",
    "Python ML tool": "scikit-learn/scikit-learn evidentlyai/evidently mlflow/mlflow huggingface/transformers",
    "Svelte drag and drop": "SortableJS/Sortable thisuxhq/sveltednd brunomolteni/svelte-sortable-list",
    "Go microservices": "trpc-group/trpc-go go-kratos/kratos zeromicro/go-zero micro/go-micro",
    "TypeScript ORM": "typeorm/typeorm prisma/prisma drizzle-team/drizzle-orm mikro-orm/mikro-orm",
    "Vue 3 component library": "vuetifyjs/vuetify element-plus/element-plus tusen-ai/naive-ui youzan/vant",
    "CLI tool for developers": "cli/cli jdx/mise nektos/act BurntSushi/ripgrep sharkdp/bat",
    "GraphQL client for React": "apollographql/apollo-client facebook/relay urql-graphql/urql",
    "Open source CRM": "twentyhq/twenty odoo/odoo espocrm/espocrm frappe/erpnext SuiteCRM/SuiteCRM krayin/laravel-crm",
}
"""Questions, and acceptable first results, separated by spaces."""


@pytest.mark.parametrize("question", ACCEPTABLE)
def test_a_first_question_gets_ten_results(run: Run, question: str) -> None:
    """The first of them is a sensible one."""
    result = run("search", question, "--source", "catalogue", "--format", "json")
    found = [item["repo"] for item in json.loads(result.stdout)["repositories"]["results"]]
    assert found[0] in ACCEPTABLE[question].split()
    assert len(found) == 10


def test_the_sample_is_large_and_varied_enough() -> None:
    """At least 300 repositories of at least 40 subjects, each name once, and every line a valid record."""
    text = files("goldpan_local").joinpath("sample_catalogue.jsonl").read_text("utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    records = sample_records()
    assert len({record.full_name.lower() for record in records}) == len(records) == len(rows) >= 300
    assert len({row["subject"] for row in rows}) >= 40
    assert all(record.description for record in records)


def test_the_sample_says_what_it_is() -> None:
    """The notice in an answer names it, its size and its date."""
    catalogue = sample_catalogue()
    notice = f"Answered from the embedded sample catalogue of {catalogue.size} repositories, facts as of 20"
    assert catalogue.notice.startswith(notice)
