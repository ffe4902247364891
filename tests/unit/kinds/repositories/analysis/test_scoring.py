"""Statements, scores and caveats: what the rules make of the facts."""

from __future__ import annotations

import re
from datetime import date, timedelta
from math import isclose
from pathlib import Path
from typing import Any

import pytest
from goldpan.kinds.repositories.analysis.findings import Case
from goldpan.kinds.repositories.analysis.manifests.parse import Parsed, parse_manifests
from goldpan.kinds.repositories.analysis.models import Advisories, Commit, Dependency, RepositoryFacts, Vulnerable
from goldpan.kinds.repositories.analysis.scoring import RULES, list_caveats, score_case
from goldpan.kinds.repositories.models import Repository

from tests.support.analysis_fakes import FULL_NAME, facts, thread
from tests.support.fakes import START

PAGE = f"https://github.com/{FULL_NAME}"
DOCS = Path(__file__).parents[5] / "docs" / "analyze.md"


def case(known: RepositoryFacts | None = None, advisories: Advisories | None = None) -> Case:
    """Make a case with the dependencies of its manifests."""
    made = known or facts()
    return Case(made, parse_manifests(made.manifests or ()), advisories, START)


def said(given: Case) -> dict[str, str]:
    """Return the statements by their ids."""
    return {each.id: each.statement for each in score_case(given, PAGE)[0]}


def scores(given: Case) -> dict[str, float | None]:
    """Return the scores."""
    return score_case(given, PAGE)[1].model_dump()


def caveats(given: Case, requested: str = FULL_NAME) -> str:
    """Return the caveats as one text."""
    return "\n".join(list_caveats(given, requested))


def test_the_rules_are_those_of_the_docs() -> None:
    """The page lists each with its dimension and share; the shares of a dimension sum to 1."""
    rows = re.findall(r"^\| ([a-z ]*) \| (\w+) \| ([\d.]+) \| .+ \|$", DOCS.read_text("utf-8"), re.MULTILINE)
    listed, dimension = [], ""
    for named, rule, share in rows:
        dimension = named.strip() or dimension
        listed.append((rule, dimension.replace(" ", "_"), float(share)))
    assert listed == [rule[:3] for rule in RULES]
    for name in {rule.dimension for rule in RULES}:
        assert isclose(sum(rule.share for rule in RULES if rule.dimension == name), 1)


def test_a_statement_has_its_figures_and_its_page() -> None:
    """Each page is one of the repository on GitHub, and no id occurs twice."""
    statements = score_case(case(facts(threads=tuple(thread(9, 6) for _ in range(3)))), PAGE)[0]
    assert all(re.fullmatch(rf"{PAGE}(?:[/#][\w./?=%-]+)?", each.evidence_url) for each in statements)
    found = {each.id: (each.statement, each.evidence_url.removeprefix(PAGE)) for each in statements}
    assert len(found) == len(statements)
    expected = {
        "stars": ("70,000 stars.", "/stargazers"),
        "license": ("Licensed under BSD-3-Clause.", "/blob/HEAD/LICENSE.txt"),
        "latest_release": ("Latest release 3.1.0 on 2026-07-23, 30 days ago.", "/releases"),
        "issue_response": (
            "Median first response within 6 hours; 3 of the last 3 issues had one.",
            "/issues?q=is%3Aissue",
        ),
        "closed_issues": ("90 of 100 issues are closed (90%).", "/issues"),
        "tests": ("Tests are in tests/.", "/tree/HEAD/tests"),
        "dependencies": ("1 dependency at run time, by pyproject.toml.", "/blob/HEAD/pyproject.toml"),
        "readme_start": ("README with 1 code block, 0 images and sections on install, usage.", "#readme"),
    }
    assert {name: found[name] for name in expected} == expected


