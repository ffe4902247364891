"""GitHub's descriptions of a repository become facts: bounded, and unknown where GitHub gives none."""

from __future__ import annotations

from typing import Any

import pytest
from goldpan.errors import Unavailable
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.sources.github.mapping import (
    add_details,
    from_rest,
    from_search_node,
    schema_violations,
)


def details(**node: Any) -> Repository:
    """Add the details of a node to a repository."""
    return add_details(Repository(full_name="o/r", stars=5), node)


def test_a_null_is_an_unknown_fact() -> None:
    """A null in a search leaves a fact unknown, and one in the details leaves what the search found."""
    optional = ("description", "primaryLanguage", "licenseInfo", "repositoryTopics", "parent", "pushedAt")
    assert from_search_node({"nameWithOwner": "o/r", **dict.fromkeys(optional)}) == Repository(full_name="o/r")
    assert from_search_node({"nameWithOwner": "o/r", "parent": {"stargazerCount": 7}}).parent_stars == 7
    node = dict.fromkeys(("tree", "releases", "openIssues", "defaultBranchRef", "watchers", "mentionableUsers"))
    assert details(**node) == Repository(full_name="o/r", stars=5)


def test_long_values_are_truncated() -> None:
    """A description has at most 350 characters, a repository 10 topics, a tree 60 entries."""
    item = {"full_name": "o/r", "description": "x" * 351, "topics": [f"t{n}" for n in range(11)]}
    repository = from_rest(item)
    assert repository.description == "x" * 349 + "…"
    assert from_rest(item | {"description": "x" * 350}).description == "x" * 350
    assert (len(repository.topics), repository.topics[-1]) == (10, "t9")
    tree = details(tree={"entries": [{"name": f"f{n}", "type": "blob"} for n in range(61)]}).tree or ()
    assert (len(tree), tree[-1]) == (60, "f59")


@pytest.mark.parametrize(
    ("node", "has_readme", "readme"),
    [
        ({"readmeMd": {"text": "# A"}, "readmeRst": {"text": "B"}}, True, "# A"),
        ({"readmeMd": {"text": ""}, "readmeRst": {"text": "B"}}, True, "B"),
        ({"readmeMd": None, "tree": {"entries": [{"name": "Readme.adoc", "type": "blob"}]}}, True, None),
        ({"readmeMd": None, "tree": {"entries": [{"name": "src", "type": "tree"}]}}, False, None),
        ({"readmeMd": None, "tree": None}, None, None),
    ],
)
def test_the_readme(node: dict[str, Any], has_readme: bool | None, readme: str | None) -> None:  # noqa: FBT001
    """The first README with text is read; without one the tree shows whether there is a README at all."""
    repository = details(**node)
    assert (repository.has_readme, repository.readme) == (has_readme, readme)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (None, "GitHub's list of repositories contains a NoneType"),
        ({"full_name": 7}, "invalid repository: full_name: Input should be a valid string"),
        ({"full_name": "o/r", "license": "MIT"}, r"does not match its schema \(AttributeError\)"),
    ],
)
def test_a_malformed_item_is_named(item: Any, message: str) -> None:
    """What GitHub's schema does not allow is unavailable, with the field or the kind of the violation."""
    with pytest.raises(Unavailable, match=message), schema_violations():
        from_rest(item)
