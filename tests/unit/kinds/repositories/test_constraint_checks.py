"""Whether a repository meets the constraints, and whether it is what is excluded or only mentions it."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from goldpan.kinds.checks import Check
from goldpan.kinds.repositories.constraint_checks import check, merge_filters
from goldpan.kinds.repositories.constraints import Constraints, Filters
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.question.reader import read_question

TODAY = date(2026, 11, 21)


def _repository(**facts: Any) -> Repository:
    return Repository.model_validate({"full_name": "someone/thing", **facts})


def _day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _seen(pushed: str, day: date) -> dict[str, Any]:
    return {"pushed_at": _day(pushed), "observed": {"pushed_at": day}}


@pytest.mark.parametrize(
    ("question", "facts", "expected"),
    [
        ("orm in Rust", {"language": "Go"}, Check(("platform",))),
        ("orm in Swift", {"description": "For iOS"}, Check((), ("platform",))),
        ("orm in Go", {"description": "Go and get it"}, Check((), ("platform",))),
        ("orm in Go", {"description": "Bindings for Go", "language": "Rust"}, Check()),
        ("orm for JavaScript", {"language": "TypeScript"}, Check()),
        ("orm for Python", {"language": "Java", "description": "Bindings for Python"}, Check()),
        ("orm written in Python", {"language": "C++", "description": "For Python"}, Check(("language",))),
        ("orm not in Java", {"language": "Java"}, Check(("excluded language",))),
        ("orm, MIT", {"license": "NOASSERTION"}, Check((), ("license",))),
        ("orm license:lgpl-3.0", {"license": "LGPL-3.0-or-later"}, Check()),
        ("orm, permissive license", {"license": "GPL-3.0-only"}, Check(("license",))),
        ("orm, GPL-free", {"license": "AGPL-3.0"}, Check(("excluded license",))),
        ("orm with over 100 stars", {"stars": 100}, Check(("stars",))),
        ("orm with over 100 stars", {}, Check((), ("stars",))),
        ("lightweight orm", {"stars": 40000}, Check()),
        ("orm created in 2022", {"created_at": _day("2022-12-31")}, Check()),
        ("orm created in 2022", {"created_at": _day("2023-01-01")}, Check(("created",))),
        ("orm, not archived", {"archived": True}, Check(("archived",))),
        ("orm, maintained", {"pushed_at": _day("2025-11-20")}, Check(("pushed",))),
        ("orm, maintained", {"pushed_at": _day("2025-11-21")}, Check()),
        ("orm, maintained", _seen("2025-11-01", date(2026, 11, 1)), Check((), ("pushed",))),
        ("orm, maintained", _seen("2024-11-01", date(2025, 11, 21)), Check(("pushed",))),
        # a catalogue of 2024 must not call a repository unmaintained in 2026
        ("orm, maintained", _seen("2024-03-01", date(2024, 6, 1)), Check((), ("pushed",))),
        ("orm, maintained", _seen("2022-03-01", date(2026, 11, 1)), Check(("pushed",))),
        ("orm, maintained", _seen("2026-10-01", date(2026, 11, 1)), Check()),
        ("orm topic:sql -topic:game", {}, Check((), ("topic sql", "not topic game"))),
        ("orm topic:sql", {"topics": ()}, Check(("topic sql",))),
        ("orm topic:sql -topic:game", {"topics": ("sql", "game")}, Check(("not topic game",))),
    ],
)
def test_a_repository_is_compared_with_the_constraints(question: str, facts: dict[str, Any], expected: Check) -> None:
    """What is known to be otherwise is a violation; what is unknown is unverified."""
    constraints = read_question(question, today=TODAY).constraints
    assert check(_repository(**facts), constraints, TODAY) == expected


@pytest.mark.parametrize(
    ("facts", "relation"),
    [
        ({"description": "Built with React, MobX and Electron"}, "is"),
        ({"description": "Electron: apps for desktops"}, "is"),
        ({"topics": ("notes", "electronjs")}, "is"),
        ({"topics": ("notes", "for-electron")}, "mentions"),
        ({"language": "Electron"}, "is"),
        ({"full_name": "someone/electron-notes"}, "is"),
        ({"description": "A small alternative to Electron", "topics": ("electron",)}, "mentions"),
        ({"description": "An Electron-compatible runtime", "topics": ("electron", "electron-alternative")}, "mentions"),
        ({"full_name": "electron/forge", "description": "Packages apps, by the Electron team"}, "mentions"),
        ({"full_name": "someone/notes-without-electron"}, "mentions"),
        ({"description": "Works with Qt, Tauri and Electron"}, "mentions"),
        ({"readme": "Unlike others it is not made with Electron."}, "mentions"),
        ({"full_name": "electron/notes", "description": "Electronics for notes"}, None),
        ({"description": "Vue app for notes"}, "is the other"),
    ],
)
def test_what_a_repository_is_differs_from_what_it_mentions(facts: dict[str, Any], relation: str | None) -> None:
    """Only the first is dropped for "without Electron"."""
    found = check(_repository(**facts), Constraints(excluded_terms=("Electron", "vue.js")), TODAY)
    expected = {"is": Check(("not Electron",)), "mentions": Check((), (), ("Electron",)), None: Check()}
    assert found == {**expected, "is the other": Check(("not vue.js",))}[relation]


def test_filters_take_the_place_of_what_the_question_says() -> None:
    """About the same fact, or of the stars if it contradicts them; others stay, and topics and exclusions add up."""
    question = read_question("popular orm in Python, MIT, without Django, since 2020", today=TODAY).constraints
    filters = Filters(language="golang", license="permissive", max_stars=90, topics=("sql",), exclude=("gorm",))
    merged = merge_filters(question, filters)
    assert merged.languages == ("Go",)
    assert (merged.min_stars, merged.max_stars, merged.created_after) == (None, 90, date(2020, 1, 1))
    assert (merged.excluded_terms, merged.topics) == (("Django", "gorm"), ("sql",))
    assert {"MIT", "Apache-2.0"} <= set(merged.licenses)
    assert merge_filters(question, Filters()) == question
    assert merge_filters(question, Filters(min_stars=9, max_stars=9)).min_stars == 9
    days, day = {"created_since": "2024-01-01", "pushed_since": "2024-01-01"}, date(2024, 1, 1)
    limits = read_question("lightweight orm created in 2020, maintained", today=TODAY).constraints
    limited = merge_filters(limits, Filters.model_validate({**days, "min_stars": 5})).model_dump(exclude_defaults=True)
    assert limited == {"min_stars": 5, "created_after": day, "pushed_after": day}
    both = [merge_filters(Constraints(min_stars=500), Filters(max_stars=highest)) for highest in (500, 499)]
    assert [(each.min_stars, each.max_stars) for each in both] == [(500, 500), (None, 499)]
