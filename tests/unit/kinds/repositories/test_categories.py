"""Categories say what kind of thing a well-known repository is; a question of that kind finds its repositories."""

from __future__ import annotations

import re

import goldpan_data
import pytest
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.repositories.categories import fitting_categories, repositories_of
from goldpan.kinds.repositories.models import SearchParams
from goldpan.kinds.repositories.relevance import Matcher

from tests.support.factories import repository

MEMBER, CLIENT = "louislam/uptime-kuma", "x/uptime-client"


def asked(*keywords: str, likes: tuple[str, ...] = ()) -> SearchParams:
    """Make the parameters of a question."""
    return SearchParams(keywords=keywords, meaning=" ".join(keywords), likes=likes)


@pytest.mark.parametrize(
    ("params", "found", "left_out"),
    [
        (asked("toast notifications", "react"), "fkhadra/react-toastify", "akiran/vue-toasted"),
        (asked("message queue"), "apache/rocketmq", "celery/celery"),
        (asked("password manager", "self hosted"), "bitwarden/server", "adguardteam/adguardhome"),
        (asked("deployment", likes=("Heroku",)), "dokku/dokku", "openfaas/faas"),
        (asked(likes=("Splitwise",)), "spiral-project/ihatemoney", "lmms/lmms"),
    ],
)
def test_a_question_means_a_category(params: SearchParams, found: str, left_out: str) -> None:
    """A rival platform, a neighbouring kind and what only shares "self-hosted" are other categories."""
    best = fitting_categories(params)[0]
    assert found in best.repositories
    assert left_out not in best.repositories
    assert best.fit > 0.5


def test_a_question_without_a_language_means_the_kind_in_every_language() -> None:
    """None of them is preferred to the others, and none fits as well as what names no language."""
    categories = [one for one in fitting_categories(asked("web framework")) if one.name.endswith("web framework")]
    assert {"go web framework", "ruby web framework"} <= {one.name for one in categories}
    assert all(one.fit < 1 for one in categories)


def test_a_question_of_no_kind_has_no_category() -> None:
    """Words that no name of a category has, no words at all, and a name without words."""
    assert fitting_categories(asked("zyxwv")) == ()
    assert fitting_categories(asked()) == ()
    assert fitting_categories(asked("zyxwv", likes=("---",))) == ()


def test_the_thing_itself_is_more_relevant_than_what_shares_its_words() -> None:
    """The reason says under what it is filed."""
    said = "Uptime monitor for websites"
    rows = [repository(MEMBER, description=said), repository(CLIENT, description=said)]
    itself, client = Matcher(asked("uptime monitor"), shipped_table()).match(rows)
    assert itself.relevance > client.relevance
    assert any(word.startswith("listed as: ") for word in itself.evidence)
    assert not any(word.startswith("listed as: ") for word in client.evidence)


def test_a_category_for_another_platform_gains_little() -> None:
    """A React library is no answer for Vue, whatever it is listed as."""
    rows = [repository(name, description="Toast notifications") for name in ("fkhadra/react-toastify", "x/toast")]
    filed, other = Matcher(asked("toast notifications", "vue"), shipped_table()).match(rows)
    assert filed.relevance - other.relevance < 0.1


def test_the_file_is_well_formed() -> None:
    """A line that cannot be read would be lost in silence."""
    lines = goldpan_data.read_lines("categories.txt")
    rows = [line.split("\t") for line in lines]
    assert [line for line, row in zip(lines, rows, strict=True) if len(row) != len(("names", "repositories"))] == []
    firsts = [names.split("; ")[0] for names, _ in rows]
    assert firsts == sorted(set(firsts))
    assert [names for names, _ in rows if names != names.lower() or not all(names.split("; "))] == []
    named = {one for _, repositories in rows for one in repositories.split(" ")}
    assert [one for one in named if not re.fullmatch(r"[a-z0-9-]+/[a-z0-9._-]+", one)] == []
    assert repositories_of([firsts[0], "no such category"]) == {*rows[0][1].split(" ")}
