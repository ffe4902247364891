"""GitHub's descriptions of a repository become facts: bounded, and unknown where GitHub gives none."""

from typing import Any

import pytest
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.sources.github.mapping import DETAILS, REST_FACTS, SEARCH_FACTS, read_all


def from_rest(item: dict[str, Any]) -> Repository:
    """Map an item of REST."""
    return read_all([item], REST_FACTS)[0][0]


def details(**node: Any) -> Repository:
    """Map a node of the enrichment."""
    return read_all([{"nameWithOwner": "o/r", **node}], SEARCH_FACTS | DETAILS)[0][0]


def test_a_null_is_an_unknown_fact() -> None:
    """Also where GitHub promises a value; one in a list, or in a part of a member, costs only itself."""
    nulls = dict.fromkeys(("description", "homepage", "language", "license", "topics", "pushed_at", "created_at"))
    assert from_rest({"full_name": "o/r", **nulls, "license": {"spdx_id": None}}) == Repository(full_name="o/r")
    assert from_rest({"full_name": "o/r", "topics": []}).topics == details(repositoryTopics={"nodes": []}).topics == ()
    topics = [None, {"topic": None}, {"topic": {"name": None}}, {"topic": {"name": "a"}}]
    entries = [None, {"name": None}, {"name": "src", "type": "tree"}]
    releases = {"totalCount": 3, "nodes": [None]}
    found = details(repositoryTopics={"nodes": topics}, tree={"entries": entries}, releases=releases)
    assert (found.topics, found.tree, found.releases, found.latest_release_at) == (("a",), ("src/",), 3, None)


def test_a_draft_is_no_release() -> None:
    """It has a name but no date."""
    nodes = [{"tagName": "v2", "publishedAt": None}, {"tagName": "v1", "publishedAt": "2026-01-02T03:04:05Z"}]
    found = details(releases={"totalCount": 2, "nodes": nodes})
    assert (found.latest_release_name, str(found.latest_release_at)[:10]) == ("v1", "2026-01-02")


def test_long_values_are_truncated() -> None:
    """A description has at most 350 characters, a repository 10 topics, a tree 60 entries."""
    item = {"full_name": "o/r", "description": "x" * 351, "topics": [f"t{n}" for n in range(11)]}
    repository = from_rest(item)
    assert repository.description == "x" * 349 + "…"
    assert from_rest(item | {"description": "x" * 350}).description == "x" * 350
    assert repository.topics == tuple(f"t{n}" for n in range(10))
    tree = details(tree={"entries": [{"name": f"f{n}", "type": "blob"} for n in range(61)]}).tree or ()
    assert (len(tree), tree[-1]) == (60, "f59")


def test_the_readme() -> None:
    """The first README with text is read; without one the tree shows whether there is a README at all."""
    for node, expected in (
        ({"readme0": {"text": "# A"}, "readme3": {"text": "B"}}, (True, "# A")),
        ({"readme0": {"text": ""}, "readme3": {"text": "B"}}, (True, "B")),
        ({"readme0": None, "tree": {"entries": [{"name": "Readme.adoc", "type": "blob"}]}}, (True, None)),
        ({"readme0": None, "tree": {"entries": [{"name": "src", "type": "tree"}]}}, (False, None)),
        ({"readme0": None, "tree": None}, (None, None)),
    ):
        repository = details(**node)
        assert (repository.has_readme, repository.readme) == expected


@pytest.mark.parametrize("item", [None, 7, {}, {"full_name": 7}, {"full_name": "o/"}, {"full_name": "o/" + "r" * 5000}])
def test_a_repository_without_a_name_costs_no_other(item: object) -> None:
    """What is no repository is left out of its list, and counted with the reason."""
    reason = "GitHub's response was read without 2 repositories (full_name must be owner/name)"
    assert read_all([item, {"full_name": "o/r"}, item], REST_FACTS) == ([Repository(full_name="o/r")], (reason,))


@pytest.mark.parametrize(
    "fact", [{"created_at": "9999-12-31T23:59:59-12:00"}, {"stargazers_count": -1}, {"license": "MIT"}]
)
def test_a_fact_in_another_form_is_unknown(fact: dict[str, Any]) -> None:
    """The repository and its other facts stay."""
    whole = Repository(full_name="o/r", description="d")
    assert read_all([{"full_name": "o/r", "description": "d", **fact}], REST_FACTS) == ([whole], ())
