"""The reasons of the results: every word that they credit stands where they say, and belongs to the question."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from goldpan.contracts import SearchRequest
from goldpan.engine.search import get_or_search
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.answer import Answer
from goldpan.kinds.repositories.categories import category_index
from goldpan.kinds.repositories.concepts import is_close
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.repository_text import note_of
from goldpan.kinds.repositories.results import RankedRepository
from goldpan.kinds.repositories.vocabulary import vocabulary
from goldpan.local.bootstrap import open_runtime, sample_catalogue
from goldpan.text import name_terms, phrase, terms

from tests.support.sample import SAMPLE_SOURCE, stored_repositories

CREDIT = re.compile(r"“(?P<found>[^”]+)”(?: \(for “(?P<asked>[^”]+)”\))? in the (?P<field>[a-z' ]+?)"
                    r"(?:, close in meaning to “(?P<near>[^”]+)”)?(?=; |\.)")  # fmt: skip
EVERY = 12
"""Of the questions of the sample, about 20 with ten results each."""


@pytest.fixture(scope="module")
def answers() -> list[Answer]:
    """Answer many questions from the sample."""
    rows = (SAMPLE_SOURCE / "questions.tsv").read_text("utf-8").splitlines()[::EVERY]
    with open_runtime({"GOLDPAN_CACHE": "off"}, ["catalogue"]) as runtime:
        return [get_or_search(SearchRequest(query=row.split("\t")[1]), runtime) for row in rows]


def test_every_credited_word_stands_in_its_place_and_belongs_to_the_question(answers: list[Answer]) -> None:
    """It is a word of the question, a listed synonym that is close to it, or its stated neighbour in meaning."""
    facts = {one.full_name: one for one in stored_repositories(sample_catalogue())}
    credited = [credit for answer in answers for credit in _credits(answer)]
    assert len(credited) > 125
    wrong = [credit for credit in credited if not _stands(credit, facts[credit["repo"]]) or not _belongs(credit)]
    assert wrong == []


def test_the_category_of_a_repository_is_true(answers: list[Answer]) -> None:
    """The category exists, and has it."""
    listed = [(item.repo, name) for answer in answers for item in answer.repositories.results
              for name in re.findall(r"Listed as: (.+?)\.(?= [A-Z]|$)", item.reasoning)]  # fmt: skip
    assert len(listed) > 50
    assert [(repo, name) for repo, name in listed if repo.lower() not in category_index().repositories([name])] == []


def _credits(answer: Answer) -> Iterator[dict[str, Any]]:
    if any(part.kind == "likeness" for part in answer.interpretation):
        return  # the facts of what is named become the subject
    results: tuple[RankedRepository, ...] = answer.repositories.results
    for item in results:
        said = item.reasoning.partition("Matches ")[2]
        found = list(CREDIT.finditer(said))
        assert len(found) == len(re.findall("(?:^|; )“", said)), said
        yield from ({"repo": item.repo, "question": answer.query, **match.groupdict()} for match in found)


def _stands(credit: dict[str, Any], repository: Repository) -> bool:
    owner, _, name = repository.full_name.partition("/")
    places = {
        "owner": terms(owner),
        "name": name_terms(name),
        "description": terms(repository.description),
        "topics": [term for topic in repository.topics or () for term in terms(topic)],
        "readme": terms(repository.readme),
        "curator's text": terms(repository.curator_text),
        "note": terms(note_of(repository) or repository.description),
    }
    wanted, there = terms(credit["found"]), places[credit["field"]]
    return any(there[start : start + len(wanted)] == wanted for start in range(len(there)))


def _belongs(credit: dict[str, Any]) -> bool:
    asked = credit["asked"] or credit["near"] or credit["found"]
    if not {*terms(asked)} <= {*terms(credit["question"])}:
        return False
    if credit["asked"] is None and credit["near"] is None:
        return True
    if credit["near"]:
        return is_close(asked, credit["found"], shipped_table())
    listed = vocabulary().synonyms.get(phrase(asked), {}).get(phrase(credit["found"]), 0)
    platform = vocabulary().platforms_by_name.get(tuple(asked.split()))
    part = {*terms(credit["found"])} < {*terms(asked)}
    named = platform is not None and phrase(credit["found"]) in platform.words
    return listed == 1 or named or part or shipped_table().compare(asked).closeness([credit["found"]])[0] > 0.1
