"""Categories say what kind of thing a well-known repository is; a question of that kind finds its repositories."""

import re
from collections import Counter
from pathlib import Path

import pytest
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.repositories.categories import LISTED, CategoryShares, category_index, fitting_categories
from goldpan.kinds.repositories.models import SearchParams
from goldpan.kinds.repositories.relevance import Matcher
from goldpan.kinds.repositories.repository_text import notes

from tests.support.factories import params as params_of
from tests.support.factories import repository

FOLDER = Path(__file__).resolve().parents[4] / "goldpan-data" / "categories"


def asked(*keywords: str, likes: tuple[str, ...] = ()) -> SearchParams:
    """Make the parameters of a question."""
    return SearchParams(keywords=keywords, meaning=" ".join(keywords), likes=likes)


def texts(name: str) -> list[list[str]]:
    """Read a text of the categories: on each line the first name or all, a tab, and what belongs to it."""
    rows = [line.split("\t") for line in (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()]
    assert all(len(row) == len(("names", "content")) for row in rows)
    return rows


def test_a_question_means_a_category() -> None:
    """A neighbouring kind, and what only shares "self-hosted", are other categories."""
    for params, found, left_out in (
        (params_of("find and delete identical files"), "qarmin/czkawka", "restic/restic"),
        (asked("message queue"), "apache/rocketmq", "celery/celery"),
        (asked("password manager", "self hosted"), "bitwarden/server", "adguardteam/adguardhome"),
        (params_of("alternative to Heroku"), "dokku/dokku", "openfaas/faas"),
        (asked(likes=("Splitwise",)), "spiral-project/ihatemoney", "lmms/lmms"),
    ):
        best = fitting_categories(params)[0]
        assert (found in best.repositories, left_out in best.repositories) == (True, False)


def test_a_platform_in_the_name_of_a_category_counts() -> None:
    """As the words that it is: a question for React means first what is for React."""
    assert fitting_categories(params_of("React toast notifications"))[0].name == "react toast notifications"


def test_what_is_like_a_repository_is_of_a_category_that_lists_it() -> None:
    """The letters of its name say nothing, nor do words that no name of a category has, or no words."""
    found = fitting_categories(asked(likes=("jarun/nnn",)))
    assert all("jarun/nnn" in one.repositories for one in found)
    assert "ranger/ranger" in found[0].repositories
    for nothing in (asked("zyxwv"), asked(), asked("zyxwv", likes=("---",))):
        assert fitting_categories(nothing) == ()


def test_a_repository_is_of_the_categories_that_list_it() -> None:
    """As surely as they are meant together; the first one is named."""
    params = params_of("terminal file manager")
    fitting, shares = fitting_categories(params), CategoryShares(params)
    [(name, count)] = Counter(name for one in fitting for name in one.repositories).most_common(1)
    first, *others = (one for one in fitting if name in one.repositories)
    assert (len(others), shares.name(repository(name))) == (count - 1, first.name)
    assert shares.of([repository(name)]) == [pytest.approx(first.share + sum(one.share for one in others))]
    assert others


def test_the_texts_are_well_formed_and_in_the_index() -> None:
    """A line of another form would be lost; goldpan-data/categories/build_index.py makes the index of them."""
    rows, needs, index = texts("categories"), texts("needs"), category_index()
    firsts = [names.split("; ")[0] for names, _ in rows]
    assert [first for first, _ in needs] == firsts == sorted({*firsts})
    assert [first for first, needed in needs if not all(needed.split("; "))] == []
    named = {one for _, repositories in rows for one in repositories.split(" ")}
    assert [one for one in named if not re.fullmatch(r"[a-z0-9-]+/[a-z0-9._-]+", one)] == []
    assert [["; ".join(filter(None, names)), listed] for *names, listed in index.rows.values()] == rows
    assert len(index.distances(["parser"])[0]) == len(rows)
    assert index.repositories([firsts[-1], "no such category"]) == {*rows[-1][1].split(" ")}


def test_of_what_is_not_listed_the_category_is_guessed_from_its_text() -> None:
    """Or from the note of a model; it stands above what is listed as another thing, and is given as no reason."""
    matcher = Matcher(asked("duplicate file finder"), shipped_table())
    text, listed = "Finds identical files on disk and removes them", min(category_index().listed - notes().keys())
    rows = {"qarmin/czkawka": text, "x/new-tool": text, listed: text, "x/zzyzx": "Zzyzx"}
    itself, unlisted, other, unread = matcher.match([repository(name, description=said) for name, said in rows.items()])
    assert itself.relevance > unlisted.relevance > 1.3 * other.relevance
    assert f"{LISTED}duplicate file finder" in itself.evidence
    assert unread.relevance == 0
    assert not any(one.startswith(LISTED) for one in unlisted.evidence)
    matcher = Matcher(asked("duplicate file finder"), shipped_table())
    vague = repository("x/new-tool", description="Keeps your disk tidy")
    noted = vague.model_copy(update={"note": "duplicate file finder: find identical files", "note_by": "a model"})
    before, after = matcher.match([vague, noted])
    assert after.relevance > 2 * before.relevance
    assert "“duplicate” in the note" in after.evidence
