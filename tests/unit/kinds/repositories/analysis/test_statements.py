"""Statements and caveats: what the rules make of the facts."""

import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from goldpan.kinds.repositories.analysis.case import Case, span
from goldpan.kinds.repositories.analysis.models import Commit, Dependency, RepositoryFacts, Thread
from goldpan.kinds.repositories.analysis.statements import list_caveats, list_statements
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.readme import outline

from tests.support.analysis_fakes import FULL_NAME, facts, thread
from tests.support.fakes import START

PAGE, ISSUES = f"https://github.com/{FULL_NAME}", "/issues?q=is%3Aissue"
UNCLEAR = tuple(Dependency(package=f"pkg:pypi/n{n}", name=f"n{n}") for n in range(6))
DOCS = Path(__file__).parents[5] / "docs" / "analyze.md"


def case(known: RepositoryFacts | None = None) -> Case:
    """Make a case of facts."""
    return Case(known or facts(), START)


def said(given: Case) -> dict[str, str]:
    """Return the statements by their ids."""
    return {each.id: each.statement for each in list_statements(given)}


def caveats(given: Case, requested: str = FULL_NAME) -> str:
    """Return the caveats as one text."""
    return "\n".join(list_caveats(given, requested))


def answered(*hours: float | None) -> tuple[Thread, ...]:
    """Make issues that had a response after a number of hours, or none."""
    return tuple(thread(60, each) for each in hours)


def test_the_statements_are_those_of_the_docs_with_their_figures_and_pages() -> None:
    """Those of the docs, in their order and each once; each page is one of the repository on GitHub."""
    statements = list(list_statements(case(facts(threads=tuple(thread(9, 6) for _ in range(3))))))
    assert all(re.fullmatch(rf"{PAGE}(?:[/#][\w./?=%-]+)?", each.evidence_url) for each in statements)
    found = {each.id: (each.statement, each.evidence_url.removeprefix(PAGE)) for each in statements}
    assert len(found) == len(statements)
    expected = {
        "stars": ("70,000 stars.", "/stargazers"),
        "license": ("Licensed under BSD-3-Clause.", "/blob/HEAD/LICENSE.txt"),
        "latest_release": ("Latest release 3.1.0 on 2026-07-23, 30 days ago.", "/releases"),
        "issue_response": ("Median first response within 6 hours; 3 of the last 3 issues had one.", ISSUES),
        "closed_issues": ("90 of 100 issues are closed (90%).", "/issues"),
        "tests": ("Tests are in tests/.", "/tree/HEAD/tests"),
        "dependencies": ("1 dependency in GitHub's dependency graph.", "/network/dependencies"),
        "readme_start": (
            "README of 63 characters with 1 code block, 0 images and sections on install, usage.",
            "#readme",
        ),
    }
    assert {name: found[name] for name in expected} == expected
    listed = re.findall(r"^\| ([a-z ]+) \| ((?:`\w+`(?:, )?)+) \|", DOCS.read_text("utf-8"), re.MULTILINE)
    named = [(rule, dimension.replace(" ", "_")) for dimension, rules in listed for rule in re.findall(r"\w+", rules)]
    judged = Dependency(package="pkg:pypi/flask", name="flask", version="2.0.0", vulnerabilities=())
    threads = tuple(thread(9, 6, kind) for kind in ("issue", "pull_request") for _ in range(3))
    everything = case(facts(threads=threads, dependencies=(judged,)))
    assert named == [(each.id, each.dimension) for each in list_statements(everything)]


def test_of_what_is_unknown_nothing_is_stated() -> None:
    """Nor of two issues and nine commits; a README or a file is missing only where that is known."""
    assert said(case(RepositoryFacts(repository=Repository(full_name=FULL_NAME)))) == {}
    without = {"readme": None, "readme_outline": None}
    assert said(case(facts({**without, "has_readme": False})))["readme"].startswith("No README")
    assert "readme" not in said(case(facts({**without, "has_readme": None})))
    few = facts(threads=answered(6, 6), commits=commits(*[1] * 9))
    assert not {"issue_response", "top_author"} & said(case(few)).keys()
    assert "changelog" not in said(case(facts({"releases": None}, paths=("a.py",))))
    cut = facts({"license": None}, paths=("a.py",), has_all_paths=False)
    assert not {"license", "documentation_site", "changelog", "tests", "examples"} & said(case(cut)).keys()


def test_a_time_has_one_unit() -> None:
    """As a person would say it."""
    spans = {0: "1 hour", 1.96: "47 hours", 2: "2 days", 60: "2 months", 730: "24 months", 731: "2.0 years"}
    assert {days: span(days) for days in spans} == spans


def test_vulnerabilities_are_named_and_never_silently_none() -> None:
    """What was not looked up has no statement; what cannot be judged is counted and named."""
    ids = ("PYSEC-1", "GHSA-2", "GHSA-3")
    one = Dependency(package="pkg:pypi/flask", name="flask", version="2.0.0", vulnerabilities=ids)
    other = Dependency(package="pkg:pypi/any", name="any")
    found = case(facts(dependencies=(one, other)))
    named = "(flask 2.0.0: PYSEC-1, GHSA-2 and 1 more)"
    text = f"OSV knows vulnerabilities of 1 of the 1 judged dependencies, of 2 in all {named}."
    assert said(found)["vulnerabilities"] == text
    assert "1 of 2 dependencies were not judged: no exact version (any)." in caveats(found)
    assert "vulnerabilities" not in said(case(facts(dependencies=(other,))))
    none = case(facts(dependencies=(one.model_copy(update={"vulnerabilities": ()}), other)))
    assert said(none)["vulnerabilities"].startswith("OSV knows no vulnerability of the 1 judged")
    many = case(facts(dependencies=[one.model_copy(update={"name": f"n{n}"}) for n in range(5)]))
    assert said(many)["vulnerabilities"].endswith("; n3 2.0.0: PYSEC-1, GHSA-2 and 1 more; and 1 more).")