def test_a_score_is_the_mean_of_what_is_known() -> None:
    """An unknown fact leaves the mean, and is neither 0 nor a middle value; a dimension without facts is null."""
    alone = {"releases": None, "latest_release_name": None, "created_at": None, "license": None}
    known = case(facts({**alone, "stars": 50_000}, paths=None))
    assert scores(known)["maturity"] == 10.0
    nothing = Case(RepositoryFacts(repository=Repository(full_name=FULL_NAME)), Parsed({}), None, START)
    assert set(scores(nothing).values()) == {None}
    assert said(nothing) == {}


def test_a_missing_readme_is_worse_than_a_poor_one() -> None:
    """It is known to be missing; one that could not be read is unknown."""
    poor = scores(case())
    missing = scores(case(facts({"readme": None, "readme_outline": None, "has_readme": False})))
    unknown = scores(case(facts({"readme": None, "readme_outline": None, "has_readme": None})))
    assert (missing["documentation"] or 0) < (poor["documentation"] or 0)
    assert (missing["ease_of_use"] or 0) < (poor["ease_of_use"] or 0)
    assert (unknown["documentation"] or 0) > (missing["documentation"] or 0)


@pytest.mark.parametrize(
    ("hours", "text"),
    [
        ((6, 12, 30), "Median first response within 12 hours; 3 of the last 3 issues had one."),
        ((6, None, None), "Of the last 3 issues, 1 had a response by another person."),
        ((6, 7, None), "Median first response within 7 hours; 2 of the last 3 issues had one."),
    ],
)
def test_an_issue_without_a_response_counts_with_its_age(hours: tuple[float | None, ...], text: str) -> None:
    """So ignored issues never look like quick answers."""
    given = case(facts(threads=tuple(thread(60, each) for each in hours)))
    assert said(given)["issue_response"] == text
    quick = case(facts(threads=tuple(thread(60, 6) for _ in hours)))
    assert (scores(given)["community"] or 0) <= (scores(quick)["community"] or 0)


def test_two_issues_tell_nothing() -> None:
    """Nor do nine commits tell how the work is spread."""
    few = facts(threads=(thread(60, 6), thread(61, 6)), commits=(Commit(at=START, author="ada"),) * 9)
    assert not {"issue_response", "pull_response", "top_author"} & said(case(few)).keys()


def test_the_share_of_the_most_active_author() -> None:
    """Programs are no authors; one person alone earns nothing, ten people everything."""

    def commits(*authors: str, bots: int = 0) -> tuple[Commit, ...]:
        programs = [Commit(at=START, author="dependabot", is_bot=True)] * bots
        return tuple(Commit(at=START, author=name) for name in authors) + tuple(programs)

    alone, ten = case(facts(commits=commits(*["ada"] * 20, bots=40))), case(facts(commits=commits(*"abcdefghij" * 2)))
    assert (
        said(alone)["top_author"] == "ada made 20 of the last 20 commits by people (100%); 1 person made all of them."
    )
    assert said(ten)["top_author"].startswith("a made 2 of the last 20 commits by people (10%); 10 people")
    assert (scores(alone)["community"] or 0) + 2 < (scores(ten)["community"] or 0)


@pytest.mark.parametrize(
    ("days", "text"),
    [
        ([1, 8, 15, 200], "Commits in 3 of the last 13 weeks."),
        ([day / 10 for day in range(100)], "Commits in 2 of the last 2 weeks."),
    ],
)
def test_the_rhythm_of_commits(days: list[float], text: str) -> None:
    """A hundred commits of two weeks say nothing about the weeks before."""
    commits = tuple(Commit(at=START - timedelta(days=day)) for day in days)
    assert said(case(facts(commits=commits)))["rhythm"] == text


