"""The data file of the mutation test, and a rule on what it never draws."""

import pytest

from tests.mutation.__main__ import ROOT
from tests.mutation.mutants import load, orders_no_numbers


def test_every_target_stands_in_the_tree() -> None:
    """`make mutants`, which CI does not run, still finds each file and text that it changes."""
    assert len(load(ROOT)["fixed"]) == 6


@pytest.mark.parametrize(
    ("before", "after", "never"),
    [
        ("place == 'a'", "place < 'a'", True),
        ("place != other", "place >= other", True),
        ("count == 0", "count <= 0", False),
        ("len(found) != count", "len(found) > count", False),
        ("place == 'a'", "place != 'a'", False),
    ],
)
def test_only_numbers_are_put_in_order(before: str, after: str, never: bool) -> None:  # noqa: FBT001
    """A mutant that orders texts is not drawn; one that orders numbers or lengths is, and so is the opposite."""
    assert orders_no_numbers(before, after) is never