def test_what_a_reader_should_know() -> None:
    """Each caveat has its figures, those of a search too, and none claims a fraud."""
    more = {"parent": "palletsprojects/flask", "notes": ("Of a catalogue.",), "dependencies": UNCLEAR}
    found = caveats(case(facts({"fork": True, "stars": 50_000, "forks": 40}, **more)))
    for text in (
        "A fork of palletsprojects/flask, which may be the one to look at.",
        "Of a catalogue.",
        "6 of 6 dependencies were not judged: no exact version (n0, n1, n2, n3, n4 and others).",
        "50,000 stars but 40 forks, which is unusual.",
    ):
        assert text in found
    assert not re.search("bought|fake|fraud", found)
    assert "A fork of another repository, which may be" in caveats(case(facts({"fork": True})))


def test_a_renamed_and_an_empty_repository_say_so() -> None:
    """The letter case of the name is no other name."""
    assert "mitsuhiko/flask is now pallets/flask" in caveats(case(), "mitsuhiko/flask")
    assert "is now" not in caveats(case(), "Pallets/Flask")
    assert "Empty: it has no commit yet." in caveats(case(facts(is_empty=True)))


def commits(*days: float, author: str = "", bots: int = 0) -> tuple[Commit, ...]:
    """Make commits with ages in days, by people of one letter each or by one author, and some of a program."""
    made = (Commit(at=START - timedelta(day), author=author or "abcdefghij"[n % 10]) for n, day in enumerate(days))
    return (*made, *[Commit(at=START)] * bots)


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ({"threads": answered(6, None, None)}, "Of the last 3 issues, 1 had a response by another person."),
        ({"commits": commits(*[1] * 20, author="ada", bots=40)}, "ada made 20 of the last 20 commits by people (100%)"),
        ({"commits": commits(*[1] * 20)}, "a made 2 of the last 20 commits by people (10%); 10 people made all"),
        ({"threads": answered(6, 12, None, None)}, "Median first response within 30 days; 2 of the last 4 issues had"),
        ({"has_contribution_guide": True}, "There is a guide for contributors."),
        ({"has_security_policy": False}, "No security policy."),
        ({"releases": 0}, "No release on GitHub; it may be released elsewhere."),
        ({"releases": 0}, "Neither a changelog nor a release."),
        *(({"paths": (path,)}, f"Changes are listed in {path}.")
          for path in ("CHANGES.rst", "docs/changelog.md", "CHANGELOG/", "CHANGELOG-3.x.md")),
        ({"paths": ("_examples/",)}, "Examples are in _examples/."),
        ({"readme_outline": outline("x" * 200_000)}, "README of more than 100,000 characters, of which the first are"),
        ({"release_times": tuple(START - timedelta(days=n * n) for n in (1, 3, 5))},
         "Latest release 3.1.0 on 2026-07-23, 30 days ago; a median of 12 days between the last 3."),
        ({"observed": {"stars": date(2025, 1, 2)}}, "70,000 stars (counted on 2025-01-02)."),
        ({"observed": {"pushed_at": date(2026, 8, 20)}}, "Last push on 2026-08-15, as known on 2026-08-20."),
        ({"homepage": "https://github.com/pallets/flask", "paths": ()}, "Neither a website nor a folder"),
        ({"license": "NOASSERTION", "paths": ()}, "It has a licence that GitHub does not recognise"),
        ({"paths": ("src/", "latest/", "contest/")}, "No tests were found"),
        *(({"paths": (path,)}, f"Tests are in {path}.") for path in ("parser_test.go", "src/Flask.Tests/")),
        ({"paths": (".github/workflows/", ".circleci/")}, "Continuous integration by .circleci/."),
        ({"paths": (".github/workflows/a.yml", ".github/workflows/b.yml")}, "2 workflows of GitHub Actions."),
        ({"homepage": "flask.example/docs"}, "In addition to the README: a website (flask.example/docs)"),
        ({"has_readme": False, "paths": ("docs/",)}, "In place of a README: the folder docs/."),
        ({"license": None, "paths": ("a.py", "src/LICENSE", "licensed.py")}, "No licence: "),
        *(({"license": None, "paths": (path,)}, "It has a licence that GitHub does not recognise")
          for path in ("LICENSES/", "LICENSE_1_0.txt", "MIT-LICENSE")),
    ],
)  # fmt: skip
def test_what_is_stated(known: dict[str, Any], text: str) -> None:
    """The figures of each statement."""
    own: dict[str, Any] = {name: known[name] for name in known if name in Repository.model_fields}
    more = {name: value for name, value in known.items() if name not in own}
    assert [each for each in said(case(facts(own, **more))).values() if each.startswith(text)]