def test_vulnerabilities_are_named_and_never_silently_none() -> None:
    """What was not looked up has no statement; what cannot be judged is counted and named."""
    one = Dependency(ecosystem="PyPI", name="flask", version="2.0.0", is_exact=True)
    parsed = Parsed(
        {one: "requirements.txt", Dependency(ecosystem="PyPI", name="any"): "requirements.txt"}, ("requirements.txt",)
    )
    known = Advisories(judged=1, vulnerable=(Vulnerable(dependency=one, ids=("PYSEC-1", "GHSA-2", "GHSA-3")),))
    found = Case(facts(), parsed, known, START)
    named = "(flask 2.0.0: PYSEC-1, GHSA-2 and 1 more)"
    text = f"OSV knows vulnerabilities of 1 of the 1 judged dependencies, of 2 in all {named}."
    assert said(found)["vulnerabilities"] == text
    assert "1 of 2 dependencies were not judged: no exact or lowest version (any)." in caveats(found)
    unknown, none = (Case(facts(), parsed, each, START) for each in (None, Advisories(judged=1)))
    assert "vulnerabilities" not in said(unknown)
    assert said(none)["vulnerabilities"].startswith("OSV knows no vulnerability of the 1 judged")
    assert (scores(found)["maintenance"] or 0) < (scores(unknown)["maintenance"] or 0) < 10


def test_an_archived_repository_is_not_maintained() -> None:
    """However busy it was until it was archived."""
    given = case(facts({"archived": True}))
    assert (scores(given)["activity"], scores(given)["maintenance"]) == (1.0, 1.0)
    assert "Archived: read-only" in caveats(given)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"fork": True}, "A fork of palletsprojects/flask, which may be the one to look at."),
        ({"pushed_at": START - timedelta(days=800)}, "No push for 2.2 years."),
        ({"stars": 50_000, "forks": 40}, "50,000 stars but 40 forks: fewer than 99 of 100 repositories"),
        ({"stars": 50_000, "watchers": 3}, "50,000 stars but 3 watchers: fewer than 99 of 100 repositories"),
        ({"observed": {"stars": date(2026, 1, 2)}}, "Its figures were observed on 2026-01-02."),
    ],
)
def test_what_a_reader_should_know(change: dict[str, Any], text: str) -> None:
    """Each caveat has its figures, and none claims a fraud."""
    found = caveats(case(facts(change, parent="palletsprojects/flask")))
    assert text in found
    assert not re.search("bought|fake|fraud", found)


def test_a_renamed_and_an_empty_repository_say_so() -> None:
    """The letter case of the name is no other name."""
    assert "mitsuhiko/flask is now pallets/flask" in caveats(case(), "mitsuhiko/flask")
    assert "is now" not in caveats(case(), "Pallets/Flask")
    assert "Empty: it has no commit yet." in caveats(case(facts(is_empty=True)))


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (("src/", "README.md"), ("No tests were found", "No configuration of continuous integration")),
        (("pkg/", "pkg/__tests__/", ".travis.yml"), ("Tests are in pkg/__tests__/.", "by .travis.yml.")),
        (("parser_test.go", ".circleci/"), ("Tests are in parser_test.go.", "by .circleci/.")),
        (("latest/", "contest/", ".github/workflows/a.yml", ".github/workflows/b.yml"), ("No tests", "2 workflows")),
    ],
)
def test_where_tests_and_continuous_integration_are_found(paths: tuple[str, ...], expected: tuple[str, str]) -> None:
    """In the first two levels; a folder whose name only holds the word is none."""
    statements = said(case(facts(paths=paths)))
    assert expected[0] in statements["tests"]
    assert expected[1] in statements["continuous_integration"]


def test_a_website_is_an_address() -> None:
    """Owners may write any text in its place, which is neither a website nor repeated."""
    made = {text: case(facts({"homepage": text}, paths=("README.md",))) for text in ("flask.example/docs", "Score 10.")}
    address, order = (said(given)["documentation_site"] for given in made.values())
    assert "flask.example/docs" in address
    assert order == "Neither a website nor a folder of documentation."


def test_a_licence_that_is_missing_is_not_one_that_is_unknown() -> None:
    """GitHub's "other" is a licence to be read; without a list of files, nothing is known."""
    texts = [
        said(case(facts({"license": name}, paths=paths))).get("license", "")
        for name, paths in (("NOASSERTION", ("LICENSE",)), (None, ("COPYING",)), (None, ("a.py",)), (None, None))
    ]
    assert [text[:12] for text in texts] == ["It has a lic", "It has a lic", "No licence: ", ""]
